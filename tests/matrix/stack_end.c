/* stack_end.c - a program's own copy of ld.so's __libc_stack_end, as node has
 * it; linked into state.c without PIE. ld.so fills the copy only after our
 * resolver ran.
 * SPDX-License-Identifier: BSD-3-Clause */

extern void *__libc_stack_end;

__attribute__((used))
void *stack_end(void)
{
	return __libc_stack_end;
}
