/* loopback.c - packets that go round between a host and a guest.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <zlib.h>

#include "complain.h"
#include "loopback.h"
#include "timing.h"

#define PATIENCE 5.0	/* seconds without a packet before one is lost */

enum {
	/* In front of the data of a buffer, as DPDK has it by default; a
	 * stride that is no multiple of 4096. */
	HEADROOM = 128,
	STRIDE = BUFFER_SIZE + 2 * HEADROOM,
	PAYLOAD = 22,		/* offset behind MACs, type, number, checksum */
	NUMBER = 14, CHECKSUM = 18,
};

static const uint8_t destination[6] = { 2, 0, 0, 0, 0, 1 };
static const uint8_t source[6] = { 2, 0, 0, 0, 0, 2 };
static const uint8_t experimental[2] = { 0x88, 0xb5 };	/* IEEE 802 */

static uint32_t checksum(const uint8_t *packet, size_t size)
{
	return (uint32_t)crc32(0, packet + PAYLOAD, (uInt)(size - PAYLOAD));
}

static void head_fill(uint8_t *packet, uint32_t number, bool swapped)
{
	memcpy(packet, swapped ? source : destination, 6);
	memcpy(packet + 6, swapped ? destination : source, 6);
	memcpy(packet + 12, experimental, 2);
	memcpy(packet + NUMBER, &number, 4);
}

static void packet_fill(uint8_t *packet, size_t size, uint32_t number)
{
	uint32_t pattern = number * 2654435761u + 1, sum;

	head_fill(packet, number, false);
	for (size_t i = PAYLOAD; i < size; i++) {
		pattern = pattern * 1664525 + 1013904223;
		packet[i] = (uint8_t)(pattern >> 24);
	}
	sum = checksum(packet, size);
	memcpy(packet + CHECKSUM, &sum, 4);
}

/* Whether the packet of that number has its addresses the other way round
 * now. */
static bool is_swapped(const struct loopback *loop, uint32_t number)
{
	uint64_t rounds = loop->forwarded / loop->in_flight +
		(number < loop->forwarded % loop->in_flight);

	return loop->shape.forward && rounds % 2;
}

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("no %zu bytes of memory for packets: %s", size,
		     strerror(errno));
	/* Packet code uses huge pages; without them it still works. */
	madvise(memory, size, MADV_HUGEPAGE);
	memset(memory, 0, size);
	return memory;
}

static struct ring *ring_new(void)
{
	struct ring *ring = aligned_alloc(64, sizeof(*ring));

	if (!ring)
		fail("out of memory");
	memset(ring, 0, sizeof(*ring));
	return ring;
}

/* Gives the guest's buffer of that number to the host, to receive into. */
static void post(struct loopback *loop, uint32_t id)
{
	struct ring *ring = loop->receive;

	ring->available[ring->guest_available++ % RING_SIZE] = (uint16_t)id;
}

/* The guest's buffers are behind the host's; buffer i is descriptor i. */
static void post_buffers(struct loopback *loop, uint8_t *memory)
{
	struct ring *ring = loop->receive;

	for (uint32_t id = 0; id < RING_SIZE; id++) {
		uint8_t *data = memory + id * (size_t)STRIDE + HEADROOM;

		ring->descriptors[id].address =
			(uint64_t)(uintptr_t)(data - loop->header_size);
		ring->descriptors[id].length = BUFFER_SIZE;
		post(loop, id);
	}
}

/* The packets start in the receive ring, as if the host had put them there:
 * the copies of this are libc's. */
static void send_first(struct loopback *loop)
{
	struct ring *ring = loop->receive;
	uint8_t packet[PACKET_MAX];

	for (uint32_t number = 0; number < loop->in_flight; number++) {
		size_t left = loop->shape.size, skip = loop->header_size;
		const uint8_t *from = packet;
		struct header *header = NULL;

		packet_fill(packet, loop->shape.size, number);
		memcpy(&loop->checksums[number], packet + CHECKSUM, 4);
		for (; left; skip = 0) {
			uint16_t id = ring->available[ring->host_available++ %
						      RING_SIZE];
			uint8_t *to = (uint8_t *)(uintptr_t)
				ring->descriptors[id].address;
			size_t n = left < BUFFER_SIZE - skip ? left :
							BUFFER_SIZE - skip;

			if (!header)
				header = (struct header *)to;
			memcpy(to + skip, from, n);
			ring->used[ring->host_used++ % RING_SIZE] =
				(struct used_element){ id,
						       (uint32_t)(n + skip) };
			from += n;
			left -= n;
		}
		if (loop->shape.mergeable)
			header->buffers = (uint16_t)loop->buffers;
	}
	atomic_store(&ring->available_index, ring->guest_available);
	atomic_store(&ring->used_index, ring->host_used);
}

static void *guest_main(void *argument)
{
	struct loopback *loop = argument;

	while (!atomic_load_explicit(&loop->stop, memory_order_relaxed))
		loopback_guest(loop);
	return NULL;
}

static void start_guest(struct loopback *loop)
{
	int error;

	if (!loop->shape.threaded) {
		loopback_guest(loop);
		return;
	}
	error = pthread_create(&loop->guest, NULL, guest_main, loop);
	if (error)
		fail("cannot start the guest's thread: %s", strerror(error));
}

struct loopback *loopback_new(const struct loopback_shape *shape)
{
	struct loopback *loop = allocate(1, sizeof(*loop));
	size_t packet_stride;

	loop->shape = *shape;
	loop->header_size = shape->mergeable ? MERGEABLE_HEADER_SIZE :
					       HEADER_SIZE;
	loop->buffers = (unsigned)((shape->size + loop->header_size +
				    BUFFER_SIZE - 1) / BUFFER_SIZE);
	loop->in_flight = (RING_SIZE / 2 / loop->buffers - 1) | 1;
	loop->receive = ring_new();
	loop->transmit = ring_new();
	packet_stride = loop->buffers * (size_t)STRIDE;
	loop->memory_size = HOST_PACKETS * packet_stride +
			    RING_SIZE * (size_t)STRIDE;
	loop->memory = map(loop->memory_size);
	loop->packets = aligned_alloc(64, HOST_PACKETS *
				      sizeof(*loop->packets));
	if (!loop->packets)
		fail("out of memory");
	for (size_t i = 0; i < HOST_PACKETS; i++)
		loop->packets[i] = (struct packet){
			.data = loop->memory + i * packet_stride + HEADROOM +
				shape->shift,
		};
	post_buffers(loop, loop->memory + HOST_PACKETS * packet_stride);
	send_first(loop);
	start_guest(loop);
	return loop;
}

double loopback_guest_seconds(const struct loopback *loop)
{
	struct timespec t = { 0, 0 };
	clockid_t clock;

	if (!pthread_getcpuclockid(loop->guest, &clock))
		clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void loopback_free(struct loopback *loop)
{
	atomic_store(&loop->stop, true);
	if (loop->shape.threaded)
		pthread_join(loop->guest, NULL);
	munmap(loop->memory, loop->memory_size);
	free(loop->packets);
	free(loop->receive);
	free(loop->transmit);
	free(loop);
}

/* What the host says was copied by what is measured. */
static inline void check_used(const struct loopback *loop,
			      struct used_element e)
{
	if (e.id >= RING_SIZE || e.length > BUFFER_SIZE)
		fail("loopback, %zu bytes: the used ring says buffer %u with "
		     "%u bytes", loop->shape.size, e.id, e.length);
}

/* A buffer that the host has filled, as one to be sent. */
static void fill_descriptor(struct loopback *loop, struct used_element e)
{
	check_used(loop, e);
	loop->transmit->descriptors[e.id] = (struct descriptor){
		loop->receive->descriptors[e.id].address, e.length, 0, 0,
	};
}

/* The packet's other buffers, if any, become a chain behind the first. */
static void take_chain(struct loopback *loop, unsigned left, uint32_t last)
{
	struct ring *from = loop->receive, *to = loop->transmit;

	for (unsigned i = 0; i < left; i++) {
		struct used_element e =
			from->used[from->guest_used++ % RING_SIZE];

		fill_descriptor(loop, e);
		to->descriptors[last].flags = DESCRIPTOR_NEXT;
		to->descriptors[last].next = (uint16_t)e.id;
		last = e.id;
	}
}

static void send_back(struct loopback *loop, struct used_element e)
{
	struct ring *ring = loop->transmit;

	fill_descriptor(loop, e);
	ring->available[ring->guest_available++ % RING_SIZE] = (uint16_t)e.id;
}

static void take_mergeable(struct loopback *loop, uint16_t used)
{
	struct ring *ring = loop->receive;

	while (ring->guest_used != used) {
		struct used_element e =
			ring->used[ring->guest_used++ % RING_SIZE];
		const struct header *header;

		send_back(loop, e);
		header = (const struct header *)(uintptr_t)
			ring->descriptors[e.id].address;
		take_chain(loop, header->buffers - 1u, e.id);
	}
}

typedef uint32_t quad __attribute__((vector_size(16), may_alias));

/* Four packets at a time, their used elements by two vector loads. */
static void take_vector(struct loopback *loop, uint16_t used)
{
	struct ring *ring = loop->receive;

	while (ring->guest_used != used) {
		const struct used_element *e =
			&ring->used[ring->guest_used % RING_SIZE];
		const quad *pair = (const quad *)e;
		quad a, b;

		if ((uint16_t)(used - ring->guest_used) < 4 ||
		    ring->guest_used % 4) {
			send_back(loop, *e);
			ring->guest_used++;
			continue;
		}
		a = pair[0], b = pair[1];
		send_back(loop, (struct used_element){ a[0], a[1] });
		send_back(loop, (struct used_element){ a[2], a[3] });
		send_back(loop, (struct used_element){ b[0], b[1] });
		send_back(loop, (struct used_element){ b[2], b[3] });
		ring->guest_used = (uint16_t)(ring->guest_used + 4);
	}
}

static void recycle(struct loopback *loop, uint16_t used)
{
	struct ring *ring = loop->transmit;

	while (ring->guest_used != used) {
		struct used_element e =
			ring->used[ring->guest_used++ % RING_SIZE];
		uint32_t id = e.id;

		check_used(loop, e);
		post(loop, id);
		while (ring->descriptors[id].flags & DESCRIPTOR_NEXT) {
			id = ring->descriptors[id].next;
			post(loop, id);
		}
	}
}

void loopback_guest(struct loopback *loop)
{
	struct ring *receive = loop->receive, *transmit = loop->transmit;
	uint16_t used = atomic_load_explicit(&receive->used_index,
					     memory_order_acquire);

	if (loop->shape.mergeable)
		take_mergeable(loop, used);
	else
		take_vector(loop, used);
	atomic_store_explicit(&transmit->available_index,
			      transmit->guest_available, memory_order_release);
	used = atomic_load_explicit(&transmit->used_index,
				    memory_order_acquire);
	recycle(loop, used);
	atomic_store_explicit(&receive->available_index,
			      receive->guest_available, memory_order_release);
}

void loopback_idle(struct loopback *loop, double *since)
{
	double now = timing_now();

	if (!*since)
		*since = now;
	if (now - *since > PATIENCE)
		fail("loopback, %zu bytes: no packet for %g seconds, after "
		     "%llu: lost", loop->shape.size, PATIENCE,
		     (unsigned long long)loop->forwarded);
	__builtin_ia32_pause();
}

/* All packets wait in the transmit ring as soon as the guest is done. */
static unsigned wait_for_guest(struct loopback *loop)
{
	const struct ring *ring = loop->transmit;
	double since = 0;
	uint16_t waiting;

	for (;;) {
		waiting = (uint16_t)(atomic_load(&ring->available_index) -
				     ring->host_available);
		if (waiting >= loop->in_flight || !loop->shape.threaded)
			return waiting;
		loopback_idle(loop, &since);
	}
}

/* Into one piece, by libc. Returns its size, PACKET_MAX + 1 if too long. */
static size_t collect(const struct loopback *loop, uint16_t head,
		      uint8_t *packet)
{
	const struct descriptor *d = &loop->transmit->descriptors[head];
	size_t size = 0, skip = loop->header_size;

	for (;; skip = 0) {
		size_t n = d->length - skip;

		if (d->length < skip || size + n > PACKET_MAX)
			return PACKET_MAX + 1;
		memcpy(packet + size, (const uint8_t *)(uintptr_t)d->address +
		       skip, n);
		size += n;
		if (!(d->flags & DESCRIPTOR_NEXT))
			return size;
		d = &loop->transmit->descriptors[d->next];
	}
}

__attribute__((noreturn))
static void complain(const struct loopback *loop, const uint8_t *packet,
		     uint32_t number)
{
	uint8_t expected[PACKET_MAX];
	size_t at = 0;
	uint32_t got;

	memcpy(&got, packet + NUMBER, 4);
	if (got != number && got < loop->in_flight)
		fail("loopback, %zu bytes: packet %u where %u should be: lost "
		     "or doubled", loop->shape.size, got, number);
	packet_fill(expected, loop->shape.size, number);
	head_fill(expected, number, is_swapped(loop, number));
	while (packet[at] == expected[at] && at + 1 < loop->shape.size)
		at++;
	fail("loopback, %zu bytes: packet %u is wrong from byte %zu on",
	     loop->shape.size, number, at);
}

static bool packet_right(const struct loopback *loop, const uint8_t *packet,
			 uint32_t number)
{
	uint8_t head[PAYLOAD];

	head_fill(head, number, is_swapped(loop, number));
	memcpy(head + CHECKSUM, &loop->checksums[number], 4);
	return !memcmp(packet, head, PAYLOAD) &&
		checksum(packet, loop->shape.size) == loop->checksums[number];
}

void loopback_verify(struct loopback *loop)
{
	const struct ring *ring = loop->transmit;
	unsigned waiting = wait_for_guest(loop);
	uint8_t packet[PACKET_MAX];

	if (waiting != loop->in_flight)
		fail("loopback, %zu bytes: %u packets where %u should be",
		     loop->shape.size, waiting, loop->in_flight);
	for (unsigned i = 0; i < waiting; i++) {
		uint16_t at = (uint16_t)(ring->host_available + i);
		uint32_t number = (uint32_t)((loop->forwarded + i) %
					     loop->in_flight);
		size_t size = collect(loop, ring->available[at % RING_SIZE],
				      packet);

		if (size != loop->shape.size)
			fail("loopback, %zu bytes: packet %u has %zu bytes",
			     loop->shape.size, number, size);
		if (!packet_right(loop, packet, number))
			complain(loop, packet, number);
	}
}
