/* operations.h - the copies to be made, and the memory they are made in.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_OPERATIONS_H
#define MEMROUTE_BENCH_OPERATIONS_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

#include "competitor.h"
#include "settings.h"

struct operation {
	uint32_t dst, src;	/* offsets in the arena, bytes */
	uint32_t n;		/* bytes */
};

struct cell;
typedef void batch_fn(const struct cell *cell, size_t first, size_t count);

enum cell_overlap {
	OVERLAP_NONE,
	OVERLAP_SOME,	/* as in programs: those that cannot move take part,
			 * their time is right and their bytes may be wrong */
	OVERLAP_ALL,	/* only competitors that move */
};

/* One row of a table: a list of operations and how they are carried out. */
struct cell {
	char name[56];
	struct operation *operations;
	size_t count;
	char *arena;		/* zeroes; mapped and touched */
	size_t arena_size;

	batch_fn *batch;	/* carries out a part of the list */
	batch_fn *prepare;	/* before each batch, untimed; may be NULL */
	batch_fn *inlined;	/* the batch for KIND_INLINE; or NULL */
	const void *context;	/* the batch's own */
	double cost;		/* ns of an operation besides n / 10: a guess
				 * from which the length of batches follows */
	enum cell_overlap overlap;
	bool aligned;		/* both blocks on multiples of 64 */
	/* Operations differ so much that only whole passes over the list
	 * compare; else each batch is a pair of its own. */
	bool whole_pass;
	size_t batch_size;	/* operations in a batch; 0: by their cost */
};

/* An empty cell of that name (printf) whose batch is batch_copy. */
struct cell *cell_new(size_t count, const char *name, ...)
	__attribute__((format(printf, 2, 3)));
void cell_free(struct cell *cell);

/* Maps the arena behind what the operations reach, zeroed and touched. */
void cell_map(struct cell *cell);

/* Mean bytes of an operation. */
double cell_mean_bytes(const struct cell *cell);

/* Copies, one after the other, independent of each other. */
batch_fn batch_copy;

/* The same, and reads each destination back. */
batch_fn batch_copy_and_read;

/* Offset of a block of n bytes that is aligned to exactly that power of two
 * up to 32, or to 64 at least; 0: anyhow. Blocks that fit stay within the
 * first 12 KiB, so that two sides of them fit into any L1 cache. */
uint32_t random_offset(gsl_rng *rng, size_t n, unsigned alignment);

/* Bytes that one side needs for random_offset() and blocks up to largest. */
size_t side_size(size_t largest);

/* A cell of count copies, sizes uniform in the range, any alignment. */
struct cell *cell_random(gsl_rng *rng, size_t count, struct size_range range,
			 const char *name);

#endif
