/* check_dispatch.c - from the environment to the state, and finding libc.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dlfcn.h>
#include <string.h>

#include "dispatch.h"
#include "report.h"
#include "state.h"
#include "suite.h"

#ifdef __GLIBC__
# include <gnu/libc-version.h>
#else
# define gnu_get_libc_version() NULL
#endif

/* Decides and fills; what was said on stderr. */
static const char *decide(const char *variable, struct dispatch *dispatch)
{
	const char *const environment[] = { "PATH=/bin", variable, NULL };
	const char *said;

	catch_begin();
	dispatch_decide(dispatch, environment);
	said = catch_end();
	dispatch_fill(dispatch);
	return said;
}

START_TEST(test_state_begins_as_the_baseline)
{
	ck_assert_ptr_null((void *)memroute_state.slot);
	ck_assert_uint_eq(memroute_state.limit, 0);
	ck_assert_uint_eq(memroute_state.thresholds.special, SIZE_MAX);
	ck_assert_uint_eq(memroute_state.thresholds.non_temporal, SIZE_MAX);
	ck_assert_uint_eq(memroute_state.thresholds.rep_movsb, SIZE_MAX);
	ck_assert_uint_eq(memroute_state.magic, MEMROUTE_STATE_MAGIC);
	ck_assert_mem_eq(&memroute_state.magic, "memroute", 8);
	ck_assert_uint_eq(memroute_state.version, MEMROUTE_STATE_VERSION);
	ck_assert_uint_eq(memroute_state.size, sizeof(memroute_state));
	ck_assert_str_eq(memroute_state.kernel, "");
	ck_assert_uint_eq((uintptr_t)&memroute_state % STATE_ALIGNMENT, 0);
}
END_TEST

START_TEST(test_kernel_fills_slot_and_limit)
{
	const struct kernel *sse2 = memroute_kernel_by_name("sse2");
	struct dispatch dispatch;

	ck_assert_str_eq(decide("MEMROUTE=sse2,non_temporal_threshold=5M,"
				"rep_movsb_threshold=6K", &dispatch), "");
	ck_assert(memroute_state.slot == sse2->copy_above);
	ck_assert_uint_eq(memroute_state.limit, ENTRY_LIMIT);
	ck_assert_uint_eq(memroute_state.thresholds.non_temporal, 5 << 20);
	ck_assert_uint_eq(memroute_state.thresholds.rep_movsb, 6 << 10);
	ck_assert_uint_eq(memroute_state.thresholds.special, 6 << 10);
	ck_assert_str_eq(memroute_state.kernel, "sse2");
	ck_assert_str_eq(memroute_state.reason, "asked for");
}
END_TEST

START_TEST(test_default_is_not_the_baseline_where_avx2_is)
{
	const struct kernel *avx2 = memroute_kernel_by_name("avx2");
	struct dispatch dispatch;

	decide("MEMROUTE=auto", &dispatch);
	if (!policy_allows(&dispatch.cpu, avx2) ||
	    dispatch.cpu.features & CPU_RTM) {
		printf("skipped: the baseline is right for this CPU\n");
		return;
	}
	ck_assert_str_ne(memroute_state.kernel, "sse2");
	ck_assert(memroute_state.slot != memroute_kernel_by_name("sse2")
		  ->copy_above);
}
END_TEST

START_TEST(test_libc_fills_libcs_memmove_and_no_limit)
{
	struct dispatch dispatch;

	ck_assert_str_eq(decide("MEMROUTE=libc", &dispatch), "");
	ck_assert_ptr_null(dispatch.decision.kernel);
	ck_assert_ptr_eq((void *)memroute_state.slot,
			 dlsym(RTLD_DEFAULT, "memmove"));
	ck_assert_ptr_eq((void *)memroute_state.libc_memmove,
			 (void *)memroute_state.slot);
	ck_assert_uint_eq(memroute_state.limit, 0);
	ck_assert_str_eq(memroute_state.kernel, "libc");
}
END_TEST

START_TEST(test_complains_once_of_what_cannot_run)
{
	struct dispatch dispatch;
	const char *said = decide("MEMROUTE=avx512", &dispatch);
	const struct kernel *k = memroute_kernel_by_name("avx512");

	if (k && policy_allows(&dispatch.cpu, k)) {
		ck_assert_str_eq(said, "");
		ck_assert_str_eq(memroute_state.kernel, "avx512");
		return;
	}
	ck_assert_ptr_nonnull(strstr(said, "memroute: MEMROUTE: 'avx512' "
				     "ignored"));
	ck_assert_ptr_nonnull(strstr(said, "; allowed: auto libc"));
	ck_assert_ptr_nonnull(strstr(said, " sse2"));
	ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
	ck_assert_str_ne(memroute_state.kernel, "");
}
END_TEST

START_TEST(test_no_environment_is_the_default)
{
	struct dispatch dispatch;

	memset(&dispatch, 0xff, sizeof(dispatch));
	dispatch_decide(&dispatch, NULL);
	ck_assert_ptr_null(dispatch.variable);
	ck_assert_str_eq(dispatch.options.kernel, MEMROUTE_DEFAULT_KERNEL);
	ck_assert(!dispatch.options.verbose);
}
END_TEST

START_TEST(test_finds_libc)
{
	struct libc libc;

	memset(&libc, 0xff, sizeof(libc));
	libc_find(&libc);
	ck_assert_ptr_nonnull(libc.path);
	ck_assert_ptr_nonnull(strstr(libc.path, "libc"));
	ck_assert_ptr_eq((void *)libc.memmove, dlsym(RTLD_DEFAULT, "memmove"));
	if (!gnu_get_libc_version())
		ck_assert_ptr_null(libc.version);
	else
		ck_assert_str_eq(libc.version, gnu_get_libc_version());
}
END_TEST

START_TEST(test_this_process_is_not_secure)
{
	ck_assert(!libc_is_secure());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dispatch");
	TCase *tc = tcase_create("dispatch");

	tcase_add_test(tc, test_state_begins_as_the_baseline);
	tcase_add_test(tc, test_kernel_fills_slot_and_limit);
	tcase_add_test(tc, test_default_is_not_the_baseline_where_avx2_is);
	tcase_add_test(tc, test_libc_fills_libcs_memmove_and_no_limit);
	tcase_add_test(tc, test_complains_once_of_what_cannot_run);
	tcase_add_test(tc, test_no_environment_is_the_default);
	tcase_add_test(tc, test_finds_libc);
	tcase_add_test(tc, test_this_process_is_not_secure);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
