/* complain.c - how memroute-bench ends when it cannot go on.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "complain.h"
#include "progress.h"

static void complain(const char *format, va_list arguments)
{
	progress_clear();
	fflush(stdout);
	fputs("memroute-bench: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain(format, arguments);
	exit(STATUS_FAILED);
}

void fail_usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain(format, arguments);
	exit(STATUS_USAGE);
}

void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		fail("out of memory: %zu items of %zu bytes", count, size);
	return memory;
}

void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))	/* room up to the next power of two */
		return items;
	items = reallocarray(items, count ? 2 * count : 1, size);
	if (!items)
		fail("out of memory: %zu items of %zu bytes", 2 * count, size);
	return items;
}
