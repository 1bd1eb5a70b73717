/* trace.h - recorded copies, in their order.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_TRACE_H
#define MEMROUTE_BENCH_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum trace_overlap {
	TRACE_NONE,
	TRACE_SAME,		/* dst is src */
	TRACE_DST_BELOW,	/* dst below src, blocks overlap */
	TRACE_DST_ABOVE,
	TRACE_ADJACENT,		/* one block begins where the other ends */
};

struct trace_copy {
	uint32_t n;			/* bytes */
	uint16_t dst, src;		/* addresses mod 4096 */
	uint8_t overlap;		/* enum trace_overlap */
};

struct trace {
	size_t count;
	struct trace_copy *copies;
};

/*
 * Reads a CSV file, gzip or plain, with the header
 * n,dst_off4k,src_off4k,symbol,overlap. Ends the program with status 2 and
 * file, line and field for anything else, and for a trace without copies.
 */
void trace_read(struct trace *trace, const char *path);

void trace_free(struct trace *trace);

#endif
