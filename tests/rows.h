/* rows.h - the copy functions that the tests walk over, a row each.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/kernels.h"
#include "state.h"

struct row {
	char name[32];		/* "libc", "avx2", "avx2 above", "library" */
	copy_fn *copy;
	size_t from;		/* bytes; smaller sizes are not for it */
	bool ours;		/* a kernel that obeys memroute_state */
	uint32_t needs;		/* of a kernel: CPU_* features */
};

/* Every function that this CPU can run: libc's memmove first, so that the
 * tests are themselves tested, then each kernel whole and above its limit.
 * Kernels that it cannot run are told on stdout, "skipped: NAME needs ...".
 * Returns the number of rows. */
size_t rows_find(void);

extern struct row rows[];
extern size_t row_count;

/* Kernels that this CPU cannot run. */
extern size_t rows_skipped;

/* Thresholds, in bytes, under which the rows run: never, and lowered to the
 * least that MEMROUTE allows, in both orders. */
struct threshold_set {
	const char *name;
	size_t non_temporal, rep_movsb;
	bool one_stream;
};

enum { THRESHOLD_SETS = 6 };
extern const struct threshold_set threshold_sets[THRESHOLD_SETS];

/* Writes a set into memroute_state. */
void rows_set_thresholds(const struct threshold_set *set);

#endif
