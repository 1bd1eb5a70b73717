/* workload_goals.c - the goals that were set before measuring.
 *
 * Each is a ratio of memroute to libc on some rows of a workload, and is met
 * if the geometric mean of the rows' medians, or the worst of them, is at or
 * below it. Goals of 1 and above are harder on noise: there the upper end of
 * the interval counts, less the A/A deviation. The dispatch goals compare
 * memroute with the kernel that it uses, bound directly, in place of libc.
 * The best peer is what the best library that is not ours reached on the same
 * sizes, on Zen 3 with glibc 2.36. "Copy alone" came later: it tells how much of
 * the goal in front of it is the reading, which no copy can shorten.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workload.h"

enum rule {
	MEAN,		/* geometric, over the rows */
	WORST,		/* each row */
};

struct goal {
	const char *name;
	double ratio;
	enum rule rule;
	const char *rows;	/* only rows whose name holds this; NULL: all */
	const char *peer;
	struct step step;	/* no workload: the table of the goal before */
};

#define MEMCPY_FILES "Memcpy_0", "Memcpy_1", "Memcpy_2", "Memcpy_3",	\
	"Memcpy_4", "Memcpy_5", "Memcpy_6", "Memcpy_7", "Memcpy_8",	\
	"Memcpy_Fleet"
#define MEMMOVE_FILES "Memmove_0", "Memmove_1", "Memmove_2", "Memmove_3", \
	"Memmove_4", "Memmove_5", "Memmove_6", "Memmove_7", "Memmove_8", \
	"Memmove_Fleet"

static const struct goal goals[] = {
	{ "random 1..16", 0.65, MEAN, NULL, "folly 0.84",
	  { "random", "1-16", NULL, 2, { NULL } } },
	{ "random 1..64", 0.65, MEAN, NULL, "folly 0.94",
	  { "random", "1-64", NULL, 2, { NULL } } },
	{ "random 17..64", 0.66, MEAN, NULL, "glibc 2.43 1.00",
	  { "random", "17-64", NULL, 2, { NULL } } },
	{ "loads after a copy, each size", 1.03, WORST, "loads", "-",
	  { "use-after-copy", NULL, NULL, 1, { NULL } } },
	{ "chains of copies, each size", 1.15, WORST, "chain", "-", { 0 } },
	{ "random 65..128", 0.85, MEAN, NULL, "AOCL 0.87",
	  { "random", "65-128", NULL, 2, { NULL } } },
	{ "random 129..256", 0.78, MEAN, NULL, "AOCL 0.78",
	  { "random", "129-256", NULL, 2, { NULL } } },
	{ "random 257..2048", 0.93, MEAN, NULL, "glibc 2.43 1.00",
	  { "random", "257-2048", NULL, 2, { NULL } } },
	{ "fixed, misaligned, 256..1024", 0.80, MEAN, "misaligned", "-",
	  { "aligned", "256,384,512,768,1024", NULL, 1, { NULL } } },
	{ "aligned to 64, 128..1536", 0.85, MEAN, " aligned", "-",
	  { "aligned", "128,256,512,1024,1536", NULL, 1, { NULL } } },
	{ "random 2113..8192, in L1", 0.56, MEAN, NULL, "glibc 2.43 0.56",
	  { "random", "2113-8192", NULL, 2, { NULL } } },
	{ "3 KiB..384 KiB, 1..31 apart", 0.08, MEAN, NULL, "-",
	  { "distance", "3K,8K,64K,384K", "1,16,31", 1, { NULL } } },
	{ "16 KiB..8 MiB, each size", 1.00, WORST, NULL, "-",
	  { "distance", "16K,64K,256K,1M,4M,8M", "2080", 2, { NULL } } },
	{ "16..128 MiB, read back", 0.60, MEAN, NULL, "AOCL 0.55-0.60",
	  { "large", "16M,24M,32M,64M,128M", NULL, 2, { NULL } } },
	{ "16..128 MiB, copy alone", 0.60, MEAN, NULL, "AOCL 0.55-0.60",
	  { "distance", "16M,24M,32M,64M,128M", "2080", 2, { NULL } } },
	{ "32 MiB, 0..128 apart, read back", 0.60, MEAN, NULL, "AOCL 0.54",
	  { "large", "32M", "0,1,16,63,64,128", 2, { NULL } } },
	{ "Google fleet memcpy, mean", 0.77, MEAN, NULL, "AOCL 0.96",
	  { "distribution", NULL, NULL, 1.5, { MEMCPY_FILES } } },
	{ "Google fleet memcpy, each file", 0.85, WORST, NULL, "-", { 0 } },
	{ "Google fleet memmove, mean", 0.77, MEAN, NULL, "-",
	  { "distribution", NULL, NULL, 1.5, { MEMMOVE_FILES } } },
	{ "Google fleet memmove, each file", 0.85, WORST, NULL, "-", { 0 } },
	{ "SPEC 2017 mix", 0.75, MEAN, NULL, "folly 0.89",
	  { "distribution", NULL, NULL, 2, { "spec2017-memcpy-sizes" } } },
	{ "recorded traces, mean", 0.85, MEAN, NULL, "-",
	  { "trace", NULL, NULL, 1, { NULL } } },
	{ "recorded traces, each", 1.00, WORST, NULL, "-", { 0 } },
	{ "overlapping, both directions", 0.90, MEAN, NULL, "-",
	  { "overlap", NULL, NULL, 1, { NULL } } },
	{ "two threads, 1..64 MiB each", 0.75, MEAN, NULL, "-",
	  { "threads", NULL, NULL, 2, { NULL } } },
};

static const struct goal dispatch_goals[] = {
	{ "dispatch, up to 64 bytes", 1.01, MEAN, NULL, "-",
	  { "random", "1-16,17-64", NULL, 2, { NULL } } },
	{ "dispatch, 96..256 bytes", 1.05, MEAN, NULL, "-",
	  { "random", "96-256", NULL, 2, { NULL } } },
	{ "dispatch, above 1 KiB", 1.00, MEAN, NULL, "-",
	  { "random", "1025-2048,2049-8192", NULL, 2, { NULL } } },
};

/* Behind the reference and its control. */
enum { MEMROUTE = CONTROL + 1 };

static double bound_of(const struct goal *goal, const struct row *row)
{
	const struct estimate *ratio = &row->results[MEMROUTE].ratio;

	return goal->ratio < 1 ? ratio->median : ratio->high - row->deviation;
}

static struct outcome judge(const struct goal *goal, const struct table *table)
{
	struct outcome o = { .name = goal->name, .peer = goal->peer,
			     .goal = goal->ratio };
	double medians = 0, bounds = 0, worst_bound = 0;
	size_t count = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		double median = row->results[MEMROUTE].ratio.median;

		if (goal->rows && !strstr(row->name, goal->rows))
			continue;
		count++;
		medians += log(median);
		bounds += log(bound_of(goal, row));
		worst_bound = fmax(worst_bound, bound_of(goal, row));
		o.deviation = fmax(o.deviation, row->deviation);
		if (median > o.worst_ratio) {
			o.worst_ratio = median;
			snprintf(o.worst, sizeof(o.worst), "%s", row->name);
		}
	}
	o.measured = goal->rule == WORST ? o.worst_ratio :
		     exp(medians / (double)count);
	o.met = (goal->rule == WORST ? worst_bound :
		 exp(bounds / (double)count)) <= goal->ratio;
	return o;
}

static void measure(struct bench *bench, const struct goal *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].step.workload)
			run_step(bench, &list[i].step);
}

/* The kernel in the place of libc, and memroute. The tables end up in bench,
 * and refer to the competitors of theirs. */
static void measure_dispatch(struct bench *bench,
			     const struct competitor *kernel,
			     const struct competitor *memroute)
{
	static struct bench direct;

	direct.settings = bench->settings;
	direct.rng = bench->rng;
	direct.gate = bench->gate;
	direct.competitors.count = MEMROUTE + 1;
	direct.competitors.all[REFERENCE] = *kernel;
	direct.competitors.all[CONTROL] = *kernel;
	direct.competitors.all[MEMROUTE] = *memroute;
	measure(&direct, dispatch_goals, COUNT_OF(dispatch_goals));
	for (size_t i = 0; i < direct.table_count; i++) {
		bench->tables = grow(bench->tables, bench->table_count,
				     sizeof(*bench->tables));
		bench->tables[bench->table_count++] = direct.tables[i];
	}
}

void run_goals(struct bench *bench)
{
	struct competitors *list = &bench->competitors;
	const struct competitor *memroute =
		competitors_by_name(list, "memroute");
	const struct competitor *chosen = competitors_chosen(list);
	struct competitor kernel;

	if (!memroute || !chosen)
		fail_usage("goals needs memroute and its kernel among the "
			   "competitors");
	kernel = *chosen;
	list->all[MEMROUTE] = *memroute;
	list->count = MEMROUTE + 1;
	bench->settings.threads = 2;
	measure(bench, goals, COUNT_OF(goals));
	measure_dispatch(bench, &kernel, &list->all[MEMROUTE]);
}

/* The outcomes of goals whose tables begin at this one. Returns the table
 * behind them. */
static const struct table *judge_list(struct bench *bench,
				      const struct goal *list, size_t count,
				      const struct table *table)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].step.workload)
			table++;
		bench->outcomes = grow(bench->outcomes, bench->outcome_count,
				       sizeof(*bench->outcomes));
		bench->outcomes[bench->outcome_count++] = judge(&list[i],
								table - 1);
	}
	return table;
}

int judge_goals(struct bench *bench)
{
	const struct table *table = judge_list(bench, goals, COUNT_OF(goals),
					       bench->tables);

	judge_list(bench, dispatch_goals, COUNT_OF(dispatch_goals), table);
	for (size_t i = 0; i < bench->outcome_count; i++)
		if (!bench->outcomes[i].met)
			return STATUS_FAILED;
	return 0;
}

void print_goals(const struct bench *bench)
{
	size_t met = 0;

	printf("\n%-32s %5s %8s %7s  %-7s %-16s %s\n", "goal", "at most",
	       "measured", "A/A +-", "", "best peer", "worst row");
	for (size_t i = 0; i < bench->outcome_count; i++) {
		const struct outcome *o = &bench->outcomes[i];

		printf("%-32s %7.2f %8.3f %7.3f  %-7s %-16s %.3f %s\n",
		       o->name, o->goal, o->measured, o->deviation,
		       o->met ? "met" : "NOT MET", o->peer, o->worst_ratio,
		       o->worst);
		met += o->met;
	}
	printf("%zu of %zu goals met. Whole programs and the start-up are "
	       "for memroute ab.\n", met, bench->outcome_count);
}
