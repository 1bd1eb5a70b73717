/* experiment.c - interleaved runs of two arms, and the verdict on them.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "experiment.h"

double look_confidence(unsigned rounds, bool early_stop, unsigned done)
{
	/* Of the error, by quarter; their sum is 0.05. */
	static const double shares[] = { 0.005, 0.01, 0.01, 0.025 };
	enum { LOOKS = sizeof(shares) / sizeof(shares[0]) };

	if (!early_stop)
		return done == rounds ? 0.95 : 0;
	for (unsigned i = LOOKS; i > 0; i--)
		if (done == (rounds * i + LOOKS - 1) / LOOKS)
			return 1 - shares[i - 1];
	return 0;
}

static double quantity_of(const struct sample *sample, enum quantity quantity)
{
	return quantity == QUANTITY_WALL ? sample->wall :
	       quantity == QUANTITY_CPU ? sample->cpu : sample->value;
}

struct estimate experiment_ratio(const struct experiment *experiment,
				 enum arm arm, enum quantity quantity,
				 double confidence)
{
	double *ratios = calloc(experiment->done, sizeof(*ratios));
	struct estimate estimate;

	if (!ratios)
		abort();
	for (unsigned i = 0; i < experiment->done; i++)
		ratios[i] = quantity_of(&experiment->samples[arm][i],
					quantity) /
			    quantity_of(&experiment->samples[ARM_A][i],
					quantity);
	estimate = statistics_sign_interval(ratios, experiment->done,
					    confidence);
	free(ratios);
	return estimate;
}

double relative_half_width(const struct estimate *estimate)
{
	return (estimate->high - estimate->low) / 2 / estimate->median;
}

double rounds_for_precision(const struct experiment *experiment,
			    double precision)
{
	double width = relative_half_width(&experiment->ratio[ARM_B]);
	double more = width / precision * (width / precision);

	if (!isfinite(width))
		return 0;
	return ceil(experiment->done * fmax(more, 1));
}

/* What is no further from 1 than the control is not believed, however narrow
 * its interval. */
static enum verdict judge(const struct experiment *experiment)
{
	const struct estimate *b = &experiment->ratio[ARM_B];
	double deviation = fabs(log(experiment->ratio[ARM_CONTROL].median));

	if (fabs(log(b->median)) <= deviation)
		return VERDICT_NO_DIFFERENCE;
	return b->high < 1 ? VERDICT_FASTER :
	       b->low > 1 ? VERDICT_SLOWER : VERDICT_NO_DIFFERENCE;
}

static bool included(const struct experiment *experiment, enum arm arm)
{
	return arm != ARM_LIBC || experiment->with_libc;
}

/* Intervals and verdict if a look is planned here. True if it is the last. */
static bool look(struct experiment *experiment)
{
	double precision = experiment->precision;
	double confidence = look_confidence(experiment->rounds, precision > 0,
					    experiment->done);

	if (!confidence)
		return false;
	experiment->confidence = confidence;
	for (enum arm arm = ARM_B; arm < ARMS; arm++)
		if (included(experiment, arm))
			experiment->ratio[arm] =
				experiment_ratio(experiment, arm,
						 QUANTITY_VALUE, confidence);
	experiment->verdict = judge(experiment);
	return experiment->done == experiment->rounds ||
	       relative_half_width(&experiment->ratio[ARM_B]) <= precision;
}

static bool measure(struct experiment *experiment, enum arm arm,
		    struct sample *sample)
{
	if (!experiment->measure(experiment->context, arm, sample)) {
		experiment->verdict = VERDICT_FAILED;
		return false;
	}
	if (experiment->progress)
		experiment->progress(experiment->context, experiment);
	return true;
}

static bool warm_up(struct experiment *experiment)
{
	struct sample unused;

	for (enum arm arm = ARM_A; arm < ARMS; arm++)
		if (included(experiment, arm) && arm != ARM_CONTROL &&
		    !measure(experiment, arm, &unused))
			return false;
	return true;
}

static bool run_round(struct experiment *experiment, const gsl_rng *rng)
{
	enum arm order[ARMS] = { ARM_A, ARM_B, ARM_CONTROL, ARM_LIBC };
	size_t n = experiment->with_libc ? ARMS : ARM_LIBC;

	gsl_ran_shuffle(rng, order, n, sizeof(order[0]));
	for (size_t i = 0; i < n; i++) {
		experiment->runs++;
		if (!measure(experiment, order[i],
			     &experiment->samples[order[i]][experiment->done]))
			return false;
	}
	experiment->done++;
	return true;
}

void experiment_run(struct experiment *experiment)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);

	experiment->done = experiment->runs = 0;
	experiment->confidence = 0;
	gsl_rng_set(rng, experiment->seed);
	for (enum arm arm = ARM_A; arm < ARMS; arm++) {
		experiment->samples[arm] = calloc(experiment->rounds,
						  sizeof(struct sample));
		if (!experiment->samples[arm])
			abort();
	}
	if (warm_up(experiment))
		while (run_round(experiment, rng) && !look(experiment))
			;
	gsl_rng_free(rng);
}

void experiment_release(struct experiment *experiment)
{
	for (enum arm arm = ARM_A; arm < ARMS; arm++) {
		free(experiment->samples[arm]);
		experiment->samples[arm] = NULL;
	}
}
