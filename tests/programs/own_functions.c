/* own_functions.c - a program that defines what the library would call of
 * libc, as sanitizers do: not to be called before main.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "verify.h"

static int started;

__attribute__((noinline))
static void count(void)
{
	/* Through the GOT, which is not relocated before the library is. */
	if (getenv("HOME") && !started)
		puts("called early");
}

unsigned long getauxval(unsigned long type)
{
	(void)type;
	count();
	return 0;
}

int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *),
		    void *data)
{
	(void)visit, (void)data;
	count();
	return 0;
}

int main(void)
{
	started = 1;
	puts(copies_are_right() ? "right" : "wrong");
	return 0;
}
