/* measure.c - one row of a table: all competitors on the same operations.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "measure.h"
#include "progress.h"

#define CONFIDENCE 0.95
/* What the plan of batches aims at, from a guess that leaves room to 150 us. */
#define BATCH_NS 60e3
#define BYTES_PER_NS 10
/* Longer ones, of few large copies, are taken as they come: no gate helps. */
#define GATED_NS 1e6

enum {
	ATTEMPTS = 20,		/* for a batch, before it is kept anyhow */
	REPETITIONS_MAX = 1000,	/* intervals are narrow by then */
};

struct batch {
	size_t first, count;
	bool gated;
};

struct entrant {
	const struct competitor *competitor;
	double sum;		/* ticks in this repetition */
	double done;		/* operations in this repetition */
	double *times;		/* ns of an operation, by repetition */
};

struct measurement {
	struct bench *bench;
	const struct cell *cell;
	struct batch *batches;
	size_t batch_count, next;
	struct entrant entrants[COMPETITORS_MAX];
	size_t entrant_count;
	unsigned repetitions;
};

void bench_begin(struct bench *bench, const char *workload, const char *note)
{
	bench->tables = grow(bench->tables, bench->table_count,
			     sizeof(*bench->tables));
	bench->tables[bench->table_count++] =
		(struct table){ workload, note, 0, NULL };
}

static bool can_take_part(const struct competitor *c, const struct cell *cell)
{
	if (cell->overlapping)
		return c->move;
	if (c->kind == KIND_INLINE)
		return cell->inlined;
	return c->kind != KIND_ALIGNED || cell->aligned;
}

static void plan_batches(struct measurement *m)
{
	const struct cell *cell = m->cell;
	double ns = 0;
	size_t first = 0;

	for (size_t i = 0; i < cell->count; i++) {
		ns += cell->cost + cell->operations[i].n / BYTES_PER_NS;
		if (ns < BATCH_NS && !cell->one_by_one && i + 1 < cell->count)
			continue;
		m->batches = grow(m->batches, m->batch_count,
				  sizeof(*m->batches));
		m->batches[m->batch_count++] = (struct batch){
			first, i + 1 - first, ns < GATED_NS,
		};
		first = i + 1;
		ns = 0;
	}
}

static void carry_out(const struct measurement *m,
		      const struct competitor *c, const struct batch *b)
{
	const struct cell *cell = m->cell;

	if (c->kind == KIND_INLINE)
		cell->inlined(cell, b->first, b->count);
	else
		cell->batch(cell, b->first, b->count);
}

/* A branch predictor remembers the batch just seen: make it see another. */
static void forget(const struct measurement *m, const struct competitor *c,
		   const struct batch *b)
{
	size_t i = (size_t)(b - m->batches) + m->batch_count / 2;

	carry_out(m, c, &m->batches[i % m->batch_count]);
}

/* Ticks of a batch during which nothing disturbed us, if that can be had. */
static double time_batch(const struct measurement *m,
			 const struct competitor *c, const struct batch *b)
{
	struct gate *gate = &m->bench->gate;
	double took = 0;

	competitor_bind(c, m->cell->overlapping);
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		long preemptions = timing_preemptions();
		bool quiet;
		uint64_t begin;

		if (attempt)
			forget(m, c, b);
		if (m->cell->prepare)
			m->cell->prepare(m->cell, b->first, b->count);
		quiet = !b->gated || gate_wait(gate);
		begin = ticks();
		carry_out(m, c, b);
		took = (double)(ticks() - begin);
		quiet = quiet && (!b->gated || gate_quiet(gate));
		if (!b->gated || (quiet && preemptions == timing_preemptions()))
			return took;
		gate->retried++;
	}
	gate->ungated++;
	return took;
}

/*
 * A round: everybody a batch, in fresh order. Each has one of its own, an
 * equal share of the list apart, and in a whole pass gets to all of them: on
 * one and the same batch libc would train the branch predictor for its own
 * control, or for whoever shares code with it.
 */
static void run_round(struct measurement *m, size_t round)
{
	size_t order[COMPETITORS_MAX];
	size_t apart = m->batch_count / m->entrant_count;

	for (size_t i = 0; i < m->entrant_count; i++)
		order[i] = i;
	gsl_ran_shuffle(m->bench->rng, order, m->entrant_count,
			sizeof(*order));
	for (size_t i = 0; i < m->entrant_count; i++) {
		struct entrant *e = &m->entrants[order[i]];
		const struct batch *b = &m->batches[
			(round + order[i] * apart) % m->batch_count];

		/* The first to touch this memory would pay for the others. */
		if (b->gated && !apart && !i)
			carry_out(m, e->competitor, b);
		e->sum += time_batch(m, e->competitor, b);
		e->done += b->count;
	}
}

static void repeat(struct measurement *m)
{
	size_t rounds = m->cell->whole_pass ? m->batch_count : 1;

	for (size_t i = 0; i < m->entrant_count; i++)
		m->entrants[i].sum = m->entrants[i].done = 0;
	for (size_t i = 0; i < rounds; i++)
		run_round(m, m->next++);
	for (size_t i = 0; i < m->entrant_count; i++) {
		struct entrant *e = &m->entrants[i];

		e->times = grow(e->times, m->repetitions, sizeof(*e->times));
		e->times[m->repetitions] = e->sum * timing_ns_per_tick() /
			e->done;
	}
	m->repetitions++;
}

static void estimate(struct measurement *m, struct row *row)
{
	const double *reference = m->entrants[REFERENCE].times;
	double *ratios = allocate(m->repetitions, sizeof(*ratios));

	for (size_t i = 0; i < m->entrant_count; i++) {
		const struct entrant *e = &m->entrants[i];
		struct result *r = &row->results[i];

		for (size_t k = 0; k < m->repetitions; k++)
			ratios[k] = e->times[k] / reference[k];
		r->competitor = e->competitor;
		r->ns = statistics_median(e->times, m->repetitions);
		r->ratio = statistics_bootstrap(ratios, m->repetitions,
						CONFIDENCE,
						m->bench->settings.seed);
	}
	row->count = m->entrant_count;
	free(ratios);
}

/* Nothing smaller than what the control shows is believed. */
static void judge(struct row *row)
{
	const struct estimate *control = &row->results[CONTROL].ratio;

	row->deviation = fmax(fabs(control->low - 1), fabs(control->high - 1));
	for (size_t i = 0; i < row->count; i++) {
		struct result *r = &row->results[i];

		if ((r->ratio.low <= 1 && r->ratio.high >= 1) ||
		    fabs(r->ratio.median - 1) <= row->deviation)
			r->verdict = VERDICT_WITHIN;
		else
			r->verdict = r->ratio.median < 1 ? VERDICT_FASTER :
				     VERDICT_SLOWER;
	}
}

static void enter(struct measurement *m)
{
	const struct competitors *list = &m->bench->competitors;

	for (size_t i = 0; i < list->count; i++)
		if (can_take_part(&list->all[i], m->cell))
			m->entrants[m->entrant_count++].competitor =
				&list->all[i];
}

static struct row *new_row(struct bench *bench, const struct cell *cell)
{
	struct table *table = &bench->tables[bench->table_count - 1];
	struct row *row;

	table->rows = grow(table->rows, table->count, sizeof(*table->rows));
	row = &table->rows[table->count++];
	memset(row, 0, sizeof(*row));
	snprintf(row->name, sizeof(row->name), "%s", cell->name);
	row->bytes = cell_mean_bytes(cell);
	row->operations = cell->count;
	return row;
}

const struct row *bench_measure(struct bench *bench, struct cell *cell)
{
	struct measurement m = { .bench = bench, .cell = cell };
	double begin = timing_now();
	struct row *row = new_row(bench, cell);

	bench->gate.retried = bench->gate.ungated = 0;
	enter(&m);
	plan_batches(&m);
	while (m.repetitions < bench->settings.repetitions ||
	       (m.repetitions < REPETITIONS_MAX &&
		timing_now() - begin < bench->settings.seconds)) {
		progress_show("%s: %s, %u pairs",
			      bench->tables[bench->table_count - 1].workload,
			      cell->name, m.repetitions);
		repeat(&m);
	}
	row->repetitions = m.repetitions;
	row->retried = bench->gate.retried;
	row->ungated = bench->gate.ungated;
	estimate(&m, row);
	judge(row);
	for (size_t i = 0; i < m.entrant_count; i++)
		free(m.entrants[i].times);
	free(m.batches);
	cell_free(cell);
	return row;
}

const struct result *row_result(const struct row *row, const char *name)
{
	for (size_t i = 0; i < row->count; i++)
		if (!strcmp(row->results[i].competitor->name, name))
			return &row->results[i];
	return NULL;
}
