/* check_policy.c - what is chosen for CPUs that are not here, and why.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "made_up_cpus.h"
#include "policy.h"
#include "suite.h"

#define MIB ((size_t)1 << 20)

static void choose(const char *cpu_name, const struct options *options,
		   struct decision *decision)
{
	struct cpu cpu;

	for (int i = 0; i < made_up_cpu_count; i++)
		if (!strcmp(made_up_cpus[i].name, cpu_name)) {
			cpu_decode(&made_up_cpus[i].record, &cpu);
			memset(decision, 0xff, sizeof(*decision));
			policy_choose(&cpu, options, decision);
			return;
		}
	ck_abort_msg("no such CPU: %s", cpu_name);
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

START_TEST(test_chooses_for_made_up_cpus)
{
	const struct made_up_cpu *m = &made_up_cpus[_i];
	const struct options automatic = { .kernel = "auto" };
	const char *kernel = memroute_kernel_by_name(m->kernel) ? m->kernel :
			     "avx2";	/* --disable-avx512 */
	struct decision d;

	choose(m->name, &automatic, &d);
	ck_assert_msg(d.kernel && !strcmp(d.kernel->name, kernel),
		      "%s: %s, not %s", m->name,
		      d.kernel ? d.kernel->name : "libc", kernel);
	ck_assert_msg(!d.refused, "%s: refused %s", m->name, d.refused);
	ck_assert_msg(d.thresholds.non_temporal == m->non_temporal,
		      "%s: non-temporal from %zu, not %zu", m->name,
		      d.thresholds.non_temporal, m->non_temporal);
	ck_assert_msg(d.thresholds.rep_movsb == m->rep_movsb,
		      "%s: rep movsb from %zu, not %zu", m->name,
		      d.thresholds.rep_movsb, m->rep_movsb);
	ck_assert_msg(d.thresholds.special ==
		      smaller(m->non_temporal, m->rep_movsb),
		      "%s: special %zu", m->name, d.thresholds.special);
	ck_assert_msg(!d.thresholds.one_stream ==
		      !strstr(m->non_temporal_reason, "one stream"),
		      "%s: one stream or several", m->name);
	ck_assert_msg(strstr(d.kernel_reason, m->kernel_reason), "%s: %s",
		      m->name, d.kernel_reason);
	ck_assert_msg(strstr(d.non_temporal_reason, m->non_temporal_reason),
		      "%s: %s", m->name, d.non_temporal_reason);
	ck_assert_msg(strstr(d.rep_movsb_reason, m->rep_movsb_reason),
		      "%s: %s", m->name, d.rep_movsb_reason);
}
END_TEST

/* The same thresholds on every machine, so that counts agree. */
START_TEST(test_named_kernel_is_the_same_everywhere)
{
	static const char *const names[] = { "sse2", "avx2", "erms" };
	const struct options options = { .kernel = names[_i] };
	struct decision d;
	struct cpu cpu;
	int run = 0;

	for (int i = 0; i < made_up_cpu_count; i++) {
		cpu_decode(&made_up_cpus[i].record, &cpu);
		if (!policy_allows(&cpu, memroute_kernel_by_name(names[_i])))
			continue;
		policy_choose(&cpu, &options, &d);
		ck_assert_str_eq(d.kernel->name, names[_i]);
		ck_assert_ptr_null(d.refused);
		ck_assert_uint_eq(d.thresholds.non_temporal, 16 * MIB);
		ck_assert_uint_eq(d.thresholds.one_stream, 0);
		ck_assert_uint_eq(d.thresholds.rep_movsb,
				  _i == 2 ? 2048 : SIZE_MAX);
		ck_assert_str_eq(d.kernel_reason, "asked for");
		ck_assert_ptr_nonnull(strstr(d.rep_movsb_reason, "fixed"));
		run++;
	}
	ck_assert_int_gt(run, 5);
}
END_TEST

START_TEST(test_kernel_that_cannot_run_is_refused)
{
	const struct options avx2 = { .kernel = "avx2" };
	const struct options erms = { .kernel = "erms" };
	struct decision d;

	choose("AVX without OSXSAVE", &avx2, &d);
	ck_assert_str_eq(d.refused, "avx2");
	ck_assert_str_eq(d.kernel->name, "sse2");
	ck_assert_uint_eq(d.thresholds.non_temporal, 2 * MIB);
	choose("Zen 1", &erms, &d);
	ck_assert_str_eq(d.refused, "erms");
	ck_assert_str_eq(d.kernel->name, "avx2");
}
END_TEST

START_TEST(test_avx512_is_refused_without_state)
{
	const struct options options = { .kernel = "avx512" };
	struct decision d;

	if (!memroute_kernel_by_name("avx512")) {
		printf("skipped: built with --disable-avx512\n");
		return;
	}
	choose("AVX-512 without its state in XCR0", &options, &d);
	ck_assert_str_eq(d.refused, "avx512");
	ck_assert_str_eq(d.kernel->name, "avx2");
	/* against the policy, but allowed: it was asked for */
	choose("Skylake-X", &options, &d);
	ck_assert_ptr_null(d.refused);
	ck_assert_str_eq(d.kernel->name, "avx512");
	choose("Haswell with RTM", &options, &d);
	ck_assert_str_eq(d.refused, "avx512");
}
END_TEST

START_TEST(test_libc_has_no_kernel_and_no_thresholds)
{
	const struct options options = {
		.kernel = "libc", .non_temporal_threshold = 4096,
		.rep_movsb_threshold = 8192,
	};
	struct decision d;

	choose("Zen 3", &options, &d);
	ck_assert_ptr_null(d.kernel);
	ck_assert_ptr_null(d.refused);
	ck_assert_uint_eq(d.thresholds.special, SIZE_MAX);
	ck_assert_uint_eq(d.thresholds.non_temporal, SIZE_MAX);
	ck_assert_uint_eq(d.thresholds.rep_movsb, SIZE_MAX);
}
END_TEST

START_TEST(test_thresholds_override_each_by_itself)
{
	struct options options = { .kernel = "auto" };
	struct decision d;

	options.non_temporal_threshold = 4096;
	choose("Zen 3", &options, &d);
	ck_assert_uint_eq(d.thresholds.non_temporal, 4096);
	ck_assert_uint_eq(d.thresholds.rep_movsb, SIZE_MAX);
	ck_assert_uint_eq(d.thresholds.special, 4096);
	ck_assert_str_eq(d.non_temporal_reason, "asked for");
	ck_assert_ptr_nonnull(strstr(d.rep_movsb_reason, "30994"));
	options.rep_movsb_threshold = 2000;
	choose("Zen 3", &options, &d);
	ck_assert_uint_eq(d.thresholds.rep_movsb, 2000);
	ck_assert_uint_eq(d.thresholds.special, 2000);
	options.non_temporal_threshold = 0;
	options.kernel = "sse2";
	choose("Zen 3", &options, &d);
	ck_assert_uint_eq(d.thresholds.non_temporal, 16 * MIB);
	ck_assert_uint_eq(d.thresholds.rep_movsb, 2000);
	ck_assert_uint_eq(d.thresholds.special, 2000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("policy");
	TCase *tc = tcase_create("policy");

	tcase_add_loop_test(tc, test_chooses_for_made_up_cpus, 0,
			    made_up_cpu_count);
	tcase_add_loop_test(tc, test_named_kernel_is_the_same_everywhere, 0,
			    3);
	tcase_add_test(tc, test_kernel_that_cannot_run_is_refused);
	tcase_add_test(tc, test_avx512_is_refused_without_state);
	tcase_add_test(tc, test_libc_has_no_kernel_and_no_thresholds);
	tcase_add_test(tc, test_thresholds_override_each_by_itself);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
