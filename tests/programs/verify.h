/* verify.h - are the copies of this process right, here and now?
 * For programs that are compiled with -fno-builtin.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef VERIFY_H
#define VERIFY_H

#include <stddef.h>
#include <string.h>

/* Copies of 0 to 600 bytes and of some above, compared byte by byte. Nothing
 * but memcpy and memmove is called; the blocks are on the caller's stack. */
static inline int copies_are_right(void)
{
	volatile unsigned char from[9000], to[9000];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 37 >> 2);
	for (size_t n = 0; n < sizeof(from) - 8; n += n < 600 ? 1 : 977) {
		for (size_t i = 0; i < n + 8; i++)
			to[i] = 1;
		memcpy((void *)(to + 3), (const void *)from, n);
		memmove((void *)to, (const void *)(to + 3), n);
		for (size_t i = 0; i < n; i++)
			if (to[i] != from[i])
				return 0;
		if (to[n + 3] != 1)
			return 0;
	}
	return 1;
}

#endif
