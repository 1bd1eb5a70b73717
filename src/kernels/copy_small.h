/*
 * copy_small.h - up to COPY_SMALL_LIMIT bytes, with what every x86-64 has.
 *
 * Real programs mostly copy a few bytes, of sizes that no predictor knows, so
 * the cost is the mispredicted branch: three classes, each without a branch.
 *
 *   16..64  four 16-byte words, of which two or three may overlap
 *   4..15   two words of 8 bytes, or two of 4
 *   0..3    three bytes, of which any may be the same
 *
 * Everything is loaded before anything is stored, so overlap does not matter.
 * From 8 bytes on no access is narrower than 8: an aligned word is never torn
 * while another thread looks, and the next load can be forwarded.
 *
 * Both widths of 4..15 are executed. The one that is not wanted has its
 * addresses moved, by cmov, to the red zone below the stack pointer, which
 * belongs to this thread and which signal handlers leave alone. So have the
 * third and fourth word of 16..32, and the byte that a copy of nothing would
 * move. Code that includes this is compiled with -mno-red-zone, to have the
 * red zone to itself.
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef MEMROUTE_COPY_SMALL_H
#define MEMROUTE_COPY_SMALL_H

#include <stddef.h>
#include <stdint.h>

#include "../compiler.h"

/* Views of memory: any address, any effective type. */
#define VIEW __attribute__((aligned(1), may_alias))
typedef uint16_t u16 VIEW;
typedef uint32_t u32 VIEW;
typedef uint64_t u64 VIEW;
typedef uint8_t vec16 __attribute__((vector_size(16))) VIEW;

/* Element i of an array of type at p; a negative i counts back from an end. */
#define AT(type, p, i) (((type *)(p))[i])

#if defined(__x86_64__) && defined(__LP64__)

/*
 * The words lie at 0, 16, n - 32 and n - 16. Up to 32 bytes the second is the
 * last already, and the two that are left go to the scratch: behind the real
 * ones, since a load from dst that has to wait for its stores would wait for
 * these too. Upwards, since neighbours leave the store queue together.
 */
BARE_INLINE void copy_16_to_64(uint8_t *d, const uint8_t *s, size_t n)
{
	size_t last = n - 16, second = 16, third;
	uint8_t *rest = d, *scratch;
	vec16 a, b, c, e;

	__asm__("lea -64(%%rsp), %[scratch]\n\t"
		"cmp $16, %[last]\n\t"
		"cmovb %[last], %[second]\n\t"
		"cmovbe %[scratch], %[rest]"
		: [second] "+r"(second), [rest] "+r"(rest),
		  [scratch] "=&r"(scratch)
		: [last] "r"(last)
		: "cc");
	third = last - second;
	a = AT(const vec16, s, 0), b = AT(const vec16, s + second, 0);
	c = AT(const vec16, s + third, 0), e = AT(const vec16, s + last, 0);
	AT(vec16, d, 0) = a;
	AT(vec16, d + second, 0) = b;
	AT(vec16, rest + third, 0) = c;
	AT(vec16, rest + last, 0) = e;
}

/*
 * Each width has a scratch of its own: a load that spans stores of another
 * width would wait for them. The wider words first: 8 bytes are commoner.
 */
BARE_INLINE void copy_4_to_15(uint8_t *d, const uint8_t *s, size_t n)
{
	uint8_t *d8 = d;
	const uint8_t *s8 = s;
	uint64_t second = n - 8, word, scratch;

	__asm__ volatile(
		"lea -64(%%rsp), %[scratch]\n\t"
		"lea -32(%%rsp), %[word]\n\t"
		"cmp $8, %[n]\n\t"
		"cmovb %[word], %[s8]\n\t"
		"cmovb %[word], %[d8]\n\t"
		"cmovae %[scratch], %[d]\n\t"
		"mov $0, %k[word]\n\t"
		"cmovb %[word], %[second]\n\t"
		"mov (%[s8]), %[word]\n\t"
		"mov (%[s8],%[second]), %[s8]\n\t"
		"mov (%[s]), %k[scratch]\n\t"
		"mov -4(%[s],%[n]), %k[s]\n\t"
		"mov %[word], (%[d8])\n\t"
		"mov %[s8], (%[d8],%[second])\n\t"
		"mov %k[scratch], (%[d])\n\t"
		"mov %k[s], -4(%[d],%[n])"
		: [d] "+r"(d), [d8] "+r"(d8), [s] "+r"(s), [s8] "+r"(s8),
		  [second] "+r"(second), [word] "=&r"(word),
		  [scratch] "=&r"(scratch)
		: [n] "r"(n)
		: "cc", "memory");
}

BARE_INLINE void copy_0_to_3(uint8_t *d, const uint8_t *s, size_t n)
{
	uint64_t half = n >> 1, last = n - 1, first, middle;

	__asm__ volatile(
		"lea -16(%%rsp), %[first]\n\t"
		"xor %k[middle], %k[middle]\n\t"
		"test %[n], %[n]\n\t"
		"cmovz %[first], %[s]\n\t"
		"cmovz %[first], %[d]\n\t"
		"cmovz %[middle], %[last]\n\t"
		"movzbl (%[s]), %k[first]\n\t"
		"movzbl (%[s],%[half]), %k[middle]\n\t"
		"movzbl (%[s],%[last]), %k[s]\n\t"
		"mov %b[first], (%[d])\n\t"
		"mov %b[middle], (%[d],%[half])\n\t"
		"mov %b[s], (%[d],%[last])"
		: [d] "+r"(d), [s] "+r"(s), [last] "+r"(last),
		  [first] "=&r"(first), [middle] "=&r"(middle)
		: [n] "r"(n), [half] "r"(half)
		: "cc", "memory");
}

#else

BARE_INLINE void copy_16_to_64(uint8_t *d, const uint8_t *s, size_t n)
{
	size_t last = n - 16, second = last < 16 ? last : 16;
	size_t third = last - second;
	vec16 a = AT(const vec16, s, 0), b = AT(const vec16, s + second, 0);
	vec16 c = AT(const vec16, s + third, 0), e = AT(const vec16, s + last, 0);

	AT(vec16, d, 0) = a;
	AT(vec16, d + second, 0) = b;
	AT(vec16, d + third, 0) = c;
	AT(vec16, d + last, 0) = e;
}

BARE_INLINE void copy_4_to_15(uint8_t *d, const uint8_t *s, size_t n)
{
	if (n >= 8) {
		u64 head = AT(const u64, s, 0), tail = AT(const u64, s + n, -1);

		AT(u64, d, 0) = head;
		AT(u64, d + n, -1) = tail;
	} else {
		u32 head = AT(const u32, s, 0), tail = AT(const u32, s + n, -1);

		AT(u32, d, 0) = head;
		AT(u32, d + n, -1) = tail;
	}
}

BARE_INLINE void copy_0_to_3(uint8_t *d, const uint8_t *s, size_t n)
{
	uint8_t first, middle, last;

	if (!n)
		return;
	first = s[0];
	middle = s[n >> 1];
	last = s[n - 1];
	d[0] = first;
	d[n >> 1] = middle;
	d[n - 1] = last;
}

#endif

/*
 * An exit of its own for each class: the result is in its register and the
 * assembly, though only a comment, differs, so that compilers do not merge
 * the exits into one that the others jump to.
 */
#define EXIT(class, result)						\
	do {								\
		void *result_ = (result);				\
		__asm__ volatile("# " class : "+a"(result_));		\
		return result_;						\
	} while (0)

/* memmove for n <= COPY_SMALL_LIMIT. */
BARE_INLINE void *copy_small(uint8_t *d, const uint8_t *s, size_t n)
{
	if (LIKELY(n >= 16)) {
		copy_16_to_64(d, s, n);
		EXIT("16 to 64", d);
	}
	if (LIKELY(n >= 4)) {
		copy_4_to_15(d, s, n);
		EXIT("4 to 15", d);
	}
	copy_0_to_3(d, s, n);
	EXIT("0 to 3", d);
}

#endif
