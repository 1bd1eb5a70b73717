/* progress.c - one line on a terminal that says what is going on.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "progress.h"
#include "timing.h"

static bool shown;

void progress_show(const char *format, ...)
{
	static double last;
	va_list arguments;
	double now = timing_now();

	if (now - last < 0.25 || !isatty(STDERR_FILENO))
		return;
	last = now;
	fputs("\r\033[K", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fflush(stderr);
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	shown = false;
}
