/* overflow.c - the end of a program that overflows a destination.
 *
 * A file of its own, so that no compiler finds out, in interpose.c, that it
 * does not return.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdlib.h>

#include "compiler.h"
#include "redirect.h"
#include "report.h"

/* glibc has it since 2.3.4, musl never: then a message and abort of our own. */
extern void __chk_fail(void) __attribute__((noreturn, weak));

BARE __attribute__((cold))
void *memroute_overflow(void)
{
	struct report line;

	if (__chk_fail)
		__chk_fail();
	report_begin(&line);
	report_text(&line, "*** buffer overflow detected ***: terminated");
	report_end(&line);
	abort();
}
