/* ab_plot.c - what ab has found, drawn by gnuplot.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../measure/text.h"
#include "ab_report.h"
#include "command_line.h"
#include "target.h"

static bool ends_in(const char *path, const char *suffix)
{
	size_t n = strlen(path), tail = strlen(suffix);

	return n > tail && strcmp(path + n - tail, suffix) == 0;
}

bool plot_possible(const char *path)
{
	char gnuplot[PATH_MAX];
	FILE *file;

	if (!ends_in(path, ".svg") && !ends_in(path, ".png")) {
		complain("--plot '%s': no such kind; allowed: a file .svg or "
			 ".png", path);
		return false;
	}
	if (!target_find("gnuplot", gnuplot)) {
		complain("--plot needs gnuplot, which is not installed "
			 "(Debian: gnuplot-nox)");
		return false;
	}
	file = fopen(path, "ae");
	if (!file) {
		complain("--plot '%s': %s", path, strerror(errno));
		return false;
	}
	return fclose(file) == 0;
}

static void put_setup(FILE *script, const json_t *document, const char *path)
{
	const json_t *settings = json_object_get(document, "settings");

	fprintf(script, "set terminal %s size 900,500\nset output ",
		ends_in(path, ".svg") ? "svg" : "png");
	text_gnuplot(script, path);
	fputs("\nset title ", script);
	text_gnuplot(script, "memroute ab: b / a, below 1 means that b is "
		   "faster");
	fputs(" noenhanced\nset key outside noenhanced\nset grid\n", script);
	fputs("a = ", script);
	text_gnuplot(script, json_string_value(json_object_get(settings, "a")));
	fputs("\nb = ", script);
	text_gnuplot(script, json_string_value(json_object_get(settings, "b")));
	fputc('\n', script);
}

static void put_rounds(FILE *script, const json_t *ratio, const char *block)
{
	const json_t *rounds = json_object_get(ratio, "rounds");

	fprintf(script, "$%s << EOD\n", block);
	for (size_t i = 0; i < json_array_size(rounds); i++)
		fprintf(script, "%zu %.9g\n", i + 1,
			json_number_value(json_array_get(rounds, i)));
	fputs("EOD\n", script);
}

static double member(const json_t *ratio, const char *key)
{
	return json_number_value(json_object_get(ratio, key));
}

/* The ratio of each round, the median and its interval as a band. */
static void put_one(FILE *script, const json_t *experiment)
{
	const json_t *ratios = json_object_get(experiment, "ratios");
	const json_t *b = json_object_get(ratios, "b");

	put_rounds(script, b, "b");
	put_rounds(script, json_object_get(ratios, "control"), "control");
	fputs("set xlabel 'round'\nset ylabel 'ratio'\n"
	      "set offsets 0.5, 0.5, 0, 0\n", script);
	if (json_is_number(json_object_get(b, "low")))
		fprintf(script, "set object 1 rectangle from graph 0, "
			"first %.9g to graph 1, first %.9g behind "
			"fillcolor rgb '#cfe3f7' fillstyle solid noborder\n",
			member(b, "low"), member(b, "high"));
	fprintf(script, "plot 1 linecolor rgb '#808080' notitle, "
		"%.9g linewidth 2 linecolor rgb '#1f5fa8' title 'median', "
		"$control with points pointtype 6 linecolor rgb '#a0a0a0' "
		"title a.' again', $b with points pointtype 7 "
		"linecolor rgb '#1f5fa8' title b\n", member(b, "median"));
}

/* An interval for each experiment, from top to bottom. */
static void put_several(FILE *script, const json_t *experiments)
{
	size_t n = json_array_size(experiments);
	const json_t *experiment, *b;

	fprintf(script, "set yrange [0:%zu]\nset xlabel 'ratio'\n"
		"set ytics noenhanced\n$b << EOD\n", n + 1);
	for (size_t i = 0; i < n; i++) {
		experiment = json_array_get(experiments, i);
		b = json_object_get(json_object_get(experiment, "ratios"),
				    "b");
		if (json_is_number(json_object_get(b, "low")))
			fprintf(script, "%.9g %zu %.9g %.9g\n",
				member(b, "median"), n - i, member(b, "low"),
				member(b, "high"));
	}
	fputs("EOD\n", script);
	for (size_t i = 0; i < n; i++) {
		experiment = json_array_get(experiments, i);
		fputs("set ytics add (", script);
		text_gnuplot(script, json_string_value(
				json_object_get(experiment, "name")));
		fprintf(script, " %zu)\n", n - i);
	}
	fputs("set arrow 1 from 1, graph 0 to 1, graph 1 nohead "
	      "linecolor rgb '#808080'\n"
	      "plot $b with xerrorbars pointtype 7 linecolor rgb '#1f5fa8' "
	      "title b\n", script);
}

bool plot_document(const json_t *document, const char *path)
{
	const json_t *experiments = json_object_get(document, "experiments");
	const json_t *first = json_array_get(experiments, 0);
	FILE *script;

	if (json_array_size(experiments) == 1 &&
	    !json_object_get(first, "ratios")) {
		complain("--plot '%s': nothing to draw", path);
		return false;
	}
	script = popen("gnuplot", "we");
	if (!script) {
		complain("gnuplot: %s", strerror(errno));
		return false;
	}
	put_setup(script, document, path);
	if (json_array_size(experiments) == 1)
		put_one(script, first);
	else
		put_several(script, experiments);
	if (pclose(script) == 0)
		return true;
	complain("--plot '%s': gnuplot failed", path);
	return false;
}
