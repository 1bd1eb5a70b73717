/* timing.c - the clock, and whether the machine is quiet enough for it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <sys/resource.h>
#include <time.h>

#include "timing.h"

/* Neighbours on the host slow L1 copies by 5-40 % (design, section 7). */
#define GATE_TOLERANCE 1.05
#define ISSUE_TOLERANCE 1.1
#define GATE_PATIENCE_NS 2e6

enum { CALIBRATION_SAMPLES = 50000 };

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

/* 256 additions in a chain, a cycle each. */
static double chain(void)
{
	size_t sum = 0;
	uint64_t begin = ticks();

	for (int i = 0; i < 16; i++)
		__asm__ volatile(ADD4 ADD4 ADD4 ADD4 : "+r" (sum));
	return (double)(ticks() - begin);
}

#define NOP8 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"

/* The shorter of two chains: one may have been interrupted. */
static double issue_ratio(void)
{
	double before = chain(), after, took;
	uint64_t begin = ticks();

	for (int i = 0; i < 64; i++)
		__asm__ volatile(NOP8 NOP8 NOP8 NOP8 NOP8 NOP8 NOP8 NOP8);
	took = (double)(ticks() - begin);
	after = chain();
	return took / (before < after ? before : after);
}

static bool copies_freely(struct gate *gate)
{
	double took = probe(), best = took;
	size_t known = gate->probes < GATE_WINDOW ? gate->probes : GATE_WINDOW;

	for (size_t i = 0; i < known; i++)
		if (gate->recent[i] < best)
			best = gate->recent[i];
	gate->recent[gate->probes++ % GATE_WINDOW] = took;
	return took <= best * GATE_TOLERANCE;
}

bool gate_quiet(struct gate *gate)
{
	bool copies = copies_freely(gate);

	return gate->issue_limit <= 0 ? copies :
	       copies && issue_ratio() <= gate->issue_limit;
}

void gate_calibrate(struct gate *gate)
{
	static double ratios[CALIBRATION_SAMPLES];

	for (size_t i = 0; i < CALIBRATION_SAMPLES; i++)
		ratios[i] = issue_ratio();
	gsl_sort(ratios, 1, CALIBRATION_SAMPLES);
	gate->issue_limit = ISSUE_TOLERANCE *
		gsl_stats_quantile_from_sorted_data(ratios, 1,
						    CALIBRATION_SAMPLES, 0.05);
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
