/* redirected.S - the twins of the exported functions: every copy goes through
 * the slot.
 *
 * They run in the place of interpose.c's, ENTRY_PAGES below, see redirect.c,
 * and so must name what they reach as if it lay that far above; hence not C.
 * None has a frame: what unwinds through them knows those of interpose.c.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "redirect.h"

#ifdef __CET__
# include <cet.h>
#endif
#ifndef _CET_ENDBR
# define _CET_ENDBR
#endif

#define SLOT *memroute_state + ENTRY_PAGES(%rip)
#define TO_END memroute_copy_to_end + ENTRY_PAGES
#define OVERFLOW memroute_overflow + ENTRY_PAGES

	.section memroute_entries, "ax", @progbits
	.balign 4096, 0xcc

	.macro twin name
	.balign ENTRY_ALIGNMENT, 0xcc
	.hidden redirected_\name
	.globl redirected_\name
	.type redirected_\name, @function
redirected_\name:
	_CET_ENDBR
	.endm

	/* (dst rdi, src rsi, n rdx, room rcx) */
	twin memmove
	jmp SLOT

	twin mempcpy
	jmp TO_END

	twin bcopy
	xchg %rdi, %rsi
	jmp SLOT

	twin wmemmove
	shl $2, %rdx
	jmp SLOT

	twin wmempcpy
	shl $2, %rdx
	jmp TO_END

	twin memmove_chk
	cmp %rdx, %rcx
	jb OVERFLOW
	jmp SLOT

	twin mempcpy_chk
	cmp %rdx, %rcx
	jb OVERFLOW
	jmp TO_END

	twin wmemmove_chk
	cmp %rdx, %rcx
	jb OVERFLOW
	shl $2, %rdx
	jmp SLOT

	twin wmempcpy_chk
	cmp %rdx, %rcx
	jb OVERFLOW
	shl $2, %rdx
	jmp TO_END

	.org redirected_memmove + ENTRY_PAGES, 0xcc

	.hidden memroute_state, memroute_copy_to_end, memroute_overflow

	.section .note.GNU-stack, "", @progbits
