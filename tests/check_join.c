/* check_join.c - memroute-bench: tables of several processes become one.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#undef fail	/* Check's old macro; ours is a function */
#include "../src/bench/join.h"

enum { STATUS_OF_ANOTHER_SHAPE = 1, FAST = CONTROL + 1, OTHERS = 4 };

/* What one process measured of the only row. */
struct sample {
	double control;			/* ratio of the A/A */
	double ns, ratio, low, high;	/* of "fast" */
};

static const struct sample own = { 1.00, 8, 0.80, 0.79, 0.81 };
static const struct sample samples[OTHERS] = {
	{ 0.98, 7, 0.70, 0.69, 0.72 },
	{ 1.03, 9, 0.90, 0.88, 0.92 },
	{ 1.01, 5, 0.75, 0.74, 0.76 },
	{ 0.99, 6, 0.85, 0.84, 0.86 },
};

static const struct competitor competitors[] = {
	{ .name = "libc" }, { .name = "A/A" }, { .name = "fast" },
};
static struct competitors list;
static struct row row;
static struct table table = { "random", "a note", &list, 1, &row };
static struct bench bench = { .table_count = 1, .tables = &table };

static void set_up(void)
{
	row = (struct row){
		.name = "1..16", .bytes = 8.5, .repetitions = 10, .retried = 3,
		.ungated = 1, .count = 3,
	};
	row.results[REFERENCE] = (struct result){
		&competitors[REFERENCE], 10, { 1, 1, 1 }, VERDICT_WITHIN };
	row.results[CONTROL] = (struct result){
		&competitors[CONTROL], 10,
		{ own.control, 0.99, 1.01 }, VERDICT_WITHIN };
	row.results[FAST] = (struct result){
		&competitors[FAST], own.ns, { own.ratio, own.low, own.high },
		VERDICT_FASTER };
}

static json_t *result_of(const char *name, double ns, double ratio, double low,
			 double high)
{
	return json_pack("{s:s s:f s:f s:f s:f}", "competitor", name, "ns", ns,
			 "ratio", ratio, "low", low, "high", high);
}

/* As output_json() writes it; to be changed and decref'd by the test. */
static json_t *process_of(const struct sample *s)
{
	return json_pack("{s:[{s:s s:[{s:s s:f s:i s:i s:i s:[o o o]}]}]}",
			 "tables", "workload", "random", "rows", "name",
			 "1..16", "bytes", 8.4, "pairs", 20, "retried", 2,
			 "ungated", 1, "results",
			 result_of("libc", 10, 1, 1, 1),
			 result_of("A/A", 10, s->control, s->control - 0.01,
				   s->control + 0.01),
			 result_of("fast", s->ns, s->ratio, s->low, s->high));
}

static json_t *first(const json_t *object, const char *key)
{
	return json_array_get(json_object_get(object, key), 0);
}

static json_t *row_of(const json_t *process)
{
	return first(first(process, "tables"), "rows");
}

static void join(size_t count)
{
	json_t *others[OTHERS] = { NULL };

	for (size_t i = 0; i < count; i++)
		others[i] = process_of(&samples[i]);
	join_tables(&bench, others, count);
	for (size_t i = 0; i < count; i++)
		json_decref(others[i]);
}

START_TEST(test_medians_and_their_range)
{
	const struct result *r = &row.results[FAST];

	join(OTHERS);
	ck_assert_double_eq(r->ratio.median, 0.80);
	ck_assert_double_eq(r->ratio.low, 0.70);
	ck_assert_double_eq(r->ratio.high, 0.90);
	ck_assert_double_eq(r->ns, 7);
	ck_assert_double_eq(row.results[REFERENCE].ratio.low, 1);
	ck_assert_double_eq(row.results[REFERENCE].ratio.high, 1);
	ck_assert_double_eq(row.bytes, 8.5);
}
END_TEST

START_TEST(test_median_of_two_is_between)
{
	join(1);
	ck_assert_double_eq_tol(row.results[FAST].ratio.median, 0.75, 1e-12);
	ck_assert_double_eq(row.results[FAST].ns, 7.5);
}
END_TEST

START_TEST(test_one_process_stays_as_it_is)
{
	join(0);
	ck_assert_double_eq(row.results[FAST].ratio.low, own.low);
	ck_assert_double_eq(row.results[FAST].ratio.high, own.high);
	ck_assert_uint_eq(row.repetitions, 10);
	ck_assert_double_eq_tol(row.deviation, 0.01, 1e-12);
}
END_TEST

START_TEST(test_counts_are_added_up)
{
	join(OTHERS);
	ck_assert_uint_eq(row.repetitions, 10 + 4 * 20);
	ck_assert_uint_eq(row.retried, 3 + 4 * 2);
	ck_assert_uint_eq(row.ungated, 1 + 4 * 1);
}
END_TEST

START_TEST(test_deviation_is_of_the_wider_control)
{
	join(OTHERS);
	ck_assert_double_eq_tol(row.deviation, 0.03, 1e-12);
	ck_assert_int_eq(row.results[FAST].verdict, VERDICT_FASTER);
}
END_TEST

/* Faster in this process, slower in another one. */
START_TEST(test_no_verdict_where_processes_disagree)
{
	struct sample slower = samples[0];
	json_t *other;

	slower.ratio = 1.2;
	slower.low = 1.19;
	slower.high = 1.21;
	other = process_of(&slower);
	row.results[FAST].ratio.median = 0.5;	/* far from 1 on average */
	join_tables(&bench, &other, 1);
	ck_assert_int_eq(row.results[FAST].verdict, VERDICT_WITHIN);
	json_decref(other);
}
END_TEST

/* Faster in both, by less than another process's control differs. */
START_TEST(test_no_verdict_within_another_control)
{
	struct sample noisy = samples[0];
	json_t *other;

	noisy.control = 1.4;
	other = process_of(&noisy);
	join_tables(&bench, &other, 1);
	ck_assert_int_eq(row.results[FAST].verdict, VERDICT_WITHIN);
	json_decref(other);
}
END_TEST

/* Each makes one thing of the object another. */
static void lose_tables(json_t *process)
{
	json_array_clear(json_object_get(process, "tables"));
}

static void rename_table(json_t *process)
{
	json_object_set_new(first(process, "tables"), "workload",
			    json_string("fixed"));
}

static void add_row(json_t *process)
{
	json_array_append(json_object_get(first(process, "tables"), "rows"),
			  row_of(process));
}

static void rename_row(json_t *process)
{
	json_object_set_new(row_of(process), "name", json_string("1..17"));
}

static void add_result(json_t *process)
{
	json_array_append(json_object_get(row_of(process), "results"),
			  first(row_of(process), "results"));
}

static void rename_competitor(json_t *process)
{
	json_object_set_new(first(row_of(process), "results"), "competitor",
			    json_string("musl"));
}

static void lose_ratio(json_t *process)
{
	json_object_set_new(first(row_of(process), "results"), "ratio",
			    json_null());
}

static void lose_pairs(json_t *process)
{
	json_object_del(row_of(process), "pairs");
}

static void (*const changes[])(json_t *) = {
	lose_tables, rename_table, add_row, rename_row, add_result,
	rename_competitor, lose_ratio, lose_pairs,
};

START_TEST(test_refuses_other_cells)
{
	json_t *others[] = { process_of(&samples[0]), process_of(&samples[1]) };

	changes[_i](others[1]);
	join_tables(&bench, others, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("join");
	SRunner *runner = srunner_create(suite);
	TCase *tc = tcase_create("join");
	int failed;

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, test_medians_and_their_range);
	tcase_add_test(tc, test_median_of_two_is_between);
	tcase_add_test(tc, test_one_process_stays_as_it_is);
	tcase_add_test(tc, test_counts_are_added_up);
	tcase_add_test(tc, test_deviation_is_of_the_wider_control);
	tcase_add_test(tc, test_no_verdict_where_processes_disagree);
	tcase_add_test(tc, test_no_verdict_within_another_control);
	tcase_add_loop_exit_test(tc, test_refuses_other_cells,
				 STATUS_OF_ANOTHER_SHAPE, 0,
				 sizeof(changes) / sizeof(changes[0]));
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
