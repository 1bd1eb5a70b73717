/* state.h - what the library has decided, in one place for all who ask.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_STATE_H
#define MEMROUTE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernels.h"

#define MEMROUTE_STATE_MAGIC 0x6574756f726d656dULL	/* "memroute" */
#define MEMROUTE_STATE_VERSION 2
#define MEMROUTE_NOTE_NAME "memroute"
#define MEMROUTE_NOTE_TYPE 1

#ifndef WITH_IFUNC
# error "include <config.h> first: the size of the state depends on it"
#endif

/* Without ifunc a constructor seals the state: it has a page of its own. */
#if WITH_IFUNC
# define STATE_ALIGNMENT 64
#else
# define STATE_ALIGNMENT 4096
#endif

/* A field of eight bytes in a 32-bit process too, so that one reader does. */
#define STATE_FIELD(type, name) union { type name; uint64_t name##_u64; }

/*
 * Sizes in bytes. SIZE_MAX: never. special is the smaller of the next two,
 * the one test that an ordinary copy has to pass.
 */
struct thresholds {
	STATE_FIELD(size_t, special);
	STATE_FIELD(size_t, non_temporal);
	STATE_FIELD(size_t, rep_movsb);
	STATE_FIELD(size_t, one_stream);	/* 0: several non-temporal ones */
};

/*
 * Zero slot, as before relocation: the baseline serves.
 * The library keeps it read-only once it is filled; its address, for other
 * processes, is in the ELF note MEMROUTE_NOTE_NAME, type MEMROUTE_NOTE_TYPE,
 * whose descriptor is the signed offset from itself to this struct, of
 * the size of an address.
 * A reader checks magic and version and reads no more than size bytes.
 */
struct memroute_state {
	/* What a copy above the limit reads, in one cache line. */
	STATE_FIELD(copy_fn *, slot);	/* copies above limit */
	STATE_FIELD(size_t, limit);	/* bytes; up to here it is the entry */
	struct thresholds thresholds;
	uint64_t magic;			/* MEMROUTE_STATE_MAGIC */
	uint32_t version;		/* MEMROUTE_STATE_VERSION */
	uint32_t size;			/* sizeof(struct memroute_state) */
	/* What is only read from outside. */
	STATE_FIELD(copy_fn *, libc_memmove);	/* libc's own, or 0 */
	STATE_FIELD(const char *, reason);	/* why this kernel */
	char kernel[16];		/* "libc", "avx2", ...; "" before */
} __attribute__((aligned(STATE_ALIGNMENT)));

#pragma GCC visibility push(hidden)

extern struct memroute_state memroute_state;

#pragma GCC visibility pop

#endif
