/* libc.h - the libc beneath us: its memmove, its version, its start.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_LIBC_H
#define MEMROUTE_LIBC_H

#include <stdbool.h>

#include "kernels/kernels.h"

#pragma GCC visibility push(hidden)

struct libc {
	const char *path;	/* of the object, as the loader has it; or NULL */
	copy_fn *memmove;	/* the one libc would use itself; or NULL */
	const char *version;	/* glibc's, "2.36"; NULL elsewhere */
};

/* Finds the libc of this process among its objects, in its own symbol table,
 * without dlsym. Works in an ifunc resolver, after libc_start(): whatever libc
 * is, it has been relocated before us. The memmove is NULL unless its address
 * lies in an executable segment of that libc. */
void libc_find(struct libc *libc);

/* True if the process runs with more rights than its caller (AT_SECURE), or
 * if that cannot be known. In a resolver only after libc_start(). */
bool libc_is_secure(void);

/*
 * For a resolver, first of all: finds libc's own functions without a call by
 * name, since at that time a name may lead into an executable that is not
 * relocated. loader_code is an address in the code of ld.so, the resolver's
 * return address. Returns the environment that the kernel laid on the initial
 * stack, from ld.so's __libc_stack_end, since libc's environ is not set yet;
 * NULL where that cannot be found. It has not been checked for AT_SECURE.
 */
const char *const *libc_start(const void *loader_code);

#pragma GCC visibility pop

#endif
