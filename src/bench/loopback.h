/*
 * loopback.h - packets that go round between a host and a guest.
 *
 * The memory traffic of a vhost host and a virtio-user guest, without either:
 * the host takes packets off the guest's transmit ring into buffers of its
 * own, forwards them, and puts them into buffers that the guest has posted on
 * its receive ring; the guest hands each of them back, by pointer. The host
 * alone copies. Layout and order are those of virtio 1.1 split rings (section
 * 2.6) and of DPDK's lib/vhost: copies of up to 256 bytes wait until the end
 * of a burst of 32, larger ones are made at once, and the used elements of a
 * burst are collected and copied into the ring at its end.
 *
 * Each packet carries its number, a pattern that depends on it, and a
 * checksum; loopback_verify() looks at all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef MEMROUTE_BENCH_LOOPBACK_H
#define MEMROUTE_BENCH_LOOPBACK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "macswap.h"

enum {
	RING_SIZE = 256,	/* a power of two */
	BURST = 32,
	IN_FLIGHT_MAX = 127,
	/* The host's packets take turns. Neither their number nor that of the
	 * packets in flight divides the other or the ring's: a copy that is
	 * left out never finds in its place what it should have brought. */
	HOST_PACKETS = 37,
	DEFERRED_MAX = 256,	/* bytes of a copy that waits */
	PACKET_MIN = 64,
	PACKET_MAX = 9216,	/* jumbo frames */
	BUFFER_SIZE = 2048,	/* of a guest's buffer, bytes with the header */
	BUFFERS_MAX = 5,	/* of the largest packet */
	HEADER_SIZE = 10, MERGEABLE_HEADER_SIZE = 12,
	DESCRIPTOR_NEXT = 1,	/* flag: the packet goes on in next */
};

struct descriptor {
	uint64_t address;
	uint32_t length;
	uint16_t flags, next;
};

struct used_element {
	uint32_t id, length;
};

/* In front of each packet in guest memory; buffers only if mergeable. */
struct header {
	uint8_t flags, gso_type;
	uint16_t header_length, gso_size, checksum_start, checksum_offset;
	uint16_t buffers;
};

struct ring {
	struct descriptor descriptors[RING_SIZE];
	_Alignas(64) _Atomic uint16_t available_index;
	uint16_t available[RING_SIZE];
	_Alignas(64) _Atomic uint16_t used_index;
	_Alignas(64) struct used_element used[RING_SIZE];

	/* How far the host has come, and what it has not told yet. */
	_Alignas(64) uint16_t host_available, host_used;
	unsigned shadow_count;
	struct used_element shadow[BURST * BUFFERS_MAX];

	_Alignas(64) uint16_t guest_available, guest_used;
};

struct deferred_copy {
	void *dst;
	const void *src;
	size_t n;
};

struct loopback_shape {
	size_t size;		/* of a packet, PACKET_MIN to PACKET_MAX */
	bool mergeable;		/* else the vector path: one buffer a packet */
	bool threaded;		/* the guest in a thread of its own */
	size_t shift;		/* bytes by which the host's data is off 64 */
	copy_fn *forward;	/* one of macswap.h, or NULL: as they are */
};

struct loopback {
	struct loopback_shape shape;
	size_t header_size;
	unsigned buffers;	/* of a packet */
	unsigned in_flight;	/* packets that go round */
	uint64_t forwarded;	/* so far */
	uint32_t checksums[IN_FLIGHT_MAX];	/* by packet number */

	struct ring *receive, *transmit;	/* as the guest sees them */
	struct packet *packets;		/* the host's, HOST_PACKETS of them */
	unsigned next_packet;
	unsigned deferred_count;
	struct deferred_copy deferred[BURST * BUFFERS_MAX];

	uint8_t *memory;
	size_t memory_size;
	pthread_t guest;
	atomic_bool stop;
};

/* Sends the packets on their way. The shape must be possible: vector packets
 * fit into one buffer. Ends the program for want of memory or a thread. */
struct loopback *loopback_new(const struct loopback_shape *shape);

/* Stops the guest and frees. */
void loopback_free(struct loopback *loop);

/* Forwards count packets. As call, each copy goes through bench_call(); as
 * inlined, it is what the compiler makes of it where it stands. */
void loopback_run_call(struct loopback *loop, size_t count);
void loopback_run_inlined(struct loopback *loop, size_t count);

/* Ends the program if a packet is lost, doubled, out of order or wrong. */
void loopback_verify(struct loopback *loop);

/* CPU seconds of the guest's thread so far. */
double loopback_guest_seconds(const struct loopback *loop);

/* One round of the guest: what has arrived goes back, and its buffers are
 * posted again once they have been sent. */
void loopback_guest(struct loopback *loop);

/* Called where the host finds nothing to do; ends the program after long. */
void loopback_idle(struct loopback *loop, double *since);

#endif
