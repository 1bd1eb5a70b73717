/* settings_values.c - the values that options have on the command line.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "settings.h"

enum { DISTANCE_MAX = 4095 };

size_t settings_parse_number(const char *option, const char *text, size_t min,
			     size_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min ||
	    value > max)
		fail_usage("%s '%s' is not a number from %zu to %zu", option,
			   text, min, max);
	return (size_t)value;
}

double settings_parse_seconds(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0.001) || value > 3600)
		fail_usage("--time '%s' is not a number of seconds from 0.001 "
			   "to 3600", text);
	return value;
}

static bool parse_size(const char *text, size_t *size)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*size = strtoull(text, &end, 10);
	if (errno || *size > SIZE_LARGEST)
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end);
	if (!unit || end[1])
		return false;
	*size <<= 10 * (unit - units + 1);
	return *size <= SIZE_LARGEST;
}

size_t settings_parse_sizes(const char *text, struct size_range *ranges)
{
	char *copy = strdup(text), *rest = copy, *item;
	size_t count = 0;

	while ((item = strsep(&rest, ","))) {
		char *dash = strchr(item, '-');
		struct size_range *range = &ranges[count];

		if (count == LIST_MAX)
			fail_usage("--size: more than %d sizes", LIST_MAX);
		if (dash)
			*dash = '\0';
		if (!parse_size(item, &range->low) ||
		    !parse_size(dash ? dash + 1 : item, &range->high) ||
		    range->low > range->high)
			fail_usage("--size '%s': allowed are SIZE or LOW-HIGH, "
				   "separated by commas, from 0 to 1G, with K, "
				   "M or G", text);
		count++;
	}
	free(copy);
	return count;
}

size_t settings_parse_distances(const char *text, size_t *distances)
{
	char *copy = strdup(text), *rest = copy, *item;
	size_t count = 0;

	while ((item = strsep(&rest, ","))) {
		if (count == LIST_MAX)
			fail_usage("--distance: more than %d", LIST_MAX);
		distances[count++] = settings_parse_number("--distance", item,
							   0, DISTANCE_MAX);
	}
	free(copy);
	return count;
}
