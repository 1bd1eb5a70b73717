/* check_report.c - lines on stderr, and the few string functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <string.h>

#include "report.h"
#include "suite.h"
#include "text.h"

static const char *said_of(void (*add)(struct report *))
{
	struct report line;

	catch_begin();
	report_begin(&line);
	add(&line);
	report_end(&line);
	return catch_end();
}

static void add_numbers(struct report *line)
{
	report_number(line, 0);
	report_text(line, " ");
	report_number(line, 10);
	report_text(line, " ");
	report_number(line, UINT64_MAX);
}

static void add_addresses(struct report *line)
{
	report_address(line, NULL);
	report_text(line, " ");
	report_address(line, (const void *)(uintptr_t)0x1234abcd);
	report_text(line, " ");
	report_address(line, (const void *)UINTPTR_MAX);
}

static void add_controls(struct report *line)
{
	report_text(line, "a\tb\nc\x1b[1m\x7f \x80\xff~");
}

static void add_parts(struct report *line)
{
	report_chars(line, "abcdef", 3);
	report_chars(line, "xyz", 0);
	report_chars(line, "12", 100);
}

static void add_too_much(struct report *line)
{
	for (int i = 0; i < 1000; i++)
		report_text(line, "0123456789");
	report_number(line, UINT64_MAX);
}

START_TEST(test_writes_numbers)
{
	ck_assert_str_eq(said_of(add_numbers),
			 "memroute: 0 10 18446744073709551615\n");
}
END_TEST

START_TEST(test_writes_addresses)
{
	const char *want = sizeof(void *) == 8 ?
		"memroute: 0x0 0x1234abcd 0xffffffffffffffff\n" :
		"memroute: 0x0 0x1234abcd 0xffffffff\n";

	ck_assert_str_eq(said_of(add_addresses), want);
}
END_TEST

START_TEST(test_hides_control_characters)
{
	ck_assert_str_eq(said_of(add_controls),
			 "memroute: a?b?c?[1m? \x80\xff~\n");
}
END_TEST

START_TEST(test_stops_at_the_end_of_text)
{
	ck_assert_str_eq(said_of(add_parts), "memroute: abc12\n");
}
END_TEST

START_TEST(test_cuts_a_long_line)
{
	const char *said = said_of(add_too_much);
	size_t n = sizeof(((struct report *)0)->text);

	ck_assert_uint_eq(strlen(said), n);
	ck_assert_int_eq(said[n - 1], '\n');
	ck_assert_ptr_eq(strchr(said, '\n'), said + n - 1);
}
END_TEST

START_TEST(test_keeps_errno_without_stderr)
{
	struct report line;
	int copy = dup(2), error;

	close(2);
	errno = 12345;
	report_begin(&line);
	report_text(&line, "nobody reads this");
	report_end(&line);
	error = errno;
	dup2(copy, 2);
	ck_assert_int_eq(error, 12345);
}
END_TEST

START_TEST(test_text_compares)
{
	ck_assert(text_begins("abc", "") && text_begins("abc", "abc"));
	ck_assert(!text_begins("ab", "abc") && !text_begins("xbc", "a"));
	ck_assert(!text_begins("", "a") && text_begins("", ""));
	ck_assert(text_equal("", "") && text_equal("abc", "abc"));
	ck_assert(!text_equal("abc", "ab") && !text_equal("ab", "abc"));
	ck_assert(!text_equal("abc", "abd") && !text_equal("", "a"));
	ck_assert(text_is("abc,", 3, "abc") && text_is("", 0, ""));
	ck_assert(!text_is("abc", 2, "abc") && !text_is("abc", 3, "ab"));
	ck_assert(!text_is("abd", 3, "abc") && !text_is("a", 0, "a"));
}
END_TEST

START_TEST(test_text_copies)
{
	char to[6];

	memset(to, 'x', sizeof(to));
	text_copy(to, 4, "abcdef");
	ck_assert_mem_eq(to, "abc\0xx", 6);
	text_copy(to, 6, "vwxyz");
	ck_assert_mem_eq(to, "vwxyz", 6);
	text_copy(to, 6, "");
	ck_assert_mem_eq(to, "\0wxyz", 6);
	text_copy(to, 1, "abc");
	ck_assert_mem_eq(to, "\0wxyz", 6);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");

	tcase_add_test(tc, test_writes_numbers);
	tcase_add_test(tc, test_writes_addresses);
	tcase_add_test(tc, test_hides_control_characters);
	tcase_add_test(tc, test_stops_at_the_end_of_text);
	tcase_add_test(tc, test_cuts_a_long_line);
	tcase_add_test(tc, test_keeps_errno_without_stderr);
	tcase_add_test(tc, test_text_compares);
	tcase_add_test(tc, test_text_copies);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
