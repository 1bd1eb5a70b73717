/* interpose.c - the libc symbols this library replaces: its whole ABI.
 *
 * Unversioned, plain functions, all of them safe for overlap: glibc's memcpy
 * is its memmove, and programs that overlap by mistake work today. Hence no
 * restrict here, although libc's headers have it: under it a compiler may
 * store before it has loaded everything.
 *
 * Small sizes, up to a limit, are copied here, with instructions that every
 * x86-64 has; the rest goes through the slot. Zero limit and zero slot, as
 * before relocation, mean the baseline kernel. The constant is tested before
 * the variable: a mispredicted branch is found out sooner without a load in
 * front of it (Zen 3: 33..128 bytes 1.07 -> 1.00 of glibc's time; without the
 * constant, Google's mixes would take 1.3 per cent less, those around 64 bytes
 * 10 per cent more).
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "compiler.h"
#include "kernels/copy_small.h"
#include "report.h"
#include "state.h"

/* Aligned to a cache line, so that the tests and the commonest class share it. */
#define FUNCTION EXPORT BARE __attribute__((aligned(64)))
#define ALIAS_OF(name) __attribute__((alias(#name)))

/* glibc has it since 2.3.4, musl never: then a message and abort of our own. */
extern void __chk_fail(void) __attribute__((noreturn, weak));

BARE __attribute__((noinline, cold, noreturn))
static void overflow(void)
{
	struct report line;

	if (__chk_fail)
		__chk_fail();
	report_begin(&line);
	report_text(&line, "*** buffer overflow detected ***: terminated");
	report_end(&line);
	abort();
}

BARE_INLINE void *copy(void *dst, const void *src, size_t n)
{
	copy_fn *slot;

	if (ENTRY_LIMIT && LIKELY(n <= ENTRY_LIMIT) &&
	    LIKELY(n <= memroute_state.limit))
		return copy_small(dst, src, n);
	slot = memroute_state.slot;
	if (LIKELY(slot))
		return slot(dst, src, n);
	return memroute_copy_baseline(dst, src, n);
}

BARE_INLINE void *checked(void *dst, const void *src, size_t n, size_t room)
{
	if (UNLIKELY(n > room))
		overflow();
	return copy(dst, src, n);
}

FUNCTION void *memmove(void *dst, const void *src, size_t n)
{
	return copy(dst, src, n);
}

FUNCTION void *memcpy(void *dst, const void *src, size_t n)
	ALIAS_OF(memmove);

FUNCTION void *mempcpy(void *dst, const void *src, size_t n)
{
	return (char *)copy(dst, src, n) + n;
}

FUNCTION void *__mempcpy(void *dst, const void *src, size_t n)
	ALIAS_OF(mempcpy);

FUNCTION void bcopy(const void *src, void *dst, size_t n)
{
	copy(dst, src, n);
}

/* Sizes of the wide functions count wchar_t; the product wraps, as in libc. */
FUNCTION wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
	return copy(dst, src, n * sizeof(wchar_t));
}

FUNCTION wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n)
	ALIAS_OF(wmemmove);

FUNCTION wchar_t *wmempcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
	return (wchar_t *)copy(dst, src, n * sizeof(wchar_t)) + n;
}

FUNCTION void *__memmove_chk(void *dst, const void *src, size_t n, size_t room)
{
	return checked(dst, src, n, room);
}

FUNCTION void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room)
	ALIAS_OF(__memmove_chk);

FUNCTION void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
	return (char *)checked(dst, src, n, room) + n;
}

/* The check itself counts wchar_t, so it cannot wrap. */
BARE_INLINE wchar_t *wide_checked(wchar_t *dst, const wchar_t *src, size_t n,
				  size_t room)
{
	if (UNLIKELY(n > room))
		overflow();
	return copy(dst, src, n * sizeof(wchar_t));
}

FUNCTION wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n,
				 size_t room)
{
	return wide_checked(dst, src, n, room);
}

FUNCTION wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n,
				size_t room)
	ALIAS_OF(__wmemmove_chk);

FUNCTION wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n,
				 size_t room)
{
	return wide_checked(dst, src, n, room) + n;
}
