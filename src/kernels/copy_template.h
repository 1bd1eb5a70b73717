/*
 * copy_template.h - the copy above the small sizes, for one vector width.
 *
 * The including file defines the parameters:
 *   VEC_SIZE     vector width in bytes: 16, 32 or 64
 *   TARGET       instruction sets that the kernel may use
 *   COPY         name of the complete kernel
 *   COPY_ABOVE   name of the kernel for more than COPY_SMALL_LIMIT bytes
 *   STREAM       mnemonic of the non-temporal store
 *   CLEAN_UPPER  1 if the upper halves of vectors must be cleared at return
 *
 * Up to eight vectors everything is loaded before anything is stored, so
 * overlap is a question for the loops only. They go forward unless dst lies
 * inside the source block: then backward. Either reads the far end before it
 * can be overwritten. Non-temporal stores and rep movsb are for disjoint
 * blocks from a threshold on, and one test keeps them off everyone's path.
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <config.h>

#include <stdbool.h>

#include "../state.h"
#include "copy_small.h"

#if VEC_SIZE != 16 && VEC_SIZE != 32 && VEC_SIZE != 64
# error "VEC_SIZE must be 16, 32 or 64"
#endif

#define TARGETED __attribute__((target(TARGET)))
#define INLINE TARGETED BARE_INLINE

typedef uint8_t vec __attribute__((vector_size(VEC_SIZE))) VIEW;
typedef uint8_t vec_aligned __attribute__((vector_size(VEC_SIZE), may_alias));

/* Vectors i to i + 3, held in the variables v0 to v3. */
#define LOAD4(type, v, p, i)						\
	vec v##0 = AT(const type, p, i), v##1 = AT(const type, p, i + 1), \
	    v##2 = AT(const type, p, i + 2), v##3 = AT(const type, p, i + 3)
#define STORE4(type, p, i, v)						\
	AT(type, p, i) = v##0, AT(type, p, i + 1) = v##1,		\
	AT(type, p, i + 2) = v##2, AT(type, p, i + 3) = v##3

/* One turn of the forward loops. memroute-bench has a variant that loads and
 * stores in turn, and one without the loop for aligned blocks. */
#ifndef COPY4
# define COPY4(type, d, s)						\
	do {								\
		LOAD4(type, v, s, 0);					\
		STORE4(vec_aligned, d, 0, v);				\
	} while (0)
#endif
#ifndef ALIGNED_LOOP
# define ALIGNED_LOOP 1
#endif

/* Keeps loads and stores on their sides of it. */
#define BARRIER() __asm__ volatile("" ::: "memory")

/* Bytes between two non-temporal streams, 65 KiB, and their number. Streams
 * exactly 4096 apart collapse where dst and src alias; these keep their speed
 * at every (dst - src) mod 4096. Zen 3, 16 to 64 MiB, read back, geometric mean
 * of glibc's time at distances of 5, 17, 33, 65 and 257 KiB: 0.76, 0.70, 0.69,
 * 0.68, 0.70; two threads 0.61, 0.52, 0.50, 0.49, 0.49; one stream 0.75 and
 * 0.57; eight are no faster. Zen 5 is the other way round: 0.89 with one stream,
 * two threads 0.84; four take 1.11 and 1.13, two 1.07, eight 1.05. */
#define STREAM_DISTANCE (65 * 1024)
#define STREAMS 4

/* Bytes that one rep movsb moves. From 4 MiB on, that of Zen 5 goes past the
 * caches: while the blocks fit into the L3 it then takes 1.1 to 1.5 times as
 * long as in pieces. */
#define REP_MOVSB_PIECE (2 * 1024 * 1024)

/*
 * vzeroupper, written out: gcc omits its own at -O0, -O1 and -Os. An exit of
 * its own for each class, as in copy_small.h; an entrance too, so that loads
 * which two classes share are not moved in front of the test between them.
 */
#define ENTER(class, n) __asm__ volatile("# " class : "+r"(n) : : "memory")
#define LEAVE(class, result)						\
	do {								\
		if (CLEAN_UPPER)					\
			__asm__ volatile("vzeroupper" : : : "memory");	\
		EXIT(class, result);					\
	} while (0)

INLINE void *move_2_vec(uint8_t *d, const uint8_t *s, size_t n)
{
	vec head = AT(const vec, s, 0), tail = AT(const vec, s + n, -1);

	AT(vec, d, 0) = head;
	AT(vec, d + n, -1) = tail;
	LEAVE("2 vec", d);
}

INLINE void *move_4_vec(uint8_t *d, const uint8_t *s, size_t n)
{
	vec head0 = AT(const vec, s, 0), head1 = AT(const vec, s, 1);
	vec tail1 = AT(const vec, s + n, -2), tail0 = AT(const vec, s + n, -1);

	AT(vec, d, 0) = head0, AT(vec, d, 1) = head1;
	AT(vec, d + n, -2) = tail1, AT(vec, d + n, -1) = tail0;
	LEAVE("4 vec", d);
}

INLINE void *move_8_vec(uint8_t *d, const uint8_t *s, size_t n)
{
	LOAD4(vec, head, s, 0);
	LOAD4(vec, tail, s + n, -4);

	STORE4(vec, d, 0, head);
	STORE4(vec, d + n, -4, tail);
	LEAVE("8 vec", d);
}

/*
 * Up to 15 vectors: an end each way, seven aligned vectors up from the first
 * boundary in dst and seven down from the last; between those two boundaries
 * are at most 14. No loop, so no loop's exit to mispredict, and two stores at
 * most that cross a cache line.
 */
INLINE void *move_15_vec(uint8_t *d, const uint8_t *s, size_t n)
{
	uint8_t *first = (uint8_t *)(((uintptr_t)d | (VEC_SIZE - 1)) + 1);
	uint8_t *last = (uint8_t *)((uintptr_t)(d + n - 1) &
				    -(uintptr_t)VEC_SIZE);
	const uint8_t *from_first = s + (first - d);
	const uint8_t *from_last = s + (last - d);
	vec head = AT(const vec, s, 0), tail = AT(const vec, s + n, -1);
	LOAD4(vec, a, from_first, 0);
	vec b0 = AT(const vec, from_first, 4), b1 = AT(const vec, from_first, 5);
	vec b2 = AT(const vec, from_first, 6);
	LOAD4(vec, y, from_last, -7);
	vec z0 = AT(const vec, from_last, -3), z1 = AT(const vec, from_last, -2);
	vec z2 = AT(const vec, from_last, -1);

	STORE4(vec_aligned, first, 0, a);
	AT(vec_aligned, first, 4) = b0, AT(vec_aligned, first, 5) = b1;
	AT(vec_aligned, first, 6) = b2;
	STORE4(vec_aligned, last, -7, y);
	AT(vec_aligned, last, -3) = z0, AT(vec_aligned, last, -2) = z1;
	AT(vec_aligned, last, -1) = z2;
	AT(vec, d, 0) = head, AT(vec, d + n, -1) = tail;
	LEAVE("15 vec", d);
}

/* Both blocks aligned to the vector: no head, no unaligned access but the
 * tail. dst is below src, or the blocks are disjoint. */
INLINE void *move_forward_aligned(uint8_t *dst, const uint8_t *s, size_t n)
{
	uint8_t *d = dst, *last = dst + n - 4 * VEC_SIZE;
	LOAD4(vec, tail, s + n, -4);

	do {
		COPY4(vec_aligned, d, s);
		s += 4 * VEC_SIZE;
		d += 4 * VEC_SIZE;
	} while (d < last);
	STORE4(vec, last, 0, tail);
	LEAVE("forward aligned", dst);
}

/* dst is below src, or the blocks are disjoint. */
INLINE void *move_forward(uint8_t *dst, const uint8_t *s, size_t n)
{
	uint8_t *d = (uint8_t *)(((uintptr_t)dst | (VEC_SIZE - 1)) + 1);
	uint8_t *last = dst + n - 4 * VEC_SIZE;
	vec head = AT(const vec, s, 0);
	LOAD4(vec, tail, s + n, -4);

	s += d - dst;
	do {
		COPY4(vec, d, s);
		s += 4 * VEC_SIZE;
		d += 4 * VEC_SIZE;
	} while (d < last);
	STORE4(vec, last, 0, tail);
	AT(vec, dst, 0) = head;
	LEAVE("forward", dst);
}

/* dst is above src, inside the source block. */
INLINE void *move_backward(uint8_t *dst, const uint8_t *s, size_t n)
{
	uint8_t *end = dst + n;
	uint8_t *d = (uint8_t *)((uintptr_t)(end - 1) & -(uintptr_t)VEC_SIZE);
	vec tail = AT(const vec, s + n, -1);
	LOAD4(vec, head, s, 0);

	s += d - dst;
	do {
		LOAD4(vec, v, s, -4);
		STORE4(vec_aligned, d, -4, v);
		s -= 4 * VEC_SIZE;
		d -= 4 * VEC_SIZE;
	} while (d > dst + 4 * VEC_SIZE);
	STORE4(vec, dst, 0, head);
	AT(vec, end, -1) = tail;
	LEAVE("backward", dst);
}

/* A macro: vectors in a function's signature go through memory, and memcpy,
 * in clang -O0. */
#define STREAM_VEC(d, v)						\
	__asm__ volatile(STREAM " %1, %0" : "=m"(*(vec_aligned *)(d)) : "x"(v))

INLINE void stream_4_vec(uint8_t *d, const uint8_t *s)
{
	LOAD4(vec, v, s, 0);

	BARRIER();
	STREAM_VEC(d, v0);
	STREAM_VEC(d + VEC_SIZE, v1);
	STREAM_VEC(d + 2 * VEC_SIZE, v2);
	STREAM_VEC(d + 3 * VEC_SIZE, v3);
	BARRIER();
}

/* The blocks are disjoint; n is above eight vectors. */
TARGETED BARE __attribute__((noinline))
static void *move_streams(uint8_t *dst, const uint8_t *s, size_t n)
{
	uint8_t *end = dst + n;
	uint8_t *d = (uint8_t *)(((uintptr_t)dst | 63) + 1);
	size_t block = STREAMS * STREAM_DISTANCE;

	/* up to 64 bytes in front of the first whole cache line */
	for (size_t i = 0; i < 64; i += VEC_SIZE)
		AT(vec, dst + i, 0) = AT(const vec, s + i, 0);
	s += d - dst;
	if (memroute_state.thresholds.one_stream)
		block = SIZE_MAX;
	for (; (size_t)(end - d) >= block; d += block, s += block)
		for (size_t i = 0; i < STREAM_DISTANCE; i += 4 * VEC_SIZE)
			for (size_t k = 0; k < block; k += STREAM_DISTANCE)
				stream_4_vec(d + i + k, s + i + k);
	for (; end - d > 4 * VEC_SIZE; d += 4 * VEC_SIZE, s += 4 * VEC_SIZE)
		stream_4_vec(d, s);
	/* Later stores of this thread must not be seen before these. */
	__asm__ volatile("sfence" ::: "memory");
	{
		LOAD4(vec, tail, s + (end - d), -4);

		STORE4(vec, end, -4, tail);
	}
	LEAVE("streams", dst);
}

BARE static void *move_rep_movsb(uint8_t *dst, const uint8_t *s, size_t n)
{
	uint8_t *d = dst;

	while (n) {
		size_t piece = n < REP_MOVSB_PIECE ? n : REP_MOVSB_PIECE;

		n -= piece;
		__asm__ volatile("rep movsb"
				 : "+D"(d), "+S"(s), "+c"(piece) : : "memory");
	}
	return dst;
}

/* rep movsb crawls where dst is just above src mod 4096 (AMD family 19h,
 * glibc bug 30994) or mod 4 GiB (Intel, bug 27130). */
INLINE bool crawls(uintptr_t distance)
{
	return !(uint32_t)distance || ((distance - 1) & 4095) < 63;
}

INLINE bool both_aligned(uintptr_t dst, uintptr_t src)
{
	return ((dst | src) & (VEC_SIZE - 1)) == 0;
}

TARGETED BARE __attribute__((aligned(64)))
void *COPY_ABOVE(void *dst, const void *src, size_t n)
{
	const struct thresholds *t = &memroute_state.thresholds;
	uintptr_t distance = (uintptr_t)dst - (uintptr_t)src;

	if (VEC_SIZE > 32 && LIKELY(n <= 2 * VEC_SIZE)) {
		ENTER("2 vec", n);
		return move_2_vec(dst, src, n);
	}
	if (VEC_SIZE > 16 && LIKELY(n <= 4 * VEC_SIZE)) {
		ENTER("4 vec", n);
		return move_4_vec(dst, src, n);
	}
	if (LIKELY(n <= 8 * VEC_SIZE)) {
		ENTER("8 vec", n);
		return move_8_vec(dst, src, n);
	}
	if (LIKELY(n <= 15 * VEC_SIZE)) {
		ENTER("15 vec", n);
		return move_15_vec(dst, src, n);
	}
	if (UNLIKELY(n >= t->special) && distance >= n && -distance >= n) {
		if (n >= t->non_temporal)
			return move_streams(dst, src, n);
		if (!crawls(distance))
			return move_rep_movsb(dst, src, n);
	}
	if (UNLIKELY(distance < n))
		return move_backward(dst, src, n);
	if (ALIGNED_LOOP && both_aligned((uintptr_t)dst, (uintptr_t)src))
		return move_forward_aligned(dst, src, n);
	return move_forward(dst, src, n);
}

#ifdef COPY
TARGETED BARE
void *COPY(void *dst, const void *src, size_t n)
{
	if (LIKELY(n <= COPY_SMALL_LIMIT))
		return copy_small(dst, src, n);
	return COPY_ABOVE(dst, src, n);
}
#endif
