/* bindings.h - where the copies of a process are bound to.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BINDINGS_H
#define MEMROUTE_BINDINGS_H

#include "process.h"

/* An object some of whose copies go elsewhere. */
struct stray {
	const struct mapping *from, *to;	/* to: NULL for nowhere known */
	unsigned function;	/* number in copy_functions, of the first */
};

enum { STRAYS_MAX = 20 };

struct bindings {
	unsigned objects;	/* that import copies and could be read */
	unsigned unreadable;	/* whose file is gone or replaced */
	unsigned routed;	/* words with an address in memroute */
	unsigned unbound;	/* through a procedure table: ld.so binds at
				 * the first call, or the program has it */
	unsigned elsewhere;
	struct stray strays[STRAYS_MAX];	/* one for each object */
	unsigned stray_count;
};

/* Looks at each word of each object of the process that ld.so fills with the
 * address of a copy function. library is memroute's first mapping. */
void bindings_examine(const struct process *process,
		      const struct mapping *library,
		      struct bindings *bindings);

#endif
