/* odd.c - programs that live in an odd way, one for each mode: odd MODE ...
 * Each prints "right" if its copies were right all the while.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

extern char **environ;

static int errno_at_start;

/* Before the constructors of libc's users, after those of the preload. */
__attribute__((constructor))
static void note_errno(void)
{
	errno_at_start = errno;
}

static int keep_errno(char **arguments)
{
	(void)arguments;
	errno = 42;
	return copies_are_right() && errno == 42 && errno_at_start == 0;
}

/* Nothing but read, write and exit is allowed any more. */
static int strict(char **arguments)
{
	static const char *const answer[] = { "wrong\n", "right\n" };

	(void)arguments;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 0;
	write(1, answer[copies_are_right()], 6);
	syscall(SYS_exit, 0);
	return 0;
}

static void *verify_often(void *result)
{
	int right = 1;

	for (int i = 0; i < 20; i++)
		right &= copies_are_right();
	*(int *)result = right;
	return NULL;
}

static int threads(char **arguments)
{
	pthread_t thread[8];
	int right[8] = { 0 }, sum = 0;

	(void)arguments;
	for (int i = 0; i < 8; i++)
		if (pthread_create(&thread[i], NULL, verify_often, &right[i]))
			return 0;
	for (int i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		sum += right[i];
	}
	return sum == 8;
}

static int child_is_right(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int forks(char **arguments)
{
	pid_t child = fork();

	(void)arguments;
	if (!child)
		_exit(!copies_are_right());
	if (!child_is_right(child))
		return 0;
	child = vfork();
	if (!child)
		_exit(!copies_are_right());
	return child_is_right(child);
}

static int spawns(char **arguments)
{
	char *const command[] = { arguments[0], "errno", NULL };
	posix_spawn_file_actions_t actions;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&child, command[0], &actions, NULL, command, environ) ||
	    !child_is_right(child))
		return 0;
	posix_spawn_file_actions_destroy(&actions);
	return system("exit 3") == 3 << 8;
}

/* As setproctitle() does: arguments and environment are overwritten. */
static int title(char **arguments)
{
	char *end = arguments[0];

	for (char **e = environ; *e; e++)
		end = *e + strlen(*e);
	for (char *c = arguments[0]; c < end; c++)
		*c = 'x';
	return copies_are_right() && forks(arguments);
}

/* Loads the library again, or for the first time, into a namespace. */
static int load(void *handle)
{
	void *(*copy)(void *, const void *, size_t);
	char to[300] = "", from[300] = "text";

	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		return 0;
	}
	copy = (void *(*)(void *, const void *, size_t))dlsym(handle,
							      "memcpy");
	copy(to, from, sizeof(to));
	return !strcmp(to, "text") && copies_are_right() && !dlclose(handle);
}

static int opens(char **arguments)
{
	return load(dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL)) &&
	       load(dlopen(arguments[2], RTLD_LAZY)) &&
	       load(dlopen(arguments[2], RTLD_LAZY | RTLD_DEEPBIND));
}

static int opens_namespace(char **arguments)
{
	return load(dlmopen(LM_ID_NEWLM, arguments[2], RTLD_LAZY));
}

/* Runs PROGRAM without even a name, in an environment of VARIABLE... */
static int nameless(char **arguments)
{
	char *none[] = { NULL };

	execve(arguments[2], none, arguments + 3);
	return 0;
}

/* Runs PROGRAM in a huge environment, with VARIABLE... at its end. */
static int huge(char **arguments)
{
	enum { COUNT = 8000 };
	static char *variables[COUNT + 16], text[COUNT][128];
	char *command[] = { arguments[2], NULL };
	int i;

	for (i = 0; i < COUNT; i++) {
		snprintf(text[i], sizeof(text[i]), "V%d=%0100d", i, i);
		variables[i] = text[i];
	}
	for (int k = 3; arguments[k] && i < COUNT + 15; k++)
		variables[i++] = arguments[k];
	execve(arguments[2], command, variables);
	return 0;
}

static int plain(char **arguments)
{
	(void)arguments;
	return copies_are_right();
}

static const struct mode {
	const char *name;
	int (*live)(char **arguments);
} modes[] = {
	{ "plain", plain }, { "errno", keep_errno }, { "strict", strict },
	{ "threads", threads }, { "forks", forks }, { "spawns", spawns },
	{ "title", title }, { "opens", opens },
	{ "opens_namespace", opens_namespace }, { "nameless", nameless },
	{ "huge", huge },
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "plain";
	int right = 0;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(modes[i].name, name))
			right = modes[i].live(argv);
	puts(right ? "right" : "wrong");
	return !right;
}
