/* commands.h - the commands of memroute(1), a file each.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_COMMANDS_H
#define MEMROUTE_COMMANDS_H

/* Exit statuses besides the command's own. */
enum {
	STATUS_FAILED = 1,	/* a check, or a command under ab */
	STATUS_USAGE = 2,
};

/* Each gets its own name as argv[0] and returns the exit status. Errors go to
 * stderr in one line, results to stdout. */
int command_run(int argc, char **argv);
int command_ab(int argc, char **argv);
int command_info(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_system(int argc, char **argv);

#endif
