/* options.c - parse the MEMROUTE variable.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "compiler.h"
#include "kernels/kernels.h"
#include "options.h"
#include "report.h"
#include "text.h"

#define NON_TEMPORAL "non_temporal_threshold="
#define REP_MOVSB "rep_movsb_threshold="

BARE void options_default(struct options *options)
{
	options->kernel = MEMROUTE_DEFAULT_KERNEL;
	options->kernel_given = false;
	options->non_temporal_threshold = 0;
	options->rep_movsb_threshold = 0;
	options->verbose = false;
}

BARE const char *options_find(const char *const *environment)
{
	if (environment)
		for (; *environment; environment++)
			if (text_begins(*environment, "MEMROUTE="))
				return *environment + sizeof("MEMROUTE=") - 1;
	return NULL;
}

BARE static void begin_complaint(struct report *line, const char *item,
				 size_t n)
{
	report_begin(line);
	report_text(line, "MEMROUTE: '");
	report_chars(line, item, n < 80 ? n : 80);
	report_text(line, "' ignored; allowed: ");
}

BARE static void complain_item(const char *item, size_t n)
{
	struct report line;

	begin_complaint(&line, item, n);
	report_text(&line, "auto libc");
	for (size_t i = 0; i < memroute_kernel_count; i++) {
		report_text(&line, " ");
		report_text(&line, memroute_kernels[i].name);
	}
	report_text(&line, " " NON_TEMPORAL "SIZE " REP_MOVSB "SIZE verbose");
	report_end(&line);
}

BARE static void complain_size(const char *item, size_t n)
{
	struct report line;

	begin_complaint(&line, item, n);
	report_text(&line, "a decimal SIZE with or without K, M or G, from ");
	report_number(&line, THRESHOLD_MIN);
	report_text(&line, " to ");
	report_number(&line, THRESHOLD_MAX);
	report_text(&line, " bytes");
	report_end(&line);
}

BARE static unsigned unit_shift(char unit)
{
	return unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
}

/* The n characters at text as a SIZE; 0 if they are none or out of range. */
BARE static uint64_t parse_size(const char *text, size_t n)
{
	uint64_t size = 0;
	unsigned shift = n ? unit_shift(text[n - 1]) : 0;

	if (shift)
		n--;
	if (!n)
		return 0;
	for (; n; n--, text++) {
		if (*text < '0' || *text > '9' || size > THRESHOLD_MAX)
			return 0;
		size = size * 10 + (uint64_t)(*text - '0');
	}
	if (size > THRESHOLD_MAX >> shift || size << shift < THRESHOLD_MIN)
		return 0;
	return size << shift;
}

BARE static const char *parse_kernel(const char *item, size_t n)
{
	if (text_is(item, n, "auto"))
		return "auto";
	if (text_is(item, n, "libc"))
		return "libc";
	for (size_t i = 0; i < memroute_kernel_count; i++)
		if (text_is(item, n, memroute_kernels[i].name))
			return memroute_kernels[i].name;
	return NULL;
}

BARE static bool parse_threshold(const char *item, size_t n, size_t prefix,
				 uint64_t *threshold)
{
	uint64_t size = parse_size(item + prefix, n - prefix);

	if (size)
		*threshold = size;
	else
		complain_size(item, n);
	return size;
}

/* True if item was honoured. */
BARE static bool parse_item(const char *item, size_t n,
			    struct options *options)
{
	const char *kernel = parse_kernel(item, n);

	if (kernel) {
		options->kernel = kernel;
		return options->kernel_given = true;
	}
	if (text_is(item, n, "verbose"))
		return options->verbose = true;
	if (text_begins(item, NON_TEMPORAL))
		return parse_threshold(item, n, sizeof(NON_TEMPORAL) - 1,
				       &options->non_temporal_threshold);
	if (text_begins(item, REP_MOVSB))
		return parse_threshold(item, n, sizeof(REP_MOVSB) - 1,
				       &options->rep_movsb_threshold);
	complain_item(item, n);
	return false;
}

BARE unsigned options_parse(const char *text, struct options *options)
{
	unsigned bad = 0;
	size_t n;

	for (; *text; text += n + (text[n] == ',')) {
		for (n = 0; text[n] && text[n] != ','; n++)
			;
		if (n && !parse_item(text, n, options))
			bad++;
	}
	return bad;
}
