/* workloads.h - the A/B workloads that memroute brings along.
 * Each is an executable script: prepare (status 77: cannot run here), run,
 * about (one line).
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_WORKLOADS_H
#define MEMROUTE_WORKLOADS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct workloads {
	char directory[PATH_MAX];
	char **names;		/* sorted */
	size_t count;
};

/* Finds them; complains and returns false if there are none. To be released
 * after true. */
bool workloads_find(struct workloads *workloads);
void workloads_release(struct workloads *workloads);

/* True if there is one of that name; else complains, with the names. */
bool workloads_check(const struct workloads *workloads, const char *name);

enum prepared { PREPARED, PREPARE_SKIPPED, PREPARE_FAILED };

/* Runs "prepare"; what it prints goes to stderr. *interrupt is the signal
 * that ended it, or 0. */
enum prepared workload_prepare(const char *path, int *interrupt);

#endif
