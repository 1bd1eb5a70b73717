/* distribution.h - sizes and alignments of real copies, with weights.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_DISTRIBUTION_H
#define MEMROUTE_BENCH_DISTRIBUTION_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

#include "settings.h"

/* Values with weights; a value is a range where only that is known. */
struct weighted {
	size_t count;
	struct size_range *values;
	double *weights;
};

struct distribution {
	struct weighted sizes;			/* bytes */
	struct weighted dst_alignment;		/* powers of two up to 64 */
	struct weighted src_alignment;
	double overlap;				/* probability */
};

/*
 * Reads one of three formats, told apart by the first line:
 * - fleetbench's: three lines of VALUE:PROBABILITY,...: sizes, overlap (0 and
 *   1), alignments;
 * - SIZE,COUNT lines: SPEC CPU 2017's alignments are then assumed;
 * - our histograms: symbol,size_lo,size_hi,calls,bytes under that header; the
 *   alignments come from NAME.align.csv beside NAME.csv, or are unknown.
 * Ends the program with status 2 and file, line and field for anything else,
 * and for a distribution without weight.
 */
void distribution_read(struct distribution *distribution, const char *path);

void distribution_free(struct distribution *distribution);

#endif
