/* progress.h - one line on a terminal that says what is going on.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_PROGRESS_H
#define MEMROUTE_BENCH_PROGRESS_H

/* Shows a line (printf) in place of the last one, at most four times a
 * second, if stderr is a terminal. */
void progress_show(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Removes it. */
void progress_clear(void);

#endif
