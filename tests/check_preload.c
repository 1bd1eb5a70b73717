/* check_preload.c - the lists in LD_PRELOAD and MEMROUTE.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "../src/memroute/preload.h"

#define LIBRARY "/usr/lib/libmemroute.so"

static const struct {
	const char *list, *first, *result;
} additions[] = {
	{ NULL, NULL, LIBRARY },
	{ "", NULL, LIBRARY },
	{ " : ::", NULL, LIBRARY },
	{ "a.so", NULL, "a.so:" LIBRARY },
	{ "a.so b.so", NULL, "a.so:b.so:" LIBRARY },
	{ ":a.so: b.so :", NULL, "a.so:b.so:" LIBRARY },
	{ LIBRARY, NULL, LIBRARY },
	{ "a.so:" LIBRARY " b.so", NULL, "a.so:" LIBRARY ":b.so" },
	/* another one of that name is another library */
	{ "/opt/libmemroute.so", NULL, "/opt/libmemroute.so:" LIBRARY },
	{ NULL, "libasan.so.8", "libasan.so.8:" LIBRARY },
	{ "a.so", "libasan.so.8", "libasan.so.8:a.so:" LIBRARY },
	{ "a.so:libasan.so.8", "libasan.so.8", "libasan.so.8:a.so:" LIBRARY },
	{ LIBRARY, "libasan.so.8", "libasan.so.8:" LIBRARY },
};

START_TEST(test_library_is_added)
{
	char *result = preload_add(additions[_i].list, LIBRARY,
				   additions[_i].first);

	ck_assert_str_eq(result, additions[_i].result);
	free(result);
}
END_TEST

static const struct {
	const char *list, *result;
} removals[] = {
	{ NULL, "" },
	{ "", "" },
	{ LIBRARY, "" },
	{ "libmemroute.so", "" },
	{ "a.so:" LIBRARY " /x/libmemroute.so:b.so", "a.so:b.so" },
	{ "libmemroute.so.bak:notlibmemroute.so /x/libmemroute.so/y",
	  "libmemroute.so.bak:notlibmemroute.so:/x/libmemroute.so/y" },
};

START_TEST(test_library_is_removed)
{
	char *result = preload_without_memroute(removals[_i].list);

	ck_assert_str_eq(result, removals[_i].result);
	free(result);
}
END_TEST

START_TEST(test_separators_cannot_be_held)
{
	ck_assert(preload_can_hold("/usr/lib/x,y/libmemroute.so"));
	ck_assert(!preload_can_hold("/home/a b/libmemroute.so"));
	ck_assert(!preload_can_hold("/home/a:b/libmemroute.so"));
}
END_TEST

static const struct {
	const char *value, *kernel;
	bool verbose;
	const char *result;
} variables[] = {
	{ NULL, NULL, false, "" },
	{ NULL, "sse2", false, "sse2" },
	{ NULL, NULL, true, "verbose" },
	{ "libc", "sse2", false, "sse2" },
	{ "libc,verbose,auto,avx2", "sse2", true, "sse2,verbose" },
	{ ",non_temporal_threshold=4M,,erms", "libc", true,
	  "libc,non_temporal_threshold=4M,verbose" },
	{ "avx2,verbose", NULL, true, "avx2,verbose" },
	/* what the library is to complain of stays */
	{ "AVX2,avx22", "sse2", false, "sse2,AVX2,avx22" },
};

START_TEST(test_only_the_kernel_is_replaced)
{
	char *result = memroute_with(variables[_i].value, variables[_i].kernel,
				     variables[_i].verbose);

	ck_assert_str_eq(result, variables[_i].result);
	free(result);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof(table[0]))

int main(void)
{
	Suite *suite = suite_create("preload");
	TCase *lists = tcase_create("lists");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(lists, test_library_is_added, 0, ROWS(additions));
	tcase_add_loop_test(lists, test_library_is_removed, 0,
			    ROWS(removals));
	tcase_add_test(lists, test_separators_cannot_be_held);
	tcase_add_loop_test(lists, test_only_the_kernel_is_replaced, 0,
			    ROWS(variables));
	suite_add_tcase(suite, lists);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
