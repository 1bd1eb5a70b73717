/* seeds.c - memroute-bench seeds: one table with a row for each of the five
 * DPDK threads, all of it measured in this run.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "output.h"
#include "seeds.h"

#define SECONDS 2.4	/* for each row, unless --time says otherwise */

enum { ARMS_MAX = 4, LABEL_WIDTH = 34 };

/* The tables of bench, in this order. */
enum table_of { DISPATCH, ALIGNED, VHOST, MACSWAP };

struct arm {
	const char *competitor;
	const char *label;
};

struct seed {
	const char *thread;
	const char *claimed;
	enum table_of table;
	struct arm arms[ARMS_MAX];	/* label NULL behind the last */
};

/* Commits and figures as the threads have them; see memroute-workloads(7). */
static const struct seed seeds[] = {
	{ "dispatch", "rte_memcpy chosen at run time loses 16-19 % of the "
	  "packets at 158-256 bytes (DPDK, 2017)", DISPATCH, {
		{ "memroute", "memroute / its kernel" },
		{ "pointer", "pointer, every size / kernel" },
		{ "ifunc", "hidden ifunc, every size / kernel" } } },
	{ "aligned", "a path for aligned blocks gains 10-20 % in vhost "
	  "(DPDK, 2016)", ALIGNED, {
		{ "aligned", "aligned loop / generic kernel" },
		{ "in_turn", "load, store in turn / generic" } } },
	{ "delegation", "rte_memcpy or memcpy: 14.5 against 10 Mpps, 9.5 "
	  "against 9.7, by CPU (DPDK, 2024)", VHOST, {
		{ "memroute", "memroute / libc" },
		{ "to_libc", "memroute to libc / libc" },
		{ "inline", "inline copy / libc" } } },
	{ "vhost", "vhost needs a copy of its own, rte_memcpy", VHOST, {
		{ "rte_avx2", "rte_memcpy, AVX2 / libc" },
		{ "rte_avx512", "rte_memcpy, AVX-512 / libc" } } },
	{ "macswap", "loads and stores interleaved gain 3 % at best "
	  "(DPDK, 2024)", MACSWAP, {
		{ "in_turn", "interleaved / four at a time" },
		{ "scalar", "scalar / four at a time" } } },
};

static const size_t shown_sizes[] = { 64, 128, 158, 256, 512, 1024, 1518 };
/* Where a planted rep movsb must be seen as slower. */
static const size_t planted_sizes[] = {
	64, 128, 158, 188, 218, 230, 256, 280, 300, 380, 420, 512,
};
static const size_t long_sizes[] = { 1024, 1518 };
static const size_t macswap_sizes[] = { 64, 128, 256 };

static void measure(struct bench *bench, const size_t *sizes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct loopback_shape shape = {
			.size = sizes[i], .mergeable = true,
		};
		char name[24];

		snprintf(name, sizeof(name), "%zu", sizes[i]);
		loopback_measure(bench, &shape, name);
	}
}

static const struct row *row_of(const struct bench *bench, enum table_of table,
				size_t size)
{
	const struct table *t = &bench->tables[table];

	for (size_t i = 0; i < t->count; i++)
		if (t->rows[i].bytes == (double)size)
			return &t->rows[i];
	return NULL;
}

static const struct result *result_at(const struct bench *bench,
				      enum table_of table, size_t size,
				      const char *competitor)
{
	const struct row *row = row_of(bench, table, size);

	return row ? row_result(row, competitor) : NULL;
}

/* At how many of the sizes the planted slow copy was found. */
static size_t planted_found(const struct bench *bench)
{
	size_t found = 0;

	for (size_t i = 0; i < COUNT_OF(planted_sizes); i++) {
		const struct result *r = result_at(bench, VHOST,
						   planted_sizes[i],
						   "rep_movsb");

		found += r && r->verdict == VERDICT_SLOWER;
	}
	return found;
}

static void print_arm(const struct bench *bench, enum table_of table,
		      const struct arm *arm)
{
	double deviation = 0;

	printf("  %-*s", LABEL_WIDTH, arm->label);
	for (size_t i = 0; i < COUNT_OF(shown_sizes); i++) {
		const struct row *row = row_of(bench, table, shown_sizes[i]);
		const struct result *r = result_at(bench, table, shown_sizes[i],
						   arm->competitor);

		if (!r) {
			printf("%8s", "- ");
			continue;
		}
		printf("%7.3f%c", r->ratio.median,
		       r->verdict == VERDICT_WITHIN ? '~' : ' ');
		deviation = fmax(deviation, row->deviation);
	}
	printf("%8.3f\n", deviation);
}

static bool was_measured(const struct bench *bench, const struct seed *seed,
			 const struct arm *arm)
{
	return result_at(bench, seed->table, shown_sizes[0], arm->competitor);
}

static void print_seed(const struct bench *bench, const struct seed *seed)
{
	bool any = false;

	printf("%s: %s\n", seed->thread, seed->claimed);
	for (const struct arm *arm = seed->arms;
	     arm < seed->arms + ARMS_MAX && arm->label; arm++) {
		if (!was_measured(bench, seed, arm))
			continue;
		print_arm(bench, seed->table, arm);
		any = true;
	}
	if (!any)
		puts("  (not measured: this build or CPU lacks it)");
}

void print_seeds(const struct bench *bench)
{
	static const struct arm planted = {
		"rep_movsb", "rep movsb / libc",
	};

	printf("\nCPU time of a packet through the loopback, by packet size in "
	       "bytes; below 1 is\nfaster, ~ is within A/A or not the "
	       "same in all processes, A/A is the largest\ndeviation of the "
	       "control\n\n");
	printf("  %-*s", LABEL_WIDTH, "");
	for (size_t i = 0; i < COUNT_OF(shown_sizes); i++)
		printf("%7zu ", shown_sizes[i]);
	printf("%8s\n", "A/A +-");
	for (size_t i = 0; i < COUNT_OF(seeds); i++)
		print_seed(bench, &seeds[i]);
	printf("planted: a slow copy must be seen as slower at every size from "
	       "64 to 512\n");
	print_arm(bench, VHOST, &planted);
	printf("  seen at %zu of %zu sizes\n", planted_found(bench),
	       COUNT_OF(planted_sizes));
	if (bench->settings.intervals)
		output_tables(bench);
}

static void measure_all(struct bench *bench)
{
	bench_begin_among(bench, "seeds", "dispatch",
			  seeds_dispatch_list(bench));
	measure(bench, shown_sizes, COUNT_OF(shown_sizes));
	bench_begin_among(bench, "seeds", "aligned", seeds_aligned_list());
	measure(bench, shown_sizes, COUNT_OF(shown_sizes));
	bench_begin_among(bench, "seeds", "delegation and vhost",
			  seeds_delegation_list(bench));
	measure(bench, planted_sizes, COUNT_OF(planted_sizes));
	measure(bench, long_sizes, COUNT_OF(long_sizes));
	bench_begin_among(bench, "seeds", "macswap", seeds_macswap_list());
	for (size_t i = 0; i < COUNT_OF(macswap_sizes); i++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", macswap_sizes[i]);
		seeds_measure_macswap(bench, macswap_sizes[i], name);
	}
}

void run_seeds(struct bench *bench)
{
	if (!bench->settings.seconds_given)
		bench->settings.seconds = SECONDS;
	measure_all(bench);
}

int judge_seeds(struct bench *bench)
{
	return planted_found(bench) == COUNT_OF(planted_sizes) ? 0 :
								 STATUS_FAILED;
}
