/* join.h - one set of tables out of those of several processes.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_JOIN_H
#define MEMROUTE_BENCH_JOIN_H

#include <jansson.h>

#include "measure.h"

/*
 * Joins what other processes measured into the tables of bench, which has
 * measured the same cells. Others are count < PROCESSES_MAX objects as
 * output_json() writes them. Of each cell
 *
 * - ratio and time are the medians of those of all processes;
 * - the interval is that of statistics_bootstrap() over the ratios, up to five
 *   processes their range. The range of N medians is the distribution-free
 *   interval from order statistics (Conover, Practical Nonparametric
 *   Statistics, 3.2) for the median over processes, with a coverage of
 *   1 - 2^(1-N), 94 % for five; it holds for any kind of difference between
 *   processes. Two runs whose processes do not differ in kind have intervals
 *   that do not meet only if all medians of one are above all of the other: in
 *   2 of C(2N, N) cases, 10 % for three processes, 2.9 % for four, 0.8 % for
 *   five. The interval that each process has by itself says less, and one
 *   disturbed process would make it too wide to tell anything;
 * - pairs, batches repeated and batches kept though disturbed are added up.
 *
 * The control's interval is made in the same way, and verdicts are drawn anew
 * from it. Without others everything stays as it is. Bytes of random sizes
 * stay those of this process. Ends the program with status 1 if an object has
 * other cells, or no numbers.
 */
void join_tables(struct bench *bench, json_t *const *others, size_t count);

#endif
