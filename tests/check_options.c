/* check_options.c - the grammar of MEMROUTE, and its complaints.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#include "kernels/kernels.h"
#include "options.h"
#include "suite.h"

#define GIB ((uint64_t)1 << 30)
#define SIZES " ignored; allowed: a decimal SIZE with or without K, M or G, " \
	      "from "

static void parse(const char *text, struct options *options, unsigned bad)
{
	options_default(options);
	ck_assert_msg(options_parse(text, options) == bad, "%s", text);
}

START_TEST(test_default_is_what_configure_said)
{
	struct options options;

	memset(&options, 0xff, sizeof(options));
	options_default(&options);
	ck_assert_str_eq(options.kernel, MEMROUTE_DEFAULT_KERNEL);
	ck_assert_uint_eq(options.non_temporal_threshold, 0);
	ck_assert_uint_eq(options.rep_movsb_threshold, 0);
	ck_assert(!options.verbose);
}
END_TEST

static const struct {
	const char *text, *kernel;	/* NULL: the default */
	uint64_t non_temporal, rep_movsb;
	bool verbose;
} good[] = {
	{ "", NULL, 0, 0, false },
	{ ",", NULL, 0, 0, false },
	{ ",,,", NULL, 0, 0, false },
	{ "auto", "auto", 0, 0, false },
	{ "libc", "libc", 0, 0, false },
	{ "sse2", "sse2", 0, 0, false },
	{ "avx2", "avx2", 0, 0, false },
	{ "erms", "erms", 0, 0, false },
	{ "verbose", NULL, 0, 0, true },
	{ "verbose,verbose", NULL, 0, 0, true },
	{ ",libc,,verbose,", "libc", 0, 0, true },
	{ "libc,sse2", "sse2", 0, 0, false },
	{ "sse2,libc", "libc", 0, 0, false },
	{ "avx2,verbose,auto", "auto", 0, 0, true },
	{ "non_temporal_threshold=1024", NULL, 1024, 0, false },
	{ "rep_movsb_threshold=1024", NULL, 0, 1024, false },
	{ "non_temporal_threshold=1K", NULL, 1024, 0, false },
	{ "non_temporal_threshold=1M", NULL, 1048576, 0, false },
	{ "non_temporal_threshold=1G", NULL, GIB, 0, false },
	{ "non_temporal_threshold=0001K", NULL, 1024, 0, false },
	{ "non_temporal_threshold=1234567", NULL, 1234567, 0, false },
	{ "non_temporal_threshold=4K,non_temporal_threshold=1M", NULL, 1048576,
	  0, false },
	{ "rep_movsb_threshold=1M,sse2,rep_movsb_threshold=2K", "sse2", 0,
	  2048, false },
	{ "avx2,non_temporal_threshold=2M,rep_movsb_threshold=4K,verbose",
	  "avx2", 2097152, 4096, true },
};

START_TEST(test_reads_items)
{
	struct options options;
	const char *said;

	catch_begin();
	parse(good[_i].text, &options, 0);
	said = catch_end();
	ck_assert_str_eq(said, "");
	ck_assert_str_eq(options.kernel, good[_i].kernel ? good[_i].kernel :
			 MEMROUTE_DEFAULT_KERNEL);
	ck_assert_uint_eq(options.non_temporal_threshold,
			  good[_i].non_temporal);
	ck_assert_uint_eq(options.rep_movsb_threshold, good[_i].rep_movsb);
	ck_assert_int_eq(options.verbose, good[_i].verbose);
}
END_TEST

START_TEST(test_reads_the_largest_size)
{
	struct options options;
	char text[100];

	snprintf(text, sizeof(text), "non_temporal_threshold=%llu",
		 (unsigned long long)THRESHOLD_MAX);
	parse(text, &options, 0);
	ck_assert_uint_eq(options.non_temporal_threshold, THRESHOLD_MAX);
	snprintf(text, sizeof(text), "rep_movsb_threshold=%lluG",
		 (unsigned long long)(THRESHOLD_MAX >> 30));
	parse(text, &options, 0);
	ck_assert_uint_eq(options.rep_movsb_threshold, THRESHOLD_MAX);
}
END_TEST

static const char *const bad_sizes[] = {
	"", "0", "0K", "1", "1023", "1023K5", "K", "M", "G", "1k", "1m", "1g",
	"1T", "1KB", "1KiB", "1 K", " 1K", "1K ", "+1K", "-1K", "-1", "0x400",
	"1e6", "1.5M", "1_024", "1K1", "KK", "1KK", "1024\t", "\x01", "\xff",
	"nan", "=1K", "1K=", "1K:", "1048577M", "1025G", "1099511627777",
	"9223372036854775807", "9223372036854775808", "18446744073709551615",
	"18446744073709551616", "18446744073709552640", "18014398509481985K",
	"17179869184G", "17179869185G", "99999999999999999999999999999999999",
	"184467440737095516170",
};

static void one_size(const char *name, const char *size)
{
	struct options options;
	char text[200], want[400];
	const char *said;

	snprintf(text, sizeof(text), "%s=2K,%s=%s,verbose", name, name, size);
	snprintf(want, sizeof(want), "memroute: MEMROUTE: '%s=%s'" SIZES
		 "1024 to %llu bytes\n", name, size,
		 (unsigned long long)THRESHOLD_MAX);
	for (char *c = want; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n')
			*c = '?';
	catch_begin();
	parse(text, &options, 1);
	said = catch_end();
	ck_assert_str_eq(said, want);
	/* the others stand, the bad one changed nothing */
	ck_assert(options.verbose);
	ck_assert_uint_eq(options.non_temporal_threshold +
			  options.rep_movsb_threshold, 2048);
}

START_TEST(test_refuses_sizes_in_one_line)
{
	one_size("non_temporal_threshold", bad_sizes[_i]);
	one_size("rep_movsb_threshold", bad_sizes[_i]);
}
END_TEST

static const char *const bad_items[] = {
	"AUTO", "Libc", "SSE2", "avx", "avx22", "avx1024", "sse", "libc ",
	" libc", "auto;libc", "verbose=1", "Verbose", "verbos", "verbosee",
	"kernel=avx2", "non_temporal_threshold", "rep_movsb_threshold",
	"NON_TEMPORAL_THRESHOLD=1M", "threshold=1M", "=", "-", "libc:verbose",
	"lib\001c", "\x1b[31mred", "\xc3\xa4",
};

static void expected_item_line(char *want, size_t size, const char *item)
{
	int n = snprintf(want, size, "memroute: MEMROUTE: '%s' ignored; "
			 "allowed: auto libc", item);

	for (size_t i = 0; i < memroute_kernel_count; i++)
		n += snprintf(want + n, size - (size_t)n, " %s",
			      memroute_kernels[i].name);
	snprintf(want + n, size - (size_t)n, " non_temporal_threshold=SIZE "
		 "rep_movsb_threshold=SIZE verbose\n");
	for (char *c = want; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n')
			*c = '?';
}

START_TEST(test_refuses_items_in_one_line)
{
	struct options options;
	char text[200], want[400];
	const char *said;

	snprintf(text, sizeof(text), "sse2,%s,verbose", bad_items[_i]);
	expected_item_line(want, sizeof(want), bad_items[_i]);
	catch_begin();
	parse(text, &options, 1);
	said = catch_end();
	ck_assert_str_eq(said, want);
	ck_assert_str_eq(options.kernel, "sse2");
	ck_assert(options.verbose);
}
END_TEST

START_TEST(test_counts_a_line_for_each_bad_item)
{
	struct options options;
	const char *said;
	int lines = 0;

	catch_begin();
	parse("x,,y,libc,rep_movsb_threshold=,z", &options, 4);
	said = catch_end();
	for (const char *c = said; *c; c++)
		lines += *c == '\n';
	ck_assert_int_eq(lines, 4);
	ck_assert_str_eq(options.kernel, "libc");
}
END_TEST

/* An item of 100,000 characters: its beginning in one line, which is whole. */
START_TEST(test_cuts_long_items)
{
	const size_t n = 100000;
	char *text = malloc(n + 20);
	struct options options;
	const char *said;

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', n);
	strcpy(text + n, ",libc");
	catch_begin();
	parse(text, &options, 1);
	said = catch_end();
	ck_assert_str_eq(options.kernel, "libc");
	ck_assert_uint_lt(strlen(said), 400);
	ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
	ck_assert_ptr_nonnull(strstr(said, "xxx' ignored; allowed: auto"));
	ck_assert_ptr_nonnull(strstr(said, "SIZE verbose\n"));
	free(text);
}
END_TEST

START_TEST(test_finds_the_variable)
{
	const char *const none[] = { NULL };
	const char *const others[] = { "MEMROUTES=a", "XMEMROUTE=b",
				       "MEMROUTE", "memroute=c", "", NULL };
	const char *const twice[] = { "PATH=/bin", "MEMROUTE=first",
				      "MEMROUTE=second", NULL };
	const char *const empty[] = { "MEMROUTE=", NULL };

	ck_assert_ptr_null(options_find(NULL));
	ck_assert_ptr_null(options_find(none));
	ck_assert_ptr_null(options_find(others));
	/* as getenv(3) does */
	ck_assert_str_eq(options_find(twice), "first");
	ck_assert_str_eq(options_find(empty), "");
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *tc = tcase_create("options");

	tcase_add_test(tc, test_default_is_what_configure_said);
	tcase_add_loop_test(tc, test_reads_items, 0, COUNT(good));
	tcase_add_test(tc, test_reads_the_largest_size);
	tcase_add_loop_test(tc, test_refuses_sizes_in_one_line, 0,
			    COUNT(bad_sizes));
	tcase_add_loop_test(tc, test_refuses_items_in_one_line, 0,
			    COUNT(bad_items));
	tcase_add_test(tc, test_counts_a_line_for_each_bad_item);
	tcase_add_test(tc, test_cuts_long_items);
	tcase_add_test(tc, test_finds_the_variable);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
