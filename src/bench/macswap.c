/* macswap.c - swap the MAC addresses of packets, as testpmd's mode does.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>
#include <tmmintrin.h>

#include "macswap.h"

#define SSSE3 __attribute__((target("ssse3")))

enum { KEPT_FLAGS = ~7, NEW_FLAGS = 1, ETHERNET_HEADER = 14, GROUP = 4 };

static inline void set_fields(struct packet *packet)
{
	packet->offload_flags &= KEPT_FLAGS;
	packet->offload_flags |= NEW_FLAGS;
	packet->l2_length = ETHERNET_HEADER;
}

void *macswap_scalar(void *array, const void *unused, size_t count)
{
	struct packet **packets = array;

	(void)unused;
	for (size_t i = 0; i < count; i++) {
		uint8_t *mac = packets[i]->data;
		uint32_t destination, source;
		uint16_t destination_end, source_end;

		memcpy(&destination, mac, 4);
		memcpy(&destination_end, mac + 4, 2);
		memcpy(&source, mac + 6, 4);
		memcpy(&source_end, mac + 10, 2);
		memcpy(mac, &source, 4);
		memcpy(mac + 4, &source_end, 2);
		memcpy(mac + 6, &destination, 4);
		memcpy(mac + 10, &destination_end, 2);
		set_fields(packets[i]);
	}
	return array;
}

SSSE3 static inline __m128i load(const struct packet *packet)
{
	return _mm_loadu_si128((const __m128i *)packet->data);
}

SSSE3 static inline __m128i swap(__m128i head)
{
	return _mm_shuffle_epi8(head, _mm_setr_epi8(6, 7, 8, 9, 10, 11,
						    0, 1, 2, 3, 4, 5,
						    12, 13, 14, 15));
}

SSSE3 static inline void store(struct packet *packet, __m128i head)
{
	_mm_storeu_si128((__m128i *)packet->data, head);
}

/* The compiler must not undo the order that is being measured. */
#define KEEP_ORDER() __asm__ volatile("" ::: "memory")

SSSE3 static void swap_rest(struct packet **packets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		store(packets[i], swap(load(packets[i])));
		set_fields(packets[i]);
	}
}

static void prefetch(struct packet **packets, size_t left)
{
	if (left < 2 * GROUP)
		return;
	for (size_t i = GROUP; i < 2 * GROUP; i++)
		__builtin_prefetch(packets[i]->data);
}

SSSE3 void *macswap_sse(void *array, const void *unused, size_t count)
{
	struct packet **p = array;

	(void)unused;
	for (; count >= GROUP; count -= GROUP, p += GROUP) {
		__m128i a, b, c, d;

		prefetch(p, count);
		a = load(p[0]), b = load(p[1]), c = load(p[2]), d = load(p[3]);
		KEEP_ORDER();
		a = swap(a), b = swap(b), c = swap(c), d = swap(d);
		store(p[0], a), store(p[1], b), store(p[2], c), store(p[3], d);
		KEEP_ORDER();
		for (size_t i = 0; i < GROUP; i++)
			set_fields(p[i]);
	}
	swap_rest(p, count);
	return array;
}

SSSE3 void *macswap_interleaved(void *array, const void *unused, size_t count)
{
	struct packet **p = array;

	(void)unused;
	for (; count >= GROUP; count -= GROUP, p += GROUP) {
		__m128i a, b, c, d;

		prefetch(p, count);
		a = load(p[0]), set_fields(p[0]);
		KEEP_ORDER();
		b = load(p[1]), a = swap(a), set_fields(p[1]);
		KEEP_ORDER();
		c = load(p[2]), b = swap(b), set_fields(p[2]), store(p[0], a);
		KEEP_ORDER();
		d = load(p[3]), c = swap(c), set_fields(p[3]), store(p[1], b);
		KEEP_ORDER();
		d = swap(d), store(p[2], c), store(p[3], d);
	}
	swap_rest(p, count);
	return array;
}

bool macswap_has_shuffle(void)
{
	return __builtin_cpu_supports("ssse3");
}
