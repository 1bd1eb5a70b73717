/* text.h - the few string operations that code without libc needs.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_TEXT_H
#define MEMROUTE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

/* True if text begins with prefix. */
BARE_INLINE bool text_begins(const char *text, const char *prefix)
{
	while (*prefix)
		if (*text++ != *prefix++)
			return false;
	return true;
}

/* True if a and b are the same string. */
BARE_INLINE bool text_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* True if the n characters at text are the whole of word. */
BARE_INLINE bool text_is(const char *text, size_t n, const char *word)
{
	for (; n && *word; n--, text++, word++)
		if (*text != *word)
			return false;
	return !n && !*word;
}

/* Copies src into dst of size bytes, cut if need be, always terminated. */
BARE_INLINE void text_copy(char *dst, size_t size, const char *src)
{
	volatile char *d = dst;	/* else a compiler makes this a libc call */

	for (; size > 1 && *src; size--)
		*d++ = *src++;
	*d = 0;
}

#endif
