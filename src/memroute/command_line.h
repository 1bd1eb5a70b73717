/* command_line.h - options, usage and errors, the same for every command.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_COMMAND_LINE_H
#define MEMROUTE_COMMAND_LINE_H

#include <getopt.h>

/* The command that complain() names; main() sets it. "" before. */
extern const char *command_name;

/* One line on stderr, "memroute COMMAND: " and the text, whose control
 * characters are shown as '?'. No newline in the format. What is longer than
 * 2000 bytes is cut. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/*
 * As getopt_long(3), but stops at the first argument that is no option, and
 * says what is wrong and which options are allowed in one line. Returns '?'
 * for a bad option, -1 after the last one.
 */
int next_option(int argc, char **argv, const struct option *options);

/* Tells of unused arguments from argv[optind] on, if there are any. Returns
 * the exit status: STATUS_USAGE, or 0 if there are none. */
int refuse_arguments(int argc, char **argv);

#endif
