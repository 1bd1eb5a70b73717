/* loopback_workload.c - memroute-bench loopback: packets per CPU-second with
 * every copy routine, or with every way to swap MAC addresses.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "loopback_workload.h"

/* A thread that had less of its core than this measures its neighbours. */
#define CORE_SHARE_MIN 0.95

static const struct size_range packet_sizes[] = {
	{ 64, 64 }, { 128, 128 }, { 158, 158 }, { 188, 188 }, { 218, 218 },
	{ 230, 230 }, { 256, 256 }, { 280, 280 }, { 300, 300 }, { 380, 380 },
	{ 420, 420 }, { 512, 512 }, { 1024, 1024 }, { 1518, 1518 },
};

enum word_kind { WORD_FORWARD, WORD_RECEIVE, WORD_PLACE };

struct word {
	const char *text;
	enum word_kind kind;
	copy_fn *forward;
	bool vector;
	size_t shift;
};

static const struct word words[] = {
	{ "io", WORD_FORWARD, NULL, false, 0 },
	{ "macswap", WORD_FORWARD, macswap_sse, false, 0 },
	{ "interleaved", WORD_FORWARD, macswap_interleaved, false, 0 },
	{ "scalar", WORD_FORWARD, macswap_scalar, false, 0 },
	{ "mergeable", WORD_RECEIVE, NULL, false, 0 },
	{ "vector", WORD_RECEIVE, NULL, true, 0 },
	{ "aligned", WORD_PLACE, NULL, false, 0 },
	{ "shifted", WORD_PLACE, NULL, false, LOOPBACK_SHIFT },
};

__attribute__((noreturn)) static void complain_of_word(const char *text)
{
	char allowed[200] = "";

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		strcat(allowed, " ");
		strcat(allowed, words[i].text);
	}
	fail_usage("loopback: no '%s'; allowed:%s", text, allowed);
}

static const struct word *word_of(const char *text)
{
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (!strcmp(words[i].text, text))
			return &words[i];
	complain_of_word(text);
}

static void take_word(struct loopback_shape *shape, const struct word *word)
{
	switch (word->kind) {
	case WORD_FORWARD:
		shape->forward = word->forward;
		break;
	case WORD_RECEIVE:
		shape->mergeable = !word->vector;
		break;
	case WORD_PLACE:
		shape->shift = word->shift;
		break;
	}
	if (word->forward && word->forward != macswap_scalar &&
	    !macswap_has_shuffle())
		fail_usage("loopback: '%s' needs a CPU with SSSE3", word->text);
}

static struct loopback_shape shape_of(const struct bench_settings *settings)
{
	struct loopback_shape shape = { .mergeable = true };

	if (settings->threads > 2)
		fail_usage("loopback: --threads is 1 or 2, and not %u",
			   settings->threads);
	shape.threaded = settings->threads == 2;
	for (size_t i = 0; i < settings->argument_count; i++)
		take_word(&shape, word_of(settings->arguments[i]));
	return shape;
}

static void check_size(const struct loopback_shape *shape, size_t size)
{
	size_t max = shape->mergeable ? PACKET_MAX : BUFFER_SIZE - HEADER_SIZE;

	if (size < PACKET_MIN || size > max)
		fail_usage("loopback: packets have %d to %zu bytes here, and "
			   "not %zu", PACKET_MIN, max, size);
}

static void batch_call(const struct cell *cell, size_t first, size_t count)
{
	(void)first;
	loopback_run_call((struct loopback *)cell->context, count);
}

static void batch_inlined(const struct cell *cell, size_t first, size_t count)
{
	(void)first;
	loopback_run_inlined((struct loopback *)cell->context, count);
}

static void prepare(const struct cell *cell, size_t first, size_t count)
{
	(void)first, (void)count;
	loopback_verify((struct loopback *)cell->context);
}

/* Whole bursts, so that the last one of a batch is no odd one out. */
static size_t batch_packets(size_t size)
{
	size_t bursts = 60000 / (BURST * (25 + size / 8));

	return BURST * (bursts ? bursts : 1);
}

struct cell *cell_loopback(struct loopback *loop, const char *name)
{
	size_t size = loop->shape.size, count = batch_packets(size);
	struct cell *cell = cell_new(count, "%s", name);

	for (size_t i = 0; i < count; i++)
		cell->operations[i].n = (uint32_t)size;
	cell->batch_size = count;
	cell->batch = batch_call;
	cell->inlined = HAVE_INLINE_MEMCPY ? batch_inlined : NULL;
	cell->prepare = prepare;
	cell->context = loop;
	return cell;
}

static void pin_threads(const struct loopback *loop)
{
	cpu_set_t all, one;
	int cpu = 0;

	sched_getaffinity(0, sizeof(all), &all);
	if (CPU_COUNT(&all) < 2)
		fail("loopback: --threads 2 needs two CPUs");
	for (pthread_t thread = pthread_self();; thread = loop->guest, cpu++) {
		while (!CPU_ISSET(cpu, &all))
			cpu++;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		pthread_setaffinity_np(thread, sizeof(one), &one);
		if (thread == loop->guest)
			return;
	}
}

static double own_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Two threads that do not run at the same time measure the scheduler. */
static void check_cores(double wall, double host, double guest, size_t size)
{
	double least = (host < guest ? host : guest) / wall;

	if (least < CORE_SHARE_MIN)
		fail("loopback, %zu bytes: a thread had %.0f %% of a core; "
		     "below %.0f %% there is no verdict: run it where two "
		     "cores are free", size, 100 * least,
		     100 * CORE_SHARE_MIN);
}

static const struct row *measure_threaded(struct bench *bench,
					  struct loopback *loop,
					  struct cell *cell)
{
	double wall, host, guest;
	const struct row *row;

	pin_threads(loop);
	wall = timing_now();
	host = own_seconds();
	guest = loopback_guest_seconds(loop);
	row = bench_measure(bench, cell);
	check_cores(timing_now() - wall, own_seconds() - host,
		    loopback_guest_seconds(loop) - guest, loop->shape.size);
	return row;
}

const struct row *loopback_measure(struct bench *bench,
				   const struct loopback_shape *shape,
				   const char *name)
{
	struct loopback *loop = loopback_new(shape);
	struct cell *cell = cell_loopback(loop, name);
	const struct row *row;

	if (shape->threaded)
		row = measure_threaded(bench, loop, cell);
	else
		row = bench_measure(bench, cell);
	loopback_verify(loop);
	loopback_free(loop);
	return row;
}

void run_loopback(struct bench *bench)
{
	struct loopback_shape shape = shape_of(&bench->settings);
	size_t count = COUNT_OF(packet_sizes);
	const struct size_range *sizes = sizes_or(bench, packet_sizes, &count);

	for (size_t i = 0; i < count; i++)
		check_size(&shape, sizes[i].low);
	bench_begin(bench, "loopback", "a packet through a virtio-style host "
		    "(1000 / ns is millions of packets per CPU-second)");
	for (size_t i = 0; i < count; i++) {
		char name[24];

		shape.size = sizes[i].low;
		snprintf(name, sizeof(name), "%zu", shape.size);
		loopback_measure(bench, &shape, name);
	}
}
