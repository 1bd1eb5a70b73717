/* dispatch.h - bind the copies of this process to a kernel, once.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_DISPATCH_H
#define MEMROUTE_DISPATCH_H

#include <stdbool.h>

#include "libc.h"
#include "policy.h"

#pragma GCC visibility push(hidden)

/* What dispatch_decide() found on the way. */
struct dispatch {
	struct cpu cpu;
	struct options options;
	struct libc libc;		/* found only if needed */
	struct decision decision;
	const char *variable;		/* MEMROUTE's value, or NULL */
};

/* Decides for this machine from an environment (NULL: none). Complains, on
 * stderr, of what MEMROUTE asks for in vain. */
void dispatch_decide(struct dispatch *dispatch,
		     const char *const *environment);

/* Writes a decision into memroute_state; the slot first, since every state
 * between is then valid. */
void dispatch_fill(const struct dispatch *dispatch);

#pragma GCC visibility pop

#endif
