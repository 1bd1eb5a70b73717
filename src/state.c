/* state.c - the state of the library: one definition, two kinds of memory.
 * Tests and tools set it freely; the library seals it (STATE_SEALED).
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "state.h"

#if defined(STATE_SEALED) && WITH_IFUNC
/* The resolver runs before ld.so makes this section read-only. */
__attribute__((section(".data.rel.ro.memroute")))
#endif
struct memroute_state memroute_state = {
	.thresholds = { { SIZE_MAX }, { SIZE_MAX }, { SIZE_MAX }, { 0 } },
	.magic = MEMROUTE_STATE_MAGIC,
	.version = MEMROUTE_STATE_VERSION,
	.size = sizeof(struct memroute_state),
};
