/* check_kernels.c - every copy function that this CPU can run, at length.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* Check kills what takes longer, in seconds: a guard against hanging only. */
enum { HANGS_AFTER = 600 };

static void run(case_fn *kind, int i)
{
	const struct row *row = &rows[i / THRESHOLD_SETS];
	const struct threshold_set *set = &threshold_sets[i % THRESHOLD_SETS];
	const char *failure;

	if (i % THRESHOLD_SETS && !row->ours)
		return;
	rows_set_thresholds(set);
	failure = kind(row, 1);
	if (failure)
		ck_abort_msg("%s (thresholds: %s)", failure, set->name);
}

START_TEST(test_copies_any_alignment)
{
	run(case_alignments, _i * THRESHOLD_SETS);
}
END_TEST

START_TEST(test_copies_any_size)
{
	run(case_sizes, _i);
}
END_TEST

START_TEST(test_copies_any_overlap)
{
	run(case_overlaps, _i);
}
END_TEST

START_TEST(test_stays_between_guard_pages)
{
	run(case_guards, _i);
}
END_TEST

START_TEST(test_copies_nothing_from_anywhere)
{
	run(case_nothing, _i);
}
END_TEST

START_TEST(test_faults_on_impossible_sizes)
{
	run(case_impossible, _i);
}
END_TEST

START_TEST(test_keeps_registers_and_modes)
{
	run(case_registers, _i);
}
END_TEST

START_TEST(test_obeys_thresholds_and_fences)
{
	run(case_paths, _i);
}
END_TEST

START_TEST(test_tears_no_word)
{
	run(case_tearing, _i * THRESHOLD_SETS);
}
END_TEST

START_TEST(test_tears_no_word_at_any_step)
{
	run(case_words, _i * THRESHOLD_SETS);
}
END_TEST

START_TEST(test_is_done_before_a_flag)
{
	run(case_handover, _i);
}
END_TEST

/* One test for all whole kernels, so that they share the memory; one
 * threshold at a time, and rep movsb where it is the kernel's own. */
START_TEST(test_copies_above_4_gib)
{
	for (int i = 0; i < (int)row_count * THRESHOLD_SETS; i++) {
		const struct row *row = &rows[i / THRESHOLD_SETS];

		if (row->from || i % THRESHOLD_SETS > 2 ||
		    (i % THRESHOLD_SETS == 2 && strcmp(row->name, "erms")))
			continue;
		printf("above 4 GiB: %s, thresholds: %s\n", row->name,
		       threshold_sets[i % THRESHOLD_SETS].name);
		fflush(stdout);
		run(case_huge, i);
	}
}
END_TEST

static Suite *kernels_suite(void)
{
	const int count = (int)row_count, each = count * THRESHOLD_SETS;
	Suite *suite = suite_create("kernels");
	TCase *tc = tcase_create("bytes");

	tcase_set_timeout(tc, HANGS_AFTER);
	tcase_add_loop_test(tc, test_copies_any_alignment, 0, count);
	tcase_add_loop_test(tc, test_copies_any_size, 0, each);
	tcase_add_loop_test(tc, test_copies_any_overlap, 0, each);
	tcase_add_loop_test(tc, test_stays_between_guard_pages, 0, each);
	tcase_add_loop_test(tc, test_copies_nothing_from_anywhere, 0, each);
	tcase_add_test(tc, test_copies_above_4_gib);
	tcase_add_loop_test(tc, test_faults_on_impossible_sizes, 0, each);
	suite_add_tcase(suite, tc);

	tc = tcase_create("machine");
	tcase_set_timeout(tc, HANGS_AFTER);
	tcase_add_loop_test(tc, test_keeps_registers_and_modes, 0, each);
	tcase_add_loop_test(tc, test_obeys_thresholds_and_fences, 0, each);
	tcase_add_loop_test(tc, test_tears_no_word_at_any_step, 0, count);
	suite_add_tcase(suite, tc);

	tc = tcase_create("threads");
	tcase_set_timeout(tc, HANGS_AFTER);
	tcase_add_loop_test(tc, test_tears_no_word, 0, count);
	tcase_add_loop_test(tc, test_is_done_before_a_flag, 0, each);
	suite_add_tcase(suite, tc);
	return suite;
}

/* With --every-kernel nothing is run: exit status 77 if a kernel cannot be. */
int main(int argc, char **argv)
{
	SRunner *runner;
	int failed;

	rows_find();
	if (argc == 2 && !strcmp(argv[1], "--every-kernel"))
		return rows_skipped ? 77 : EXIT_SUCCESS;
	runner = srunner_create(kernels_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
