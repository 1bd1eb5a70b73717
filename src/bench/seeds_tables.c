/* seeds_tables.c - a table for each of the five threads, in full length.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>

#include "complain.h"
#include "seeds.h"

#define SIZE(n) { n, n }

static const struct size_range packet_sizes[] = {
	SIZE(64), SIZE(128), SIZE(158), SIZE(188), SIZE(218), SIZE(230),
	SIZE(256), SIZE(280), SIZE(300), SIZE(380), SIZE(420), SIZE(512),
	SIZE(1024), SIZE(1518),
};
/* Those of the thread on run-time dispatch. */
static const struct size_range dispatch_sizes[] = {
	SIZE(2), SIZE(4), SIZE(8), SIZE(16), SIZE(32), SIZE(64), SIZE(96),
	SIZE(128), SIZE(158), SIZE(192), SIZE(256), SIZE(512), SIZE(1024),
	SIZE(2048), SIZE(4096), SIZE(8192),
};
static const struct size_range aligned_sizes[] = {
	SIZE(64), SIZE(128), SIZE(158), SIZE(256), SIZE(512), SIZE(768),
	SIZE(1024), SIZE(1518), SIZE(2048), SIZE(4096), SIZE(8192),
};
static const struct size_range macswap_sizes[] = {
	SIZE(64), SIZE(128), SIZE(256),
};

static void measure_hot(struct bench *bench, size_t size)
{
	char name[40], number[24];

	snprintf(name, sizeof(name), "%s hot", size_text(size, number));
	bench_measure(bench, cell_random(bench->rng,
					 bench->settings.operations,
					 (struct size_range){ size, size },
					 name));
}

static void measure_packets(struct bench *bench, size_t size, bool mergeable,
			    size_t shift)
{
	struct loopback_shape shape = {
		.size = size, .mergeable = mergeable, .shift = shift,
	};
	char name[40];

	if (size < PACKET_MIN || (!mergeable && size > BUFFER_SIZE -
				  HEADER_SIZE))
		return;
	snprintf(name, sizeof(name), "%zu %s%s", size, mergeable ?
		 "mergeable" : "vector", shift ? " shifted" : "");
	loopback_measure(bench, &shape, name);
}

void run_dispatch(struct bench *bench)
{
	const struct competitors *list = seeds_dispatch_list(bench);
	size_t count = COUNT_OF(dispatch_sizes);
	size_t packets = COUNT_OF(packet_sizes);
	const struct size_range *sizes;

	sizes = sizes_or(bench, dispatch_sizes, &count);
	bench_begin_among(bench, "dispatch", "copies of one size, hot", list);
	for (size_t i = 0; i < count; i++)
		measure_hot(bench, sizes[i].low);
	sizes = sizes_or(bench, packet_sizes, &packets);
	bench_begin_among(bench, "dispatch", "packets through the loopback",
			  list);
	for (size_t i = 0; i < packets; i++) {
		measure_packets(bench, sizes[i].low, true, 0);
		measure_packets(bench, sizes[i].low, false, 0);
	}
}

/* Both blocks on multiples of 64, or the source off by LOOPBACK_SHIFT. */
static void measure_placed(struct bench *bench, size_t size, size_t shift)
{
	enum { COPIES = 4096 };
	size_t side = side_size(size + 64);
	struct cell *cell;
	char number[24];

	cell = cell_new(COPIES, "%s hot%s", size_text(size, number),
			shift ? " shifted" : "");
	for (size_t i = 0; i < COPIES; i++)
		cell->operations[i] = (struct operation){
			random_offset(bench->rng, size, 64),
			(uint32_t)(side + shift +
				   random_offset(bench->rng, size + 64, 64)),
			(uint32_t)size,
		};
	cell_map(cell);
	bench_measure(bench, cell);
}

void run_aligned_path(struct bench *bench)
{
	size_t count = COUNT_OF(aligned_sizes);
	size_t packets = COUNT_OF(packet_sizes);
	const struct size_range *sizes = sizes_or(bench, aligned_sizes, &count);
	const struct competitors *list = seeds_aligned_list();

	bench_begin_among(bench, "aligned-path", "copies of one size, both "
			  "blocks aligned to 64, hot", list);
	for (size_t i = 0; i < count; i++) {
		measure_placed(bench, sizes[i].low, 0);
		measure_placed(bench, sizes[i].low, LOOPBACK_SHIFT);
	}
	sizes = sizes_or(bench, packet_sizes, &packets);
	bench_begin_among(bench, "aligned-path", "packets through the loopback",
			  list);
	for (size_t i = 0; i < packets; i++) {
		measure_packets(bench, sizes[i].low, true, 0);
		measure_packets(bench, sizes[i].low, true, LOOPBACK_SHIFT);
	}
}

void run_delegation(struct bench *bench)
{
	size_t count = COUNT_OF(packet_sizes);
	const struct size_range *sizes = sizes_or(bench, packet_sizes, &count);

	bench_begin_among(bench, "delegation", "packets through the loopback",
			  seeds_delegation_list(bench));
	for (size_t i = 0; i < count; i++)
		measure_packets(bench, sizes[i].low, true, 0);
}

static void batch_swap(const struct cell *cell, size_t first, size_t count)
{
	(void)first;
	loopback_run_inlined((struct loopback *)cell->context, count);
}

const struct row *seeds_measure_macswap(struct bench *bench, size_t size,
					const char *name)
{
	struct loopback_shape shape = {
		.size = size, .mergeable = true, .forward = bench_call,
	};
	struct loopback *loop = loopback_new(&shape);
	struct cell *cell = cell_loopback(loop, name);
	const struct row *row;

	cell->batch = batch_swap;
	cell->inlined = NULL;
	row = bench_measure(bench, cell);
	loopback_verify(loop);
	loopback_free(loop);
	return row;
}

void run_macswap(struct bench *bench)
{
	size_t count = COUNT_OF(macswap_sizes);
	const struct size_range *sizes = sizes_or(bench, macswap_sizes, &count);
	char name[24];

	bench_begin_among(bench, "macswap", "packets through the loopback",
			  seeds_macswap_list());
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%zu", sizes[i].low);
		seeds_measure_macswap(bench, sizes[i].low, name);
	}
}
