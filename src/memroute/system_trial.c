/* system_trial.c - enabled until the time is over, unless confirmed.
 *
 * The new file is mounted over the old one, so that a reboot ends it. A
 * process started before waits and unmounts it: it needs nothing from then on
 * that a broken library could spoil, neither programs nor libc's functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

#define LONGEST_TRIAL 86400	/* seconds: a day */
#define SIGNAL_SET_SIZE 8	/* bytes, as the kernel counts them */

struct trial {
	long seconds;
	char target[2 * PATH_MAX];	/* the file, seen from here */
	char directory[2 * PATH_MAX];	/* of the file */
	char source[PATH_MAX];		/* the file to be mounted over it */
	/* What is mounted over it. */
	uint32_t device_major, device_minor;
	uint64_t inode;
	bool made;		/* the file, empty, to mount over */
	sigset_t end;		/* the signals that end it early */
};

/* ---- the process that waits: system calls only ---- */

static bool look(const struct trial *trial, struct statx *status)
{
	return syscall(SYS_statx, AT_FDCWD, trial->target, AT_SYMLINK_NOFOLLOW,
		       STATX_BASIC_STATS, status) == 0;
}

static bool is_ours(const struct trial *trial)
{
	struct statx status;

	return look(trial, &status) &&
	       status.stx_dev_major == trial->device_major &&
	       status.stx_dev_minor == trial->device_minor &&
	       status.stx_ino == trial->inode;
}

static time_t now(void)
{
	struct timespec time = { 0, 0 };

	/* Counts while the machine sleeps too. */
	syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &time);
	return time.tv_sec;
}

/* Removes the file that was made to mount over, unless it was filled. */
static void remove_made(const struct trial *trial)
{
	const struct timespec second = { 1, 0 };
	struct statx status;
	long directory;

	directory = syscall(SYS_openat, AT_FDCWD, trial->directory,
			    O_RDONLY | O_DIRECTORY, 0);
	/* Not for ever: any user can hold this lock. */
	for (int i = 0; i < 10; i++) {
		if (syscall(SYS_flock, directory, LOCK_EX | LOCK_NB) == 0)
			break;
		syscall(SYS_nanosleep, &second, NULL);
	}
	if (look(trial, &status) && S_ISREG(status.stx_mode) &&
	    status.stx_size == 0)
		syscall(SYS_unlinkat, AT_FDCWD, trial->target, 0);
}

/* Waits for the end: of the time, of the mount, or by SIGTERM, which also
 * comes at logout and shutdown. */
static void watch(const struct trial *trial)
{
	const struct timespec second = { 1, 0 };
	time_t end = now() + trial->seconds;

	while (is_ours(trial) && now() < end)
		if (syscall(SYS_rt_sigtimedwait, &trial->end, NULL, &second,
			    SIGNAL_SET_SIZE) == SIGTERM)
			break;
	if (is_ours(trial))
		syscall(SYS_umount2, trial->target, MNT_DETACH);
	if (trial->made)
		remove_made(trial);
	syscall(SYS_exit_group, 0);
}

/* In the child. command is the connection to the command, which closes it
 * once the file is mounted, or when it dies. */
static void become_watcher(const struct trial *trial, int command)
{
	sigset_t all;
	char byte = 0;

	/* Nothing of the caller's, and not its lock. */
	dup2(command, 3);
	dup2(open("/dev/null", O_RDWR), 0);
	dup2(0, 1);
	dup2(0, 2);
	/* Linux before 5.9 has no close_range; nobody has more than that. */
	if (close_range(4, ~0u, 0))
		for (int fd = 4; fd < 1024; fd++)
			close(fd);
	/* SIGHUP comes when the terminal goes: blocked, and not waited for. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	if (chdir("/"))
		_exit(1);
	/* Its code, even if the disk goes; not being allowed to is no harm. */
	mlockall(MCL_CURRENT);
	is_ours(trial);		/* binds syscall() while that is safe */
	syscall(SYS_write, 3, &byte, 1);
	syscall(SYS_read, 3, &byte, 1);
	/* Without a name a killed command leaves nothing either. */
	syscall(SYS_unlinkat, AT_FDCWD, trial->source, 0);
	watch(trial);
}

/* ---- the command ---- */

/* Starts the watcher and waits until it is ready. Returns the connection to
 * it: closing that begins its time. -1 on failure, with errno set. */
static int start_watcher(const struct trial *trial)
{
	int pair[2];
	pid_t pid;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		become_watcher(trial, pair[1]);
	close(pair[1]);
	errno = ECHILD;		/* if it ends before it is ready */
	if (pid > 0 && read(pair[0], &byte, 1) == 1)
		return pair[0];
	close(pair[0]);
	return -1;
}

/* Writes the new file where a reboot forgets it, without a name. Returns a
 * descriptor, or -1 with errno set. */
static int write_source(const struct job *job, char *path)
{
	int fd;

	snprintf(path, PATH_MAX, "/run/" TRIAL_NAME "XXXXXX");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	errno = ENOSPC;		/* if it writes less */
	if (write(fd, job->bytes, job->size) == (ssize_t)job->size &&
	    preload_copy_status(&job->preload, fd))
		return fd;
	unlink(path);
	close(fd);
	return -1;
}

/* There must be a file to mount over. An empty one is as good as none. */
static bool make_target(const struct job *job, struct trial *trial)
{
	int fd;

	if (job->preload.exists)
		return true;
	fd = openat(job->preload.directory, "ld.so.preload",
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	fchmod(fd, 0644);
	close(fd);
	trial->made = true;
	return true;
}

/* Where the file is, seen from here. */
static bool find_target(const struct job *job, struct trial *trial)
{
	struct place etc;

	if (!tree_resolve(&job->tree, "/etc", &etc))
		return false;
	snprintf(trial->directory, sizeof(trial->directory), "%s%s",
		 tree_is_system(&job->tree) ? "" : job->tree.path, etc.path);
	errno = ENAMETOOLONG;
	return snprintf(trial->target, sizeof(trial->target),
			"%s/ld.so.preload", trial->directory) < PATH_MAX;
}

/* Mounts the source, with the watcher started before. */
static bool mount_source(struct trial *trial, int source)
{
	struct statx status;
	int watcher, error;

	if (statx(source, "", AT_EMPTY_PATH, STATX_INO, &status))
		return false;
	trial->device_major = status.stx_dev_major;
	trial->device_minor = status.stx_dev_minor;
	trial->inode = status.stx_ino;
	watcher = start_watcher(trial);
	if (watcher < 0)
		return false;
	error = mount(trial->source, trial->target, NULL, MS_BIND, NULL) ?
		errno : 0;
	close(watcher);
	errno = error;
	return !error;
}

static int begin_trial(const struct job *job, struct trial *trial)
{
	int fd, error;
	bool mounted;

	sigemptyset(&trial->end);
	sigaddset(&trial->end, SIGTERM);
	if (!find_target(job, trial)) {
		complain("%s: %s", job_file(job), strerror(errno));
		return STATUS_FAILED;
	}
	fd = write_source(job, trial->source);
	if (fd < 0) {
		complain("%s: %s", trial->source, strerror(errno));
		return STATUS_FAILED;
	}
	mounted = make_target(job, trial) && mount_source(trial, fd);
	error = errno;
	close(fd);
	if (!mounted)
		unlink(trial->source);
	if (!mounted) {
		complain("cannot mount over %s: %s", job_file(job),
			 strerror(error));
		return STATUS_FAILED;
	}
	printf("enabled in %s for %ld seconds: %s\n"
	       "keep it with: memroute system trial --confirm%s%s\n",
	       job_file(job), trial->seconds, job->line.text,
	       tree_is_system(&job->tree) ? "" : " --root ",
	       tree_is_system(&job->tree) ? "" : job->tree.path);
	return 0;
}

static bool unmount(const struct job *job)
{
	struct trial trial;

	if (find_target(job, &trial) &&
	    umount2(trial.target, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
		return true;
	complain("cannot end the trial: %s: %s", job_file(job),
		 strerror(errno));
	return false;
}

int trial_end(const struct job *job)
{
	if (!unmount(job))
		return STATUS_FAILED;
	printf("the trial is over in %s; running programs keep the library "
	       "until they end\n", job_file(job));
	return 0;
}

/* True if the file below is what the trial was made from. */
static bool is_its_base(const struct preload *trial,
			const struct preload *below)
{
	bool remove, same;
	size_t size;
	char *bytes = preload_without(trial, &size, &remove);

	same = bytes && size == below->size &&
	       (!size || memcmp(bytes, below->bytes, size) == 0);
	free(bytes);
	return same;
}

/* The lock of the job keeps the watcher from removing the file meanwhile. */
static int confirm(const struct job *job)
{
	char reason[REASON_SIZE];
	struct preload below;
	bool done = false;

	if (!job->preload.trial) {
		complain("no trial is running in %s", job_file(job));
		return STATUS_FAILED;
	}
	if (!unmount(job))
		return STATUS_FAILED;
	if (!preload_read(&job->tree, false, &below, reason)) {
		complain("%s", reason);
		return STATUS_FAILED;
	}
	if (!is_its_base(&job->preload, &below))
		refuse(reason, "%.900s was changed during the trial: it is "
		       "over; enable it anew", job_file(job));
	else
		done = preload_replace(&below, job->preload.bytes,
				       job->preload.size, reason);
	preload_close(&below);
	if (!done) {
		complain("%s", reason);
		return STATUS_FAILED;
	}
	printf("enabled in %s for good\n", job_file(job));
	return 0;
}

/* A number of seconds, or -1. */
static long read_seconds(const char *text)
{
	char *end;
	long seconds;

	errno = 0;
	seconds = strtol(text, &end, 10);
	if (errno || end == text || *end || seconds < 1 ||
	    seconds > LONGEST_TRIAL)
		return -1;
	return seconds;
}

static int run_trial(struct job *job, long seconds)
{
	struct trial trial = { .seconds = seconds };
	int status = job_prepare(job);

	if (status >= 0)
		return status;
	if (job->request->dry_run) {
		printf("would add to %s for %ld seconds: %s\n", job_file(job),
		       seconds, job->line.text);
		return 0;
	}
	if (job_is_wanted(job, "Enable for every program, for a while?"))
		return begin_trial(job, &trial);
	complain("not enabled");
	return STATUS_FAILED;
}

int system_trial(const struct request *request)
{
	const char *text = request->argument[0];
	long seconds = text ? read_seconds(text) : 0;
	struct job job;
	int status;

	if (!text == !request->confirm) {
		complain("say for how many SECONDS, or --confirm");
		return STATUS_USAGE;
	}
	if (seconds < 0) {
		complain("'%s': no number of seconds from 1 to %d", text,
			 LONGEST_TRIAL);
		return STATUS_USAGE;
	}
	if (!job_begin(&job, request))
		return STATUS_FAILED;
	status = request->confirm ? confirm(&job) : run_trial(&job, seconds);
	job_end(&job);
	return status;
}
