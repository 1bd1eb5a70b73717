/* interpose.c - the libc symbols this library replaces: its whole ABI.
 *
 * Unversioned, plain functions, all of them safe for overlap: glibc's memcpy
 * is its memmove, and programs that overlap by mistake work today. Hence no
 * restrict here, although libc's headers have it: under it a compiler may
 * store before it has loaded everything.
 *
 * Small sizes are copied here, with instructions that every x86-64 has; the
 * rest goes through the slot. Zero slot, as before relocation, means the
 * baseline kernel. No copy tests for MEMROUTE=libc where redirect.c can put
 * other code in the place of this. (On Zen 3 the test was 2 to 4 per cent of the
 * time of Google's mixes, of SPEC's and of snappy.)
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdbool.h>
#include <wchar.h>

#include "compiler.h"
#include "kernels/copy_small.h"
#include "redirect.h"
#include "state.h"

BARE_INLINE void *copy_through_slot(void *dst, const void *src, size_t n)
{
	copy_fn *slot = memroute_state.slot;

	if (LIKELY(slot))
		return slot(dst, src, n);
	return memroute_copy_baseline(dst, src, n);
}

BARE __attribute__((noinline))
void *memroute_copy_to_end(void *dst, const void *src, size_t n)
{
	return (char *)copy_through_slot(dst, src, n) + n;
}

BARE_INLINE bool is_small(size_t n)
{
	return ENTRY_LIMIT && LIKELY(n <= ENTRY_LIMIT) &&
	       (WITH_REDIRECT || LIKELY(n <= memroute_state.limit));
}

BARE_INLINE void *copy(void *dst, const void *src, size_t n)
{
	if (is_small(n))
		return copy_small(dst, src, n);
	return copy_through_slot(dst, src, n);
}

BARE_INLINE void *copy_to_end(void *dst, const void *src, size_t n)
{
	if (is_small(n))
		return (char *)copy_small(dst, src, n) + n;
	return memroute_copy_to_end(dst, src, n);
}

/* Called entry_ and some name; see the list at the end. They have a section of
 * their own, since its pages can be replaced. */
#define ENTRY(alignment)						\
	BARE __attribute__((section("memroute_entries"),		\
			    aligned(alignment), used))

/* The first one: the pages begin here. */
ENTRY(4096)
void *entry_memmove(void *dst, const void *src, size_t n)
{
	return copy(dst, src, n);
}

ENTRY(ENTRY_ALIGNMENT)
void *entry_mempcpy(void *dst, const void *src, size_t n)
{
	return copy_to_end(dst, src, n);
}

ENTRY(ENTRY_ALIGNMENT)
void entry_bcopy(const void *src, void *dst, size_t n)
{
	copy(dst, src, n);
}

/* Sizes of the wide functions count wchar_t; the product wraps, as in libc. */
ENTRY(ENTRY_ALIGNMENT)
wchar_t *entry_wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
	return copy(dst, src, n * sizeof(wchar_t));
}

ENTRY(ENTRY_ALIGNMENT)
wchar_t *entry_wmempcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
	return copy_to_end(dst, src, n * sizeof(wchar_t));
}

ENTRY(ENTRY_ALIGNMENT)
void *entry_memmove_chk(void *dst, const void *src, size_t n, size_t room)
{
	if (UNLIKELY(n > room))
		return memroute_overflow();
	return copy(dst, src, n);
}

ENTRY(ENTRY_ALIGNMENT)
void *entry_mempcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
	if (UNLIKELY(n > room))
		return memroute_overflow();
	return copy_to_end(dst, src, n);
}

/* The check itself counts wchar_t, so it cannot wrap. */
ENTRY(ENTRY_ALIGNMENT)
wchar_t *entry_wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n,
			    size_t room)
{
	if (UNLIKELY(n > room))
		return memroute_overflow();
	return copy(dst, src, n * sizeof(wchar_t));
}

ENTRY(ENTRY_ALIGNMENT)
wchar_t *entry_wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n,
			    size_t room)
{
	if (UNLIKELY(n > room))
		return memroute_overflow();
	return copy_to_end(dst, src, n * sizeof(wchar_t));
}

#define EXPORTED(name, entry)						\
	EXPORT __typeof__(entry) name __attribute__((alias(#entry)));

EXPORTED(memcpy, entry_memmove)
EXPORTED(memmove, entry_memmove)
EXPORTED(mempcpy, entry_mempcpy)
EXPORTED(__mempcpy, entry_mempcpy)
EXPORTED(bcopy, entry_bcopy)
EXPORTED(wmemcpy, entry_wmemmove)
EXPORTED(wmemmove, entry_wmemmove)
EXPORTED(wmempcpy, entry_wmempcpy)
EXPORTED(__memcpy_chk, entry_memmove_chk)
EXPORTED(__memmove_chk, entry_memmove_chk)
EXPORTED(__mempcpy_chk, entry_mempcpy_chk)
EXPORTED(__wmemcpy_chk, entry_wmemmove_chk)
EXPORTED(__wmemmove_chk, entry_wmemmove_chk)
EXPORTED(__wmempcpy_chk, entry_wmempcpy_chk)
