/* check_bench.c - memroute-bench: parsers, operations, statistics.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef fail	/* Check's old macro; ours is a function */
#include "../src/bench/distribution.h"
#include "../src/bench/measure.h"
#include "../src/bench/operations.h"
#include "../src/bench/settings.h"
#include "../src/bench/trace.h"
#include "../src/bench/workload.h"
#include "../src/measure/statistics.h"

enum { STATUS_OF_BAD_INPUT = 2 };

static char path[64], beside[80];

/* path holds this text. */
static void write_file(const char *text)
{
	FILE *file;
	int fd;

	strcpy(path, "/tmp/check_bench.XXXXXX.csv");
	fd = mkstemps(path, 4);
	ck_assert_int_ge(fd, 0);
	file = fdopen(fd, "w");
	fputs(text, file);
	fclose(file);
}

static void remove_files(void)
{
	if (path[0])
		unlink(path);
	if (beside[0])
		unlink(beside);
	path[0] = beside[0] = '\0';
}

/* Distributions */

START_TEST(test_reads_fleetbench)
{
	struct distribution d;

	write_file("0:0.25,8:0.5,4096:0.25\n0:0.75,1:0.25\n1:0.5,64:0.5\n");
	distribution_read(&d, path);
	ck_assert_uint_eq(d.sizes.count, 3);
	ck_assert_uint_eq(d.sizes.values[2].low, 4096);
	ck_assert_uint_eq(d.sizes.values[2].high, 4096);
	ck_assert_double_eq(d.sizes.weights[1], 0.5);
	ck_assert_double_eq(d.overlap, 0.25);
	ck_assert_uint_eq(d.dst_alignment.count, 2);
	ck_assert_uint_eq(d.src_alignment.values[1].high, 64);
	distribution_free(&d);
}
END_TEST

START_TEST(test_reads_counts_of_fleetbench)
{
	struct distribution d;

	write_file("0:3,8:1\n0:60,1:20\n1:5\n");
	distribution_read(&d, path);
	ck_assert_double_eq(d.overlap, 0.25);
	distribution_free(&d);
}
END_TEST

START_TEST(test_reads_sizes_with_spec_alignments)
{
	struct distribution d;
	double dst = 0, src = 0;

	write_file("# sizes\n32,22320\n\n0,7\n");
	distribution_read(&d, path);
	ck_assert_uint_eq(d.sizes.count, 2);
	ck_assert_uint_eq(d.sizes.values[0].low, 32);
	ck_assert_double_eq(d.sizes.weights[1], 7);
	for (size_t i = 0; i < d.dst_alignment.count; i++) {
		dst += d.dst_alignment.weights[i];
		src += d.src_alignment.weights[i];
	}
	/* Per cent of all copies, as published. */
	ck_assert_double_eq_tol(dst, 100, 0.2);
	ck_assert_double_eq_tol(src, 100, 0.2);
	distribution_free(&d);
}
END_TEST

static const char histogram[] =
	"symbol,size_lo,size_hi,calls,bytes\n"
	"memcpy,1,1,3,3\nmemmove,4096,4607,5,21000\n";

START_TEST(test_reads_histogram_without_alignments)
{
	struct distribution d;

	write_file(histogram);
	distribution_read(&d, path);
	ck_assert_uint_eq(d.sizes.count, 2);
	ck_assert_uint_eq(d.sizes.values[1].low, 4096);
	ck_assert_uint_eq(d.sizes.values[1].high, 4607);
	ck_assert_double_eq(d.sizes.weights[1], 5);
	ck_assert_uint_eq(d.dst_alignment.count, 1);
	ck_assert_uint_eq(d.dst_alignment.values[0].low, 0);
	distribution_free(&d);
}
END_TEST

static void write_beside(const char *text)
{
	FILE *file;

	snprintf(beside, sizeof(beside), "%.*s.align.csv",
		 (int)strlen(path) - 4, path);
	file = fopen(beside, "w");
	fputs(text, file);
	fclose(file);
}

START_TEST(test_reads_alignments_beside_a_histogram)
{
	struct distribution d;

	write_file(histogram);
	write_beside("symbol,size_lo,size_hi,dst_align,src_align,mutual_align,"
		     "calls\nmemcpy,1,1,1,16,1,3\nmemcpy,1,1,64,1,1,4\n");
	distribution_read(&d, path);
	ck_assert_uint_eq(d.dst_alignment.count, 2);
	ck_assert_uint_eq(d.dst_alignment.values[0].low, 0);
	ck_assert_uint_eq(d.dst_alignment.values[1].low, 64);
	ck_assert_uint_eq(d.src_alignment.values[0].low, 16);
	ck_assert_double_eq(d.src_alignment.weights[1], 4);
	distribution_free(&d);
}
END_TEST

static const char *const bad_distributions[] = {
	"", "\n\n", "# nothing else\n",
	"0:0.5,x:0.5\n0:1\n1:1\n",
	"0:0.5,8\n0:1\n1:1\n",
	"0:0.5,8:\n0:1\n1:1\n",
	"0:0.5,8:y\n0:1\n1:1\n",
	"0:0.5,8:-1\n0:1\n1:1\n",
	"0:0.5,8:nan\n0:1\n1:1\n",
	"0:0.5,8:inf\n0:1\n1:1\n",
	"0:0.5,-8:0.5\n0:1\n1:1\n",
	"0:0.5,1073741825:0.5\n0:1\n1:1\n",
	"0:0.5,99999999999999999999:0.5\n0:1\n1:1\n",
	"0:0.5,8:0.5,\n0:1\n1:1\n",
	"0:0.5,8:0.5\n",
	"0:0.5,8:0.5\n0:1\n",
	"0:0.5,8:0.5\n2:1\n1:1\n",
	"0:0.5,8:0.5\n0:1\n3:1\n",
	"0:0.5,8:0.5\n0:1\n128:1\n",
	"0:0.5,8:0.5\n0:1\n0:1\n",
	"0:0.5,8:0.5\n0:1\n1:1\n1:1\n",
	"0:0,8:0\n0:1\n1:1\n",
	"0:0.5,8:0.5\n0:1\n1:0\n",
	"32\n", "32,\n", "32,x\n", "x,32\n", "32,1,2\n", "32,0\n", ",\n",
	"symbol,size_lo,size_hi,calls,bytes\n",
	"symbol,size_lo,size_hi,calls,bytes\nmemcpy,1,1,3\n",
	"symbol,size_lo,size_hi,calls,bytes\nmemcpy,1,1,3,4,5\n",
	"symbol,size_lo,size_hi,calls,bytes\nmemcpy,2,1,3,4\n",
	"symbol,size_lo,size_hi,calls,bytes\nmemcpy,1,1,x,4\n",
};

START_TEST(test_refuses_bad_distributions)
{
	struct distribution d;

	write_file(bad_distributions[_i]);
	atexit(remove_files);
	distribution_read(&d, path);
}
END_TEST

START_TEST(test_refuses_bad_alignments_beside_a_histogram)
{
	struct distribution d;

	write_file(histogram);
	write_beside("symbol,size_lo,size_hi,dst_align,src_align,mutual_align,"
		     "calls\nmemcpy,1,1,1,48,1,3\n");
	atexit(remove_files);
	distribution_read(&d, path);
}
END_TEST

START_TEST(test_refuses_a_missing_file)
{
	struct distribution d;

	distribution_read(&d, "/nonexistent/file.csv");
}
END_TEST

START_TEST(test_refuses_a_folder)
{
	struct distribution d;

	distribution_read(&d, "/tmp");
}
END_TEST

/* Traces */

#define TRACE_HEADER "n,dst_off4k,src_off4k,symbol,overlap\n"

START_TEST(test_reads_a_trace)
{
	struct trace trace;

	write_file(TRACE_HEADER "5,304,2188,memcpy,0\n70000,0,4095,memmove,4\n");
	trace_read(&trace, path);
	ck_assert_uint_eq(trace.count, 2);
	ck_assert_uint_eq(trace.copies[0].dst, 304);
	ck_assert_uint_eq(trace.copies[1].n, 70000);
	ck_assert_uint_eq(trace.copies[1].src, 4095);
	ck_assert_uint_eq(trace.copies[1].overlap, TRACE_ADJACENT);
	trace_free(&trace);
}
END_TEST

static const char *const bad_traces[] = {
	"", TRACE_HEADER, "n,dst\n", "5,304,2188,memcpy,0\n",
	TRACE_HEADER "5,304,2188,memcpy\n",
	TRACE_HEADER "5,304,2188,memcpy,0,1\n",
	TRACE_HEADER "5,4096,2188,memcpy,0\n",
	TRACE_HEADER "5,304,4096,memcpy,0\n",
	TRACE_HEADER "5,304,2188,memcpy,5\n",
	TRACE_HEADER "-5,304,2188,memcpy,0\n",
	TRACE_HEADER "5 ,304,2188,memcpy,0\n",
	TRACE_HEADER "536870913,304,2188,memcpy,0\n",
};

START_TEST(test_refuses_bad_traces)
{
	struct trace trace;

	write_file(bad_traces[_i]);
	atexit(remove_files);
	trace_read(&trace, path);
}
END_TEST

static struct bench bench_for_tests(void)
{
	struct bench bench = { .settings = { .operations = 1000, .seed = 1 } };

	bench.rng = gsl_rng_alloc(gsl_rng_taus2);
	return bench;
}

static void assert_inside(const struct cell *cell)
{
	for (size_t i = 0; i < cell->count; i++) {
		const struct operation *o = &cell->operations[i];

		ck_assert_uint_le((size_t)o->dst + o->n, cell->arena_size);
		ck_assert_uint_le((size_t)o->src + o->n, cell->arena_size);
	}
}

static bool overlaps(const struct operation *o)
{
	return o->dst < o->src + o->n && o->src < o->dst + o->n;
}

START_TEST(test_trace_cell_keeps_offsets_and_overlap)
{
	struct bench bench = bench_for_tests();
	const struct operation *o;
	struct cell *cell;

	write_file(TRACE_HEADER
		   "100,304,2188,memcpy,0\n"	/* apart */
		   "100,500,500,memmove,1\n"	/* the same */
		   "100,10,50,memmove,2\n"	/* below */
		   "100,10,4090,memmove,3\n"	/* above, across a page */
		   "100,150,50,memcpy,4\n"	/* just above */
		   "100,4050,54,memcpy,4\n"	/* just below */
		   "50,700,150,memcpy,0\n");	/* from the last but one */
	cell = cell_from_trace(&bench, path, "t");
	o = cell->operations;
	assert_inside(cell);
	for (size_t i = 0; i < 7; i++)
		ck_assert_int_eq(overlaps(&o[i]), i >= 1 && i <= 3);
	ck_assert_uint_eq(o[0].dst % 4096, 304);
	ck_assert_uint_eq(o[0].src % 4096, 2188);
	ck_assert_uint_eq(o[1].dst, o[1].src);
	ck_assert_uint_eq(o[2].src - o[2].dst, 40);
	ck_assert_uint_eq(o[3].dst - o[3].src, 16);
	ck_assert_uint_eq(o[4].dst, o[4].src + 100);
	ck_assert_uint_eq(o[5].src, o[5].dst + 100);
	ck_assert_uint_eq(o[6].src, o[4].dst);
	cell_free(cell);
	gsl_rng_free(bench.rng);
}
END_TEST

/* Each copy goes on where the last one ended: none may walk out of its arena,
 * whichever way it goes. */
START_TEST(test_trace_cell_stays_inside)
{
	struct bench bench = bench_for_tests();
	char text[64 * 300 + 64] = TRACE_HEADER;
	struct cell *cell;

	for (unsigned i = 0; i < 300; i++) {
		unsigned src = (i * (_i ? 3000 : 1096)) % 4096;
		unsigned dst = ((i + 1) * (_i ? 3000 : 1096)) % 4096;

		sprintf(text + strlen(text), "3000,%u,%u,memmove,%d\n", dst,
			src, _i ? TRACE_ADJACENT : TRACE_DST_BELOW);
	}
	write_file(text);
	cell = cell_from_trace(&bench, path, "t");
	assert_inside(cell);
	cell_free(cell);
	gsl_rng_free(bench.rng);
}
END_TEST

/* Sizes */

START_TEST(test_parses_sizes)
{
	struct size_range r[LIST_MAX];

	ck_assert_uint_eq(settings_parse_sizes("0,64,2K,1M-1G,1-16", r), 5);
	ck_assert_uint_eq(r[0].low, 0);
	ck_assert_uint_eq(r[2].high, 2048);
	ck_assert_uint_eq(r[3].low, 1 << 20);
	ck_assert_uint_eq(r[3].high, 1 << 30);
	ck_assert_uint_eq(r[4].low, 1);
	ck_assert_uint_eq(r[4].high, 16);
}
END_TEST

static const char *const bad_sizes[] = {
	"", ",", "x", "-1", "1-", "-", "16-1", "1k", "1KB", "2G", "1073741825",
	"99999999999999999999", "1,,2", "1, 2", "1.5", "0x10",
};

START_TEST(test_refuses_bad_sizes)
{
	struct size_range r[LIST_MAX];

	settings_parse_sizes(bad_sizes[_i], r);
}
END_TEST

/* Operations */

START_TEST(test_random_offsets_are_aligned_as_asked)
{
	static const unsigned alignments[] = { 1, 2, 4, 8, 16, 32, 64 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	unsigned alignment = alignments[_i];

	for (size_t n = 0; n < 40000; n += 97) {
		uint32_t offset = random_offset(rng, n, alignment);

		ck_assert_uint_eq(offset % alignment, 0);
		if (alignment < 64)
			ck_assert_uint_ne(offset % (2 * alignment), 0);
		ck_assert_uint_le(offset + n, side_size(n));
	}
	gsl_rng_free(rng);
}
END_TEST

START_TEST(test_random_cell_covers_its_range)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct cell *cell = cell_random(rng, 5000,
					(struct size_range){ 3, 20 }, "c");
	bool seen[32] = { false };

	assert_inside(cell);
	for (size_t i = 0; i < cell->count; i++) {
		ck_assert(!overlaps(&cell->operations[i]));
		seen[cell->operations[i].n & 31] = true;
	}
	for (size_t n = 0; n < 32; n++)
		ck_assert_int_eq(seen[n], n >= 3 && n <= 20);
	cell_free(cell);
	gsl_rng_free(rng);
}
END_TEST

START_TEST(test_distance_is_that_of_the_pages)
{
	struct cell *cell = cell_at_distance(100000, 4095, true);
	const struct operation *o = cell->operations;

	ck_assert_uint_eq((o->dst - o->src) % 4096, 4095);
	ck_assert(!overlaps(o));
	assert_inside(cell);
	cell_free(cell);
}
END_TEST

/* Statistics */

START_TEST(test_median_of_known_samples)
{
	static const double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 3, 2 };

	ck_assert_double_eq(statistics_median(odd, 3), 3);
	ck_assert_double_eq(statistics_median(even, 4), 2.5);
	ck_assert_double_eq(odd[0], 5);
}
END_TEST

START_TEST(test_bootstrap_holds_the_median)
{
	double values[101];
	struct estimate e, again;

	for (int i = 0; i < 101; i++)
		values[i] = (i * 37) % 101;	/* 0..100, shuffled */
	e = statistics_bootstrap(values, 101, 0.95, 7);
	again = statistics_bootstrap(values, 101, 0.95, 7);
	ck_assert_double_eq(e.median, 50);
	/* The median of 101 uniform values has a standard error of
	 * 101 / 2 / sqrt(101) = 5: the interval is about +-10. */
	ck_assert_double_gt(e.low, 50 - 20);
	ck_assert_double_lt(e.low, 50 - 4);
	ck_assert_double_gt(e.high, 50 + 4);
	ck_assert_double_lt(e.high, 50 + 20);
	ck_assert_double_eq(e.low, again.low);
	ck_assert_double_eq(e.high, again.high);
}
END_TEST

START_TEST(test_bootstrap_of_few_is_their_range)
{
	static const double few[] = { 2, 9, 4 };
	struct estimate e = statistics_bootstrap(few, 3, 0.95, 1);

	ck_assert_double_eq(e.median, 4);
	ck_assert_double_eq(e.low, 2);
	ck_assert_double_eq(e.high, 9);
}
END_TEST

/* Of 1000 samples of 25 whose median is 0, 95 % have it in their interval;
 * a binomial with p = 0.95 is below 920 once in 10^5 times. The bootstrap of
 * a median is known to be a little off. */
START_TEST(test_intervals_cover_the_truth)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	int bootstrap = 0, sign = 0;

	for (int k = 0; k < 1000; k++) {
		double values[25];
		struct estimate e;

		for (int i = 0; i < 25; i++)
			values[i] = log(gsl_rng_uniform_pos(rng) /
					gsl_rng_uniform_pos(rng));
		e = statistics_bootstrap(values, 25, 0.95, 1);
		bootstrap += e.low <= 0 && e.high >= 0;
		e = statistics_sign_interval(values, 25, 0.95);
		sign += e.low <= 0 && e.high >= 0;
	}
	ck_assert_int_ge(bootstrap, 910);
	ck_assert_int_ge(sign, 930);
	gsl_rng_free(rng);
}
END_TEST

static TCase *tcase(Suite *suite, const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, NULL, remove_files);
	suite_add_tcase(suite, tc);
	return tc;
}

static void add_parsers(Suite *suite)
{
	TCase *tc = tcase(suite, "distribution");

	tcase_add_test(tc, test_reads_fleetbench);
	tcase_add_test(tc, test_reads_counts_of_fleetbench);
	tcase_add_test(tc, test_reads_sizes_with_spec_alignments);
	tcase_add_test(tc, test_reads_histogram_without_alignments);
	tcase_add_test(tc, test_reads_alignments_beside_a_histogram);
	tcase_add_loop_exit_test(tc, test_refuses_bad_distributions,
				 STATUS_OF_BAD_INPUT, 0,
				 COUNT_OF(bad_distributions));
	tcase_add_exit_test(tc, test_refuses_bad_alignments_beside_a_histogram,
			    STATUS_OF_BAD_INPUT);
	tcase_add_exit_test(tc, test_refuses_a_missing_file,
			    STATUS_OF_BAD_INPUT);
	tcase_add_exit_test(tc, test_refuses_a_folder, STATUS_OF_BAD_INPUT);

	tc = tcase(suite, "trace");
	tcase_add_test(tc, test_reads_a_trace);
	tcase_add_loop_exit_test(tc, test_refuses_bad_traces,
				 STATUS_OF_BAD_INPUT, 0, COUNT_OF(bad_traces));
	tcase_add_test(tc, test_trace_cell_keeps_offsets_and_overlap);
	tcase_add_loop_test(tc, test_trace_cell_stays_inside, 0, 2);

	tc = tcase(suite, "sizes");
	tcase_add_test(tc, test_parses_sizes);
	tcase_add_loop_exit_test(tc, test_refuses_bad_sizes,
				 STATUS_OF_BAD_INPUT, 0, COUNT_OF(bad_sizes));
}

int main(void)
{
	Suite *suite = suite_create("bench");
	SRunner *runner = srunner_create(suite);
	TCase *tc;
	int failed;

	add_parsers(suite);
	tc = tcase(suite, "operations");
	tcase_add_loop_test(tc, test_random_offsets_are_aligned_as_asked, 0, 7);
	tcase_add_test(tc, test_random_cell_covers_its_range);
	tcase_add_test(tc, test_distance_is_that_of_the_pages);

	tc = tcase(suite, "statistics");
	tcase_add_test(tc, test_median_of_known_samples);
	tcase_add_test(tc, test_bootstrap_holds_the_median);
	tcase_add_test(tc, test_bootstrap_of_few_is_their_range);
	tcase_add_test(tc, test_intervals_cover_the_truth);

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
