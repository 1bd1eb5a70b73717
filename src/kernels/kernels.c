/* kernels.c - the table of copy kernels.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "../compiler.h"
#include "../cpu.h"
#include "../text.h"
#include "kernels.h"

const struct kernel memroute_kernels[] = {
#if WITH_AVX512
	/* Masks make the small sizes branch-free: it wants to see every call. */
	{ "avx512", memroute_copy_avx512, memroute_copy_avx512, 0,
	  CPU_AVX2 | CPU_AVX512 },
#endif
	{ "avx2", memroute_copy_avx2, memroute_copy_above_avx2,
	  COPY_SMALL_LIMIT, CPU_AVX2 },
	{ "erms", memroute_copy_erms, memroute_copy_above_erms,
	  COPY_SMALL_LIMIT, CPU_ERMS },
	{ "sse2", memroute_copy_sse2, memroute_copy_above_sse2,
	  COPY_SMALL_LIMIT, 0 },
};

const size_t memroute_kernel_count =
	sizeof(memroute_kernels) / sizeof(memroute_kernels[0]);

BARE const struct kernel *memroute_kernel_by_name(const char *name)
{
	for (size_t i = 0; i < memroute_kernel_count; i++)
		if (text_equal(memroute_kernels[i].name, name))
			return &memroute_kernels[i];
	return NULL;
}
