/* report.c - lines on stderr, written before libc can be trusted.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <sys/syscall.h>

#include "compiler.h"
#include "report.h"

/* The system call itself: libc's write() would touch errno. */
BARE static void write_stderr(const char *text, size_t n)
{
	long result;

#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(result)
			 : "0"((long)SYS_write), "D"(2L), "S"(text), "d"(n)
			 : "rcx", "r11", "memory");
#elif defined(__i386__)
	__asm__ volatile("int $0x80" : "=a"(result)
			 : "0"((long)SYS_write), "b"(2L), "c"(text), "d"(n)
			 : "memory");
#endif
	(void)result;
}

BARE void report_chars(struct report *report, const char *text, size_t n)
{
	for (; n && *text; n--, text++) {
		unsigned char c = (unsigned char)*text;

		if (report->length < sizeof(report->text) - 1)
			report->text[report->length++] =
				c < ' ' || c == 127 ? '?' : (char)c;
	}
}

BARE void report_text(struct report *report, const char *text)
{
	report_chars(report, text, SIZE_MAX);
}

BARE void report_begin(struct report *report)
{
	report->length = 0;
	report_text(report, "memroute: ");
}

BARE void report_number(struct report *report, uint64_t number)
{
	char digits[20];
	char *end = digits + sizeof(digits), *first = end;

	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	report_chars(report, first, (size_t)(end - first));
}

BARE void report_address(struct report *report, const void *address)
{
	uintptr_t number = (uintptr_t)address;
	char digits[2 * sizeof(number)];
	char *end = digits + sizeof(digits), *first = end;

	do
		*--first = "0123456789abcdef"[number & 15];
	while (number >>= 4);
	report_text(report, "0x");
	report_chars(report, first, (size_t)(end - first));
}

BARE void report_end(struct report *report)
{
	report->text[report->length++] = '\n';
	write_stderr(report->text, report->length);
}
