/* statistics.h - medians and their intervals, for memroute-bench and ab.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_STATISTICS_H
#define MEMROUTE_STATISTICS_H

#include <stddef.h>

/* A median with its confidence interval, in the unit of the sample. */
struct estimate {
	double median;
	double low, high;
};

/* The median of n > 0 values, in any order; they stay as they are. */
double statistics_median(const double *values, size_t n);

/*
 * Median and percentile-bootstrap interval (Efron 1979; 1000 resamples) at a
 * confidence between 0 and 1, say 0.95. The same seed gives the same interval.
 * n > 0; for n < 6 the interval is the range of the sample.
 */
struct estimate statistics_bootstrap(const double *values, size_t n,
				     double confidence, unsigned long seed);

/*
 * Median and distribution-free interval from order statistics (the sign test,
 * Conover, Practical Nonparametric Statistics, 3.2): its coverage is at least
 * the confidence, for every continuous distribution. Too few values for that
 * confidence: low is -INFINITY, high is INFINITY. n > 0.
 */
struct estimate statistics_sign_interval(const double *values, size_t n,
					 double confidence);

#endif
