/* seeds.h - the five DPDK threads that this project comes from, each as
 * something that can be measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_SEEDS_H
#define MEMROUTE_BENCH_SEEDS_H

#include "../policy.h"
#include "loopback_workload.h"

/* What auto decides on this machine. */
void seeds_decide(struct decision *decision);

/*
 * Lists of competitors, reference and control first, made once; they last.
 *
 * dispatch: the kernel that auto chooses bound "directly"; "memroute", which
 * reaches it through its exported entry; a "pointer" that a constructor has
 * filled and a hidden "ifunc", each jumped through for every size; "libc".
 * aligned: the kernel without its loop for aligned blocks ("generic"), with
 * it ("aligned"), and with loads and stores in turn ("in_turn").
 * delegation: "libc", as without a preload; "memroute"; the library told
 * MEMROUTE=libc ("to_libc"); "inline"; rte_memcpy and rep_movsb, if measured.
 * macswap: "sse", "in_turn" and "scalar" of macswap.h.
 */
const struct competitors *seeds_dispatch_list(const struct bench *bench);
const struct competitors *seeds_aligned_list(void);
const struct competitors *seeds_delegation_list(const struct bench *bench);
const struct competitors *seeds_macswap_list(void);

/* Jump to auto's kernel, whatever the size. seeds_ifunc is NULL where libc
 * has no ifunc. */
extern copy_fn *const seeds_pointer, *const seeds_ifunc;

/* memmove of a second instance of the library at path, which MEMROUTE=libc
 * was given to. Ends the program if that cannot be had. */
copy_fn *seeds_library_to_libc(const char *path);

/* A packet of that shape, with the MAC swapping of the table's competitors
 * and inline copies; verified. */
const struct row *seeds_measure_macswap(struct bench *bench, size_t size,
					const char *name);

#endif
