/* call.c - the one way by which every competitor is called.
 * In a file of its own, so that no compiler looks through it into the loops.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "competitor.h"

static copy_fn *target;

void *bench_call(void *dst, const void *src, size_t n)
{
	return target(dst, src, n);
}

void competitor_bind(const struct competitor *competitor, bool overlapping)
{
	target = overlapping && competitor->move ? competitor->move :
						   competitor->copy;
	memroute_state.thresholds = competitor->thresholds;
}
