/* workload_large.c - beyond the caches, with the destination read back; and at
 * chosen page distances, (dst - src) mod 4096, there and within the caches.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "workload.h"

#define MIB ((size_t)1 << 20)

#define PAGE ((size_t)4096)
#define LIST_BYTES (4 * MIB)	/* that a list of small ones moves */
#define COUNT_MAX ((size_t)65536)

static const struct size_range own_sizes[] = {
	{ MIB, MIB }, { 4 * MIB, 4 * MIB }, { 8 * MIB, 8 * MIB },
	{ 12 * MIB, 12 * MIB }, { 16 * MIB, 16 * MIB }, { 24 * MIB, 24 * MIB },
	{ 32 * MIB, 32 * MIB }, { 64 * MIB, 64 * MIB },
	{ 128 * MIB, 128 * MIB },
};
/* Far from aliasing in either direction. */
static const size_t no_alias[] = { 2080 };
static const struct size_range distance_size[] = { { 32 * MIB, 32 * MIB } };
static const struct size_range hot_sizes[] = {
	{ 2048, 2048 }, { 8192, 8192 }, { 65536, 65536 }, { 524288, 524288 },
};
static const size_t own_distances[] = {
	0, 1, 16, 63, 64, 128, 2048, 4032, 4095,
};

/* One pair of blocks, again and again. The source begins 16 bytes into a page,
 * as what malloc() maps does. */
struct cell *cell_at_distance(size_t n, size_t distance, bool read_back)
{
	size_t side = (n + PAGE - 1) / PAGE * PAGE + 2 * PAGE;
	size_t count = n && n < LIST_BYTES / 2 ? LIST_BYTES / n : 2;
	struct cell *cell;
	char size[24];

	cell = cell_new(count < COUNT_MAX ? count : COUNT_MAX,
			"%s, %zu apart", size_text(n, size), distance);
	for (size_t i = 0; i < cell->count; i++)
		cell->operations[i] = (struct operation){
			(uint32_t)(side + 16 + distance), 16, (uint32_t)n,
		};
	cell->batch_size = n < LIST_BYTES / 2 ? 0 : 1;
	if (read_back)
		cell->batch = batch_copy_and_read;
	cell_map(cell);
	return cell;
}

static void measure_grid(struct bench *bench, const struct size_range *sizes,
			 size_t size_count, const size_t *distances,
			 size_t distance_count, bool read_back)
{
	for (size_t i = 0; i < size_count; i++)
		for (size_t k = 0; k < distance_count; k++)
			bench_measure(bench, cell_at_distance(sizes[i].low,
				distances[k], read_back));
}

void run_large(struct bench *bench)
{
	const struct bench_settings *s = &bench->settings;
	size_t sizes = COUNT_OF(distance_size);
	const struct size_range *size = sizes_or(bench, distance_size, &sizes);

	bench_begin(bench, "large", "copies whose destination is read back");
	if (s->distance_count) {
		measure_grid(bench, size, sizes, s->distances,
			     s->distance_count, true);
	} else if (s->size_count) {
		measure_grid(bench, size, sizes, no_alias, 1, true);
	} else {
		measure_grid(bench, own_sizes, COUNT_OF(own_sizes), no_alias,
			     1, true);
		measure_grid(bench, size, sizes, own_distances,
			     COUNT_OF(own_distances), true);
	}
}

void run_distance(struct bench *bench)
{
	const struct bench_settings *s = &bench->settings;
	size_t sizes = COUNT_OF(hot_sizes);
	const struct size_range *size = sizes_or(bench, hot_sizes, &sizes);

	bench_begin(bench, "distance",
		    "one pair of blocks by (dst - src) mod 4096");
	measure_grid(bench, size, sizes,
		     s->distance_count ? s->distances : own_distances,
		     s->distance_count ? s->distance_count :
					 COUNT_OF(own_distances), false);
}
