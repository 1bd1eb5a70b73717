/* workload.h - the table of workloads; each has a file of its own.
 * A new one is that file and a row in workload.c.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_WORKLOAD_H
#define MEMROUTE_BENCH_WORKLOAD_H

#include "complain.h"
#include "measure.h"

/* Which arguments and options a workload takes besides the common ones. */
enum takes {
	TAKES_SIZES	= 1 << 0,	/* --size, single ones */
	TAKES_RANGES	= 1 << 1,	/* --size, ranges too */
	TAKES_DISTANCES	= 1 << 2,
	TAKES_THREADS	= 1 << 3,
	TAKES_FILES	= 1 << 4,	/* names or files behind the workload */
};

/* Measures; the tables go into bench. */
typedef void workload_fn(struct bench *bench);
/* Draws conclusions from the tables in bench. Returns the exit status. */
typedef int judge_fn(struct bench *bench);

struct workload {
	const char *name;
	const char *what;	/* one line for --help */
	workload_fn *run;
	unsigned takes;		/* enum takes */
	judge_fn *judge;	/* NULL: there is nothing to conclude */
	/* Prints in place of the tables; NULL: they do. */
	void (*print)(const struct bench *bench);
};

extern const struct workload workloads[];
extern const size_t workload_count;

workload_fn run_fixed, run_random, run_distribution, run_trace, run_latency,
	run_distance, run_goals, run_tune,
	run_use_after_copy, run_large, run_aligned, run_overlap, run_threads,
	run_cold, run_loopback, run_dispatch, run_aligned_path,
	run_delegation, run_macswap, run_seeds, run_quick, run_all, run_self_test;

judge_fn judge_goals, judge_tune, judge_seeds, judge_self_test;

void print_self_test(const struct bench *bench);
void print_goals(const struct bench *bench);
void print_tune(const struct bench *bench);
void print_seeds(const struct bench *bench);

/* The workload of that name; ends the program with status 2, naming what is
 * allowed, if there is none. */
const struct workload *workload_by_name(const char *name);

/* The sizes asked for, or else these; count is set to how many. */
const struct size_range *sizes_or(const struct bench *bench,
				  const struct size_range *own, size_t *count);

/* Writes a size as people write it: 512, 2K, 32M. */
const char *size_text(size_t size, char text[24]);
/* The same for a range, "1..16"; a single size where both ends are equal. */
const char *range_text(struct size_range range, char text[64]);

/* Files of the data folder that a workload can use. */
struct data_kind {
	const char *what;		/* "trace" */
	const char *suffix;		/* ".csv" */
	const char *folders[4];		/* of the data folder; NULL behind */
	size_t default_folders;		/* that are used without arguments */
};

/* A cell of the file at path, called name; ends the program with status 2 if
 * the file is not what it should be. */
typedef struct cell *cell_from_fn(struct bench *bench, const char *path,
				  const char *name);

/*
 * Measures a cell of each file that the arguments ask for, a path or the name
 * of one in the folders without suffix; without arguments of all in the first
 * folders, sorted. Ends the program with status 2, naming what is there, for
 * anything else.
 */
void data_measure(struct bench *bench, const struct data_kind *kind,
		  cell_from_fn *cell_from);

/* A workload with settings of its own, as one would type them. */
struct step {
	const char *workload;
	const char *sizes;	/* NULL: the workload's own */
	const char *distances;	/* NULL: the workload's own */
	double seconds;		/* for each row, unless --time says other */
	const char *arguments[12];	/* none: the workload's own */
};

void run_step(struct bench *bench, const struct step *step);

/* Cells that several tables show. */
cell_from_fn cell_from_distribution, cell_from_trace;
/* Both blocks at page distance (dst - src) mod 4096; read back if large. */
struct cell *cell_at_distance(size_t n, size_t distance, bool read_back);

#endif
