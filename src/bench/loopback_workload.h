/* loopback_workload.h - the loopback as a cell of memroute-bench.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_LOOPBACK_WORKLOAD_H
#define MEMROUTE_BENCH_LOOPBACK_WORKLOAD_H

#include "loopback.h"
#include "workload.h"

/* By how much "shifted" moves the host's data: no power of two divides it. */
enum { LOOPBACK_SHIFT = 19 };

/* A row of the newest table: a packet of that shape, verified before each
 * batch. Ends the program if a packet is wrong, or if a thread of two had too
 * little of its core. */
const struct row *loopback_measure(struct bench *bench,
				   const struct loopback_shape *shape,
				   const char *name);

/* A cell whose operations are packets that go round in the loop, which the
 * caller frees. */
struct cell *cell_loopback(struct loopback *loop, const char *name);

#endif
