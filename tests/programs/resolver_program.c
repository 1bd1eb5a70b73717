/* resolver_program.c - ask resolver_library.c how its early copies went.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

int early_copies_are_right(void);

int main(void)
{
	puts(early_copies_are_right() ? "right" : "wrong");
	return 0;
}
