/* libc.h - the libc beneath us: its memmove, its version, its start.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_LIBC_H
#define MEMROUTE_LIBC_H

#include "kernels/kernels.h"

#pragma GCC visibility push(hidden)

struct libc {
	const char *path;	/* of the object, as the loader has it; or NULL */
	copy_fn *memmove;	/* the one libc would use itself; or NULL */
	const char *version;	/* glibc's, "2.36"; NULL elsewhere */
};

/* Finds the libc of this process through dl_iterate_phdr, in its own symbol
 * table, without dlsym. Works in an ifunc resolver: whatever libc is, it has
 * been relocated before us. The memmove is NULL unless its address lies in an
 * executable segment of that libc. */
void libc_find(struct libc *libc);

/* The environment that the kernel laid on the initial stack, from ld.so's
 * __libc_stack_end; NULL where there is no such symbol (musl). Right in a
 * resolver, where libc's environ is not set yet. */
const char *const *libc_initial_environment(void);

#pragma GCC visibility pop

#endif
