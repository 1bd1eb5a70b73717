/* workload_random.c - random sizes and alignments, within the L1 cache where
 * they fit.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

/* The rows of the design's table of peers. */
static const struct size_range ranges[] = {
	{ 0, 4 }, { 1, 16 }, { 8, 32 }, { 1, 64 }, { 17, 64 }, { 65, 128 },
	{ 129, 256 }, { 257, 512 }, { 512, 1024 }, { 1024, 2048 },
	{ 2113, 4096 }, { 4096, 8192 },
};

void run_random(struct bench *bench)
{
	size_t count = COUNT_OF(ranges);
	const struct size_range *range = sizes_or(bench, ranges, &count);
	char name[64];

	bench_begin(bench, "random", "copies of random size and alignment");
	for (size_t i = 0; i < count; i++)
		bench_measure(bench, cell_random(bench->rng,
			bench->settings.operations, range[i],
			range_text(range[i], name)));
}
