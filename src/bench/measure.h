/* measure.h - one row of a table: all competitors on the same operations.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_MEASURE_H
#define MEMROUTE_BENCH_MEASURE_H

#include <gsl/gsl_rng.h>

#include "../measure/statistics.h"
#include "competitor.h"
#include "operations.h"
#include "settings.h"
#include "timing.h"

enum verdict { VERDICT_WITHIN, VERDICT_FASTER, VERDICT_SLOWER };

struct result {
	const struct competitor *competitor;
	double ns;			/* median, of one operation */
	struct estimate ratio;		/* of the times, to the reference's */
	enum verdict verdict;
};

struct row {
	char name[56];
	double bytes;			/* mean of an operation */
	size_t operations;
	unsigned repetitions;		/* pairs behind each ratio */
	unsigned retried, ungated;	/* batches, see timing.h */
	double deviation;		/* of the A/A control from 1 */
	size_t count;			/* of results; the reference first */
	struct result results[COMPETITORS_MAX];
};

struct table {
	const char *workload;
	const char *note;		/* what an operation is */
	const struct competitors *competitors;	/* who takes part, if it can */
	size_t count;
	struct row *rows;
};

/* What became of a goal; see workload_goals.c. */
struct outcome {
	const char *name;
	const char *peer;		/* the best of others, and its ratio */
	double goal, measured;		/* ratios */
	double deviation;		/* largest of the rows behind it */
	char worst[56];			/* the row that is farthest off */
	double worst_ratio;
	bool met;
};

struct bench {
	struct bench_settings settings;
	struct competitors competitors;
	gsl_rng *rng;
	struct gate gate;
	size_t table_count;
	struct table *tables;
	size_t outcome_count;
	struct outcome *outcomes;
	char advice[120];		/* tune's; "" elsewhere */
};

/* Begins a table of all competitors; the strings must last. Rows go into the
 * newest one. */
void bench_begin(struct bench *bench, const char *workload, const char *note);

/* The same for a list of its own, which must last too. */
void bench_begin_among(struct bench *bench, const char *workload,
		       const char *note, const struct competitors *list);

/*
 * Measures a cell, appends its row and frees it. All competitors that can
 * take part carry out each batch, in random order; what is kept is the ratio
 * of the times of such a pair. Batches last 150 us at most, are gated by
 * timing.h's probe and repeated when the thread was preempted. The median of
 * the ratios has a bootstrap interval of 95 %. Returns the row, which lasts
 * until the next one is measured.
 */
const struct row *bench_measure(struct bench *bench, struct cell *cell);

/* Sets deviation and verdicts from the ratios: nothing smaller than what the
 * control shows is believed. */
void row_judge(struct row *row);

/* The result of the competitor of that name, or NULL. */
const struct result *row_result(const struct row *row, const char *name);

/* The result of that very competitor, or NULL. */
const struct result *row_result_of(const struct row *row,
				   const struct competitor *c);

/* True if the competitor has a result in any row. */
bool table_has(const struct table *table, const struct competitor *c);

#endif
