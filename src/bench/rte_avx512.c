/* rte_avx512.c - rte_memcpy as a machine with AVX-512 gets it.
 * Compiled with DPDK's own flags and -mavx512f; the macro asks for the
 * paths with 64-byte vectors.
 * SPDX-License-Identifier: BSD-3-Clause */

#define RTE_MEMCPY_AVX512
#include <rte_memcpy.h>

#include "rte.h"

void *rte_avx512(void *dst, const void *src, size_t n)
{
	return rte_memcpy(dst, src, n);
}

void *rte_avx512_aligned(void *dst, const void *src, size_t n)
{
	return rte_memcpy_aligned(dst, src, n);
}
