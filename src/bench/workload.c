/* workload.c - the table of workloads, and what they share.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "workload.h"

const struct workload workloads[] = {
	{ "fixed", "one size, any alignment; the inline expansion too",
	  run_fixed, TAKES_SIZES, NULL, NULL },
	{ "random", "random sizes and alignments",
	  run_random, TAKES_RANGES, NULL, NULL },
	{ "distribution", "[NAME|FILE...] sizes as in real programs",
	  run_distribution, TAKES_FILES, NULL, NULL },
	{ "trace", "[NAME|FILE...] recorded copies in their order",
	  run_trace, TAKES_FILES, NULL, NULL },
	{ "latency", "each copy waits for the one before",
	  run_latency, TAKES_RANGES, NULL, NULL },
	{ "use-after-copy", "the destination is loaded, or copied on, at once",
	  run_use_after_copy, TAKES_RANGES, NULL, NULL },
	{ "distance", "one pair of blocks by page distance, within the caches",
	  run_distance, TAKES_SIZES | TAKES_DISTANCES, NULL, NULL },
	{ "large", "beyond the caches, by page distance too",
	  run_large, TAKES_SIZES | TAKES_DISTANCES, NULL, NULL },
	{ "aligned", "both blocks on cache lines, equally far off, neither",
	  run_aligned, TAKES_SIZES, NULL, NULL },
	{ "overlap", "blocks that overlap, in both directions",
	  run_overlap, TAKES_RANGES, NULL, NULL },
	{ "threads", "large copies in several threads at once",
	  run_threads, TAKES_SIZES | TAKES_THREADS, NULL, NULL },
	{ "cold", "blocks that are in no cache",
	  run_cold, TAKES_RANGES, NULL, NULL },
	{ "loopback", "[io|macswap|interleaved|scalar] [mergeable|vector] "
	  "[aligned|shifted]\n                   packets through a virtio-style host",
	  run_loopback, TAKES_SIZES | TAKES_FILES | TAKES_THREADS, NULL, NULL },
	{ "dispatch", "what it costs to choose a kernel at run time",
	  run_dispatch, TAKES_SIZES, NULL, NULL },
	{ "aligned-path", "what a loop of its own for aligned blocks is worth",
	  run_aligned_path, TAKES_SIZES, NULL, NULL },
	{ "delegation", "packets by memroute, MEMROUTE=libc, and inline copies",
	  run_delegation, TAKES_SIZES, NULL, NULL },
	{ "macswap", "packets by ways to swap MAC addresses",
	  run_macswap, TAKES_SIZES, NULL, NULL },
	{ "seeds", "the five DPDK threads in one table, a minute",
	  run_seeds, 0, judge_seeds, print_seeds },
	{ "quick", "a few rows of most kinds, half a minute",
	  run_quick, 0, NULL, NULL },
	{ "all", "all rows of everything but packets, five minutes",
	  run_all, 0, NULL, NULL },
	{ "goals", "memroute against the goals set for it: met or not",
	  run_goals, 0, judge_goals, print_goals },
	{ "tune", "the thresholds that suit this machine, as MEMROUTE=...",
	  run_tune, 0, judge_tune, print_tune },
	{ "self-test", "is a copy that is slower by 5 or 20 % found to be so?",
	  run_self_test, 0, judge_self_test, print_self_test },
};

const size_t workload_count = sizeof(workloads) / sizeof(workloads[0]);

const struct workload *workload_by_name(const char *name)
{
	char allowed[COUNT_OF(workloads) * 24] = "";

	for (size_t i = 0; i < workload_count; i++) {
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
		strcat(allowed, " ");
		strcat(allowed, workloads[i].name);
	}
	fail_usage("no workload '%s'; allowed:%s", name, allowed);
}

const struct size_range *sizes_or(const struct bench *bench,
				  const struct size_range *own, size_t *count)
{
	if (!bench->settings.size_count)
		return own;
	*count = bench->settings.size_count;
	return bench->settings.sizes;
}

const char *size_text(size_t size, char text[24])
{
	static const char units[] = " KMG";
	int unit = 0;

	while (size && !(size % 1024) && units[unit + 1]) {
		size /= 1024;
		unit++;
	}
	snprintf(text, 24, unit ? "%zu%c" : "%zu", size, units[unit]);
	return text;
}

const char *range_text(struct size_range range, char text[64])
{
	char low[24], high[24];

	size_text(range.low, low);
	size_text(range.high, high);
	if (range.low == range.high)
		snprintf(text, 64, "%s", low);
	else
		snprintf(text, 64, "%s..%s", low, high);
	return text;
}

/* The name of a file without folders and suffixes. */
static const char *data_label(const char *path, char label[48])
{
	const char *slash = strrchr(path, '/');

	snprintf(label, 48, "%s", slash ? slash + 1 : path);
	label[strcspn(label, ".")] = '\0';
	return label;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* True for "emacs.csv", but neither for "emacs.align.csv" nor ".csv". */
static bool has_suffix(const char *name, const char *suffix)
{
	const char *dot = strchr(name, '.');

	return dot && dot != name && !strcmp(dot, suffix);
}

static void add_folder(const struct bench *bench, const struct data_kind *kind,
		       const char *folder, char ***paths, size_t *count)
{
	size_t before = *count;
	struct dirent *entry;
	DIR *directory;
	char *path;

	if (asprintf(&path, "%s/%s", bench->settings.data, folder) < 0)
		fail("out of memory");
	directory = opendir(path);
	if (!directory)
		fail_usage("cannot read the folder %s: %s; --data names the "
			   "folder of the distributions", path,
			   strerror(errno));
	while ((entry = readdir(directory))) {
		if (!has_suffix(entry->d_name, kind->suffix))
			continue;
		*paths = grow(*paths, *count, sizeof(**paths));
		if (asprintf(&(*paths)[(*count)++], "%s/%s", path,
			     entry->d_name) < 0)
			fail("out of memory");
	}
	closedir(directory);
	free(path);
	if (*count > before)
		qsort(*paths + before, *count - before, sizeof(**paths),
		      compare_paths);
}

static void complain_of_data(const struct data_kind *kind, const char *name,
			     char **paths, size_t count)
{
	char allowed[4000] = "", label[48];
	size_t used = 0;

	for (size_t i = 0; i < count && used + 49 < sizeof(allowed); i++)
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used,
					 " %s", data_label(paths[i], label));
	fail_usage("no %s '%s'; allowed: a file, or one of%s", kind->what,
		   name, allowed);
}

/* Takes the path of that name out of the list of all. */
static char *find_path(const struct data_kind *kind, const char *name,
		       char **paths, size_t count)
{
	char label[48], *path = NULL;

	if (strchr(name, '/') || !access(name, R_OK))
		return strdup(name);
	for (size_t i = 0; i < count && !path; i++)
		if (!strcmp(data_label(paths[i], label), name))
			path = strdup(paths[i]);
	if (!path)
		complain_of_data(kind, name, paths, count);
	return path;
}

/* The paths that the arguments ask for; to be freed, each and all. */
static char **data_files(const struct bench *bench,
			 const struct data_kind *kind, size_t *count)
{
	const struct bench_settings *settings = &bench->settings;
	char **all = NULL, **wanted;
	size_t known = 0;

	for (size_t i = 0; kind->folders[i]; i++)
		if (settings->argument_count || i < kind->default_folders)
			add_folder(bench, kind, kind->folders[i], &all, &known);
	if (!settings->argument_count) {
		*count = known;
		return all;
	}
	*count = settings->argument_count;
	wanted = allocate(*count, sizeof(*wanted));
	for (size_t i = 0; i < *count; i++)
		wanted[i] = find_path(kind, settings->arguments[i], all, known);
	for (size_t i = 0; i < known; i++)
		free(all[i]);
	free(all);
	return wanted;
}

void data_measure(struct bench *bench, const struct data_kind *kind,
		  cell_from_fn *cell_from)
{
	char **paths, label[48];
	size_t count;

	paths = data_files(bench, kind, &count);
	for (size_t i = 0; i < count; i++) {
		bench_measure(bench, cell_from(bench, paths[i],
					       data_label(paths[i], label)));
		free(paths[i]);
	}
	free(paths);
}
