/* workload_suite.c - quick and all: rows of every kind, in half a minute
 * and in five minutes.
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
	{ "fixed", "8,16,64,256,1K,4K", 0.6, { NULL } },
	{ "random", "1-16,1-64,17-64,65-128,129-256,257-2K,2113-8K", 0.8,
	  { NULL } },
	{ "distribution", NULL, 0.8,
	  { "Memcpy_Fleet", "Memmove_Fleet", "spec2017-memcpy-sizes" } },
	{ "trace", NULL, 0.8, { "git", "py_json", "snappy" } },
	{ "use-after-copy", "8-15,32-64", 0.5, { NULL } },
	{ "aligned", "256", 0.5, { NULL } },
	{ "overlap", "257-1K", 0.5, { NULL } },
	{ "large", "1M,32M", 1, { NULL } },
};

static const struct step all[] = {
	{ "fixed", NULL, 1, { NULL } },
	{ "random", NULL, 2, { NULL } },
	{ "distribution", NULL, 1.5, { NULL } },
	{ "trace", NULL, 1.5, { NULL } },
	{ "latency", NULL, 1, { NULL } },
	{ "use-after-copy", NULL, 1, { NULL } },
	{ "aligned", NULL, 1, { NULL } },
	{ "overlap", NULL, 1, { NULL } },
	{ "cold", NULL, 1.5, { NULL } },
	{ "large", NULL, 2, { NULL } },
	{ "threads", NULL, 2, { NULL } },
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

int run_all(struct bench *bench)
{
	for (size_t i = 0; i < COUNT_OF(all); i++)
		run_step(bench, &all[i]);
	return 0;
}
