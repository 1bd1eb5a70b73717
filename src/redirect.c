/* redirect.c - replaces the code of the exported functions by their twins'.
 *
 * mremap() moves the pages of redirected.S over those of interpose.c. It is
 * asked to leave the old place mapped; kernels before 5.13 cannot.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "compiler.h"
#include "redirect.h"

#if WITH_REDIRECT

#define PAGE 4096

/* Since Linux 5.7, glibc 2.32. */
#ifndef MREMAP_DONTUNMAP
# define MREMAP_DONTUNMAP 4
#endif

#define PAIRS(PAIR)							\
	PAIR(memmove) PAIR(mempcpy) PAIR(bcopy) PAIR(wmemmove)		\
	PAIR(wmempcpy) PAIR(memmove_chk) PAIR(mempcpy_chk)		\
	PAIR(wmemmove_chk) PAIR(wmempcpy_chk)

#pragma GCC visibility push(hidden)

#define DECLARE(name) extern char entry_##name[], redirected_##name[];
PAIRS(DECLARE)

#pragma GCC visibility pop

/* The system call itself: libc's functions would touch errno. */
BARE static long call_kernel(long number, char *address, long second,
			     long third, long fourth, long fifth)
{
	register long r10 __asm__("r10") = fourth;
	register long r8 __asm__("r8") = fifth;
	register long r9 __asm__("r9") = 0;
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "0"(number), "D"(address), "S"(second), "d"(third),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

BARE static bool move_pages(char *from, char *to, long flags)
{
	return call_kernel(SYS_mremap, from, ENTRY_PAGES, ENTRY_PAGES, flags,
			   (long)to) == (long)to;
}

/* Readable zeros, for whoever reads all of the text, and so that nobody else's
 * pages get there, to be unmapped with ours. */
BARE static void fill_hole(char *at)
{
	call_kernel(SYS_mmap, at, ENTRY_PAGES, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
}

/* Where a symbol is, as a number that no compiler knows better. */
BARE_INLINE uintptr_t place(const char *symbol)
{
	__asm__("" : "+r"(symbol));
	return (uintptr_t)symbol;
}

/* Is each twin as far from its function as redirected.S reckons? Compilers keep
 * the order of the source, but nothing obliges them to. */
BARE static bool laid_out(void)
{
	uintptr_t wrong = place(entry_memmove) % PAGE;

#define CHECK(name)							\
	wrong |= place(redirected_##name) - place(entry_##name) - ENTRY_PAGES;
	PAIRS(CHECK)
	return !wrong;
}

BARE const char *redirect_entries(void)
{
	char *from = redirected_memmove, *to = entry_memmove;
	const long flags = MREMAP_MAYMOVE | MREMAP_FIXED;

	if (!laid_out())
		return "' ignored: built with options that move its functions; "
		       "allowed: auto or a kernel";
	if (move_pages(from, to, flags | MREMAP_DONTUNMAP))
		return NULL;
	if (!move_pages(from, to, flags))
		return "' ignored: mremap fails; allowed: auto or a kernel";
	fill_hole(from);
	return NULL;
}

#endif
