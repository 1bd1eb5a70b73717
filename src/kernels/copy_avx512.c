/* copy_avx512.c - copy kernel with 64-byte vectors.
 *
 * Up to 64 bytes one masked load and one masked store, without a branch; what
 * the mask leaves out is neither read nor written.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stddef.h>
#include <stdint.h>

#define VEC_SIZE 64
#define TARGET "avx512f,avx512bw,avx512vl,bmi2"
#define COPY_ABOVE memroute_copy_avx512
#define COPY_TO_VEC copy_masked
#define STREAM "vmovntdq"
#define CLEAN_UPPER 1

static inline void *copy_masked(void *dst, const void *src, size_t n);

#include "copy_template.h"

/* At most 64 bytes. Register 16 needs no vzeroupper. */
INLINE void *copy_masked(void *dst, const void *src, size_t n)
{
	uint64_t mask = ~(uint64_t)0;

	__asm__ volatile("bzhi %[n], %[mask], %[mask]\n\t"
			 "kmovq %[mask], %%k1\n\t"
			 "vmovdqu8 (%[src]), %%zmm16%{%%k1%}%{z%}\n\t"
			 "vmovdqu8 %%zmm16, (%[dst])%{%%k1%}"
			 : [mask] "+r"(mask)
			 : [n] "r"(n), [src] "r"(src), [dst] "r"(dst)
			 : "k1", "xmm16", "memory");
	return dst;
}
