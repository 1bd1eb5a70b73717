/* note.S - the ELF note that tells other processes where the state is.
 * In assembly, since C has no constant for the distance of two symbols, and
 * in a file of its own, since LTO may rename what inline assembly names.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifdef __CET__
# include <cet.h>
#endif

	.section .note.memroute, "a", @note
	.balign 4
	.long 2f - 1f		/* size of the name */
	.long 4f - 3f		/* size of the descriptor */
	.long 1			/* MEMROUTE_NOTE_TYPE */
1:	.asciz "memroute"
2:	.balign 4
3:
#ifdef __x86_64__
	.quad memroute_state - .
#else
	.long memroute_state - .
#endif
4:
	.hidden memroute_state

	.section .note.GNU-stack, "", @progbits
