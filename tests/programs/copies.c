/* copies.c - call every function that the library exports, with sizes and
 * overlaps that reach each class, and compare with a loop over bytes.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#undef memcpy
#undef memmove
#undef mempcpy
#undef bcopy

/* Of libc, but in no header. */
void *__mempcpy(void *dst, const void *src, size_t n);
void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);
wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);
wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);

#define BASE 4096	/* where the source begins */
#define WINDOW 13312	/* bytes */

typedef void *copy(void *dst, const void *src, size_t n);
typedef void *checked_copy(void *dst, const void *src, size_t n, size_t room);
typedef wchar_t *wide_copy(wchar_t *dst, const wchar_t *src, size_t n);
typedef wchar_t *checked_wide_copy(wchar_t *dst, const wchar_t *src, size_t n,
				   size_t room);

/* Exactly one of the four functions. */
struct row {
	const char *name;
	copy *plain;
	checked_copy *checked;
	wide_copy *wide;
	checked_wide_copy *checked_wide;
	int to_end;	/* returns the end, not the beginning */
};

static void *via_bcopy(void *dst, const void *src, size_t n)
{
	void (*volatile call)(const void *, void *, size_t) = bcopy;

	call(src, dst, n);
	return dst;
}

static const struct row rows[] = {
	{ "memcpy", .plain = memcpy },
	{ "memmove", .plain = memmove },
	{ "mempcpy", .plain = mempcpy, .to_end = 1 },
	{ "__mempcpy", .plain = __mempcpy, .to_end = 1 },
	{ "bcopy", .plain = via_bcopy },
	{ "wmemcpy", .wide = wmemcpy },
	{ "wmemmove", .wide = wmemmove },
	{ "wmempcpy", .wide = wmempcpy, .to_end = 1 },
	{ "__memcpy_chk", .checked = __memcpy_chk },
	{ "__memmove_chk", .checked = __memmove_chk },
	{ "__mempcpy_chk", .checked = __mempcpy_chk, .to_end = 1 },
	{ "__wmemcpy_chk", .checked_wide = __wmemcpy_chk },
	{ "__wmemmove_chk", .checked_wide = __wmemmove_chk },
	{ "__wmempcpy_chk", .checked_wide = __wmempcpy_chk, .to_end = 1 },
};

static const size_t sizes[] = { 0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 20, 31, 32, 36,
	60, 64, 65, 68, 96, 128, 131, 132, 252, 256, 260, 512, 516, 1024, 5000 };
static const int distances[] = { -4096, -132, -64, -36, -4, 0, 4, 8, 32, 64,
	100, 128, 256, 4096 };

static unsigned char got[WINDOW] __attribute__((aligned(64)));
static unsigned char want[WINDOW], source[WINDOW];

static void *call(const struct row *row, void *dst, const void *src, size_t n)
{
	if (row->plain)
		return row->plain(dst, src, n);
	if (row->checked)
		return row->checked(dst, src, n, n);
	if (row->wide)
		return row->wide(dst, src, n / sizeof(wchar_t));
	return row->checked_wide(dst, src, n / sizeof(wchar_t),
				 n / sizeof(wchar_t));
}

static int is_right(const struct row *row, size_t dst, size_t n)
{
	char *end;

	for (size_t i = 0; i < WINDOW; i++)
		got[i] = want[i] = source[i] = (unsigned char)(i * 151 >> 3);
	for (size_t i = 0; i < n; i++)
		want[dst + i] = source[BASE + i];
	end = call(row, got + dst, got + BASE, n);
	if (end != (char *)got + dst + (row->to_end ? n : 0)) {
		printf("%s: wrong result, n = %zu\n", row->name, n);
		return 0;
	}
	for (size_t i = 0; i < WINDOW; i++) {
		if (got[i] == want[i])
			continue;
		printf("%s: wrong byte %zu: dst %zu src %d n %zu\n",
		       row->name, i, dst, BASE, n);
		return 0;
	}
	return 1;
}

static int try_row(const struct row *row)
{
	int wide = row->wide || row->checked_wide;

	for (size_t d = 0; d < sizeof(distances) / sizeof(*distances); d++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			size_t n = sizes[i];

			if (wide)
				n -= n % sizeof(wchar_t);
			if (!is_right(row, BASE + (size_t)distances[d], n))
				return 1;
		}
	return 0;
}

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		failed |= try_row(&rows[i]);
	puts(failed ? "copies wrong" : "copies right");
	return failed;
}
