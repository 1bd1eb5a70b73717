/* workload_latency.c - each copy waits for the one before it: where it begins
 * is computed from the last byte that the other one wrote, a zero.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

static const struct size_range ranges[] = {
	{ 1, 7 }, { 8, 15 }, { 16, 31 }, { 32, 64 }, { 65, 128 }, { 129, 256 },
	{ 257, 512 }, { 513, 1024 },
};

static void batch_latency(const struct cell *cell, size_t first, size_t count)
{
	const struct operation *o = cell->operations + first;
	char *arena = cell->arena;
	size_t zero = 0;

	for (const struct operation *end = o + count; o < end; o++) {
		char *dst = arena + o->dst + zero;

		bench_call(dst, arena + o->src + zero, o->n);
		zero = o->n ? (unsigned char)dst[o->n - 1] : zero;
	}
}

void run_latency(struct bench *bench)
{
	size_t count = COUNT_OF(ranges);
	const struct size_range *range = sizes_or(bench, ranges, &count);
	char name[64];

	bench_begin(bench, "latency", "copies that wait for the last byte of "
		    "the one before");
	for (size_t i = 0; i < count; i++) {
		struct cell *cell = cell_random(bench->rng,
			bench->settings.operations, range[i],
			range_text(range[i], name));

		cell->batch = batch_latency;
		cell->cost = 16;
		bench_measure(bench, cell);
	}
}
