/* text.h - names that come from outside, for JSON and for gnuplot.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_MEASURE_TEXT_H
#define MEMROUTE_MEASURE_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* A new JSON string; of a text that is no UTF-8, what is not ASCII as '?'.
 * NULL without memory. */
json_t *text_json(const char *text);

/*
 * Writes the text in gnuplot's single quotes, in which only the quote itself is
 * special; control characters, which would end the line, as spaces. In double
 * quotes backquotes run a command.
 */
void text_gnuplot(FILE *out, const char *text);

#endif
