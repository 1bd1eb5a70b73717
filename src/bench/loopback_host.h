/*
 * loopback_host.h - the host's side of the loopback, written once for every
 * way to copy.
 *
 * The including file defines the parameters:
 *   COPY(dst, src, n)   how to copy
 *   RUN                 name of the function, see loopback.h
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "loopback.h"

static inline void copy_or_defer(struct loopback *loop, void *dst,
				 const void *src, size_t n)
{
	if (n > DEFERRED_MAX)
		COPY(dst, src, n);
	else
		loop->deferred[loop->deferred_count++] =
			(struct deferred_copy){ dst, src, n };
}

static inline void copy_deferred(struct loopback *loop)
{
	const struct deferred_copy *end = loop->deferred + loop->deferred_count;

	for (const struct deferred_copy *c = loop->deferred; c < end; c++)
		COPY(c->dst, c->src, c->n);
	loop->deferred_count = 0;
}

static inline void note_used(struct ring *ring, uint32_t id, size_t length)
{
	ring->shadow[ring->shadow_count++] =
		(struct used_element){ id, (uint32_t)length };
}

/* Tells the guest of what was noted; the ring may wrap in the middle. */
static inline void flush_used(struct ring *ring)
{
	unsigned at = ring->host_used % RING_SIZE, count = ring->shadow_count;
	unsigned first = count < RING_SIZE - at ? count : RING_SIZE - at;

	COPY(ring->used + at, ring->shadow, first * sizeof(*ring->shadow));
	if (first < count)
		COPY(ring->used, ring->shadow + first,
		     (count - first) * sizeof(*ring->shadow));
	ring->host_used = (uint16_t)(ring->host_used + count);
	ring->shadow_count = 0;
	atomic_store_explicit(&ring->used_index, ring->host_used,
			      memory_order_release);
}

/* From one buffer or a chain of them. */
static inline void gather(struct loopback *loop, struct packet *packet,
			  uint16_t head)
{
	const struct ring *ring = loop->transmit;
	const struct descriptor *d = &ring->descriptors[head];
	size_t skip = loop->header_size;
	uint8_t *to = packet->data;

	for (;;) {
		size_t n = d->length - skip;

		copy_or_defer(loop, to, (const uint8_t *)d->address + skip, n);
		to += n;
		if (!(d->flags & DESCRIPTOR_NEXT))
			break;
		d = &ring->descriptors[d->next];
		skip = 0;
	}
	packet->length = (size_t)(to - packet->data);
}

/* Into as many buffers as it takes; the first one has the header. */
static inline void scatter(struct loopback *loop, const struct packet *packet)
{
	struct ring *ring = loop->receive;
	const uint8_t *from = packet->data, *end = from + packet->length;
	struct header *header = NULL;
	uint16_t buffers = 0;

	do {
		uint16_t id = ring->available[ring->host_available % RING_SIZE];
		const struct descriptor *d = &ring->descriptors[id];
		uint8_t *to = (uint8_t *)d->address;
		size_t skip = 0, n = (size_t)(end - from);

		if (!header) {
			header = (struct header *)to;
			header->flags = header->gso_type = 0;
			skip = loop->header_size;
		}
		n = n < d->length - skip ? n : d->length - skip;
		copy_or_defer(loop, to + skip, from, n);
		note_used(ring, id, n + skip);
		from += n;
		ring->host_available++;
		buffers++;
	} while (from < end);
	if (loop->shape.mergeable)
		header->buffers = buffers;
}

/* How many packets there are, up to limit, for which there is room too. */
static inline unsigned ready(const struct loopback *loop, size_t limit)
{
	const struct ring *from = loop->transmit, *to = loop->receive;
	uint16_t packets = (uint16_t)(atomic_load_explicit(
		&from->available_index, memory_order_acquire) -
		from->host_available);
	uint16_t buffers = (uint16_t)(atomic_load_explicit(
		&to->available_index, memory_order_acquire) -
		to->host_available);
	unsigned count = limit < BURST ? (unsigned)limit : BURST;

	if (count > packets)
		count = packets;
	return count < buffers / loop->buffers ? count :
						 buffers / loop->buffers;
}

static inline struct packet *next_packet(struct loopback *loop)
{
	struct packet *packet = &loop->packets[loop->next_packet++];

	if (loop->next_packet == HOST_PACKETS)
		loop->next_packet = 0;
	return packet;
}

static inline unsigned forward_burst(struct loopback *loop, size_t limit)
{
	struct packet *packets[BURST];
	struct ring *ring = loop->transmit;
	unsigned count = ready(loop, limit);

	if (!count)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		uint16_t head =
			ring->available[ring->host_available++ % RING_SIZE];

		packets[i] = next_packet(loop);
		gather(loop, packets[i], head);
		note_used(ring, head, 0);
	}
	copy_deferred(loop);
	flush_used(ring);
	if (loop->shape.forward)
		loop->shape.forward(packets, NULL, count);
	for (unsigned i = 0; i < count; i++)
		scatter(loop, packets[i]);
	copy_deferred(loop);
	flush_used(loop->receive);
	return count;
}

void RUN(struct loopback *loop, size_t count)
{
	double idle_since = 0;

	while (count) {
		unsigned done = forward_burst(loop, count);

		count -= done;
		loop->forwarded += done;
		if (!loop->shape.threaded)
			loopback_guest(loop);
		if (done)
			idle_since = 0;
		else
			loopback_idle(loop, &idle_since);
	}
}
