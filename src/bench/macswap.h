/* macswap.h - swap the MAC addresses of packets, as testpmd's mode does.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_MACSWAP_H
#define MEMROUTE_BENCH_MACSWAP_H

#include <stdbool.h>

#include "../kernels/kernels.h"

/* What packet code keeps about a packet: here, where it is and what a driver
 * wants to be told before it sends it. A cache line each, as in DPDK. */
struct packet {
	uint8_t *data;
	size_t length;			/* bytes; at least 16 */
	uint64_t offload_flags;
	uint64_t l2_length;
} __attribute__((aligned(64)));

/*
 * Swap destination and source address (bytes 0-5 and 6-11) of so many packets
 * and set offload_flags and l2_length. Arguments as of a copy, so that the
 * measuring loop can call them as such: an array of struct packet *, nothing,
 * and the number of packets; they return the array.
 *
 * scalar: one after the other, in words. sse: four are loaded, shuffled and
 * stored, and then their fields are set. interleaved: the same with the
 * fields of each set while the next one is loaded (DPDK, net/macswap, 2024).
 */
copy_fn macswap_scalar, macswap_sse, macswap_interleaved;

/* True if the CPU has the byte shuffle of the other two (SSSE3). */
bool macswap_has_shuffle(void);

#endif
