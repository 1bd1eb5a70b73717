/* rte.h - DPDK's rte_memcpy, where configure found it.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_RTE_H
#define MEMROUTE_BENCH_RTE_H

#include <stdbool.h>

#include "../kernels/kernels.h"

struct rte_copy {
	const char *name;
	const char *flags;	/* of the compiler */
	copy_fn *copy;
	uint32_t needs;		/* CPU_* features, see cpu.h */
	bool aligned;		/* for aligned blocks only */
};

extern const struct rte_copy rte_copies[];
extern const size_t rte_copy_count;

/* True if this CPU and its OS allow it. */
bool rte_can_run(const struct rte_copy *rte);

/* "DPDK 22.11.11", of the headers. */
extern const char rte_version_text[];

copy_fn rte_avx2, rte_avx2_aligned, rte_avx512, rte_avx512_aligned;

#endif
