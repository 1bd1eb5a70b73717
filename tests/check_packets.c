/* check_packets.c - packets go round unharmed, and harm is found.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#undef fail	/* of an old Check */
#include "../src/bench/competitor.h"
#include "../src/bench/complain.h"
#include "../src/bench/loopback.h"

static void bind_copy(copy_fn *copy)
{
	struct competitor competitor = { .copy = copy, .move = copy };

	competitor_bind(&competitor, false);
}

static void *right(void *dst, const void *src, size_t n)
{
	return memmove(dst, src, n);
}

static const struct loopback_shape shapes[] = {
	{ 64, true, false, 0, NULL },
	{ 64, false, false, 0, NULL },
	{ 65, true, false, 1, macswap_scalar },
	{ 158, false, false, 19, macswap_scalar },
	{ 256, true, false, 0, macswap_sse },
	{ 257, false, false, 3, macswap_interleaved },
	{ 1518, true, false, 0, macswap_interleaved },
	{ 2036, true, false, 0, NULL },		/* fills a buffer */
	{ 2037, true, false, 0, macswap_scalar },	/* one byte more */
	{ 2038, false, false, 0, NULL },	/* the largest vector packet */
	{ 4084, true, false, 7, NULL },		/* fills two */
	{ 9216, true, false, 0, macswap_scalar },
	{ 158, true, true, 0, NULL },
	{ 4096, true, true, 0, macswap_scalar },
	{ 128, false, true, 0, NULL },
};

START_TEST(test_packets_go_round)
{
	static const size_t counts[] = { 1, 31, 32, 33, 5000, 7 };
	struct loopback *loop = loopback_new(&shapes[_i]);

	bind_copy(right);
	loopback_verify(loop);
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		loopback_run_call(loop, counts[i]);
		loopback_verify(loop);
		loopback_run_inlined(loop, counts[i]);
		loopback_verify(loop);
	}
	ck_assert_uint_eq(loop->forwarded, 2 * (1 + 31 + 32 + 33 + 5000 + 7));
	loopback_free(loop);
}
END_TEST

/* Copies that go wrong once, long after the start. */
static unsigned calls;

static void *one_byte_wrong(void *dst, const void *src, size_t n)
{
	memmove(dst, src, n);
	if (n == 158 && ++calls == 1000)
		((unsigned char *)dst)[157] ^= 1;
	return dst;
}

static void *one_left_out(void *dst, const void *src, size_t n)
{
	return n == 158 && ++calls == 1000 ? dst : memmove(dst, src, n);
}

static void *one_too_short(void *dst, const void *src, size_t n)
{
	return memmove(dst, src, n == 158 && ++calls == 1000 ? 150 : n);
}

/* The used ring is copied too: one packet is told of twice. */
static void *one_doubled(void *dst, const void *src, size_t n)
{
	memmove(dst, src, n);
	if (n == BURST * sizeof(struct used_element) && ++calls == 100)
		memmove(dst, (struct used_element *)dst + 1,
			sizeof(struct used_element));
	return dst;
}

static void *used_garbage(void *dst, const void *src, size_t n)
{
	memmove(dst, src, n);
	if (n == BURST * sizeof(struct used_element) && ++calls == 100)
		memset(dst, 0xff, n);
	return dst;
}

static copy_fn *const faults[] = {
	one_byte_wrong, one_left_out, one_too_short, one_doubled, used_garbage,
};

/* Must not come to its end. */
START_TEST(test_fault_ends_the_program)
{
	struct loopback_shape shape = { .size = 158, .mergeable = true };
	struct loopback *loop = loopback_new(&shape);

	bind_copy(faults[_i]);
	for (unsigned i = 0; i < 100; i++) {
		loopback_run_call(loop, 320);
		loopback_verify(loop);
	}
}
END_TEST

static void *swaps_all_but_one(void *array, const void *unused, size_t count)
{
	return macswap_scalar(array, unused, count - (++calls == 100));
}

START_TEST(test_unswapped_packet_ends_the_program)
{
	struct loopback_shape shape = {
		.size = 64, .mergeable = true, .forward = swaps_all_but_one,
	};
	struct loopback *loop = loopback_new(&shape);

	bind_copy(right);
	for (unsigned i = 0; i < 100; i++) {
		loopback_run_call(loop, 320);
		loopback_verify(loop);
	}
}
END_TEST

static copy_fn *const swaps[] = {
	macswap_scalar, macswap_sse, macswap_interleaved,
};

enum { PACKETS = 40, HEAD = 64 };

static void check_swapped(const struct packet *packet, uint8_t number)
{
	for (uint8_t i = 0; i < HEAD; i++) {
		uint8_t from = i < 6 ? i + 6 : i < 12 ? i - 6 : i;

		ck_assert_uint_eq(packet->data[i], (uint8_t)(number + from));
	}
	ck_assert_uint_eq(packet->offload_flags, 0xf9);
	ck_assert_uint_eq(packet->l2_length, 14);
}

START_TEST(test_swaps_addresses_only)
{
	static uint8_t data[PACKETS + 1][HEAD];
	static struct packet packets[PACKETS + 1];
	struct packet *pointers[PACKETS + 1];

	if (swaps[_i] != macswap_scalar && !macswap_has_shuffle())
		return;
	for (size_t count = 0; count <= PACKETS; count++) {
		for (size_t k = 0; k <= PACKETS; k++) {
			for (size_t i = 0; i < HEAD; i++)
				data[k][i] = (uint8_t)(k + i);
			packets[k] = (struct packet){
				data[k], HEAD, 0xff, 0 };
			pointers[k] = &packets[k];
		}
		swaps[_i](pointers, NULL, count);
		for (size_t k = 0; k < count; k++)
			check_swapped(&packets[k], (uint8_t)k);
		ck_assert_uint_eq(data[count][0], (uint8_t)count);
		ck_assert_uint_eq(packets[count].offload_flags, 0xff);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("packets");
	TCase *tcase = tcase_create("packets");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_packets_go_round, 0,
			    (int)COUNT_OF(shapes));
	tcase_add_loop_exit_test(tcase, test_fault_ends_the_program,
				 STATUS_FAILED, 0, (int)COUNT_OF(faults));
	tcase_add_exit_test(tcase, test_unswapped_packet_ends_the_program,
			    STATUS_FAILED);
	tcase_add_loop_test(tcase, test_swaps_addresses_only, 0,
			    (int)COUNT_OF(swaps));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
