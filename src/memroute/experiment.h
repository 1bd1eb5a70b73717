/* experiment.h - interleaved runs of two arms, and the verdict on them.
 * Knows nothing of processes, so that tests can simulate them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_EXPERIMENT_H
#define MEMROUTE_EXPERIMENT_H

#include <stdbool.h>

#include "../measure/statistics.h"

/* What is run in each round, once, in random order. */
enum arm {
	ARM_A,
	ARM_B,
	ARM_CONTROL,	/* a again: how far apart equals seem to be */
	ARM_LIBC,	/* the cost of interposing itself; can be left out */
	ARMS,
};

/* value is what the verdict is on: positive, smaller is better. */
struct sample {
	double value;
	double wall, cpu;	/* seconds */
};

enum quantity { QUANTITY_VALUE, QUANTITY_WALL, QUANTITY_CPU };

enum verdict {
	VERDICT_NO_DIFFERENCE,	/* that these rounds can show */
	VERDICT_FASTER,		/* b than a */
	VERDICT_SLOWER,
	VERDICT_FAILED,		/* a run failed: nothing can be said */
};

/* Fewer rounds cannot show anything: see look_confidence(). */
enum { ROUNDS_MIN = 8, ROUNDS_MAX = 100000 };

struct experiment {
	/* To be given: */
	unsigned rounds;	/* at most, ROUNDS_MIN to ROUNDS_MAX */
	double precision;	/* stop when the interval is within the ratio
				 * times 1 - this to 1 + this; 0: never */
	bool with_libc;
	unsigned long seed;	/* of the order in the rounds */
	/* One run; false ends the experiment as failed. */
	bool (*measure)(void *context, enum arm arm, struct sample *sample);
	/* After each run of the warm-up and of the rounds; can be NULL. */
	void (*progress)(void *context, const struct experiment *experiment);
	void *context;

	/* Found out: */
	unsigned runs;		/* measured, of all arms */
	unsigned done;		/* complete rounds */
	struct sample *samples[ARMS];	/* [done] each */
	double confidence;	/* of the intervals */
	struct estimate ratio[ARMS];	/* to ARM_A, of value; [ARM_A] unused */
	enum verdict verdict;
};

/* Warms up each arm once, then runs rounds until they are enough, and judges.
 * To be released afterwards, whatever the verdict. */
void experiment_run(struct experiment *experiment);
void experiment_release(struct experiment *experiment);

/*
 * The confidence at which the intervals are to be looked at after done rounds
 * of at most rounds; 0 if that is none of the planned looks.
 *
 * Without an early stop there is one look, at 0.95. With it there are four,
 * after each quarter, and the error of 0.05 is shared out among them: the
 * chance that any of the four intervals misses the truth is at most the sum
 * (Bonferroni), so no rule for stopping can make the error larger. Half of it
 * is kept for the last look, which most experiments reach.
 */
double look_confidence(unsigned rounds, bool early_stop, unsigned done);

/* Median and sign-test interval of the ratios arm / a, round by round. At
 * least one round. */
struct estimate experiment_ratio(const struct experiment *experiment,
				 enum arm arm, enum quantity quantity,
				 double confidence);

/* Half of the width of an interval, as a share of its median. */
double relative_half_width(const struct estimate *estimate);

/*
 * About how many rounds an interval of ratio * (1 -+ precision) takes, since
 * its width falls with the square root of their number; 0 if these are too
 * few to tell. At least done.
 */
double rounds_for_precision(const struct experiment *experiment,
			    double precision);

#endif
