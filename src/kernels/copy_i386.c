/* copy_i386.c - the kernel that every i386 runs: no vectors.
 *
 * It serves until the CPU is known, and for good where there is no SSE2.
 * Never backwards with std, which is slow everywhere.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "copy_small.h"
#include "kernels.h"

/* dst is above src, inside the source block. */
BARE_INLINE void move_backward(uint8_t *d, const uint8_t *s, size_t n)
{
	for (; n >= 4; n -= 4) {
		u32 word = AT(const u32, s + n, -1);

		AT(u32, d + n, -1) = word;
	}
	for (; n; n--)
		d[n - 1] = s[n - 1];
}

/* dst is below src, or the blocks are disjoint. */
BARE_INLINE void move_forward(uint8_t *d, const uint8_t *s, size_t n)
{
	size_t words = n / 4;

	__asm__ volatile("rep movsl\n\t"
			 "mov %[rest], %%ecx\n\t"
			 "rep movsb"
			 : "+&D"(d), "+&S"(s), "+&c"(words)
			 : [rest] "r"(n % 4)
			 : "memory");
}

BARE void *memroute_copy_i386(void *dst, const void *src, size_t n)
{
	if (UNLIKELY((uintptr_t)dst - (uintptr_t)src < n))
		move_backward(dst, src, n);
	else
		move_forward(dst, src, n);
	return dst;
}
