/* note32.c - a library that has memroute's note and a made-up state, to be
 * linked with src/note.S; built for 32 bits, say.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "state.h"

struct memroute_state memroute_state = {
	.slot_u64 = 0x1000,
	.limit = 64,
	.thresholds = { { 4096 }, { SIZE_MAX }, { 4096 } },
	.magic = MEMROUTE_STATE_MAGIC,
	.version = MEMROUTE_STATE_VERSION,
	.size = sizeof(struct memroute_state),
	.reason = "the reason",
	.kernel = "thirty-two",
};
