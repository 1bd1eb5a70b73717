/* workload_self_test.c - does the method see what it must see?
 *
 * Planted copies do one copy in 20, or in 5, twice: 5 and 20 % more work, for
 * certain and without any calibration. The reference goes through the same
 * counter and never does, and the control must not differ from it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <math.h>
#include <stdio.h>

#include "workload.h"

struct plant {
	const char *name;
	copy_fn *copy;
	double slower;		/* by this part */
};

/* Half the size of an L1 cache for both blocks, so that doing it again costs
 * what the first time did. Not smaller: Zen 5 copies 1 KiB in 22 cycles, and the
 * counter's one mispredicted jump in twenty copies is 3 per cent of that. */
static const size_t sizes[] = { 4096, 8192 };

static copy_fn *innocent;	/* the kernel that all of them use */

#define DEFINE_PLANT(name, period)					\
static void *name(void *dst, const void *src, size_t n)			\
{									\
	static unsigned calls;						\
									\
	if (++calls >= (period)) {					\
		calls = 0;						\
		innocent(dst, src, n);					\
	}								\
	return innocent(dst, src, n);					\
}
DEFINE_PLANT(copy_same, ~0U)
DEFINE_PLANT(copy_same_again, ~0U)
DEFINE_PLANT(copy_5_slower, 20)
DEFINE_PLANT(copy_20_slower, 5)

static const struct plant plants[] = {
	{ "reference", copy_same, 0 },
	{ "control", copy_same_again, 0 },
	{ "slower-5", copy_5_slower, 0.05 },
	{ "slower-20", copy_20_slower, 0.20 },
};

/* One pair of blocks per operation, 2 KiB out of step and so never aliased. */
static struct cell *cell_self_test(struct bench *bench, size_t n)
{
	struct cell *cell = cell_new(bench->settings.operations, "%zu", n);

	for (size_t i = 0; i < cell->count; i++) {
		uint32_t at = (uint32_t)gsl_rng_uniform_int(bench->rng, 1024);

		cell->operations[i] = (struct operation){
			at + 8192 + 2048, at, (uint32_t)n,
		};
	}
	cell_map(cell);
	return cell;
}

/* Half of what was planted to half as much again, and beyond doubt. */
static bool found(const struct row *row, const struct result *r, double slower)
{
	double seen = r->ratio.median - 1;

	if (!(slower > 0))
		return fabs(seen) < 0.02;
	return r->verdict == VERDICT_SLOWER && row->deviation < slower / 2 &&
		seen > slower / 2 && seen < slower * 1.5;
}

void print_self_test(const struct bench *bench)
{
	const struct table *table = &bench->tables[0];

	for (size_t k = 0; k < table->count; k++)
		for (size_t i = CONTROL; i < table->rows[k].count; i++) {
			const struct row *row = &table->rows[k];
			const struct result *r = &row->results[i];

			printf("%-9s %-9s at %s bytes: planted %.3f, found "
			       "%.3f [%.3f, %.3f], A/A +-%.3f\n",
			       found(row, r, plants[i].slower) ? "ok" :
			       "NOT FOUND", plants[i].name, row->name,
			       1 + plants[i].slower, r->ratio.median,
			       r->ratio.low, r->ratio.high, row->deviation);
		}
}

void run_self_test(struct bench *bench)
{
	const struct competitor *kernel =
		competitors_by_name(&bench->competitors, "sse2");

	if (!kernel)
		fail_usage("self-test needs the competitor sse2");
	innocent = kernel->copy;
	bench->competitors.count = 0;
	for (size_t i = 0; i < COUNT_OF(plants); i++)
		competitors_add(&bench->competitors, plants[i].name, KIND_CALL,
				plants[i].copy, NULL);
	bench_begin(bench, "self-test", "copies of which some are done twice");
	for (size_t k = 0; k < COUNT_OF(sizes); k++)
		bench_measure(bench, cell_self_test(bench, sizes[k]));
}

int judge_self_test(struct bench *bench)
{
	const struct table *table = &bench->tables[0];

	for (size_t k = 0; k < table->count; k++) {
		const struct row *row = &table->rows[k];

		for (size_t i = CONTROL; i < row->count; i++)
			if (!found(row, &row->results[i], plants[i].slower))
				return STATUS_FAILED;
	}
	return 0;
}
