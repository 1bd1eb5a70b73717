/* child.h - run a command, time it, and leave nothing of it behind.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_CHILD_H
#define MEMROUTE_CHILD_H

#include <sched.h>
#include <stdbool.h>

struct child_command {
	char *const *argv;		/* gets this process's environment */
	const char *input;		/* path, opened anew for each run */
	int output, errors;		/* descriptors: its stdout and stderr */
	const cpu_set_t *cpus;		/* NULL: where it likes */
};

struct child_result {
	int error;		/* errno if it could not be started, or 0 */
	int interrupt;		/* signal that ended memroute's waiting, or 0 */
	int status;		/* as from wait4(2), if neither */
	double wall, cpu;	/* seconds; cpu: user and system, with the
				 * descendants that it has waited for */
};

/*
 * To be called once before the first child_run(): from here on SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT (those that are not ignored) are taken by
 * child_run(), and orphaned descendants become children of this process.
 */
void child_begin(void);

/*
 * Runs the command in a process group of its own, waits for it, and then
 * kills what it has left running in that group or as orphans. On one of the
 * signals above the group gets SIGTERM, two seconds later SIGKILL.
 */
void child_run(const struct child_command *command,
	       struct child_result *result);

/* Ends this process by a signal that child_run() has taken, as if it had
 * never been taken. */
_Noreturn void child_die_of(int signal);

#endif
