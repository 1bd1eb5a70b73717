/* workload_suite.c - quick and all: rows of every kind.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "workload.h"

/* A workload with settings of its own, as one would type them. */
struct step {
	const char *workload;
	const char *sizes;	/* NULL: the workload's own */
	double seconds;		/* for each row */
	char *arguments[6];	/* NULL: the workload's own */
};

static const struct step quick[] = {
	{ "fixed", "8,16,64,256,1K,4K", 0.5, { NULL } },
	{ "random", "1-16,1-64,17-64,65-128,129-256,257-2K", 0.7, { NULL } },
	{ "distribution", NULL, 0.7,
	  { "Memcpy_Fleet", "Memmove_Fleet", "spec2017-memcpy-sizes" } },
	{ "trace", NULL, 0.7, { "git", "py_json", "snappy" } },
};

static void run_step(struct bench *bench, const struct step *step)
{
	struct bench_settings saved = bench->settings, *s = &bench->settings;

	if (!s->seconds_given)
		s->seconds = step->seconds;
	if (step->sizes)
		s->size_count = settings_parse_sizes(step->sizes, s->sizes);
	s->arguments = (char **)step->arguments;
	while (step->arguments[s->argument_count])
		s->argument_count++;
	workload_by_name(step->workload)->run(bench);
	bench->settings = saved;
}

int run_quick(struct bench *bench)
{
	for (size_t i = 0; i < COUNT_OF(quick); i++)
		run_step(bench, &quick[i]);
	return 0;
}
