/* cases_bytes.c - the right bytes and no others.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cases.h"

enum {
	EDGE = 128,			/* canary on either side of a block */
	STREAM_DISTANCE = 65 * 1024,	/* as in copy_template.h */
	LARGEST = 9 * STREAM_DISTANCE,	/* two turns of four streams */
	WINDOW = LARGEST + 2 * EDGE + 4096,
	PAGE = 4096,
	GUARDED = (LARGEST / PAGE + 2) * PAGE,
};

/* source and target are what the copy sees, the others what to expect. */
static unsigned char source[WINDOW], source_before[WINDOW];
static unsigned char target[WINDOW], target_before[WINDOW];

const char *cases_failure(const struct row *row, const char *format, ...)
{
	static char text[400];
	int n = snprintf(text, sizeof(text), "%s: ", row->name);
	va_list list;

	va_start(list, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, list);
	va_end(list);
	return text;
}

void cases_fill(unsigned char *p, size_t n, unsigned seed, bool high)
{
	uint32_t x = seed * 2654435761u + 1;

	for (size_t i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		p[i] = (unsigned char)(x >> 25 | (unsigned)high << 7);
	}
}

static bool worth(size_t n)
{
	for (size_t power = 512; power <= n + 128; power *= 2)
		for (size_t base = power; base < 2 * power; base += power / 2)
			if (n + 2 >= base && n <= base + 2)
				return true;
	/* the streams begin up to a cache line into the block */
	return (n + 66) % STREAM_DISTANCE <= 132 &&
	       n % STREAM_DISTANCE % 64 % 62 < 4;
}

size_t cases_next_size(size_t n, size_t dense, size_t max)
{
	for (n++; n > dense && n <= max && !worth(n); n++)
		;
	return n <= max ? n : 0;
}

static const char *differs(const struct row *row, size_t d, size_t s, size_t n,
			   const unsigned char *want, size_t window)
{
	size_t i = 0;

	while (i < window && target[i] == want[i])
		i++;
	return cases_failure(row, "dst %% 64 = %zu, src %% 64 = %zu, n = %zu: "
			     "at %+td from dst 0x%02x, not 0x%02x",
			     (size_t)(target + d) % 64,
			     (size_t)(source + s) % 64, n,
			     (ptrdiff_t)i - (ptrdiff_t)d, target[i], want[i]);
}

static const char *wrong_block(const struct row *row, size_t d, size_t s,
			       size_t n, size_t window)
{
	static unsigned char want[WINDOW];

	memcpy(want, target_before, window);
	memcpy(want + d, source_before + s, n);
	return differs(row, d, s, n, want, window);
}

/* Copies n bytes from source + s to target + d and compares everything. */
static const char *copy_apart(const struct row *row, size_t d, size_t s,
			      size_t n)
{
	size_t window = (d > s ? d : s) + n + EDGE, end = d + n;

	if (row->copy(target + d, source + s, n) != target + d)
		return cases_failure(row, "n = %zu: returned not dst", n);
	if (memcmp(target, target_before, d) ||
	    memcmp(target + d, source_before + s, n) ||
	    memcmp(target + end, target_before + end, window - end))
		return wrong_block(row, d, s, n, window);
	if (memcmp(source, source_before, window))
		return cases_failure(row, "n = %zu: changed the source", n);
	memcpy(target + d, target_before + d, n);
	return NULL;
}

static void begin_apart(void)
{
	cases_fill(source_before, WINDOW, 1, false);
	cases_fill(target_before, WINDOW, 2, true);
	memcpy(source, source_before, WINDOW);
	memcpy(target, target_before, WINDOW);
}

const char *case_alignments(const struct row *row, unsigned thin)
{
	const char *failure = NULL;

	begin_apart();
	for (size_t i = 0; i < 64 * 64 && !failure; i += thin)
		for (size_t n = row->from; n <= 520 && !failure; n++)
			failure = copy_apart(row, EDGE + i % 64, EDGE + i / 64,
					     n);
	return failure;
}

/* Pairs of (dst, src), modulo 64 unless a distance modulo 4096 matters. */
static const unsigned short pairs[][2] = {
	{ 0, 0 }, { 0, 1 }, { 1, 0 }, { 63, 63 }, { 32, 48 }, { 17, 2048 },
	{ 9, 4000 }, { 16, 32 }, { 33, 64 }, { 2048, 15 }, { 3, 66 },
};

const char *case_sizes(const struct row *row, unsigned thin)
{
	const size_t count = sizeof(pairs) / sizeof(pairs[0]);
	const size_t dense = thin == 1 ? 1100 : 530;
	const char *failure = NULL;
	size_t i = 0;

	begin_apart();
	for (size_t n = row->from; !failure;) {
		for (size_t k = i % thin; k < count && !failure; k += thin)
			failure = copy_apart(row, EDGE + pairs[k][0],
					     EDGE + pairs[k][1], n);
		i++;
		n = cases_next_size(n, dense, LARGEST);
		if (!n)
			break;
	}
	return failure;
}

/* Copies within target, n bytes from offset s, by distance. */
static const char *copy_overlapping(const struct row *row, size_t s,
				    ptrdiff_t distance, size_t n)
{
	static unsigned char want[WINDOW];
	size_t d = s + (size_t)distance;
	size_t first = (d < s ? d : s) - EDGE;
	size_t window = (d > s ? d : s) + n + EDGE - first;
	void *result = row->copy(target + d, target + s, n);

	memcpy(want, target_before + first, window);
	memcpy(want + d - first, target_before + s, n);
	if (result != target + d)
		return cases_failure(row, "n = %zu: returned not dst", n);
	if (memcmp(target + first, want, window))
		return cases_failure(row, "src %% 64 = %zu, n = %zu, wrong "
				     "bytes where dst = src %+td",
				     (size_t)(target + s) % 64, n, distance);
	memcpy(target + first, target_before + first, window);
	return NULL;
}

/* Every distance at which blocks of n bytes overlap or touch. */
static const char *overlap_densely(const struct row *row, size_t n,
				   unsigned thin)
{
	const ptrdiff_t far = (ptrdiff_t)n;
	const char *failure = NULL;

	for (ptrdiff_t k = -far; k <= far && !failure; k++)
		for (size_t s = (n + (size_t)(k + far)) % thin;
		     s < 64 && !failure; s += 5 * thin)
			failure = copy_overlapping(row, 512 + s, k, n);
	return failure;
}

static const char *overlap_sparsely(const struct row *row, size_t n)
{
	static const short near[] = {
		1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 127, 128,
		129, 191, 255, 256, 257, 511, 512, 513, 1024, 4095, 4096, 4097,
	};
	const size_t count = sizeof(near) / sizeof(near[0]);
	const size_t s = n + 2 * EDGE + n % 61;
	const char *failure = NULL;

	for (size_t i = 0; i < 2 * count && !failure; i++) {
		/* near src, then near the distance where overlap ends */
		size_t distance = i < count ? (size_t)near[i] :
				  n + 2 - (size_t)near[i - count];

		if (distance > n + 1)
			continue;
		failure = copy_overlapping(row, s, (ptrdiff_t)distance, n);
		if (!failure)
			failure = copy_overlapping(row, s, -(ptrdiff_t)distance,
						   n);
	}
	return failure;
}

const char *case_overlaps(const struct row *row, unsigned thin)
{
	const size_t max = WINDOW / 3 - 2 * EDGE;
	const char *failure = NULL;
	size_t n;

	begin_apart();
	for (n = row->from; n <= 300 && !failure; n += 1 + thin / 3)
		failure = overlap_densely(row, n, thin);
	n = 300;
	while (!failure && (n = cases_next_size(n, thin > 1 ? 300 : 600, max)))
		failure = overlap_sparsely(row, n);
	return failure;
}

/* GUARDED bytes between two pages that nobody may touch. */
static unsigned char *guarded(void)
{
	unsigned char *p = mmap(NULL, GUARDED + 2 * PAGE, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED ||
	    mprotect(p + PAGE, GUARDED, PROT_READ | PROT_WRITE)) {
		perror("guard pages");
		exit(EXIT_FAILURE);
	}
	return p + PAGE;
}

static bool all(const unsigned char *p, size_t n, unsigned char value)
{
	while (n && *p == value)
		p++, n--;
	return !n;
}

/* Copies block to block, each at an end of its guarded memory. */
static const char *copy_guarded(const struct row *row, unsigned char *to,
				const unsigned char *from, size_t n, bool low)
{
	const unsigned char *beside = low ? to + n : to - EDGE;
	void *result = row->copy(to, from, n);

	if (result != to || memcmp(to, from, n) || !all(beside, EDGE, 0xee))
		return cases_failure(row, "n = %zu, wrong at the %s of a page",
				     n, low ? "beginning" : "end");
	memset(to, 0xee, n);
	return NULL;
}

/* Blocks that overlap, the two together at an end of the guarded memory. */
static const char *overlap_guarded(const struct row *row, unsigned char *to,
				   const unsigned char *from, size_t n)
{
	const size_t distances[] = { 1, n / 2, n - 1 };

	for (int i = 0; i < 12 && n > 1; i++) {
		size_t k = distances[i % 3];
		unsigned char *p = i < 6 ? to : to + GUARDED - n - k;
		size_t d = i & 1 ? k : 0, s = k - d;

		memcpy(p, from, n + k);
		if (row->copy(p + d, p + s, n) != p + d ||
		    memcmp(p + d, from + s, n))
			return cases_failure(row, "n = %zu, dst = src %+td, "
					     "wrong at a page's border", n,
					     (ptrdiff_t)d - (ptrdiff_t)s);
		memset(p, 0xee, n + k);
	}
	return NULL;
}

const char *case_guards(const struct row *row, unsigned thin)
{
	unsigned char *from = guarded(), *to = guarded();
	const size_t dense = thin == 1 ? 1100 : 530;
	const char *failure = NULL;
	size_t n = row->from;

	cases_fill(from, GUARDED, 3, false);
	memset(to, 0xee, GUARDED);
	mprotect(from, GUARDED, PROT_READ);
	do {
		for (int ends = 0; ends < 4 && !failure; ends++)
			failure = copy_guarded(
				row, ends & 1 ? to : to + GUARDED - n,
				ends & 2 ? from : from + GUARDED - n, n,
				ends & 1);
		if (!failure && n < LARGEST / 2)
			failure = overlap_guarded(row, to, from, n);
	} while (!failure && (n = cases_next_size(n, dense, LARGEST)));
	munmap(from - PAGE, GUARDED + 2 * PAGE);
	munmap(to - PAGE, GUARDED + 2 * PAGE);
	return failure;
}

const char *case_nothing(const struct row *row, unsigned thin)
{
	unsigned char byte = 7, *nowhere = guarded() + GUARDED;
	void *const places[] = { NULL, nowhere, nowhere + 1, &byte,
				 (void *)-1, (void *)(SIZE_MAX / 2 + 1) };
	const size_t count = sizeof(places) / sizeof(places[0]);

	(void)thin;
	for (size_t i = 0; i < count * count && !row->from; i++)
		if (row->copy(places[i % count], places[i / count], 0) !=
		    places[i % count])
			return cases_failure(row, "n = 0: returned not dst");
	munmap(nowhere - GUARDED - PAGE, GUARDED + 2 * PAGE);
	return byte == 7 ? NULL : cases_failure(row, "n = 0 wrote");
}
