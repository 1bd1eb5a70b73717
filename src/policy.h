/* policy.h - which kernel and which thresholds for which CPU, and why.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_POLICY_H
#define MEMROUTE_POLICY_H

#include <stdbool.h>

#include "cpu.h"
#include "options.h"
#include "state.h"

#pragma GCC visibility push(hidden)

struct decision {
	const struct kernel *kernel;	/* NULL: libc's own memmove */
	const char *refused;		/* the kernel asked for in vain, or NULL */
	struct thresholds thresholds;	/* bytes */
	const char *kernel_reason;
	const char *non_temporal_reason;
	const char *rep_movsb_reason;
};

/* True if the CPU and the OS allow the kernel. */
bool policy_allows(const struct cpu *cpu, const struct kernel *kernel);

/* Decides from cpu and options alone; asks nothing of the machine. With
 * options.kernel "libc" the decision is libc; whoever finds that libc has no
 * memmove to route to calls again with "auto". */
void policy_choose(const struct cpu *cpu, const struct options *options,
		   struct decision *decision);

#pragma GCC visibility pop

#endif
