/* metric.c - the number that ab compares.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "metric.h"

#define REGEX "regex:"

static bool parse_regex(const char *text, struct metric *metric)
{
	char why[200];
	int error = regcomp(&metric->regex, text + strlen(REGEX),
			    REG_EXTENDED | REG_NEWLINE);

	if (!error)
		return true;
	regerror(error, &metric->regex, why, sizeof(why));
	complain("--metric '%s': %s", text, why);
	return false;
}

bool metric_parse(const char *text, struct metric *metric)
{
	metric->text = text;
	if (strcmp(text, "wall") == 0) {
		metric->kind = METRIC_WALL;
		return true;
	}
	if (strcmp(text, "cpu") == 0) {
		metric->kind = METRIC_CPU;
		return true;
	}
	metric->kind = METRIC_REGEX;
	if (strncmp(text, REGEX, strlen(REGEX)) == 0)
		return parse_regex(text, metric);
	complain("--metric '%s': no such metric; allowed: wall cpu regex:RE",
		 text);
	return false;
}

void metric_release(struct metric *metric)
{
	if (metric->kind == METRIC_REGEX)
		regfree(&metric->regex);
}

bool metric_find(const struct metric *metric, const char *output,
		 double *number)
{
	regmatch_t match[2];
	const char *start;
	char *end;

	if (regexec(&metric->regex, output, 2, match, 0) != 0)
		return false;
	start = output + match[metric->regex.re_nsub && match[1].rm_so >= 0]
			.rm_so;
	*number = strtod(start, &end);
	return end > start && isfinite(*number) && *number > 0;
}

const char *metric_name(const struct metric *metric)
{
	return metric->kind == METRIC_WALL ? "wall time" :
	       metric->kind == METRIC_CPU ? "CPU time" : metric->text;
}
