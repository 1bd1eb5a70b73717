/* workload_suite.c - quick and all: rows of every kind, in half a minute
 * and in five minutes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "workload.h"

static const struct step quick[] = {
	{ "fixed", "8,16,64,256,1K,4K", NULL, 0.6, { NULL } },
	{ "random", "1-16,1-64,17-64,65-128,129-256,257-2K,2113-8K", NULL, 0.8,
	  { NULL } },
	{ "distribution", NULL, NULL, 0.8,
	  { "Memcpy_Fleet", "Memmove_Fleet", "spec2017-memcpy-sizes" } },
	{ "trace", NULL, NULL, 0.8, { "git", "py_json", "snappy" } },
	{ "use-after-copy", "8-15,32-64", NULL, 0.5, { NULL } },
	{ "aligned", "256", NULL, 0.5, { NULL } },
	{ "overlap", "257-1K", NULL, 0.5, { NULL } },
	{ "large", "1M,32M", NULL, 1, { NULL } },
};

static const struct step all[] = {
	{ "fixed", NULL, NULL, 1, { NULL } },
	{ "random", NULL, NULL, 2, { NULL } },
	{ "distribution", NULL, NULL, 1.2, { NULL } },
	{ "trace", NULL, NULL, 1.2, { NULL } },
	{ "latency", NULL, NULL, 1, { NULL } },
	{ "use-after-copy", NULL, NULL, 1, { NULL } },
	{ "aligned", NULL, NULL, 1, { NULL } },
	{ "overlap", NULL, NULL, 1, { NULL } },
	{ "cold", NULL, NULL, 1.5, { NULL } },
	{ "distance", NULL, NULL, 0.5, { NULL } },
	{ "large", NULL, NULL, 2, { NULL } },
	{ "threads", NULL, NULL, 2, { NULL } },
};

void run_step(struct bench *bench, const struct step *step)
{
	struct bench_settings saved = bench->settings, *s = &bench->settings;

	if (!s->seconds_given)
		s->seconds = step->seconds;
	if (step->sizes)
		s->size_count = settings_parse_sizes(step->sizes, s->sizes);
	if (step->distances)
		s->distance_count = settings_parse_distances(step->distances,
							     s->distances);
	s->arguments = step->arguments;
	while (step->arguments[s->argument_count])
		s->argument_count++;
	workload_by_name(step->workload)->run(bench);
	bench->settings = saved;
}

void run_quick(struct bench *bench)
{
	for (size_t i = 0; i < COUNT_OF(quick); i++)
		run_step(bench, &quick[i]);
}

void run_all(struct bench *bench)
{
	for (size_t i = 0; i < COUNT_OF(all); i++)
		run_step(bench, &all[i]);
}
