/* lines.c - a text file, plain or gzip, line by line.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "complain.h"
#include "lines.h"

enum { LINE_MAX_BYTES = 1 << 20 };

void lines_open(struct lines *lines, const char *path)
{
	errno = 0;
	lines->path = path;
	lines->number = 0;
	lines->stream = gzopen(path, "re");
	if (!lines->stream)
		fail_usage("cannot read %s: %s", path,
			   strerror(errno ? errno : ENOMEM));
	lines->text = allocate(LINE_MAX_BYTES, 1);
}

static void complain_of_end(const struct lines *lines)
{
	int error;
	const char *message = gzerror(lines->stream, &error);

	if (error == Z_ERRNO)
		message = strerror(errno);
	if (error != Z_OK)
		fail_usage("cannot read %s: %s", lines->path, message);
}

bool lines_next(struct lines *lines)
{
	do {
		size_t length;

		if (!gzgets(lines->stream, lines->text, LINE_MAX_BYTES)) {
			complain_of_end(lines);
			return false;
		}
		lines->number++;
		length = strlen(lines->text);
		if (length == LINE_MAX_BYTES - 1)
			fail_usage("%s:%zu: a line of more than %d bytes",
				   lines->path, lines->number, LINE_MAX_BYTES);
		lines->text[strcspn(lines->text, "\r\n")] = '\0';
	} while (!lines->text[0] || lines->text[0] == '#');
	return true;
}

void lines_close(struct lines *lines)
{
	gzclose(lines->stream);
	free(lines->text);
}

void lines_complain(const struct lines *lines, const char *field,
		    const char *wanted)
{
	char shown[41];

	snprintf(shown, sizeof(shown), "%s", field);
	for (char *c = shown; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	fail_usage("%s:%zu: '%s' is not %s", lines->path, lines->number, shown,
		   wanted);
}

void lines_split(const struct lines *lines, const char *wanted, char **fields,
		 size_t count)
{
	char *rest = lines->text;

	for (size_t i = 0; i < count; i++) {
		fields[i] = strsep(&rest, ",");
		if (!fields[i])
			lines_complain(lines, fields[0], wanted);
	}
	if (rest)
		lines_complain(lines, rest, wanted);
}

size_t lines_number(const struct lines *lines, const char *field, size_t max)
{
	char wanted[64], *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(field, &end, 10);
	if (*field < '0' || *field > '9' || *end || errno || value > max) {
		snprintf(wanted, sizeof(wanted), "a number from 0 to %zu", max);
		lines_complain(lines, field, wanted);
	}
	return (size_t)value;
}

double lines_weight(const struct lines *lines, const char *field)
{
	char *end;
	double value = strtod(field, &end);

	if (end == field || *end || !isfinite(value) || value < 0)
		lines_complain(lines, field, "a probability or a count");
	return value;
}
