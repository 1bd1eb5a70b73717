/* workload_trace.c - recorded copies in their order.
 *
 * A trace has addresses mod 4096 only, so the pages are ours to choose: the
 * next in turn of a few, as in a program whose data are in the L1 cache; but a
 * source that begins where one of the last destinations did, which is what
 * copying on a copy looks like, is taken to be that one.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdlib.h>

#include "trace.h"
#include "workload.h"

#define PAGE ((uint32_t)4096)
/* Bytes of a pass over the list; beyond them the trace is cut. */
#define PASS_BYTES ((size_t)64 << 20)

enum { RECENT = 16, PAGES = 2 };

static const struct data_kind kind = {
	"trace", ".csv.gz", { "apps/traces" }, 1,
};

/*
 * Five sides, each with room for the longest copy: sources are at home in the
 * second, destinations in the fourth. A recent destination is a source only
 * in the three in the middle, so that whatever lies beside it is inside.
 */
struct layout {
	uint32_t side;			/* bytes */
	uint32_t recent[RECENT];	/* places of the last destinations */
	size_t next;
};

static uint32_t page_in_turn(const struct layout *layout)
{
	return (uint32_t)(layout->next % PAGES) * PAGE;
}

static uint32_t place_source(const struct layout *layout,
			     const struct trace_copy *copy)
{
	for (size_t k = 1; k <= RECENT; k++) {
		uint32_t place =
			layout->recent[(layout->next + RECENT - k) % RECENT];

		if (place % PAGE == copy->src && place >= layout->side &&
		    place < 4 * layout->side)
			return place;
	}
	return layout->side + page_in_turn(layout) + copy->src;
}

static uint32_t place_destination(const struct layout *layout,
				  const struct trace_copy *copy, uint32_t src)
{
	uint32_t up = (uint32_t)(copy->dst - copy->src) % PAGE;
	uint32_t home = src < 2 * layout->side ? 3 * layout->side :
						 layout->side;

	switch (copy->overlap) {
	case TRACE_SAME:
		return src;
	case TRACE_DST_ABOVE:
		return src + up;
	case TRACE_DST_BELOW:
		return src - (PAGE - up) % PAGE;
	case TRACE_ADJACENT:
		return up == copy->n % PAGE ? src + copy->n : src - copy->n;
	}
	return home + page_in_turn(layout) + copy->dst;
}

static uint32_t longest(const struct trace *trace, size_t count)
{
	uint32_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (trace->copies[i].n > n)
			n = trace->copies[i].n;
	return n;
}

static size_t count_of(const struct bench *bench, const struct trace *trace)
{
	size_t bytes = 0, count = 0;

	while (count < trace->count && count < bench->settings.operations &&
	       (!count || bytes + trace->copies[count].n <= PASS_BYTES))
		bytes += trace->copies[count++].n;
	return count;
}

struct cell *cell_from_trace(struct bench *bench, const char *path,
			     const char *name)
{
	struct layout layout = { 0 };
	struct trace trace;
	struct cell *cell;

	trace_read(&trace, path);
	cell = cell_new(count_of(bench, &trace), "%s", name);
	layout.side = (longest(&trace, cell->count) / PAGE + PAGES + 2) * PAGE;
	for (size_t i = 0; i < cell->count; i++) {
		const struct trace_copy *copy = &trace.copies[i];
		uint32_t src = place_source(&layout, copy);
		uint32_t dst = place_destination(&layout, copy, src);

		layout.recent[layout.next++ % RECENT] = dst;
		cell->operations[i] = (struct operation){ dst, src, copy->n };
	}
	trace_free(&trace);
	cell->whole_pass = true;
	cell->overlap = OVERLAP_SOME;
	cell_map(cell);
	return cell;
}

void run_trace(struct bench *bench)
{
	bench_begin(bench, "trace", "recorded copies in their order");
	data_measure(bench, &kind, cell_from_trace);
}
