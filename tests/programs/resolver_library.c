/* resolver_library.c - a library with a resolver of its own that copies: ld.so
 * runs it before it has relocated what was preloaded.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include "verify.h"

static int right;

static int answer(void)
{
	return right;
}

static int (*resolve(void))(void)
{
	char end[4];

	right = copies_are_right() && mempcpy(end, "abc", 4) == end + 4;
	return answer;
}

static int resolved(void) __attribute__((ifunc("resolve")));

int early_copies_are_right(void)
{
	return resolved();
}
