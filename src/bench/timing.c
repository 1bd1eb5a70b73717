/* timing.c - the clock, and whether the machine is quiet enough for it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <sys/resource.h>
#include <time.h>

#include "timing.h"

/* Neighbours on the host slow L1 copies by 5-40 % (design, section 7). */
#define GATE_TOLERANCE 1.05
#define GATE_PATIENCE_NS 2e6

double timing_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double timing_ns_per_tick(void)
{
	static double ns_per_tick;
	double begin, end;
	uint64_t first;

	if (ns_per_tick > 0)
		return ns_per_tick;
	begin = timing_now();
	first = ticks();
	do {
		end = timing_now();
	} while (end - begin < 0.02);
	ns_per_tick = (end - begin) * 1e9 / (double)(ticks() - first);
	return ns_per_tick;
}

#define ADD4 "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"

double timing_core_ghz(void)
{
	enum { ROUNDS = 10000, ADDITIONS = 16 };
	double best = 0;

	for (int attempt = 0; attempt < 8; attempt++) {
		size_t sum = 0;
		uint64_t begin = ticks();
		double ghz;

		for (int i = 0; i < ROUNDS; i++)
			__asm__ volatile(ADD4 ADD4 ADD4 ADD4 : "+r" (sum));
		ghz = ROUNDS * ADDITIONS /
		      ((double)(ticks() - begin) * timing_ns_per_tick());
		if (ghz > best)
			best = ghz;
	}
	return best;
}

typedef uint64_t pair __attribute__((vector_size(16)));

/* Our own loop, so that no competitor can be what disturbs it. */
static double probe(void)
{
	enum { ROUNDS = 16, SIZE = 4096 };
	static pair from[SIZE / 16], to[SIZE / 16 + 32];
	uint64_t begin;

	begin = ticks();
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < SIZE / 16; i += 4) {
			to[i + 32] = from[i];
			to[i + 33] = from[i + 1];
			to[i + 34] = from[i + 2];
			to[i + 35] = from[i + 3];
			/* Used; and no loop to be made a call of memcpy. */
			__asm__ volatile("" :: "r" (to) : "memory");
		}
	}
	return (double)(ticks() - begin);
}

bool gate_quiet(struct gate *gate)
{
	double took = probe(), best = took;
	size_t known = gate->probes < GATE_WINDOW ? gate->probes : GATE_WINDOW;

	for (size_t i = 0; i < known; i++)
		if (gate->recent[i] < best)
			best = gate->recent[i];
	gate->recent[gate->probes++ % GATE_WINDOW] = took;
	return took <= best * GATE_TOLERANCE;
}

bool gate_wait(struct gate *gate)
{
	uint64_t begin = ticks();

	while (!gate_quiet(gate))
		if ((double)(ticks() - begin) * timing_ns_per_tick() >
		    GATE_PATIENCE_NS)
			return false;
	return true;
}

long timing_preemptions(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}
