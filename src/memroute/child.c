/* child.c - run a command, time it, and leave nothing of it behind.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

/* Between SIGTERM and SIGKILL, and between two sweeps for orphans. */
static const struct timespec patience = { 2, 0 };
static const struct timespec short_while = { 0, 1000000 };

static sigset_t watched, original;

void child_begin(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action;

	/* An inherited SIG_IGN would reap our children behind our back. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&watched, ends[i]);
	sigprocmask(SIG_BLOCK, &watched, &original);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* In the child. Reports an error through the pipe, which exec closes. */
_Noreturn static void execute(const struct child_command *command, int report,
			      pid_t parent)
{
	int error, input;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(1);
	input = open(command->input, O_RDONLY | O_CLOEXEC);
	if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
	    dup2(command->output, STDOUT_FILENO) >= 0 &&
	    dup2(command->errors, STDERR_FILENO) >= 0 &&
	    (!command->cpus || sched_setaffinity(0, sizeof(*command->cpus),
						 command->cpus) == 0)) {
		sigprocmask(SIG_SETMASK, &original, NULL);
		execvp(command->argv[0], command->argv);
	}
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(1);
	_exit(1);
}

/* Kills the group, and orphans that have left it, until there are none. */
static void sweep(pid_t group)
{
	char path[64];
	FILE *children;
	int pid;

	kill(-group, SIGKILL);
	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)getpid());
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		children = fopen(path, "re");
		while (children && fscanf(children, "%d", &pid) == 1)
			kill(pid, SIGKILL);
		if (children)
			fclose(children);
		nanosleep(&short_while, NULL);
	}
}

/* SIGTERM, and SIGKILL if that does not end it. */
static void stop(pid_t pid)
{
	double deadline = now() + (double)patience.tv_sec;
	sigset_t ended;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	kill(-pid, SIGTERM);
	kill(-pid, SIGCONT);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (now() < deadline) {
			sigtimedwait(&ended, NULL, &patience);
			continue;
		}
		kill(-pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return;
	}
}

static void wait_for(pid_t pid, double start, struct child_result *result)
{
	struct rusage usage;
	int signal;

	/* A SIGCHLD may be about an orphan, or about one of the last run. */
	while (wait4(pid, &result->status, WNOHANG, &usage) == 0) {
		signal = sigwaitinfo(&watched, NULL);
		if (signal > 0 && signal != SIGCHLD) {
			result->interrupt = signal;
			stop(pid);
			return;
		}
	}
	result->wall = now() - start;
	result->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void child_run(const struct child_command *command,
	       struct child_result *result)
{
	pid_t parent = getpid(), pid;
	double start;
	int report[2];

	*result = (struct child_result) { 0 };
	if (pipe2(report, O_CLOEXEC) != 0) {
		result->error = errno;
		return;
	}
	start = now();
	pid = fork();
	if (pid == 0)
		execute(command, report[1], parent);
	if (pid < 0)
		result->error = errno;
	close(report[1]);
	if (pid > 0) {
		setpgid(pid, pid);
		/* returns when exec has closed the pipe */
		if (read(report[0], &result->error, sizeof(int)) < 0)
			result->error = errno;
		wait_for(pid, start, result);
		sweep(pid);
	}
	close(report[0]);
}

void child_die_of(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	sigprocmask(SIG_SETMASK, &original, NULL);
	exit(128 + signal_number);	/* blocked from the beginning */
}
