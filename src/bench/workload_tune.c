/* workload_tune.c - from which sizes on non-temporal stores and rep movsb pay
 * on this machine, and how to say so in MEMROUTE.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>

#include "../cpu.h"
#include "../options.h"
#include "output.h"
#include "workload.h"

#define NON_TEMPORAL "non_temporal"
#define REP_MOVSB "rep_movsb"

static const char rep_movsb_sizes[] =
	"1K,1536,2K,3K,4K,6K,8K,12K,16K,24K,32K,64K,128K,256K,512K,1M";
static const char non_temporal_sizes[] =
	"512K,1M,2M,3M,4M,6M,8M,12M,16M,24M,32M,48M,64M,96M,128M";

/* Where nothing aliases; and where rep movsb is slow on some CPUs. */
static const char distances[] = "2080,16";

/* A row is lost if it costs more than this, and beyond the A/A noise. */
#define TOLERATED 1.02
/* And a threshold is worth setting from a row that gains at least this. */
#define WORTH 0.95

static struct competitor *add(struct competitors *list, const char *name,
			      const struct competitor *kernel)
{
	return competitors_add(list, name, KIND_CALL, kernel->copy,
			       kernel->move);
}

static bool has_erms(void)
{
	struct cpu_record record;
	struct cpu cpu;

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	return cpu.features & CPU_ERMS;
}

/* The same kernel with neither, twice, and with one of them at any size. */
static void enter(struct competitors *list)
{
	const struct competitor *chosen = competitors_chosen(list);
	struct competitor kernel;
	struct thresholds *t;

	if (!chosen)
		fail_usage("tune needs the kernel that MEMROUTE=auto chooses "
			   "among the competitors");
	kernel = *chosen;
	list->count = 0;
	add(list, "loop", &kernel);
	add(list, "A/A", &kernel);
	t = &add(list, NON_TEMPORAL, &kernel)->thresholds;
	t->special = t->non_temporal = 1;
	t->one_stream = kernel.thresholds.one_stream;
	if (has_erms()) {
		t = &add(list, REP_MOVSB, &kernel)->thresholds;
		t->special = t->rep_movsb = 1;
	}
}

/*
 * The smallest size that wins somewhere and from which on nothing is lost;
 * THRESHOLD_MAX: none.
 */
static uint64_t threshold_of(const struct table *table, const char *name)
{
	uint64_t threshold = THRESHOLD_MAX;

	for (size_t i = table->count; i-- > 0;) {
		const struct result *r = row_result(&table->rows[i], name);

		if (!r || (r->verdict == VERDICT_SLOWER &&
			   r->ratio.median > TOLERATED))
			break;
		if (r->verdict == VERDICT_FASTER && r->ratio.median < WORTH)
			threshold = (uint64_t)table->rows[i].bytes;
	}
	return threshold;
}

void run_tune(struct bench *bench)
{
	static const struct step within = {
		"distance", rep_movsb_sizes, distances, 0.3, { NULL },
	};
	static const struct step beyond = {
		"large", non_temporal_sizes, distances, 1, { NULL },
	};

	enter(&bench->competitors);
	run_step(bench, &within);
	run_step(bench, &beyond);
}

int judge_tune(struct bench *bench)
{
	char non_temporal[24], rep_movsb[24];

	size_text(threshold_of(&bench->tables[0], REP_MOVSB), rep_movsb);
	size_text(threshold_of(&bench->tables[1], NON_TEMPORAL), non_temporal);
	snprintf(bench->advice, sizeof(bench->advice),
		 "MEMROUTE=non_temporal_threshold=%s,rep_movsb_threshold=%s",
		 non_temporal, rep_movsb);
	return 0;
}

void print_tune(const struct bench *bench)
{
	output_tables(bench);
	printf("\nHere fits (1024G stands for never):\n%s\n", bench->advice);
}
