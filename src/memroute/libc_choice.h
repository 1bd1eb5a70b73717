/* libc_choice.h - what libc itself has decided about copies.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_LIBC_CHOICE_H
#define MEMROUTE_LIBC_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../cpu.h"

/* Bytes, as in the x86.cpu_features of "ld.so --list-diagnostics" (glibc 2.33
 * and later); 0: it does not say. */
struct libc_choice {
	uint64_t non_temporal_threshold;
	uint64_t rep_movsb_threshold, rep_movsb_stop_threshold;
	uint64_t shared_cache_size;
};

/* Reads what ld.so printed; lines that are none of ours are ignored. False if
 * it says nothing of thresholds. */
bool libc_choice_parse(FILE *diagnostics, struct libc_choice *choice);

/* Asks the ld.so of this program. False if it cannot tell. */
bool libc_choice_ask(struct libc_choice *choice);

/* Cases in which this libc is known to be slow on this CPU. */
enum { SLOW_CASES = 2 };
struct slow_case {
	const char *name;	/* a word for programs */
	bool (*applies)(const struct cpu *cpu,
			const struct libc_choice *choice);
	const char *text;	/* for people: what, and what helps */
};
extern const struct slow_case slow_cases[SLOW_CASES];

#endif
