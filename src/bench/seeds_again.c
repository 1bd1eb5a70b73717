/*
 * seeds_again.c - the same measurement in more processes.
 *
 * Where code and data lie decides over a branch predictor's and a cache's
 * collisions, and a control in the same process has the same luck: one cell in
 * thirty was off by up to 16 per cent in a run whose A/A was within 0.5. A
 * fresh process has fresh addresses.
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <config.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complain.h"
#include "seeds.h"

/* What the other run says of a cell joins in: the interval covers both. */
static void widen(struct result *result, const json_t *other)
{
	double low = json_real_value(json_object_get(other, "low"));
	double high = json_real_value(json_object_get(other, "high"));

	result->ratio.low = fmin(result->ratio.low, low);
	result->ratio.high = fmax(result->ratio.high, high);
}

static const json_t *cell_of(const json_t *root, size_t table, size_t row,
			     const char *competitor)
{
	const json_t *results = json_object_get(json_array_get(json_object_get(
		json_array_get(json_object_get(root, "tables"), table),
		"rows"), row), "results");

	for (size_t i = 0; i < json_array_size(results); i++) {
		const json_t *result = json_array_get(results, i);
		const char *name = json_string_value(
			json_object_get(result, "competitor"));

		if (name && !strcmp(name, competitor))
			return result;
	}
	fail("another process measured something else");
}

static void join_cell(struct result *result, size_t table, size_t row,
		      json_t *const *roots)
{
	double ratios[SEEDS_PROCESSES];

	ratios[0] = result->ratio.median;
	for (size_t i = 1; i < SEEDS_PROCESSES; i++) {
		const json_t *other = cell_of(roots[i], table, row,
					      result->competitor->name);

		ratios[i] = json_real_value(json_object_get(other, "ratio"));
		widen(result, other);
	}
	result->ratio.median = statistics_median(ratios, SEEDS_PROCESSES);
}

static void join(struct bench *bench, json_t *const *roots)
{
	for (size_t t = 0; t < bench->table_count; t++) {
		struct table *table = &bench->tables[t];

		for (size_t k = 0; k < table->count; k++) {
			struct row *row = &table->rows[k];

			for (size_t i = 0; i < row->count; i++)
				join_cell(&row->results[i], t, k, roots);
			row_judge(row);
		}
	}
}

/* The same command line with "once" behind it, as JSON, and another seed. */
static void become(const struct bench_settings *s, unsigned number)
{
	char seconds[32], pairs[24], seed[24], cpu[24];
	const char *argv[24] = { "memroute-bench", "seeds", "once" };
	size_t count = 3;

	snprintf(seconds, sizeof(seconds), "--time=%g", s->seconds);
	snprintf(pairs, sizeof(pairs), "--pairs=%u", s->repetitions);
	snprintf(seed, sizeof(seed), "--seed=%u",
		 (uint32_t)(s->seed + number));
	argv[count++] = "--json=-";
	argv[count++] = seconds;
	argv[count++] = pairs;
	argv[count++] = seed;
	if (s->library) {
		argv[count++] = "--library";
		argv[count++] = s->library;
	}
	if (s->competitors) {
		argv[count++] = "--competitors";
		argv[count++] = s->competitors;
	}
	if (s->cpu >= 0) {
		snprintf(cpu, sizeof(cpu), "--cpu=%d", s->cpu);
		argv[count++] = cpu;
	}
	execv("/proc/self/exe", (char **)argv);
	_exit(STATUS_FAILED);
}

static json_t *run_again(const struct bench_settings *settings,
			 unsigned number)
{
	json_error_t error;
	json_t *root;
	int ends[2], status;
	pid_t child;

	if (pipe(ends) || (child = fork()) < 0)
		fail("cannot start another process: %s", strerror(errno));
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		become(settings, number);
	}
	close(ends[1]);
	root = json_loadfd(ends[0], 0, &error);
	close(ends[0]);
	/* Status 1 only says that its own planted copy was missed. */
	if (waitpid(child, &status, 0) != child || !root ||
	    !WIFEXITED(status) || WEXITSTATUS(status) > STATUS_FAILED)
		fail("another process of this program failed");
	return root;
}

void seeds_again(struct bench *bench)
{
	json_t *roots[SEEDS_PROCESSES] = { NULL };

	for (unsigned i = 1; i < SEEDS_PROCESSES; i++)
		roots[i] = run_again(&bench->settings, i);
	join(bench, roots);
	for (unsigned i = 1; i < SEEDS_PROCESSES; i++)
		json_decref(roots[i]);
}
