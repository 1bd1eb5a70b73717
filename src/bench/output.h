/* output.h - tables, JSON and plots of what was measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_OUTPUT_H
#define MEMROUTE_BENCH_OUTPUT_H

#include <stdio.h>

#include "machine.h"
#include "measure.h"

/* One line about the machine and one about the settings. */
void output_header(const struct bench *bench, const struct machine *machine);

/* Each table: a row a cell, a column a competitor; or, with --intervals, a
 * line for each of both. Below a table of several rows, geometric means. */
void output_tables(const struct bench *bench);

/* Writes everything as JSON; ends the program with status 1 on failure. The
 * schema is in memroute-bench(1). */
void output_json(const struct bench *bench, const struct machine *machine,
		 FILE *file);

/* Ends the program with status 1 unless gnuplot can be started, with 2 unless
 * path can be written. */
void plot_check(const char *path);

/* Draws every table into path, its format by its suffix (.svg or .png): the
 * speed and, below it, the ratio over the size. Ends the program with status
 * 1 if gnuplot fails. */
void output_plot(const struct bench *bench, const char *path);

/* "faster", "slower" or "within A/A". */
const char *verdict_name(enum verdict verdict);

/* Geometric mean over the rows of a table of the ratio of competitor i of the
 * list; NAN where it did not take part in all of them. */
double table_mean(const struct table *table, const struct competitor *c);

#endif
