/* plot.c - drawn by gnuplot, a program, since plots are not our trade.
 *
 * Each table gives two plots, the speed and the ratio. Rows that grow in size
 * are drawn over the size, on a logarithmic scale; others over their names.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../measure/text.h"
#include "complain.h"
#include "output.h"

enum { WIDTH = 1200, HEIGHT = 450 };	/* pixels, of a plot */

/* By place in the list, again from the start if there are more; those that
 * matter most stand out. */
static const char *const colours[] = {
	"black", "grey", "#d00000", "#e69f00", "#009e73", "#0072b2",
	"#cc79a7", "#56b4e9", "#8b5a2b", "#7a5ccf", "#6b8e23", "#708090",
};

void plot_check(const char *path)
{
	FILE *file = fopen(path, "ae");

	if (!file)
		fail_usage("cannot write %s: %s", path, strerror(errno));
	fclose(file);
	if (system("gnuplot --version >/dev/null 2>&1"))
		fail("--plot needs the program gnuplot, which cannot be "
		     "started (Debian: gnuplot-nox)");
}

static bool grows(const struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].bytes <= 0 ||
		    (i && table->rows[i].bytes <= table->rows[i - 1].bytes))
			return false;
	return table->count > 1;
}

/* Lines of: place, GB/s, ratio, its interval. */
static void put_data(FILE *out, const struct table *table,
		     const struct competitor *c, size_t column)
{
	bool by_size = grows(table);

	fprintf(out, "$column%zu << EOD\n", column);
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		const struct result *r = row_result_of(row, c);

		if (!r)
			continue;
		fprintf(out, "%.6g %.6g %.6g %.6g %.6g\n", by_size ?
			row->bytes : (double)i + 0.6 * (double)column / 16,
			row->bytes / r->ns, r->ratio.median, r->ratio.low,
			r->ratio.high);
	}
	fputs("EOD\n", out);
}

static void put_axes(FILE *out, const struct table *table)
{
	if (grows(table)) {
		fputs("set logscale x 2\nset xtics auto norotate\n"
		      "set format x \"%.0b%B\"\n"
		      "set xrange [*:*]\nset xlabel \"bytes in a copy\"\n",
		      out);
		return;
	}
	fprintf(out, "unset logscale x\nset xlabel \"\"\n"
		"set xrange [-0.5:%zu]\nset xtics rotate by -40 (",
		table->count);
	for (size_t i = 0; i < table->count; i++) {
		fputs(i ? ", " : "", out);
		text_gnuplot(out, table->rows[i].name);
		fprintf(out, " %zu", i);
	}
	fputs(")\n", out);
}

static void put_curves(FILE *out, const struct table *table,
		       const char *columns, const char *style)
{
	const struct competitors *list = table->competitors;
	const char *before = "plot ";

	for (size_t i = 0; i < list->count; i++) {
		if (i == CONTROL || !table_has(table, &list->all[i]))
			continue;
		fprintf(out, "%s$column%zu using %s with %s lc rgb \"%s\" "
			"lw %d title ", before, i, columns, style,
			colours[i % COUNT_OF(colours)],
			strcmp(list->all[i].name, "memroute") ? 1 : 3);
		text_gnuplot(out, list->all[i].name);
		before = ", \\\n\t";
	}
	fputc('\n', out);
}

static void put_table(FILE *out, const struct table *table)
{
	const struct competitors *list = table->competitors;
	bool by_size = grows(table);

	for (size_t i = 0; i < list->count; i++)
		put_data(out, table, &list->all[i], i);
	put_axes(out, table);
	fprintf(out, "set title \"%s: GB/s, higher is faster\"\n"
		"set ylabel \"GB/s\"\nunset logscale y\nset yrange [0:*]\n",
		table->workload);
	put_curves(out, table, "1:2",
		   by_size ? "linespoints" : "points");
	fprintf(out, "set title \"%s: time over %s's time, below 1 is "
		"faster\"\nset ylabel \"ratio\"\nset logscale y 2\n"
		"set yrange [0.25:4]\n", table->workload,
		list->all[REFERENCE].name);
	put_curves(out, table, "1:3:4:5",
		   by_size ? "yerrorlines" : "yerrorbars");
}

void output_plot(const struct bench *bench, const char *path)
{
	const char *dot = strrchr(path, '.');
	FILE *out = popen("gnuplot", "we");

	if (!out)
		fail("cannot start gnuplot");
	signal(SIGPIPE, SIG_IGN);	/* pclose() tells if it is gone */
	fprintf(out, "set terminal %s size %d,%zu noenhanced\nset output ",
		strcmp(dot, ".svg") ? "pngcairo" : "svg", WIDTH,
		2 * HEIGHT * bench->table_count);
	text_gnuplot(out, path);
	fprintf(out, "\nset multiplot layout %zu,1\nset grid\n"
		"set key outside right\nset bars small\n",
		2 * bench->table_count);
	for (size_t i = 0; i < bench->table_count; i++)
		put_table(out, &bench->tables[i]);
	fputs("unset multiplot\n", out);
	if (pclose(out))
		fail("gnuplot could not draw %s", path);
}
