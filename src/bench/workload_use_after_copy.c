/* workload_use_after_copy.c - what a copy leaves behind: loads from the
 * destination, and copies of copies. Loads that no single store covers cannot
 * be forwarded and wait until the stores are in the cache.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>

#include "../cpu.h"
#include "workload.h"

static const struct size_range ranges[] = {
	{ 1, 7 }, { 8, 15 }, { 16, 31 }, { 32, 64 }, { 65, 128 }, { 129, 256 },
};

enum { CHAIN = 8, STEP = 512 };	/* copies in a chain, bytes between them */

/* A chain of them has offsets of 32 bits. */
#define CHAIN_LARGEST ((size_t)256 << 20)

/* Reads all of the block in words of that many bytes, the last one up to its
 * end, and returns a part of their union: 0, for the arena holds zeroes. */
#define DEFINE_USE(width, isa)						\
typedef unsigned char word##width					\
	__attribute__((vector_size(width), aligned(1), may_alias));	\
									\
__attribute__((isa))							\
static void batch_use##width(const struct cell *cell, size_t first,	\
			     size_t count)				\
{									\
	const struct operation *o = cell->operations + first;		\
	char *arena = cell->arena;					\
	size_t zero = 0;						\
									\
	for (const struct operation *end = o + count; o < end; o++) {	\
		char *dst = arena + o->dst + zero;			\
		word##width seen;					\
									\
		bench_call(dst, arena + o->src + zero, o->n);		\
		seen = *(word##width *)(dst + o->n - width);		\
		for (size_t i = 0; i + width < o->n; i += width)	\
			seen |= *(word##width *)(dst + i);		\
		zero = seen[0];						\
	}								\
}

DEFINE_USE(8, target("sse2"))
DEFINE_USE(16, target("sse2"))
DEFINE_USE(32, target("avx2"))

/* Each operation's destination is the next one's source, CHAIN times. */
static struct cell *cell_chain(struct bench *bench, struct size_range range)
{
	size_t count = bench->settings.operations;
	uint32_t step = (uint32_t)(range.high > STEP - 64 ?
				   (range.high + STEP) & ~(size_t)(STEP - 1) :
				   STEP);
	struct cell *cell;
	char name[64];

	cell = cell_new(count, "chain %s", range_text(range, name));
	for (size_t i = 0; i < count; i++) {
		struct operation *o = &cell->operations[i];
		size_t link = i % CHAIN;

		if (link) {
			o->n = o[-1].n;
			o->src = o[-1].dst;
		} else {
			o->n = (uint32_t)(range.low +
				gsl_rng_uniform_int(bench->rng, range.high -
						    range.low + 1));
			o->src = random_offset(bench->rng, o->n, 0) % 4096;
		}
		o->dst = (uint32_t)(8192 + step * link +
				    gsl_rng_uniform_int(bench->rng, 64));
	}
	cell->cost = 16;
	cell_map(cell);
	return cell;
}

static void measure_use(struct bench *bench, struct size_range range,
			size_t width, batch_fn *batch)
{
	char text[64], name[96];
	struct cell *cell;

	if (range.low < width)
		return;
	snprintf(name, sizeof(name), "%zu-byte loads %s", width,
		 range_text(range, text));
	cell = cell_random(bench->rng, bench->settings.operations, range, name);
	cell->batch = batch;
	cell->cost = 16;
	bench_measure(bench, cell);
}

static bool has_avx2(void)
{
	struct cpu_record record;
	struct cpu cpu;

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	return cpu.features & CPU_AVX2;
}

void run_use_after_copy(struct bench *bench)
{
	size_t count = COUNT_OF(ranges);
	const struct size_range *range = sizes_or(bench, ranges, &count);

	for (size_t i = 0; i < count; i++)
		if (range[i].high > CHAIN_LARGEST)
			fail_usage("use-after-copy takes sizes up to 256M");
	bench_begin(bench, "use-after-copy", "copies whose result is loaded, "
		    "or copied on, at once");
	for (size_t i = 0; i < count; i++)
		measure_use(bench, range[i], 8, batch_use8);
	for (size_t i = 0; i < count; i++)
		measure_use(bench, range[i], 16, batch_use16);
	for (size_t i = 0; has_avx2() && i < count; i++)
		measure_use(bench, range[i], 32, batch_use32);
	for (size_t i = 0; i < count; i++)
		bench_measure(bench, cell_chain(bench, range[i]));
}
