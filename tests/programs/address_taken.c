/* address_taken.c - a program that takes the addresses of what the library
 * would call of libc. Built non-PIE, their addresses are PLT entries in the
 * program, which lead nowhere until the program is relocated.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "verify.h"

int main(void)
{
	unsigned long (*volatile auxv)(unsigned long) = getauxval;
	int (*volatile iterate)(int (*)(struct dl_phdr_info *, size_t, void *),
				void *) = dl_iterate_phdr;
	void (*volatile end)(void) = abort;
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;

	puts(auxv && iterate && end && copy && copies_are_right() ? "right" :
	     "wrong");
	return 0;
}
