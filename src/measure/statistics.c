/* statistics.c - medians and their intervals, on GSL.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

enum { RESAMPLES = 1000 };

/* A sorted copy; out of memory ends the program, as it does in GSL. */
static double *sorted_copy(const double *values, size_t n)
{
	double *copy = calloc(n, sizeof(*copy));

	if (!copy)
		abort();
	memcpy(copy, values, n * sizeof(*copy));
	gsl_sort(copy, 1, n);
	return copy;
}

double statistics_median(const double *values, size_t n)
{
	double *sorted = sorted_copy(values, n);
	double median = gsl_stats_median_from_sorted_data(sorted, 1, n);

	free(sorted);
	return median;
}

struct estimate statistics_bootstrap(const double *values, size_t n,
				     double confidence, unsigned long seed)
{
	double *sorted = sorted_copy(values, n);
	struct estimate e = {
		gsl_stats_median_from_sorted_data(sorted, 1, n),
		sorted[0], sorted[n - 1],
	};
	double *sample, medians[RESAMPLES];
	gsl_rng *rng;

	if (n < 6) {
		free(sorted);
		return e;
	}
	sample = calloc(n, sizeof(*sample));
	rng = gsl_rng_alloc(gsl_rng_taus2);
	if (!sample || !rng)
		abort();
	gsl_rng_set(rng, seed);
	for (size_t r = 0; r < RESAMPLES; r++) {
		for (size_t i = 0; i < n; i++)
			sample[i] = values[gsl_rng_uniform_int(rng, n)];
		medians[r] = gsl_stats_median(sample, 1, n);
	}
	gsl_sort(medians, 1, RESAMPLES);
	e.low = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES,
						    (1 - confidence) / 2);
	e.high = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES,
						     (1 + confidence) / 2);
	gsl_rng_free(rng);
	free(sample);
	free(sorted);
	return e;
}

struct estimate statistics_sign_interval(const double *values, size_t n,
					 double confidence)
{
	double *sorted = sorted_copy(values, n);
	struct estimate e = {
		gsl_stats_median_from_sorted_data(sorted, 1, n),
		-INFINITY, INFINITY,
	};
	unsigned rank = 0;	/* values that may be left out at each end */

	while (2 * (rank + 1) <= n &&
	       gsl_cdf_binomial_P(rank, 0.5, (unsigned)n) <=
	       (1 - confidence) / 2)
		rank++;
	if (rank) {
		e.low = sorted[rank - 1];
		e.high = sorted[n - rank];
	}
	free(sorted);
	return e;
}
