/* processes.h - the same measurement in more processes, of other addresses.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_PROCESSES_H
#define MEMROUTE_BENCH_PROCESSES_H

#include "measure.h"

/* Ends the program with status 1 if it could not be started again as another
 * process and has to be. */
void processes_check(const struct bench_settings *settings);

/*
 * Behind what this process has measured as the first: runs this program again
 * as the second, the third and so on of the settings' processes, one after
 * the other, with the arguments of this one, and joins their tables into
 * those of bench; see join.h. They die with this process. Ends the program
 * with status 1 if one cannot be started, fails, or measures something else.
 */
void processes_run_others(struct bench *bench, int argc, char **argv);

#endif
