/* check_metric.c - the number that ab compares.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "../src/memroute/metric.h"

START_TEST(test_times_are_metrics)
{
	struct metric metric;

	ck_assert(metric_parse("wall", &metric));
	ck_assert_int_eq(metric.kind, METRIC_WALL);
	ck_assert(metric_parse("cpu", &metric));
	ck_assert_int_eq(metric.kind, METRIC_CPU);
}
END_TEST

static const char *const bad[] = {
	"", "Wall", "walls", "cpu ", "regex", "regex:(", "regex:[", "regex:*(",
};

START_TEST(test_bad_metrics_are_refused)
{
	struct metric metric;

	ck_assert(!metric_parse(bad[_i], &metric));
}
END_TEST

static const struct {
	const char *regex, *output;
	double number;		/* 0: none */
} finds[] = {
	{ "regex:[0-9]+", "took 42 ms", 42 },
	{ "regex:([0-9.]+) MB/s", "1.5 s, 250.25 MB/s", 250.25 },
	{ "regex:^rate=([0-9.e+]+)$", "x rate=1\nrate=1.5e+3\nrate=7\n", 1500 },
	{ "regex:(a)?n=[0-9]+", "n=5", 0 },
	{ "regex:n=([0-9]+)", "n=", 0 },
	{ "regex:n=(.*)", "n=-5", 0 },
	{ "regex:n=(.*)", "n=0", 0 },
	{ "regex:n=(.*)", "n=nan", 0 },
	{ "regex:n=(.*)", "n=inf", 0 },
	{ "regex:n=(.*)", "n=1e999", 0 },
	{ "regex:n=(.*)", "n=five", 0 },
	{ "regex:n=(.*)", "", 0 },
};

START_TEST(test_number_is_found)
{
	struct metric metric;
	double number = 0;
	bool found;

	ck_assert(metric_parse(finds[_i].regex, &metric));
	found = metric_find(&metric, finds[_i].output, &number);
	ck_assert_int_eq(found, finds[_i].number > 0);
	if (found)
		ck_assert_double_eq(number, finds[_i].number);
	metric_release(&metric);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof(table[0]))

int main(void)
{
	Suite *suite = suite_create("metric");
	TCase *metrics = tcase_create("metrics");
	SRunner *runner;
	int failed;

	tcase_add_test(metrics, test_times_are_metrics);
	tcase_add_loop_test(metrics, test_bad_metrics_are_refused, 0,
			    ROWS(bad));
	tcase_add_loop_test(metrics, test_number_is_found, 0, ROWS(finds));
	suite_add_tcase(suite, metrics);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
