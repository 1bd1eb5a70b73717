/* rte.c - DPDK's rte_memcpy, where configure found it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "../cpu.h"
#include "rte.h"

#if !HAVE_DPDK
const char rte_version_text[] = "no DPDK";
#endif

const struct rte_copy rte_copies[] = {
#if HAVE_DPDK
	{ "rte_avx2", "-mavx2", rte_avx2, CPU_AVX2, false },
	{ "rte_avx2_aligned", "-mavx2", rte_avx2_aligned, CPU_AVX2, true },
	{ "rte_avx512", "-mavx512f", rte_avx512, CPU_AVX512, false },
	{ "rte_avx512_aligned", "-mavx512f", rte_avx512_aligned, CPU_AVX512,
	  true },
#endif
	{ 0 }
};

/* Without the end mark, which is there since no array may be empty. */
const size_t rte_copy_count = sizeof(rte_copies) / sizeof(rte_copies[0]) - 1;

bool rte_can_run(const struct rte_copy *rte)
{
	struct cpu_record record;
	struct cpu cpu;

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	return (rte->needs & cpu.features) == rte->needs;
}
