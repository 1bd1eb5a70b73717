/* kernels.h - the copy kernels and the table that describes them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_KERNELS_H
#define MEMROUTE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Declared hidden: -fvisibility alone leaves extern data behind the GOT. */
#pragma GCC visibility push(hidden)

/* A kernel keeps the contract of memmove: any overlap, returns dst. */
typedef void *copy_fn(void *dst, const void *src, size_t n);

/* The largest size, in bytes, that copy_small.h handles. */
#define COPY_SMALL_LIMIT 64

struct kernel {
	const char *name;	/* as in MEMROUTE */
	copy_fn *copy;		/* any size */
	copy_fn *copy_above;	/* only sizes above ENTRY_LIMIT */
	uint32_t needs;		/* CPU_* features, see cpu.h */
};

copy_fn memroute_copy_sse2, memroute_copy_above_sse2;
copy_fn memroute_copy_erms, memroute_copy_above_erms;
copy_fn memroute_copy_avx2, memroute_copy_above_avx2;
copy_fn memroute_copy_avx512, memroute_copy_above_avx512;

/*
 * The baseline runs on every CPU, before anything is known of it. ENTRY_LIMIT
 * is the most that an exported function copies itself, in bytes: nothing on
 * i386, where it must not touch a vector before the CPU has been asked.
 */
#if defined(__i386__)
copy_fn memroute_copy_i386;
# define memroute_copy_baseline memroute_copy_i386
# define ENTRY_LIMIT 0
#else
# define memroute_copy_baseline memroute_copy_sse2
# define ENTRY_LIMIT COPY_SMALL_LIMIT
#endif

/* Widest vectors first, the baseline last. */
extern const struct kernel memroute_kernels[];
extern const size_t memroute_kernel_count;

/* The kernel of that name, or NULL. */
const struct kernel *memroute_kernel_by_name(const char *name);

#pragma GCC visibility pop

#endif
