/* made_up_cpus.h - CPUs that are not here, as the leaves they would show.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TESTS_MADE_UP_CPUS_H
#define TESTS_MADE_UP_CPUS_H

#include "cpu.h"

struct made_up_cpu {
	const char *name;
	struct cpu_record record;
	/* What it is decoded to. */
	enum cpu_vendor vendor;
	unsigned family, model;
	uint32_t features;
	uint64_t l3;			/* bytes */
	unsigned l3_threads;
	/* What is chosen for it. */
	const char *kernel;
	size_t non_temporal, rep_movsb;	/* bytes */
	/* Words that the reasons contain. */
	const char *kernel_reason, *non_temporal_reason, *rep_movsb_reason;
};

extern const struct made_up_cpu made_up_cpus[];
extern const int made_up_cpu_count;

#endif
