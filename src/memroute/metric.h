/* metric.h - the number that ab compares.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_METRIC_H
#define MEMROUTE_METRIC_H

#include <regex.h>
#include <stdbool.h>

enum metric_kind { METRIC_WALL, METRIC_CPU, METRIC_REGEX };

struct metric {
	enum metric_kind kind;
	const char *text;	/* as it was given */
	regex_t regex;		/* METRIC_REGEX */
};

/* Parses "wall", "cpu" or "regex:RE", RE as in regex(7), extended; ^ and $
 * match at lines. Complains and returns false if text is none of these. To be
 * released after true. */
bool metric_parse(const char *text, struct metric *metric);
void metric_release(struct metric *metric);

/*
 * The number at the first match in output: of its first group, or, without
 * groups, of the whole match. False if there is no match or no number, or if
 * it is not positive and finite, for no ratio could be made of it.
 */
bool metric_find(const struct metric *metric, const char *output,
		 double *number);

/* What the numbers are: "wall time", ... */
const char *metric_name(const struct metric *metric);

#endif
