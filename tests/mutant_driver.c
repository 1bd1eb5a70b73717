/* mutant_driver.c - the cases, thinned out to take two seconds, for mutants.
 *
 * mutant_driver KERNEL...: exit status 0 if all cases pass on these kernels,
 * 1 at the first that fails. The last line of stdout tells which case it was
 * even if a signal ends it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cases.h"

enum { HANGS_AFTER = 20 };	/* seconds of CPU time, for all cases */

/* In order of what they cost; sets of thresholds as bits. */
static const struct {
	const char *name;
	case_fn *run;
	unsigned thin, sets;
	bool whole;		/* not above the limit alone: costly */
} cases[] = {
	{ "nothing", case_nothing, 1, 1, false },
	{ "sizes", case_sizes, 3, 0x3f, false },
	{ "guards", case_guards, 3, 0x36, false },
	{ "overlaps", case_overlaps, 7, 0x21, false },
	{ "alignments", case_alignments, 37, 1, false },
	{ "registers", case_registers, 3, 0x33, true },
	{ "words", case_words, 3, 1, true },
	{ "paths", case_paths, 3, 0x1e, true },
	{ "impossible", case_impossible, 3, 1, true },
	{ "tearing", case_tearing, 3, 1, true },
};

static bool wanted(const struct row *row, char **names)
{
	size_t n;

	for (; *names; names++) {
		n = strlen(*names);
		if (!strncmp(row->name, *names, n) &&
		    (!row->name[n] || row->name[n] == ' '))
			return true;
	}
	return false;
}

static void try(size_t which, const struct row *row,
		const struct threshold_set *set)
{
	const char *failure;

	printf("%s: %s, thresholds: %s\n", cases[which].name, row->name,
	       set->name);
	fflush(stdout);
	rows_set_thresholds(set);
	failure = cases[which].run(row, cases[which].thin);
	if (!failure)
		return;
	printf("%s: %s\n", cases[which].name, failure);
	exit(EXIT_FAILURE);
}

static unsigned try_row(const struct row *row)
{
	unsigned run = 0;

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (size_t s = 0; s < THRESHOLD_SETS; s++)
			if (cases[c].sets >> s & 1 &&
			    !(cases[c].whole && row->from)) {
				try(c, row, &threshold_sets[s]);
				run++;
			}
	return run;
}

int main(int argc, char **argv)
{
	const struct rlimit limit = { HANGS_AFTER, HANGS_AFTER };
	size_t count = rows_find();
	unsigned run = 0;

	(void)argc;
	setrlimit(RLIMIT_CPU, &limit);
	for (size_t i = 0; i < count; i++)
		if (wanted(&rows[i], argv + 1))
			run += try_row(&rows[i]);
	if (run)
		return EXIT_SUCCESS;
	fprintf(stderr, "mutant_driver: name kernels that this CPU can run\n");
	return 2;
}
