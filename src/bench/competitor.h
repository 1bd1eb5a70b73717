/* competitor.h - who is measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_COMPETITOR_H
#define MEMROUTE_BENCH_COMPETITOR_H

#include <stdbool.h>

#include "../state.h"

enum { COMPETITORS_MAX = 32 };

enum competitor_kind {
	KIND_CALL,	/* takes part wherever it can */
	KIND_INLINE,	/* the compiler's expansion: constant sizes only */
	KIND_ALIGNED,	/* for blocks that are both aligned to 64 bytes */
};

struct competitor {
	char name[24];
	char what[200];		/* for readers: which file, which symbol */
	enum competitor_kind kind;
	bool chosen;		/* the kernel that MEMROUTE=auto chooses */
	copy_fn *copy;		/* disjoint blocks */
	copy_fn *move;		/* overlapping ones; NULL: cannot */
	/* In force while it is measured: never, unless set. Only kernels that
	 * are linked into this program read them. */
	struct thresholds thresholds;
};

struct competitors {
	size_t count;
	struct competitor all[COMPETITORS_MAX];
};

/* The first two are always the reference, libc unless a table says otherwise,
 * and the same once more as control. */
enum { REFERENCE, CONTROL };

struct bench_settings;

/*
 * Fills the list: libc twice, memroute through its exported entry, each
 * kernel that this CPU runs, inline, rep movsb, rte_memcpy where it was built
 * in, and the --peer libraries; less what --competitors leaves out. Ends the
 * program when one cannot be loaded, is not known, or copies wrongly.
 */
void competitors_find(struct competitors *list,
		      const struct bench_settings *settings);

/* Appends one. Ends the program if there is no room or the name is taken. */
struct competitor *competitors_add(struct competitors *list, const char *name,
				   enum competitor_kind kind, copy_fn *copy,
				   copy_fn *move);

/* The competitor of that name, or NULL. */
const struct competitor *competitors_by_name(const struct competitors *list,
					     const char *name);

/* The kernel that MEMROUTE=auto chooses, or NULL if it was left out. */
const struct competitor *competitors_chosen(const struct competitors *list);

/* From here on, bench_call() reaches this one: its copy, or, for overlapping
 * blocks, its move if it has one. */
void competitor_bind(const struct competitor *competitor, bool overlapping);

/*
 * Copies as a program does, through a call of a function that jumps to what
 * a pointer holds: the shape of a PLT entry. Everybody is reached through
 * this one, from the same loop, so that no competitor owes anything to where
 * the compiler put it.
 */
copy_fn bench_call;

#endif
