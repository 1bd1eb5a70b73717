/* check_libc_choice.c - what ld.so says of libc's copies, good and bad.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/memroute/libc_choice.h"

#define KEY "x86.cpu_features."

static bool parse(const char *text, struct libc_choice *choice)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	bool told;

	ck_assert_ptr_nonnull(file);
	told = libc_choice_parse(file, choice);
	fclose(file);
	return told;
}

START_TEST(test_thresholds_are_read)
{
	struct libc_choice choice;

	ck_assert(parse("dl_hwcap=0x2\n"
			"env[0x0]=\"X=x86.cpu_features.rep_movsb_threshold=1\"\n"
			KEY "shared_cache_size=0x10000000\n"
			KEY "non_temporal_threshold=0xc000000\n"
			KEY "rep_movsb_threshold=0x840\n"
			KEY "rep_movsb_stop_threshold=0x80000\n"
			KEY "rep_stosb_threshold=0x800\n", &choice));
	ck_assert_uint_eq(choice.shared_cache_size, 256 << 20);
	ck_assert_uint_eq(choice.non_temporal_threshold, 192 << 20);
	ck_assert_uint_eq(choice.rep_movsb_threshold, 2112);
	ck_assert_uint_eq(choice.rep_movsb_stop_threshold, 512 << 10);
}
END_TEST

static const char *const silent[] = {
	"\n", "dl_hwcap=0x2\n", KEY "rep_movsb_threshold\n",
	KEY "rep_movsb_threshold=\n" KEY "non_temporal_threshold=zz\n",
	KEY "rep_movsb_threshold=0x840\n",
};

START_TEST(test_silence_is_noticed)
{
	struct libc_choice choice;

	ck_assert(!parse(silent[_i], &choice));
}
END_TEST

static const struct cpu zen3 = {
	.vendor = VENDOR_AMD, .family = 0x19, .model = 1,
	.features = CPU_AVX2 | CPU_ERMS | CPU_FSRM, .l3 = 32 << 20,
};
static const struct cpu intel = {
	.vendor = VENDOR_INTEL, .family = 6, .model = 0x6a,
	.features = CPU_AVX2 | CPU_ERMS | CPU_FSRM, .l3 = 32 << 20,
};

/* glibc 2.36 as seen on Zen 3; the fixed one; one with the tunable. */
static const struct libc_choice live = {
	192 << 20, 2112, 512 << 10, 256 << 20
};
static const struct libc_choice fixed = {
	24 << 20, 24 << 20, 24 << 20, 32 << 20
};
static const struct libc_choice tuned = {
	24 << 20, 1 << 30, 512 << 10, 32 << 20
};

static bool applies(const char *name, const struct cpu *cpu,
		    const struct libc_choice *choice)
{
	for (size_t i = 0; i < SLOW_CASES; i++)
		if (strcmp(slow_cases[i].name, name) == 0)
			return slow_cases[i].applies(cpu, choice);
	ck_abort_msg("no case %s", name);
}

START_TEST(test_slow_cases_are_known)
{
	struct cpu no_erms = zen3, no_l3 = zen3;

	no_erms.features = CPU_AVX2;
	no_l3.l3 = 0;
	ck_assert(applies("glibc-bug-30994", &zen3, &live));
	ck_assert(!applies("glibc-bug-30994", &zen3, &fixed));
	ck_assert(!applies("glibc-bug-30994", &zen3, &tuned));
	ck_assert(!applies("glibc-bug-30994", &intel, &live));
	ck_assert(!applies("glibc-bug-30994", &no_erms, &live));
	ck_assert(applies("non-temporal-above-l3", &zen3, &live));
	ck_assert(applies("non-temporal-above-l3", &intel, &live));
	ck_assert(!applies("non-temporal-above-l3", &zen3, &fixed));
	ck_assert(!applies("non-temporal-above-l3", &no_l3, &live));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("libc_choice");
	TCase *choices = tcase_create("choices");
	SRunner *runner;
	int failed;

	tcase_add_test(choices, test_thresholds_are_read);
	tcase_add_loop_test(choices, test_silence_is_noticed, 0,
			    (int)(sizeof(silent) / sizeof(silent[0])));
	tcase_add_test(choices, test_slow_cases_are_known);
	suite_add_tcase(suite, choices);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
