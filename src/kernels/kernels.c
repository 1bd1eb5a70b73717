/* kernels.c - the table of copy kernels.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "../compiler.h"
#include "../cpu.h"
#include "../text.h"
#include "kernels.h"

/* The two functions of a kernel; on i386 the entry leaves every size to it. */
#if defined(__i386__)
# define SPLIT(isa) memroute_copy_##isa, memroute_copy_##isa
# define NEEDS_SSE2 CPU_SSE2
#else
# define SPLIT(isa) memroute_copy_##isa, memroute_copy_above_##isa
# define NEEDS_SSE2 0
#endif

const struct kernel memroute_kernels[] = {
#if WITH_AVX512
	{ "avx512", SPLIT(avx512), CPU_AVX2 | CPU_AVX512 },
#endif
	{ "avx2", SPLIT(avx2), CPU_AVX2 },
	{ "erms", SPLIT(erms), NEEDS_SSE2 | CPU_ERMS },
	{ "sse2", SPLIT(sse2), NEEDS_SSE2 },
#if defined(__i386__)
	{ "i386", SPLIT(i386), 0 },
#endif
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
