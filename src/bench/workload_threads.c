/* workload_threads.c - large copies in several threads at once, each between
 * blocks of its own; the time of all of them together.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "workload.h"

#define MIB ((size_t)1 << 20)
#define BATCH_BYTES (16 * MIB)	/* of each thread */
#define ARENA_MAX ((size_t)1 << 32)	/* offsets have 32 bits */

static const struct size_range own_sizes[] = {
	{ MIB, MIB }, { 4 * MIB, 4 * MIB }, { 16 * MIB, 16 * MIB },
	{ 64 * MIB, 64 * MIB },
};

/* The main thread works too, as number 0; work is NULL at the end. */
struct crew {
	pthread_barrier_t begin, end;
	const struct cell *work;
	unsigned count;
	pthread_t *threads;
};

struct member {
	struct crew *crew;
	unsigned number;
};

/* Every so-many-th operation is this member's. */
static void copy_share(const struct crew *crew, unsigned number)
{
	const struct cell *cell = crew->work;

	for (size_t i = number; i < cell->count; i += crew->count)
		batch_copy(cell, i, 1);
}

static void *member_main(void *argument)
{
	struct member *member = argument;
	struct crew *crew = member->crew;

	for (;;) {
		pthread_barrier_wait(&crew->begin);
		if (!crew->work)
			break;
		copy_share(crew, member->number);
		pthread_barrier_wait(&crew->end);
	}
	free(member);
	return NULL;
}

static void batch_threads(const struct cell *cell, size_t first, size_t count)
{
	struct crew *crew = (struct crew *)cell->context;

	(void)first, (void)count;	/* the only batch is all of the list */
	crew->work = cell;
	pthread_barrier_wait(&crew->begin);
	copy_share(crew, 0);
	pthread_barrier_wait(&crew->end);
}

static void crew_start(struct crew *crew, unsigned count)
{
	memset(crew, 0, sizeof(*crew));
	crew->count = count;
	pthread_barrier_init(&crew->begin, NULL, count);
	pthread_barrier_init(&crew->end, NULL, count);
	crew->threads = allocate(count, sizeof(*crew->threads));
	for (unsigned i = 1; i < count; i++) {
		struct member *member = allocate(1, sizeof(*member));
		int error;

		*member = (struct member){ crew, i };
		error = pthread_create(&crew->threads[i], NULL, member_main,
				       member);
		if (error)
			fail("cannot start thread %u: %s", i, strerror(error));
	}
}

static void crew_stop(struct crew *crew)
{
	crew->work = NULL;
	pthread_barrier_wait(&crew->begin);
	for (unsigned i = 1; i < crew->count; i++)
		pthread_join(crew->threads[i], NULL);
	pthread_barrier_destroy(&crew->begin);
	pthread_barrier_destroy(&crew->end);
	free(crew->threads);
}

static struct cell *cell_threads(struct crew *crew, size_t n)
{
	size_t side = side_size(n) + 2112;	/* pages out of step */
	size_t rounds = n && n < BATCH_BYTES ? BATCH_BYTES / n : 1;
	struct cell *cell;
	char size[24];

	if (2 * side * crew->count >= ARENA_MAX)
		fail_usage("threads: %u threads with blocks of %s need more "
			   "than 4 GiB", crew->count, size_text(n, size));
	cell = cell_new(crew->count * rounds, "%u x %s", crew->count,
			size_text(n, size));
	for (size_t i = 0; i < cell->count; i++) {
		size_t member = i % crew->count;

		cell->operations[i] = (struct operation){
			(uint32_t)((2 * member + 1) * side),
			(uint32_t)(2 * member * side), (uint32_t)n,
		};
	}
	cell->batch_size = cell->count;
	cell->batch = batch_threads;
	cell->context = crew;
	cell_map(cell);
	return cell;
}

void run_threads(struct bench *bench)
{
	size_t count = COUNT_OF(own_sizes);
	const struct size_range *size = sizes_or(bench, own_sizes, &count);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct crew crew;

	crew_start(&crew, bench->settings.threads ? bench->settings.threads :
		   cpus > 0 ? (unsigned)cpus : 1);
	bench_begin(bench, "threads", "copies in several threads at once");
	for (size_t i = 0; i < count; i++)
		bench_measure(bench, cell_threads(&crew, size[i].low));
	crew_stop(&crew);
}
