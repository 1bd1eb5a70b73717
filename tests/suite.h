/* suite.h - what every check_*.c needs: run a suite, catch stderr.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Runs a suite; the exit status for main(). */
static inline int suite_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int caught_stderr = -1;
static FILE *caught_file;

/* From here to catch_end() what is written to descriptor 2 is kept. */
static inline void catch_begin(void)
{
	caught_file = tmpfile();
	caught_stderr = dup(2);
	ck_assert(caught_file && caught_stderr >= 0);
	dup2(fileno(caught_file), 2);
}

/* What was written: in a static buffer, at most 4 KiB of it. */
static inline const char *catch_end(void)
{
	static char text[4096];
	size_t n;

	dup2(caught_stderr, 2);
	close(caught_stderr);
	rewind(caught_file);
	n = fread(text, 1, sizeof(text) - 1, caught_file);
	text[n] = 0;
	fclose(caught_file);
	return text;
}

#endif
