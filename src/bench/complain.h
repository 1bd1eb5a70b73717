/* complain.h - how memroute-bench ends when it cannot go on.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_COMPLAIN_H
#define MEMROUTE_BENCH_COMPLAIN_H

#include <stddef.h>

enum {
	STATUS_FAILED = 1,	/* a check failed, or the machine refused */
	STATUS_USAGE = 2,	/* arguments or files of the user */
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* One line on stderr, "memroute-bench: ...", then exit with that status. */
void fail(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void fail_usage(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Zeroed memory for count items of size bytes; ends the program for want of
 * it. */
void *allocate(size_t count, size_t size);

/* Makes room for one more item behind count of them, doubling as it goes. */
void *grow(void *items, size_t count, size_t size);

#endif
