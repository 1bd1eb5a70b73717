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
	/* For a batch, before it is kept anyhow; the other number is for long
	 * ones, which are repeated only if the thread was preempted. */
	ATTEMPTS = 20,
	ATTEMPTS_LONG = 3,
	REPETITIONS_MAX = 1000,	/* intervals are narrow by then */
};

struct batch {
	size_t first, count;
	bool gated;
};

struct entrant {
	const struct competitor *competitor;
	double sum;		/* ticks in this repetition */
	size_t done;		/* operations in this repetition */
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

void bench_begin_among(struct bench *bench, const char *workload,
		       const char *note, const struct competitors *list)
{
	bench->tables = grow(bench->tables, bench->table_count,
			     sizeof(*bench->tables));
	bench->tables[bench->table_count++] =
		(struct table){ workload, note, list, 0, NULL };
}

void bench_begin(struct bench *bench, const char *workload, const char *note)
{
	bench_begin_among(bench, workload, note, &bench->competitors);
}

static struct table *newest(struct bench *bench)
{
	return &bench->tables[bench->table_count - 1];
}

static bool can_take_part(const struct competitor *c, const struct cell *cell)
{
	if (c->kind == KIND_INLINE)
		return cell->inlined;
	if (cell->overlap == OVERLAP_ALL && !c->move)
		return false;
	return c->kind != KIND_ALIGNED || cell->aligned;
}

/* True if the batch of count operations that are to last ns is long enough. */
static bool batch_full(const struct cell *cell, size_t count, double ns)
{
	return cell->batch_size ? count == cell->batch_size : ns >= BATCH_NS;
}

static void plan_batches(struct measurement *m)
{
	const struct cell *cell = m->cell;
	size_t first = 0;
	double ns = 0;

	for (size_t i = 0; i < cell->count; i++) {
		size_t count = i + 1 - first;

		ns += cell->cost + cell->operations[i].n / BYTES_PER_NS;
		if (!batch_full(cell, count, ns) && i + 1 < cell->count)
			continue;
		m->batches = grow(m->batches, m->batch_count,
				  sizeof(*m->batches));
		m->batches[m->batch_count++] =
			(struct batch){ first, count, ns < GATED_NS };
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

/* Another batch, far from those whose turn comes soon. */
static const struct batch *another(const struct measurement *m,
				   const struct batch *b, int attempt)
{
	size_t i = (size_t)(b - m->batches) + m->batch_count / 4;

	return &m->batches[(i + (size_t)attempt) % m->batch_count];
}

/*
 * Ticks of an operation of a batch during which nothing disturbed us, if that
 * can be had. A branch predictor remembers the batch just seen, so what is
 * tried again is another one; in a whole pass it must be this one, and another
 * comes in between, untimed.
 */
static double time_batch(const struct measurement *m,
			 const struct competitor *c, const struct batch *first)
{
	const struct batch *b = first;
	struct gate *gate = &m->bench->gate;
	int attempts = first->gated ? ATTEMPTS : ATTEMPTS_LONG;
	double took = 0;

	competitor_bind(c, m->cell->overlap != OVERLAP_NONE);
	for (int attempt = 0; attempt < attempts; attempt++) {
		long preemptions = timing_preemptions();
		bool quiet;
		uint64_t begin;

		if (attempt && !m->cell->whole_pass)
			b = another(m, first, attempt);
		else if (attempt && b->gated)
			carry_out(m, c, another(m, first, attempt));
		if (m->cell->prepare)
			m->cell->prepare(m->cell, b->first, b->count);
		quiet = !b->gated || gate_wait(gate);
		begin = ticks();
		carry_out(m, c, b);
		took = (double)(ticks() - begin) / (double)b->count;
		quiet = quiet && (!b->gated || gate_quiet(gate));
		if (quiet && preemptions == timing_preemptions())
			return took;
		gate->retried++;
	}
	gate->ungated++;
	return took;
}

/* The first to touch a batch's memory would pay for the others. A competitor
 * must not do it: its branches would be predicted better afterwards. */
static void touch(const struct cell *cell, const struct batch *b)
{
	const struct operation *o = cell->operations + b->first;

	for (const struct operation *end = o + b->count; o < end; o++)
		for (uint32_t i = 0; i < o->n; i += 64) {
			__builtin_prefetch(cell->arena + o->src + i);
			__builtin_prefetch(cell->arena + o->dst + i, 1);
		}
}

/*
 * The batch of this turn; for the control one half a list away. On the same
 * one right after the reference, which runs the same code, both would profit
 * from branches learned from each other: 7-15 % on random sizes on Zen 3.
 */
static const struct batch *batch_of(const struct measurement *m,
				    size_t entrant)
{
	size_t ahead = entrant == CONTROL ? m->batch_count / 2 : 0;

	return &m->batches[(m->next + ahead) % m->batch_count];
}

/* The order is fresh for each batch. */
static void run_batch(struct measurement *m)
{
	const struct batch *first = batch_of(m, REFERENCE);
	size_t order[COMPETITORS_MAX];

	for (size_t i = 0; i < m->entrant_count; i++)
		order[i] = i;
	gsl_ran_shuffle(m->bench->rng, order, m->entrant_count,
			sizeof(*order));
	if (first->gated)
		touch(m->cell, first);
	for (size_t i = 0; i < m->entrant_count; i++) {
		struct entrant *e = &m->entrants[order[i]];
		const struct batch *b = batch_of(m, order[i]);

		e->sum += time_batch(m, e->competitor, b) * (double)b->count;
		e->done += b->count;
	}
}

static void repeat(struct measurement *m)
{
	size_t batches = m->cell->whole_pass ? m->batch_count : 1;

	for (size_t i = 0; i < m->entrant_count; i++)
		m->entrants[i].sum = m->entrants[i].done = 0;
	for (size_t i = 0; i < batches; i++) {
		run_batch(m);
		m->next = (m->next + 1) % m->batch_count;
	}
	for (size_t i = 0; i < m->entrant_count; i++) {
		struct entrant *e = &m->entrants[i];

		e->times = grow(e->times, m->repetitions, sizeof(*e->times));
		e->times[m->repetitions] = e->sum * timing_ns_per_tick() /
			(double)e->done;
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

void row_judge(struct row *row)
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
	const struct competitors *list = newest(m->bench)->competitors;

	for (size_t i = 0; i < list->count; i++)
		if (can_take_part(&list->all[i], m->cell))
			m->entrants[m->entrant_count++].competitor =
				&list->all[i];
}

static struct row *new_row(struct bench *bench, const struct cell *cell)
{
	struct table *table = newest(bench);
	struct row *row;

	table->rows = grow(table->rows, table->count, sizeof(*table->rows));
	row = &table->rows[table->count++];
	memset(row, 0, sizeof(*row));
	snprintf(row->name, sizeof(row->name), "%s", cell->name);
	row->bytes = cell_mean_bytes(cell);
	row->operations = cell->count;
	return row;
}

/* This process has its share of the pairs and of the time. */
static bool wants_more(const struct measurement *m, double seconds)
{
	const struct bench_settings *s = &m->bench->settings;

	unsigned repetitions = m->repetitions * s->processes;

	return repetitions < s->repetitions ||
		(repetitions < REPETITIONS_MAX &&
		 seconds * s->processes < s->seconds);
}

static void show_progress(const struct measurement *m)
{
	const struct bench_settings *s = &m->bench->settings;

	progress_show("process %u of %u, %s: %s, %u pairs",
		      s->process ? s->process : 1, s->processes,
		      newest(m->bench)->workload, m->cell->name,
		      m->repetitions);
}

const struct row *bench_measure(struct bench *bench, struct cell *cell)
{
	struct measurement m = { .bench = bench, .cell = cell };
	double begin = timing_now();
	struct row *row = new_row(bench, cell);

	bench->gate.retried = bench->gate.ungated = 0;
	enter(&m);
	plan_batches(&m);
	while (wants_more(&m, timing_now() - begin)) {
		show_progress(&m);
		repeat(&m);
	}
	row->repetitions = m.repetitions;
	row->retried = bench->gate.retried;
	row->ungated = bench->gate.ungated;
	estimate(&m, row);
	row_judge(row);
	for (size_t i = 0; i < m.entrant_count; i++)
		free(m.entrants[i].times);
	free(m.batches);
	cell_free(cell);
	return row;
}

const struct result *row_result_of(const struct row *row,
				   const struct competitor *c)
{
	for (size_t i = 0; i < row->count; i++)
		if (row->results[i].competitor == c)
			return &row->results[i];
	return NULL;
}

bool table_has(const struct table *table, const struct competitor *c)
{
	for (size_t i = 0; i < table->count; i++)
		if (row_result_of(&table->rows[i], c))
			return true;
	return false;
}

const struct result *row_result(const struct row *row, const char *name)
{
	for (size_t i = 0; i < row->count; i++)
		if (!strcmp(row->results[i].competitor->name, name))
			return &row->results[i];
	return NULL;
}
