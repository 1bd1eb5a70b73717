/* text.c - names that come from outside, for JSON and for gnuplot.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "text.h"

json_t *text_json(const char *text)
{
	json_t *string = json_string(text);
	char *ascii = string ? NULL : strdup(text);

	if (!ascii)
		return string;
	for (char *c = ascii; *c; c++)
		if ((unsigned char)*c > 127)
			*c = '?';
	string = json_string(ascii);
	free(ascii);
	return string;
}

void text_gnuplot(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	fputc('\'', out);
}
