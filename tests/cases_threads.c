/* cases_threads.c - what another thread sees of a copy.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum {
	WORDS = 48,			/* 256 bytes at any offset below 128 */
	COPIES = 1200,			/* for each size and offset */
	BLOCK = 64 * 1024,
	ROUNDS = 250,
};

static void start(pthread_t *thread, void *(*main)(void *), void *data)
{
	if (pthread_create(thread, NULL, main, data)) {
		perror("pthread_create");
		exit(EXIT_FAILURE);
	}
}

/* Blocks whose words of 8 bytes are all zeros or all ones, ever. */
static struct {
	_Alignas(128) volatile uint64_t toggled[WORDS], watched[WORDS];
	atomic_bool stop, torn;
} shared;

static bool whole(uint64_t word)
{
	return word == 0 || word == UINT64_MAX;
}

static void *toggle_and_watch(void *unused)
{
	uint64_t word = 0;

	while (!atomic_load_explicit(&shared.stop, memory_order_relaxed)) {
		word = ~word;
		for (size_t i = 0; i < WORDS; i++) {
			shared.toggled[i] = word;
			if (!whole(shared.watched[i]))
				atomic_store(&shared.torn, true);
		}
	}
	return unused;
}

/* Words from to to of both kinds: loads that tear, stores that tear. */
static const char *copy_words(const struct row *row, size_t to, size_t from,
			      size_t n)
{
	static uint64_t words[2][WORDS];
	uint64_t mine[WORDS] = { 0 };

	memset(words[1], 0xff, sizeof(words[1]));
	for (int i = 0; i < COPIES; i++) {
		row->copy(mine + to, (void *)(shared.toggled + from), n);
		for (size_t k = 0; k < WORDS; k++)
			if (!whole(mine[k]))
				return cases_failure(row, "n = %zu: loads tear "
						     "a word of 8 bytes", n);
		row->copy((void *)(shared.watched + to), words[i & 1] + from,
			  n);
		if (atomic_load_explicit(&shared.torn, memory_order_relaxed))
			return cases_failure(row, "n = %zu: stores tear a word "
					     "of 8 bytes", n);
	}
	return NULL;
}

const char *case_tearing(const struct row *row, unsigned thin)
{
	/* word offsets: against cache lines, vectors and each other */
	static const unsigned char offsets[][2] = {
		{ 0, 0 }, { 1, 0 }, { 7, 5 }, { 3, 14 },
	};
	const size_t count = sizeof(offsets) / sizeof(offsets[0]);
	const char *failure = NULL;
	pthread_t thread;

	memset(&shared, 0, sizeof(shared));
	start(&thread, toggle_and_watch, NULL);
	for (size_t n = 8; n <= 256 && !failure; n += 8)
		for (size_t i = thin > 1 ? n / 8 % count : 0;
		     n >= row->from && i < count && !failure;
		     i += thin > 1 ? count : 1)
			failure = copy_words(row, offsets[i][0], offsets[i][1],
					     n);
	atomic_store(&shared.stop, true);
	pthread_join(thread, NULL);
	return failure;
}

/* A block handed from one thread to the other by a flag. */
static struct {
	_Alignas(128) unsigned char block[BLOCK];
	_Alignas(128) atomic_uint produced;
	_Alignas(128) atomic_uint consumed;
	size_t n;
	unsigned bad;			/* round, or 0 */
} handed;

static void *consume(void *unused)
{
	for (unsigned round = 1; round; round++) {
		const unsigned char value = (unsigned char)round;
		unsigned seen;

		while ((seen = atomic_load_explicit(&handed.produced,
						    memory_order_acquire)) !=
		       round)
			if (seen == UINT32_MAX)
				return unused;
			else
				sched_yield();
		for (size_t i = handed.n; i-- > 0;)
			if (((volatile unsigned char *)handed.block)[i] !=
			    value && !handed.bad)
				handed.bad = round;
		atomic_store_explicit(&handed.consumed, round,
				      memory_order_release);
	}
	return unused;
}

static void produce(const struct row *row, unsigned round)
{
	static unsigned char block[BLOCK];

	memset(block, (int)(round & 255), BLOCK);
	handed.n = BLOCK - round * 64 % 4096 - round % 64;
	row->copy(handed.block, block, handed.n);
	atomic_store_explicit(&handed.produced, round, memory_order_release);
	while (atomic_load_explicit(&handed.consumed, memory_order_acquire) !=
	       round)
		sched_yield();
}

const char *case_handover(const struct row *row, unsigned thin)
{
	const char *failure = NULL;
	pthread_t thread;

	memset(&handed, 0, sizeof(handed));
	start(&thread, consume, NULL);
	for (unsigned round = 1; round <= ROUNDS / thin && !handed.bad; round++)
		produce(row, round);
	atomic_store(&handed.produced, UINT32_MAX);
	pthread_join(thread, NULL);
	if (handed.bad)
		failure = cases_failure(row, "the flag overtook the copy in "
					"round %u", handed.bad);
	return failure;
}
