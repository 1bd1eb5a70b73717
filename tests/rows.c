/* rows.c - find the copy functions under test.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "policy.h"
#include "rows.h"

enum { ROWS_MAX = 32 };

struct row rows[ROWS_MAX];
size_t row_count, rows_skipped;

const struct threshold_set threshold_sets[THRESHOLD_SETS] = {
	{ "never", SIZE_MAX, SIZE_MAX, false },
	{ "non-temporal 1024", 1024, SIZE_MAX, false },
	{ "rep movsb 1024", SIZE_MAX, 1024, false },
	{ "one stream 1024, rep movsb 2048", 1024, 2048, true },
	{ "rep movsb 1024, non-temporal 2048", 2048, 1024, false },
	{ "both 1024", 1024, 1024, false },
};

void rows_set_thresholds(const struct threshold_set *set)
{
	struct thresholds *t = &memroute_state.thresholds;

	t->non_temporal = set->non_temporal;
	t->rep_movsb = set->rep_movsb;
	t->one_stream = set->one_stream;
	t->special = set->non_temporal < set->rep_movsb ? set->non_temporal :
		     set->rep_movsb;
}

static void add(const char *name, copy_fn *copy, size_t from,
		const struct kernel *kernel)
{
	struct row *row = &rows[row_count];

	if (row_count == ROWS_MAX)
		return;
	snprintf(row->name, sizeof(row->name), "%s", name);
	row->copy = copy;
	row->from = from;
	row->ours = kernel != NULL;
	row->needs = kernel ? kernel->needs : 0;
	row_count++;
}

static const char *needs_text(uint32_t needs)
{
	return needs & CPU_AVX512 ? "AVX-512 F, BW and VL" :
	       needs & CPU_AVX2 ? "AVX2" : needs & CPU_ERMS ? "ERMS" : "?";
}

size_t rows_find(void)
{
	struct cpu_record record;
	struct cpu cpu;
	char name[32];

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	add("libc", memmove, 0, NULL);
	for (size_t i = 0; i < memroute_kernel_count; i++) {
		const struct kernel *k = &memroute_kernels[i];

		if (!policy_allows(&cpu, k)) {
			printf("skipped: %s needs %s, which this CPU and OS "
			       "lack\n", k->name, needs_text(k->needs));
			rows_skipped++;
			continue;
		}
		add(k->name, k->copy, 0, k);
		if (k->copy_above == k->copy)
			continue;
		snprintf(name, sizeof(name), "%s above", k->name);
		add(name, k->copy_above, ENTRY_LIMIT + 1, k);
	}
	fflush(stdout);
	return row_count;
}
