/* distribution.c - sizes and alignments of real copies, with weights.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "distribution.h"
#include "lines.h"

static const char histogram_header[] = "symbol,size_lo,size_hi,calls,bytes";
static const char alignment_header[] =
	"symbol,size_lo,size_hi,dst_align,src_align,mutual_align,calls";

/* Of SPEC CPU 2017's copies, in per cent (data/README). */
static const struct { size_t alignment; double dst, src; } spec_alignments[] = {
	{ 1, 1.3, 1.8 }, { 2, 1.0, 1.4 }, { 4, 8.8, 7.7 }, { 8, 25.9, 29.3 },
	{ 16, 25.7, 28.5 }, { 32, 17.0, 16.4 }, { 64, 20.4, 14.9 },
};

static void add(struct weighted *list, size_t low, size_t high, double weight)
{
	list->values = grow(list->values, list->count, sizeof(*list->values));
	list->weights = grow(list->weights, list->count,
			     sizeof(*list->weights));
	list->values[list->count] = (struct size_range){ low, high };
	list->weights[list->count++] = weight;
}

static void check_alignment(const struct lines *lines, size_t value)
{
	char field[24];

	if (value && !(value & (value - 1)))
		return;
	snprintf(field, sizeof(field), "%zu", value);
	lines_complain(lines, field, "a power of two from 1 to 64");
}

/* In a histogram 1 stands for everything below 16: here 0, any. */
static void add_alignment(const struct lines *lines, struct weighted *list,
			  const char *field, double calls)
{
	size_t value = lines_number(lines, field, 64);

	check_alignment(lines, value);
	value = value > 1 ? value : 0;
	add(list, value, value, calls);
}

/* A line of VALUE:PROBABILITY,... */
static void read_pairs(const struct lines *lines, struct weighted *list,
		       size_t max)
{
	char *rest = lines->text, *field;

	while ((field = strsep(&rest, ","))) {
		char *colon = strchr(field, ':');
		size_t value;

		if (!colon)
			lines_complain(lines, field, "VALUE:PROBABILITY");
		*colon = '\0';
		value = lines_number(lines, field, max);
		add(list, value, value, lines_weight(lines, colon + 1));
	}
}

static void need_line(struct lines *lines, const char *what)
{
	if (!lines_next(lines))
		fail_usage("%s: ends before the line of %s", lines->path, what);
}

static void read_fleetbench(struct lines *lines, struct distribution *d)
{
	struct weighted overlap = { 0 };
	double sum = 0;

	read_pairs(lines, &d->sizes, SIZE_LARGEST);
	need_line(lines, "overlap probabilities");
	read_pairs(lines, &overlap, 1);
	for (size_t i = 0; i < overlap.count; i++) {
		sum += overlap.weights[i];
		if (overlap.values[i].low)
			d->overlap += overlap.weights[i];
	}
	if (d->overlap > 0)	/* they may be counts */
		d->overlap /= sum;
	free(overlap.values);
	free(overlap.weights);
	need_line(lines, "alignments");
	read_pairs(lines, &d->dst_alignment, 64);
	for (size_t i = 0; i < d->dst_alignment.count; i++) {
		size_t value = d->dst_alignment.values[i].low;

		check_alignment(lines, value);
		add(&d->src_alignment, value, value,
		    d->dst_alignment.weights[i]);
	}
	if (lines_next(lines))
		lines_complain(lines, lines->text,
			       "expected: three lines are all");
}

static void read_sizes(struct lines *lines, struct distribution *d)
{
	do {
		char *comma = strchr(lines->text, ',');
		size_t size;

		if (!comma)
			lines_complain(lines, lines->text, "SIZE,COUNT");
		*comma = '\0';
		size = lines_number(lines, lines->text, SIZE_LARGEST);
		add(&d->sizes, size, size, lines_weight(lines, comma + 1));
	} while (lines_next(lines));
	for (size_t i = 0; i < sizeof(spec_alignments) /
	     sizeof(spec_alignments[0]); i++) {
		size_t alignment = spec_alignments[i].alignment;

		add(&d->dst_alignment, alignment, alignment,
		    spec_alignments[i].dst);
		add(&d->src_alignment, alignment, alignment,
		    spec_alignments[i].src);
	}
}

/* NAME.align.csv beside NAME.csv; to be freed. */
static char *alignment_file(const char *path)
{
	size_t length = strlen(path), stem = length < 4 ? length : length - 4;
	char *beside;

	if (asprintf(&beside, "%.*s.align.csv", (int)stem, path) < 0)
		fail("out of memory");
	return beside;
}

static void read_alignments(const char *path, struct distribution *d)
{
	char *beside = alignment_file(path), *fields[7];
	struct lines lines;

	if (access(beside, F_OK)) {
		add(&d->dst_alignment, 0, 0, 1);
		add(&d->src_alignment, 0, 0, 1);
		free(beside);
		return;
	}
	lines_open(&lines, beside);
	need_line(&lines, "its header");
	if (strcmp(lines.text, alignment_header))
		lines_complain(&lines, lines.text, alignment_header);
	while (lines_next(&lines)) {
		double calls;

		lines_split(&lines, alignment_header, fields, 7);
		calls = lines_weight(&lines, fields[6]);
		add_alignment(&lines, &d->dst_alignment, fields[3], calls);
		add_alignment(&lines, &d->src_alignment, fields[4], calls);
	}
	lines_close(&lines);
	free(beside);
}

static void read_histogram(struct lines *lines, struct distribution *d)
{
	char *fields[5];

	while (lines_next(lines)) {
		size_t low, high;

		lines_split(lines, histogram_header, fields, 5);
		low = lines_number(lines, fields[1], SIZE_LARGEST);
		high = lines_number(lines, fields[2], SIZE_LARGEST);
		if (high < low)
			lines_complain(lines, fields[2],
				       "at least the size before it");
		add(&d->sizes, low, high, lines_weight(lines, fields[3]));
	}
	read_alignments(lines->path, d);
}

static void check_weight(const char *path, const char *what,
			 const struct weighted *list)
{
	double sum = 0;

	for (size_t i = 0; i < list->count; i++)
		sum += list->weights[i];
	if (!(sum > 0))
		fail_usage("%s: no %s with a weight above 0", path, what);
}

void distribution_read(struct distribution *d, const char *path)
{
	struct lines lines;

	memset(d, 0, sizeof(*d));
	lines_open(&lines, path);
	if (!lines_next(&lines))
		fail_usage("%s: empty; allowed: a fleetbench distribution, "
			   "SIZE,COUNT lines, or a histogram", path);
	if (!strcmp(lines.text, histogram_header))
		read_histogram(&lines, d);
	else if (strchr(lines.text, ':'))
		read_fleetbench(&lines, d);
	else
		read_sizes(&lines, d);
	lines_close(&lines);
	check_weight(path, "size", &d->sizes);
	check_weight(path, "alignment", &d->dst_alignment);
	check_weight(path, "alignment", &d->src_alignment);
}

static void weighted_free(struct weighted *list)
{
	free(list->values);
	free(list->weights);
}

void distribution_free(struct distribution *d)
{
	weighted_free(&d->sizes);
	weighted_free(&d->dst_alignment);
	weighted_free(&d->src_alignment);
}
