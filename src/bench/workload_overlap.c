/* workload_overlap.c - blocks that overlap, by up to all but one byte.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

static const struct size_range ranges[] = {
	{ 2, 16 }, { 17, 64 }, { 65, 256 }, { 257, 1024 }, { 1025, 4096 },
	{ 16384, 32768 },
};

/* Downwards is what a forward loop does, upwards needs a backward one. */
static struct cell *cell_overlap(struct bench *bench, struct size_range range,
				 bool upwards)
{
	struct cell *cell;
	char text[64];

	cell = cell_new(bench->settings.operations, "%s %s",
			range_text(range, text),
			upwards ? "upwards" : "downwards");
	for (size_t i = 0; i < cell->count; i++) {
		struct operation *o = &cell->operations[i];
		uint32_t low, distance;

		o->n = (uint32_t)(range.low + gsl_rng_uniform_int(bench->rng,
			range.high - range.low + 1));
		low = random_offset(bench->rng, 2 * o->n, 0);
		distance = o->n < 2 ? 0 : 1 +
			(uint32_t)gsl_rng_uniform_int(bench->rng, o->n - 1);
		o->dst = upwards ? low + distance : low;
		o->src = upwards ? low : low + distance;
	}
	cell->overlap = OVERLAP_ALL;
	cell_map(cell);
	return cell;
}

void run_overlap(struct bench *bench)
{
	size_t count = COUNT_OF(ranges);
	const struct size_range *range = sizes_or(bench, ranges, &count);

	bench_begin(bench, "overlap", "memmove of blocks that overlap");
	for (int upwards = 0; upwards < 2; upwards++)
		for (size_t i = 0; i < count; i++)
			bench_measure(bench, cell_overlap(bench, range[i],
							  upwards));
}
