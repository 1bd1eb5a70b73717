/* redirect.h - the exported functions, and twins of them that copy nothing
 * themselves.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_REDIRECT_H
#define MEMROUTE_REDIRECT_H

/* A function and its twin each have the same place in their pages, whatever
 * their sizes: a multiple of the first, in bytes. */
#define ENTRY_ALIGNMENT 512
#define ENTRY_PAGES 8192

#ifndef __ASSEMBLER__

#include <stddef.h>

#ifndef WITH_IFUNC
# error "include <config.h> first"
#endif

/* On i386 the exported functions have nothing but the slot anyway. When a
 * constructor runs, other threads may be in the midst of a copy already. */
#if defined(__x86_64__) && WITH_IFUNC
# define WITH_REDIRECT 1
#else
# define WITH_REDIRECT 0
#endif

#pragma GCC visibility push(hidden)

/*
 * Sends every copy through the slot, which must be filled, by mapping the
 * pages of the twins over those of the functions; for good. Nothing is
 * written, so no page becomes private to the process. To be called before
 * anybody copies. Returns NULL, or, with nothing done, why not: the kernel
 * refuses, or options of the build have moved the functions.
 */
const char *redirect_entries(void);

/*
 * What the exported functions and their twins have in common: through the
 * slot, returning the end; and the end of a program that overflows. That one
 * does not return, but is jumped to, and so must not be declared noreturn: a
 * call would need a frame, and twins have none.
 */
void *memroute_copy_to_end(void *dst, const void *src, size_t n);
void *memroute_overflow(void);

#pragma GCC visibility pop

#endif
#endif
