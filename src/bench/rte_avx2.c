/* rte_avx2.c - rte_memcpy as a machine with AVX2 gets it.
 * Compiled with DPDK's own flags and -mavx2.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <rte_memcpy.h>
#include <rte_version.h>

#include "rte.h"

#define TEXT(x) #x
#define VALUE(x) TEXT(x)
const char rte_version_text[] = RTE_VER_PREFIX " " VALUE(RTE_VER_YEAR) "."
	VALUE(RTE_VER_MONTH) "." VALUE(RTE_VER_MINOR);

void *rte_avx2(void *dst, const void *src, size_t n)
{
	return rte_memcpy(dst, src, n);
}

void *rte_avx2_aligned(void *dst, const void *src, size_t n)
{
	return rte_memcpy_aligned(dst, src, n);
}
