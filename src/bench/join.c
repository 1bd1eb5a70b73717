/* join.c - one set of tables out of those of several processes.
 *
 * Where code and data lie decides over a branch predictor's and a cache's
 * collisions, and a control in the same process has the same luck: one cell in
 * thirty was off by up to 16 per cent in a run whose A/A was within 0.5. A
 * fresh process has fresh addresses.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "../measure/text.h"
#include "complain.h"
#include "join.h"

static json_t *item(const json_t *object, const char *list, size_t i)
{
	return json_array_get(json_object_get(object, list), i);
}

static size_t length(const json_t *object, const char *list)
{
	return json_array_size(json_object_get(object, list));
}

static void check_text(const json_t *object, const char *key, const char *text)
{
	const char *other = json_string_value(json_object_get(object, key));
	json_t *own = text_json(text);

	if (!other || !own || strcmp(other, json_string_value(own)))
		fail("another process measured '%s' in place of '%s'",
		     other ? other : "nothing", text);
	json_decref(own);
}

static void check_length(const json_t *object, const char *list, size_t count)
{
	if (length(object, list) != count)
		fail("another process measured %zu %s in place of %zu",
		     length(object, list), list, count);
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_number(value))
		fail("another process gave no number as '%s'", key);
	return json_number_value(value);
}

/* The results of a competitor, one of each other process. */
static void join_result(struct result *r, json_t *const *others, size_t count)
{
	double ratios[PROCESSES_MAX], times[PROCESSES_MAX];

	for (size_t i = 0; i < count; i++) {
		check_text(others[i], "competitor", r->competitor->name);
		ratios[i] = number(others[i], "ratio");
		times[i] = number(others[i], "ns");
	}
	ratios[count] = r->ratio.median;
	times[count] = r->ns;
	r->ns = statistics_median(times, count + 1);
	if (count)
		r->ratio = statistics_bootstrap(ratios, count + 1, 0.95, 1);
}

/* The same row of each other process. */
static void join_row(struct row *row, json_t *const *others, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_text(others[i], "name", row->name);
		check_length(others[i], "results", row->count);
		row->repetitions += (unsigned)number(others[i], "pairs");
		row->retried += (unsigned)number(others[i], "retried");
		row->ungated += (unsigned)number(others[i], "ungated");
	}
	for (size_t k = 0; k < row->count; k++) {
		json_t *results[PROCESSES_MAX];

		for (size_t i = 0; i < count; i++)
			results[i] = item(others[i], "results", k);
		join_result(&row->results[k], results, count);
	}
	row_judge(row);
}

/* The same table of each other process. */
static void join_table(struct table *table, json_t *const *others, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_text(others[i], "workload", table->workload);
		check_length(others[i], "rows", table->count);
	}
	for (size_t k = 0; k < table->count; k++) {
		json_t *rows[PROCESSES_MAX];

		for (size_t i = 0; i < count; i++)
			rows[i] = item(others[i], "rows", k);
		join_row(&table->rows[k], rows, count);
	}
}

void join_tables(struct bench *bench, json_t *const *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_length(others[i], "tables", bench->table_count);
	for (size_t k = 0; k < bench->table_count; k++) {
		json_t *tables[PROCESSES_MAX];

		for (size_t i = 0; i < count; i++)
			tables[i] = item(others[i], "tables", k);
		join_table(&bench->tables[k], tables, count);
	}
}
