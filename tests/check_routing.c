/*
 * check_routing.c - which loop of the kernel template a copy takes: the one
 * for aligned blocks if and only if both are. Built for every vector width.
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <config.h>

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A turn of a loop copies nothing here and notes what it may rely on. */
static size_t route;
#define COPY4(type, d, s) (route = __alignof__(type))

#define COPY_ABOVE copy_above
#define CLEAN_UPPER 0
#include "../src/kernels/kernels.h"
static copy_fn COPY_ABOVE;
#include "../src/kernels/copy_template.h"

static uint8_t from[8192] __attribute__((aligned(64)));
static uint8_t to[8192] __attribute__((aligned(64)));

START_TEST(test_aligned_loop_for_aligned_blocks_only)
{
	memroute_state.thresholds.special = SIZE_MAX;
	for (size_t n = 15 * VEC_SIZE + 1; n < 64 * VEC_SIZE; n += 37)
		for (size_t d = 0; d < 64; d++)
			for (size_t s = 0; s < 64; s++) {
				bool aligned = d % VEC_SIZE == 0 &&
					       s % VEC_SIZE == 0;

				route = 0;
				copy_above(to + d, from + s, n);
				ck_assert_msg(route == (aligned ? VEC_SIZE : 1),
					      "%zu bytes, dst %zu, src %zu: "
					      "route %zu", n, d, s, route);
			}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("routing");
	TCase *tcase = tcase_create("routing");
	SRunner *runner;
	int failed;

	if (!__builtin_cpu_supports(TARGET)) {
		puts("skipped: this CPU has no " TARGET);
		return 77;
	}
	tcase_add_test(tcase, test_aligned_loop_for_aligned_blocks_only);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
