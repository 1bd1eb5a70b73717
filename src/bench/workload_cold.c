/* workload_cold.c - blocks that no cache holds when the copy begins.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

static const struct size_range ranges[] = {
	{ 1, 64 }, { 65, 256 }, { 257, 1024 }, { 1025, 4096 }, { 16384, 32768 },
};

#define PLACES ((size_t)16 << 20)	/* bytes of each side */

static void flush_block(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i += 64)
		__asm__ volatile("clflush %0" :: "m" (p[i]) : "memory");
	if (n)
		__asm__ volatile("clflush %0" :: "m" (p[n - 1]) : "memory");
}

static void flush(const struct cell *cell, size_t first, size_t count)
{
	const struct operation *o = cell->operations + first;

	for (const struct operation *end = o + count; o < end; o++) {
		flush_block(cell->arena + o->dst, o->n);
		flush_block(cell->arena + o->src, o->n);
	}
	__asm__ volatile("mfence" ::: "memory");
}

static struct cell *cell_cold(struct bench *bench, struct size_range range)
{
	char name[64];
	struct cell *cell = cell_new(bench->settings.operations, "%s",
				     range_text(range, name));
	size_t side = PLACES + side_size(range.high);

	for (size_t i = 0; i < cell->count; i++)
		cell->operations[i] = (struct operation){
			(uint32_t)(side + gsl_rng_uniform_int(bench->rng,
							      PLACES)),
			(uint32_t)gsl_rng_uniform_int(bench->rng, PLACES),
			(uint32_t)(range.low + gsl_rng_uniform_int(bench->rng,
				range.high - range.low + 1)),
		};
	cell->prepare = flush;
	cell->cost = 200;
	cell_map(cell);
	return cell;
}

void run_cold(struct bench *bench)
{
	size_t count = COUNT_OF(ranges);
	const struct size_range *range = sizes_or(bench, ranges, &count);

	bench_begin(bench, "cold", "copies of blocks that are in no cache");
	for (size_t i = 0; i < count; i++)
		bench_measure(bench, cell_cold(bench, range[i]));
}
