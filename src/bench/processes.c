/* processes.c - the same measurement in more processes, of other addresses.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complain.h"
#include "join.h"
#include "processes.h"

static const char program[] = "/proc/self/exe";

void processes_check(const struct bench_settings *settings)
{
	if (settings->processes > 1 && !settings->process &&
	    access(program, X_OK))
		fail("cannot start another process from %s: %s; "
		     "--processes 1 needs none", program, strerror(errno));
}

/*
 * The arguments of this program with --process and the seed, which may be a
 * fresh one, in front of them: nobody knows where options end. To be freed.
 */
static char **arguments_of(const struct bench_settings *s, unsigned number,
			   int argc, char **argv)
{
	char **arguments = allocate((size_t)argc + 3, sizeof(*arguments));

	arguments[0] = argv[0];
	if (asprintf(&arguments[1], "--process=%u", number) < 0 ||
	    asprintf(&arguments[2], "--seed=%lu", s->seed) < 0)
		fail("out of memory");
	memcpy(arguments + 3, argv + 1, (size_t)argc * sizeof(*argv));
	return arguments;
}

static void free_arguments(char **arguments)
{
	free(arguments[1]);
	free(arguments[2]);
	free(arguments);
}

__attribute__((noreturn))
static void become(char **arguments, int output, pid_t parent)
{
	/* Whatever ends this process must end the other; it may have happened
	 * already. */
	if (!prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent &&
	    dup2(output, STDOUT_FILENO) >= 0)
		execv(program, arguments);
	_exit(STATUS_FAILED);
}

/* Waits for the process of that number; what it has written is in root. */
static void check_end(const struct bench_settings *s, unsigned number,
		      pid_t child, const json_t *root)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		fail("process %u of %u is gone: %s", number, s->processes,
		     strerror(errno));
	if (WIFSIGNALED(status))
		fail("process %u of %u was killed: %s", number, s->processes,
		     strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		fail("process %u of %u failed: status %d", number,
		     s->processes, WEXITSTATUS(status));
	if (!root)
		fail("process %u of %u wrote something that is no JSON",
		     number, s->processes);
}

/* What the process of that number measures, as JSON; a new reference. */
static json_t *run(const struct bench_settings *s, unsigned number, int argc,
		   char **argv)
{
	char **arguments = arguments_of(s, number, argc, argv);
	pid_t self = getpid(), child;
	json_t *root;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) || (child = fork()) < 0)
		fail("cannot start another process: %s", strerror(errno));
	if (!child)
		become(arguments, ends[1], self);
	close(ends[1]);
	root = json_loadfd(ends[0], 0, NULL);
	close(ends[0]);
	check_end(s, number, child, root);
	free_arguments(arguments);
	return root;
}

void processes_run_others(struct bench *bench, int argc, char **argv)
{
	const struct bench_settings *s = &bench->settings;
	json_t *roots[PROCESSES_MAX] = { NULL };
	size_t count = 0;

	for (unsigned number = 2; number <= s->processes; number++)
		roots[count++] = run(s, number, argc, argv);
	join_tables(bench, roots, count);
	while (count)
		json_decref(roots[--count]);
}
