/* redirect.c - replaces the code of the exported functions by their twins'.
 *
 * mremap() moves the pages of redirected.S over those of interpose.c. It is
 * asked to leave the old place mapped, for whoever reads the whole text of a
 * library; kernels before 5.13 cannot.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "compiler.h"
#include "redirect.h"

#if WITH_REDIRECT

#define PAGE 4096

/* linux/mman.h; libc's sys/mman.h has them only with _GNU_SOURCE. */
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MREMAP_DONTUNMAP 4

#define PAIRS(PAIR)							\
	PAIR(memmove) PAIR(mempcpy) PAIR(bcopy) PAIR(wmemmove)		\
	PAIR(wmempcpy) PAIR(memmove_chk) PAIR(mempcpy_chk)		\
	PAIR(wmemmove_chk) PAIR(wmempcpy_chk)

#pragma GCC visibility push(hidden)

#define DECLARE(name) extern const char entry_##name[], redirected_##name[];
PAIRS(DECLARE)

#pragma GCC visibility pop

/* The system call itself: libc's mremap() would touch errno. */
BARE static bool move_pages(const char *from, const char *to, long flags)
{
	register long r10 __asm__("r10") = flags;
	register const char *r8 __asm__("r8") = to;
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "0"((long)SYS_mremap), "D"(from),
			   "S"((long)ENTRY_PAGES), "d"((long)ENTRY_PAGES),
			   "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result == (long)to;
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

BARE bool redirect_entries(void)
{
	const char *from = redirected_memmove, *to = entry_memmove;
	const long flags = MREMAP_MAYMOVE | MREMAP_FIXED;

	return laid_out() &&
	       (move_pages(from, to, flags | MREMAP_DONTUNMAP) ||
		move_pages(from, to, flags));
}

#endif
