/* workload_aligned.c - both blocks on cache lines, both equally far from one,
 * and neither: what an aligned path is worth, and what it costs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

/* Powers of two and packet sizes. */
static const struct size_range sizes[] = {
	{ 64, 64 }, { 128, 128 }, { 158, 158 }, { 256, 256 }, { 300, 300 },
	{ 512, 512 }, { 1024, 1024 }, { 1518, 1518 },
};

static const char *const phases[] = { "aligned", "equal phase", "misaligned" };
enum { ALIGNED, EQUAL, MISALIGNED };

static struct cell *cell_phase(struct bench *bench, size_t n, int phase)
{
	struct cell *cell = cell_new(bench->settings.operations, "%zu %s", n,
				     phases[phase]);
	uint32_t side = (uint32_t)side_size(n);
	gsl_rng *rng = bench->rng;

	for (size_t i = 0; i < cell->count; i++) {
		uint32_t dst = 1 + (uint32_t)gsl_rng_uniform_int(rng, 63);
		uint32_t src = 1 + (uint32_t)gsl_rng_uniform_int(rng, 63);

		src = phase == EQUAL || src != dst ? src : src ^ 1;
		if (phase == ALIGNED)
			dst = src = 0;
		if (phase == EQUAL)
			dst = src;
		cell->operations[i] = (struct operation){
			side + random_offset(rng, n, 64) + dst,
			random_offset(rng, n, 64) + src, (uint32_t)n,
		};
	}
	cell->aligned = phase == ALIGNED;
	cell_map(cell);
	return cell;
}

void run_aligned(struct bench *bench)
{
	size_t count = COUNT_OF(sizes);
	const struct size_range *size = sizes_or(bench, sizes, &count);

	bench_begin(bench, "aligned", "copies of one size by their place in a "
		    "cache line");
	for (int phase = ALIGNED; phase <= MISALIGNED; phase++)
		for (size_t i = 0; i < count; i++)
			bench_measure(bench, cell_phase(bench, size[i].low,
							phase));
}
