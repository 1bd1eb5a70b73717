/* ab_report.c - what ab has found: as text and JSON.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measure/text.h"
#include "ab_report.h"
#include "command_line.h"
#include "machine.h"

static const char *const verdicts[] = {
	[VERDICT_NO_DIFFERENCE] = "no difference",
	[VERDICT_FASTER] = "faster",
	[VERDICT_SLOWER] = "slower",
	[VERDICT_FAILED] = "failed",
};

static bool included(const struct trial *trial, enum arm arm)
{
	return arm != ARM_LIBC || trial->experiment.with_libc;
}

static double arm_median(const struct trial *trial, enum arm arm)
{
	const struct experiment *experiment = &trial->experiment;
	double *values = calloc(experiment->done, sizeof(*values));
	double median;

	if (!values)
		abort();
	for (unsigned i = 0; i < experiment->done; i++)
		values[i] = experiment->samples[arm][i].value;
	median = statistics_median(values, experiment->done);
	free(values);
	return trial_shown(trial->settings, median);
}

/* "0.970 to 0.981"; an end that these rounds cannot tell is "?". */
static const char *range(const struct estimate *e, char text[64])
{
	if (isfinite(e->low) && isfinite(e->high))
		snprintf(text, 64, "%.3f to %.3f", e->low, e->high);
	else
		snprintf(text, 64, "? to ?");
	return text;
}

static void print_arm(const struct trial *trial, enum arm arm,
		      const char *role, const char *note)
{
	const struct estimate *ratio = &trial->experiment.ratio[arm];
	const char *unit = trial->settings->metric.kind == METRIC_REGEX ? "" :
			   " s";
	char text[64];

	printf("%-8s %-16s %10.5g%-2s", role, trial->settings->arms[arm],
	       arm_median(trial, arm), unit);
	if (arm != ARM_A)
		printf("  %6.3f  %s%s%s", ratio->median, range(ratio, text),
		       *note ? "  " : "", note);
	putchar('\n');
}

/* The times that the verdict is not on. */
static void print_other_quantity(const struct trial *trial,
				 enum quantity quantity, const char *name)
{
	struct estimate ratio = experiment_ratio(&trial->experiment, ARM_B,
		quantity, trial->experiment.confidence);
	char text[64];

	printf("%-8s %-16s %12s  %6.3f  %s\n", "b", name, "",
	       ratio.median, range(&ratio, text));
}

static void print_verdict(const struct trial *trial)
{
	const struct experiment *e = &trial->experiment;
	const struct estimate *b = &e->ratio[ARM_B];

	if (e->verdict == VERDICT_NO_DIFFERENCE)
		printf("no difference that these %u rounds can show (they show "
		       "about %.1f %%)\n", e->done,
		       100 * relative_half_width(b));
	else
		printf("%s: b takes %.1f %% %s than a (%.1f to %.1f %%)\n",
		       verdicts[e->verdict], 100 * fabs(b->median - 1),
		       b->median < 1 ? "less" : "more",
		       100 * fmin(fabs(b->low - 1), fabs(b->high - 1)),
		       100 * fmax(fabs(b->low - 1), fabs(b->high - 1)));
}

/* What to aim at next: the precision asked for, else half the width. */
static double finer_precision(const struct trial *trial)
{
	double width = relative_half_width(&trial->experiment.ratio[ARM_B]);
	double asked = trial->settings->precision;

	return asked > 0 && asked < width ? asked : width / 2;
}

static void print_finer(const struct trial *trial)
{
	double precision = finer_precision(trial);
	double rounds = rounds_for_precision(&trial->experiment, precision);

	if (rounds)
		printf("A verdict to +-%.1f %% would need about %.0f rounds "
		       "(--runs %.0f).\n", 100 * precision, rounds, rounds);
	else
		printf("These are too few rounds to tell how many more are "
		       "needed.\n");
}

/* In one line, whatever is in it. */
static void print_command(char *const *argv)
{
	for (; *argv; argv++) {
		putchar(' ');
		for (const char *c = *argv; *c; c++)
			putchar(iscntrl((unsigned char)*c) ? ' ' : *c);
	}
	putchar('\n');
}

void report_trial(const struct trial *trial)
{
	const struct trial_settings *settings = trial->settings;
	const struct experiment *e = &trial->experiment;

	printf("Command:");
	print_command(trial->argv);
	if (e->verdict == VERDICT_FAILED) {
		printf("Verdict: failed: %s\n", trial->failure);
		return;
	}
	printf("Metric:  %s%s; a ratio below 1 means that b is faster\n"
	       "Rounds:  %u of at most %u, each arm once, in random order\n\n",
	       metric_name(&settings->metric),
	       settings->higher_is_better ? " (higher is better)" : "",
	       e->done, e->rounds);
	printf("%-8s %-16s %12s  %6s  %g %% interval\n", "arm", "MEMROUTE",
	       "median", "ratio", 100 * e->confidence);
	print_arm(trial, ARM_A, "a", "");
	print_arm(trial, ARM_B, "b", "");
	if (included(trial, ARM_LIBC))
		print_arm(trial, ARM_LIBC, "libc", "cost of interposing");
	print_arm(trial, ARM_CONTROL, "control", "a again");
	if (settings->metric.kind != METRIC_WALL)
		print_other_quantity(trial, QUANTITY_WALL, "wall time");
	if (settings->metric.kind != METRIC_CPU)
		print_other_quantity(trial, QUANTITY_CPU, "CPU time");
	printf("\nVerdict: ");
	print_verdict(trial);
	print_finer(trial);
}

void report_heading(void)
{
	printf("%-20s %12s  %6s  %-16s  %6s  %s\n", "workload", "median a",
	       "b/a", "interval", "libc/a", "verdict");
}

void report_line(const struct trial *trial)
{
	const struct experiment *e = &trial->experiment;
	char text[64], libc[32] = "-";

	if (e->verdict == VERDICT_FAILED) {
		printf("%-20s %12s  %6s  %-16s  %6s  failed\n", trial->name,
		       "-", "-", "-", "-");
		return;
	}
	if (e->with_libc)
		snprintf(libc, sizeof(libc), "%.3f",
			 e->ratio[ARM_LIBC].median);
	printf("%-20s %12.5g  %6.3f  %-16s  %6s  %s\n", trial->name,
	       arm_median(trial, ARM_A), e->ratio[ARM_B].median,
	       range(&e->ratio[ARM_B], text), libc, verdicts[e->verdict]);
	fflush(stdout);
}

/* JSON has no infinity: null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *numbers(const struct trial *trial, enum arm arm,
		       double (*get)(const struct trial *,
				     const struct sample *))
{
	json_t *array = json_array();

	for (unsigned i = 0; i < trial->experiment.done; i++)
		json_array_append_new(array, number(get(trial,
			&trial->experiment.samples[arm][i])));
	return array;
}

static double get_value(const struct trial *trial, const struct sample *sample)
{
	return trial_shown(trial->settings, sample->value);
}

static double get_wall(const struct trial *trial, const struct sample *sample)
{
	(void)trial;
	return sample->wall;
}

static double get_cpu(const struct trial *trial, const struct sample *sample)
{
	(void)trial;
	return sample->cpu;
}

static json_t *arm_json(const struct trial *trial, enum arm arm)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o}",
			 "memroute", trial->settings->arms[arm],
			 "median", number(arm_median(trial, arm)),
			 "values", numbers(trial, arm, get_value),
			 "wall", numbers(trial, arm, get_wall),
			 "cpu", numbers(trial, arm, get_cpu));
}

static json_t *ratio_json(const struct trial *trial, enum arm arm)
{
	const struct experiment *e = &trial->experiment;
	json_t *rounds = json_array();

	for (unsigned i = 0; i < e->done; i++)
		json_array_append_new(rounds, number(
			e->samples[arm][i].value /
			e->samples[ARM_A][i].value));
	return json_pack("{s:o, s:o, s:o, s:o}",
			 "median", number(e->ratio[arm].median),
			 "low", number(e->ratio[arm].low),
			 "high", number(e->ratio[arm].high),
			 "rounds", rounds);
}

static void add_results(const struct trial *trial, json_t *result)
{
	static const char *const keys[ARMS] = { "a", "b", "control", "libc" };
	json_t *arms = json_object(), *ratios = json_object();
	double precision = finer_precision(trial);

	for (enum arm arm = ARM_A; arm < ARMS; arm++) {
		if (!included(trial, arm))
			continue;
		json_object_set_new(arms, keys[arm], arm_json(trial, arm));
		if (arm != ARM_A)
			json_object_set_new(ratios, keys[arm],
					    ratio_json(trial, arm));
	}
	json_object_set_new(result, "confidence",
			    number(trial->experiment.confidence));
	json_object_set_new(result, "arms", arms);
	json_object_set_new(result, "ratios", ratios);
	json_object_set_new(result, "finer", json_pack("{s:o, s:o}",
		"precision", number(precision),
		"rounds", number(rounds_for_precision(&trial->experiment,
						      precision))));
}

json_t *report_json(const struct trial *trial)
{
	const struct experiment *e = &trial->experiment;
	json_t *argv = json_array();
	json_t *result;

	for (char *const *word = trial->argv; *word; word++)
		json_array_append_new(argv, text_json(*word));
	result = json_pack("{s:o, s:o, s:s, s:i, s:o}",
			   "name", text_json(trial->name),
			   "command", argv,
			   "verdict", verdicts[e->verdict],
			   "rounds_done", (int)e->done,
			   "failure", *trial->failure ?
			   text_json(trial->failure) : json_null());
	if (!result)
		abort();
	if (e->verdict != VERDICT_FAILED)
		add_results(trial, result);
	return result;
}

json_t *report_unprepared_json(const char *name, bool skipped)
{
	return json_pack("{s:o, s:[], s:s, s:i, s:s}",
			 "name", text_json(name), "command",
			 "verdict", skipped ? "skipped" : "failed",
			 "rounds_done", 0,
			 "failure", skipped ? "it cannot run here" :
			 "its preparation failed");
}

json_t *report_document(const struct trial_settings *settings,
			json_t *experiments)
{
	json_t *document = json_pack(
		"{s:s, s:s, s:o, s:{s:s, s:s, s:b, s:b, s:i, s:f, s:I, s:s, "
		"s:s?}, s:o}",
		"program", "memroute ab", "version", PACKAGE_VERSION,
		"machine", machine_json(),
		"settings", "a", settings->arms[ARM_A],
		"b", settings->arms[ARM_B],
		"higher_is_better", (int)settings->higher_is_better,
		"compare_output", (int)settings->compare_output,
		"rounds", (int)settings->rounds,
		"precision", settings->precision,
		"seed", (json_int_t)settings->seed,
		"metric", settings->metric.text,
		"pin", settings->pin,
		"experiments", experiments);

	if (!document)
		abort();
	return document;
}
