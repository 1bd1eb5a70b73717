/* redirect.h - the exported functions, and twins of them that copy nothing
 * themselves.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_REDIRECT_H
#define MEMROUTE_REDIRECT_H

/*
 * A function and its twin each have the same place in their pages, whatever
 * their sizes: a multiple of this. Without optimization they are large.
 */
#ifdef __OPTIMIZE__
# define ENTRY_ALIGNMENT 512
# define ENTRY_PAGES 8192
#else
# define ENTRY_ALIGNMENT 2048
# define ENTRY_PAGES 20480
#endif

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>

/* On i386 the exported functions have nothing but the slot anyway. */
#if defined(__x86_64__)
# define WITH_REDIRECT 1
#else
# define WITH_REDIRECT 0
#endif

#pragma GCC visibility push(hidden)

/*
 * Sends every copy through the slot, which must be filled, by mapping the
 * pages of the twins over those of the functions; for good. Nothing is
 * written, so no page becomes private to the process. False, and nothing
 * done, if the kernel refuses or the pages are not laid out for it.
 */
bool redirect_entries(void);

/* What the exported functions and their twins have in common: through the
 * slot, returning the end; and out, without return, if there is no room. */
void *memroute_copy_to_end(void *dst, const void *src, size_t n);
void memroute_overflow(void) __attribute__((noreturn));

#pragma GCC visibility pop

#endif
#endif
