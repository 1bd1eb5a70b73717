/* lines.h - a text file, plain or gzip, line by line.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_LINES_H
#define MEMROUTE_BENCH_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
	const char *path;
	size_t number;		/* of the line in text, from 1 */
	char *text;		/* without its end */
	void *stream;
};

/* Opens; a file that cannot be read ends the program with status 2, here or
 * in lines_next(). */
void lines_open(struct lines *lines, const char *path);

/* The next line that is neither empty nor a comment (#); false at the end. */
bool lines_next(struct lines *lines);

void lines_close(struct lines *lines);

/* Ends the program with status 2: "FILE:LINE: 'FIELD' is not WANTED". */
void lines_complain(const struct lines *lines, const char *field,
		    const char *wanted) __attribute__((noreturn));

/* Splits the line at its commas into exactly count fields; ends the program
 * as lines_complain() does, with what is wanted, if there are others. */
void lines_split(const struct lines *lines, const char *wanted, char **fields,
		 size_t count);

/* A field as an unsigned decimal number up to max, else lines_complain(). */
size_t lines_number(const struct lines *lines, const char *field, size_t max);

/* A field as a number, 0 or more, else lines_complain(). */
double lines_weight(const struct lines *lines, const char *field);

#endif
