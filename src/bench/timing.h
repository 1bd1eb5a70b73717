/* timing.h - the clock, and whether the machine is quiet enough for it.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_TIMING_H
#define MEMROUTE_BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The timestamp counter, with nothing moved across it. */
static inline uint64_t ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a" (low), "=d" (high) :: "memory");
	return (uint64_t)high << 32 | low;
}

/* Nanoseconds of one tick, measured once against CLOCK_MONOTONIC (20 ms). */
double timing_ns_per_tick(void);

/* The core's clock in GHz, from a chain of additions that takes one cycle
 * each; what it was for the last fraction of a millisecond. */
double timing_core_ghz(void);

/* Seconds of CLOCK_MONOTONIC. */
double timing_now(void);

enum { GATE_WINDOW = 256 };

/*
 * Two probes are timed before and after each batch. A short copy within the L1
 * cache always takes the same time, unless the host runs somebody else beside
 * us, the clock changes, or the thread was not running. And as many
 * instructions as the core can issue, in relation to additions that wait for
 * each other, take up to twice as long when another thread has a half of the
 * core; copies of random sizes are then up to 1.25 times slower, each routine
 * by another factor, and copies within the L1 cache not at all.
 */
struct gate {
	double issue_limit;		/* on that relation; 0: any will do */
	double recent[GATE_WINDOW];	/* ticks of the last probes */
	size_t probes;			/* so far */
	unsigned retried;		/* batches thrown away */
	unsigned ungated;		/* batches kept although disturbed */
};

/* Sets the limit on the issue of instructions from what this machine does when
 * it is quiet, if only for a twentieth of the time. Takes about 0.05 s. */
void gate_calibrate(struct gate *gate);

/* True if the copy is within 5 % of the best of the last GATE_WINDOW, and the
 * issue of instructions within its limit. */
bool gate_quiet(struct gate *gate);

/* Probes until it is quiet, for 2 ms at most. */
bool gate_wait(struct gate *gate);

/* How often this thread has been preempted. */
long timing_preemptions(void);

#endif
