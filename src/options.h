/* options.h - the MEMROUTE variable.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_OPTIONS_H
#define MEMROUTE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Range of a threshold, in bytes. Below 1024 the start-up of rep movsb and
 * of non-temporal streams costs more than the whole copy on every CPU that
 * has published numbers, and the kernels test thresholds only above 960.
 * libmemroute(7) states the same numbers.
 */
#define THRESHOLD_MIN ((uint64_t)1024)
#define THRESHOLD_MAX (sizeof(size_t) > 4 ? (uint64_t)1 << 40 : (uint64_t)1 << 31)

struct options {
	const char *kernel;	/* "auto", "libc" or the name of a kernel */
	bool kernel_given;	/* by the variable */
	uint64_t non_temporal_threshold;	/* bytes; 0: not given */
	uint64_t rep_movsb_threshold;		/* bytes; 0: not given */
	bool verbose;
};

/* What holds without the variable. */
void options_default(struct options *options);

/* Applies text, a list as in libmemroute(7), to options. Each item that
 * cannot be read is told in one line on stderr and otherwise ignored.
 * Returns the number of such items. */
unsigned options_parse(const char *text, struct options *options);

/* The value of MEMROUTE in a null-terminated environment, or NULL. */
const char *options_find(const char *const *environment);

#pragma GCC visibility pop

#endif
