/* operations.c - the copies to be made, and the memory they are made in.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "complain.h"
#include "operations.h"

#define PAGE ((size_t)4096)
#define HOT ((size_t)12 * 1024)	/* of each side; L1 caches have 32 KiB */

struct cell *cell_new(size_t count, const char *name, ...)
{
	struct cell *cell = allocate(1, sizeof(*cell));
	va_list arguments;

	va_start(arguments, name);
	vsnprintf(cell->name, sizeof(cell->name), name, arguments);
	va_end(arguments);
	cell->operations = allocate(count, sizeof(*cell->operations));
	cell->count = count;
	cell->batch = batch_copy;
	cell->cost = 8;
	return cell;
}

void cell_free(struct cell *cell)
{
	if (cell->arena)
		munmap(cell->arena, cell->arena_size);
	free(cell->operations);
	free(cell);
}

void cell_map(struct cell *cell)
{
	size_t size = 0;

	for (size_t i = 0; i < cell->count; i++) {
		const struct operation *o = &cell->operations[i];
		size_t end = (size_t)(o->dst > o->src ? o->dst : o->src) + o->n;

		size = end > size ? end : size;
	}
	size = (size | (PAGE - 1)) + 1;
	cell->arena = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (cell->arena == MAP_FAILED)
		fail("no %zu bytes of memory for %s: %s", size, cell->name,
		     strerror(errno));
	cell->arena_size = size;
	/* Written, or all pages would be the one page of zeroes. */
	memset(cell->arena, 0, size);
}

double cell_mean_bytes(const struct cell *cell)
{
	double sum = 0;

	for (size_t i = 0; i < cell->count; i++)
		sum += cell->operations[i].n;
	return sum / (double)cell->count;
}

void batch_copy(const struct cell *cell, size_t first, size_t count)
{
	const struct operation *o = cell->operations + first;
	char *arena = cell->arena;

	for (const struct operation *end = o + count; o < end; o++)
		bench_call(arena + o->dst, arena + o->src, o->n);
}

static uint64_t read_back(const char *p, size_t n)
{
	const uint64_t *words = (const uint64_t *)(((uintptr_t)p + 7) & ~7UL);
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i + 5 <= n / 8; i += 4) {
		a += words[i];
		b += words[i + 1];
		c += words[i + 2];
		d += words[i + 3];
	}
	return a + b + c + d;
}

void batch_copy_and_read(const struct cell *cell, size_t first, size_t count)
{
	const struct operation *o = cell->operations + first;
	char *arena = cell->arena;

	for (const struct operation *end = o + count; o < end; o++) {
		uint64_t sum;

		bench_call(arena + o->dst, arena + o->src, o->n);
		sum = read_back(arena + o->dst, o->n);
		__asm__ volatile("" :: "r" (sum));
	}
}

uint32_t random_offset(gsl_rng *rng, size_t n, unsigned alignment)
{
	size_t room = n + 2 * 64 <= HOT ? HOT - n - 64 : PAGE;
	size_t offset = gsl_rng_uniform_int(rng, room);

	if (alignment >= 64)
		return (uint32_t)(offset & ~(size_t)63);
	if (alignment)
		offset = (offset & ~(2 * (size_t)alignment - 1)) | alignment;
	return (uint32_t)offset;
}

size_t side_size(size_t largest)
{
	size_t size = largest + 64 <= HOT ? HOT : largest + PAGE + 64;

	return (size | (PAGE - 1)) + 1;
}

struct cell *cell_random(gsl_rng *rng, size_t count, struct size_range range,
			 const char *name)
{
	struct cell *cell = cell_new(count, "%s", name);
	size_t side = side_size(range.high);

	for (size_t i = 0; i < count; i++) {
		size_t n = range.low +
			gsl_rng_uniform_int(rng, range.high - range.low + 1);

		cell->operations[i] = (struct operation){
			random_offset(rng, n, 0),
			(uint32_t)(side + random_offset(rng, n, 0)),
			(uint32_t)n,
		};
	}
	cell_map(cell);
	return cell;
}
