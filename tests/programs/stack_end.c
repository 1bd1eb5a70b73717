/* stack_end.c - a program with a copy relocation of __libc_stack_end, as node
 * has one: the copy is zero until after our resolver ran.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include "verify.h"

extern void *__libc_stack_end;

int main(void)
{
	puts(__libc_stack_end && copies_are_right() ? "right" : "wrong");
	return 0;
}
