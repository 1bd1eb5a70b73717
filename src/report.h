/* report.h - lines on stderr: one write each, no stdio, no malloc, no errno.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_REPORT_H
#define MEMROUTE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* A line in the making. What does not fit is cut; the newline always fits. */
struct report {
	size_t length;
	char text[400];
};

/* Begins a line with "memroute: ". */
void report_begin(struct report *report);

/* Appends a string, with control characters shown as '?'. */
void report_text(struct report *report, const char *text);

/* Appends at most n characters of text, likewise. */
void report_chars(struct report *report, const char *text, size_t n);

/* Appends a decimal number. */
void report_number(struct report *report, uint64_t number);

/* Appends 0x and hexadecimal digits. */
void report_address(struct report *report, const void *address);

/* Ends the line and writes it to stderr with one system call; errors of that
 * call are ignored, errno is untouched. */
void report_end(struct report *report);

#pragma GCC visibility pop

#endif
