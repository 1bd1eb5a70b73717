/* seeds_dispatch.c - other ways to reach a kernel: through a pointer that a
 * constructor fills, as DPDK's patch of 2017 did, and through the GOT entry of
 * a hidden ifunc. Both for every size, unlike memroute.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "../compiler.h"
#include "seeds.h"

/* Runs in a resolver too: nothing of libc, not even memset for an = { 0 }. */
BARE void seeds_decide(struct decision *decision)
{
	struct cpu_record record;
	struct options options;
	struct cpu cpu;

	options.kernel = "auto";
	options.non_temporal_threshold = options.rep_movsb_threshold = 0;
	options.verbose = false;
	cpu_read(&record);
	cpu_decode(&record, &cpu);
	policy_choose(&cpu, &options, decision);
}

static copy_fn *pointer;

__attribute__((constructor)) static void construct(void)
{
	struct decision decision;

	seeds_decide(&decision);
	pointer = decision.kernel->copy;
}

static void *through_pointer(void *dst, const void *src, size_t n)
{
	return pointer(dst, src, n);
}

copy_fn *const seeds_pointer = through_pointer;

#if WITH_IFUNC

__attribute__((used)) BARE	/* clang does not see the ifunc's reference */
static copy_fn *resolve(void)
{
	struct decision decision;

	seeds_decide(&decision);
	return decision.kernel->copy;
}

__attribute__((visibility("hidden"), ifunc("resolve")))
copy_fn seeds_resolved;

/* What ld.so fills with the resolver's answer: the GOT entry, by a name. */
static copy_fn *const volatile entry = seeds_resolved;

static void *through_ifunc(void *dst, const void *src, size_t n)
{
	return entry(dst, src, n);
}

copy_fn *const seeds_ifunc = through_ifunc;

#else

copy_fn *const seeds_ifunc = NULL;

#endif
