/* workload_fixed.c - one size at a time, at any alignment, and the compiler's
 * inline expansion of the same size beside it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "workload.h"

/* Bytes that a list of operations moves at most: longer ones would last. */
#define LIST_BYTES ((size_t)64 << 20)

#define INLINE_SIZES(X)							\
	X(1) X(2) X(3) X(4) X(6) X(8) X(12) X(16) X(24) X(32) X(48) X(64) \
	X(96) X(128) X(192) X(256) X(384) X(512) X(1024) X(2048) X(4096) \
	X(8192) X(16384) X(65536) X(262144) X(1048576)

#define DEFINE_INLINED(size)						\
static void inlined_##size(const struct cell *cell, size_t first,	\
			   size_t count)				\
{									\
	const struct operation *o = cell->operations + first;		\
	char *arena = cell->arena;					\
									\
	for (const struct operation *end = o + count; o < end; o++) {	\
		memcpy(arena + o->dst, arena + o->src, size);		\
		__asm__ volatile("" ::: "memory");			\
	}								\
}
INLINE_SIZES(DEFINE_INLINED)

#define INLINED_ROW(size) { size, inlined_##size },
static const struct { size_t size; batch_fn *batch; } inlined[] = {
	INLINE_SIZES(INLINED_ROW)
};

enum { INLINED_COUNT = COUNT_OF(inlined) };

static batch_fn *inlined_batch(size_t size)
{
	for (size_t i = 0; i < INLINED_COUNT; i++)
		if (inlined[i].size == size)
			return inlined[i].batch;
	return NULL;
}

static struct cell *cell_fixed(struct bench *bench, size_t n)
{
	size_t count = bench->settings.operations;
	char name[24];
	struct cell *cell;

	if (n && count > LIST_BYTES / n)
		count = LIST_BYTES / n ? LIST_BYTES / n : 1;
	cell = cell_random(bench->rng, count, (struct size_range){ n, n },
			   size_text(n, name));
	cell->inlined = inlined_batch(n);
	return cell;
}

void run_fixed(struct bench *bench)
{
	struct size_range own[INLINED_COUNT];
	size_t count = INLINED_COUNT;
	const struct size_range *sizes;

	for (size_t i = 0; i < INLINED_COUNT; i++)
		own[i].low = own[i].high = inlined[i].size;
	sizes = sizes_or(bench, own, &count);
	bench_begin(bench, "fixed", "copies of one size, any alignment");
	for (size_t i = 0; i < count; i++)
		bench_measure(bench, cell_fixed(bench, sizes[i].low));
}
