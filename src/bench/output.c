/* output.c - what was measured, as tables for people.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

enum { NAME_WIDTH_MIN = 12 };

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_WITHIN] = "within A/A",
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
	};

	return names[verdict];
}

void output_header(const struct bench *bench, const struct machine *machine)
{
	const struct bench_settings *s = &bench->settings;

	printf("%s, %ld CPU%s, core clock %.2f GHz, %.2f at the end, governor "
	       "%s; %s, %s; %s\n", machine->brand, machine->cpus,
	       machine->cpus == 1 ? "" : "s", machine->core_ghz,
	       machine->core_ghz_after, machine->governor, machine->libc,
	       machine->kernel, machine->compiler);
	printf("%s; seed %lu, %zu operations, %u process%s, at least %u pairs, "
	       "%.3g s a row\n", machine->date, s->seed, s->operations,
	       s->processes, s->processes == 1 ? "" : "es", s->repetitions,
	       s->seconds);
}

double table_mean(const struct table *table, const struct competitor *c)
{
	double sum = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct result *r = row_result_of(&table->rows[i], c);

		if (!r)
			return NAN;
		sum += log(r->ratio.median);
	}
	return exp(sum / (double)table->count);
}

static int column_width(const struct competitor *c)
{
	int length = (int)strlen(c->name);

	return length < 7 ? 9 : length + 2;
}

static int name_width(const struct table *table)
{
	int width = NAME_WIDTH_MIN;

	for (size_t i = 0; i < table->count; i++)
		if ((int)strlen(table->rows[i].name) > width)
			width = (int)strlen(table->rows[i].name);
	return width;
}

static void print_columns(const struct table *table, int width)
{
	char head[sizeof(table->competitors->all[REFERENCE].name) + 3];

	snprintf(head, sizeof(head), "%s ns",
		 table->competitors->all[REFERENCE].name);
	printf("%-*s %9s %7s %7s", width, "", head, "GB/s", "A/A +-");
	for (size_t i = CONTROL + 1; i < table->competitors->count; i++) {
		const struct competitor *c = &table->competitors->all[i];

		if (table_has(table, c))
			printf("%*s", column_width(c), c->name);
	}
	putchar('\n');
}

static void print_row(const struct table *table, const struct row *row,
		      int width)
{
	const struct result *reference = &row->results[REFERENCE];

	printf("%-*s %9.4g %7.4g %7.3f", width, row->name, reference->ns,
	       row->bytes / reference->ns, row->deviation);
	for (size_t i = CONTROL + 1; i < table->competitors->count; i++) {
		const struct competitor *c = &table->competitors->all[i];
		const struct result *r = row_result_of(row, c);

		if (!table_has(table, c))
			continue;
		if (r)
			printf("%*.3f%c", column_width(c) - 1, r->ratio.median,
			       r->verdict == VERDICT_WITHIN ? '~' : ' ');
		else
			printf("%*s", column_width(c), "- ");
	}
	putchar('\n');
}

static void print_means(const struct table *table, int width)
{
	printf("%-*s %9s %7s %7s", width, "geom. mean", "", "", "");
	for (size_t i = CONTROL + 1; i < table->competitors->count; i++) {
		const struct competitor *c = &table->competitors->all[i];
		double mean = table_mean(table, c);

		if (!table_has(table, c))
			continue;
		if (isnan(mean))
			printf("%*s", column_width(c), "- ");
		else
			printf("%*.3f ", column_width(c) - 1, mean);
	}
	putchar('\n');
}

static void print_matrix(const struct table *table)
{
	int width = name_width(table);

	print_columns(table, width);
	for (size_t i = 0; i < table->count; i++)
		print_row(table, &table->rows[i], width);
	if (table->count > 1)
		print_means(table, width);
}

static void print_intervals(const struct table *table)
{
	int width = name_width(table);

	printf("%-*s %-18s %10s %7s %7s %15s  %s\n", width, "", "competitor",
	       "ns", "GB/s", "ratio", "95 % interval", "verdict");
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];

		for (size_t k = 0; k < row->count; k++) {
			const struct result *r = &row->results[k];

			printf("%-*s %-18s %10.4g %7.4g %7.3f %7.3f %7.3f  %s\n",
			       width, row->name, r->competitor->name, r->ns,
			       row->bytes / r->ns, r->ratio.median,
			       r->ratio.low, r->ratio.high, k == REFERENCE ?
			       "reference" : verdict_name(r->verdict));
		}
	}
}

static void print_disturbed(const struct table *table)
{
	unsigned retried = 0, ungated = 0;

	for (size_t i = 0; i < table->count; i++) {
		retried += table->rows[i].retried;
		ungated += table->rows[i].ungated;
	}
	if (ungated)
		printf("(%u batches repeated; %u kept although the machine was "
		       "disturbed)\n", retried, ungated);
}

void output_tables(const struct bench *bench)
{
	for (size_t i = 0; i < bench->table_count; i++) {
		const struct table *table = &bench->tables[i];

		printf("\n%s: %s; ratio of the time to %s's, below 1 is "
		       "faster, ~ is within A/A\n", table->workload,
		       table->note, table->competitors->all[REFERENCE].name);
		if (bench->settings.intervals)
			print_intervals(table);
		else
			print_matrix(table);
		print_disturbed(table);
	}
}
