/* trial.h - one experiment of ab: a command under its arms.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_TRIAL_H
#define MEMROUTE_TRIAL_H

#include <limits.h>
#include <stdio.h>

#include "child.h"
#include "experiment.h"
#include "metric.h"

/* The same for all trials of one call of ab. */
struct trial_settings {
	const char *arms[ARMS];	/* "none", or a value of MEMROUTE */
	char library[PATH_MAX];
	struct metric metric;
	bool higher_is_better;	/* of METRIC_REGEX */
	bool compare_output;
	const char *input;	/* of each run */
	const char *pin;	/* as it was given, or NULL */
	cpu_set_t cpus;		/* valid if pin */
	unsigned rounds;
	double precision;	/* 0: no early stop */
	unsigned long seed;
};

struct trial {
	const struct trial_settings *settings;
	const char *name;	/* of the workload, or of the command */
	char *const *argv;
	struct experiment experiment;
	char failure[500];	/* why the verdict is VERDICT_FAILED, or "" */
	int interrupt;		/* the signal that ended it, or 0 */
	/* Not for others: */
	const char *sanitizer;	/* runtime that has to come first, or NULL */
	FILE *output, *errors, *reference;
	double start;		/* seconds */
};

/* Runs the experiment; complains of what fails, and shows the stderr of a
 * command that does. Shows progress if stderr is a terminal. To be released
 * afterwards, whatever came of it. */
void trial_run(struct trial *trial);
void trial_release(struct trial *trial);

/* A value of the metric as the user knows it: where higher is better, samples
 * hold its reciprocal. */
double trial_shown(const struct trial_settings *settings, double value);

#endif
