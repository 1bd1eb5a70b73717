/* policy.c - the table from CPU to kernel and thresholds.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "compiler.h"
#include "policy.h"
#include "text.h"

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)
#define NEVER SIZE_MAX

/*
 * Where nothing is known of the L3, and the range for what is computed from
 * it: hypervisors have been seen to report 0 bytes and 1 TiB.
 */
#define NON_TEMPORAL_DEFAULT (8 * MIB)
#define NON_TEMPORAL_MIN (2 * MIB)
#define NON_TEMPORAL_MAX (64 * MIB)
#define L3_SANE_MIN (1 * MIB)
#define L3_SANE_MAX (1024 * MIB)

/* Named kernels: the same on every machine, so that counts agree. */
#define FIXED_NON_TEMPORAL (16 * MIB)
#define FIXED_ERMS_REP_MOVSB (2 * KIB)

/* rep movsb, if the CPU has ERMS: glibc's rule since 2.35
 * (sysdeps/x86/dl-cacheinfo.h, commit 475b63702ef), 2048 bytes for 16-byte
 * vectors, 4096 for each 16 bytes of wider ones, 2048 + 64 with FSRM. */
#define REP_MOVSB_SSE2 (2 * KIB)
#define REP_MOVSB_AVX2 (8 * KIB)
#define REP_MOVSB_AVX512 (16 * KIB)
#define REP_MOVSB_FSRM (2 * KIB + 64)

/* Half of the L1 of 48 KiB. Where both blocks fit into it, the loop takes 0.8
 * of rep movsb's time; where they do not, 1.3 to 1.65. */
#define REP_MOVSB_ZEN5 (24 * KIB)

struct policy {
	enum cpu_vendor vendor;		/* VENDOR_OTHER: any */
	unsigned family;		/* 0: any */
	unsigned first_model, last_model;
	uint32_t avoid;			/* kernels that need any of these */
	size_t rep_movsb;		/* from here on, or NEVER, or BY_RULE */
	unsigned l3_divisor;		/* non-temporal from l3 / this */
	bool one_stream;		/* of non-temporal stores, not several */
	const char *kernel_reason;
	const char *rep_movsb_reason;
	const char *non_temporal_reason;
};

/* A size that the policy leaves to glibc's rule above. */
#define BY_RULE ((size_t)1)

#define HALF_L3 "half of the L3: measured on Zen 3, even at 12 MiB of 32"
#define QUARTER_L3 "a quarter of the L3, as glibc since 2.38"

/* The first row that fits. */
static const struct policy policies[] = {
	{ VENDOR_AMD, 0x1a, 0, 0xff, 0, REP_MOVSB_ZEN5, 2, true,
	  "Zen 5: moves 64 bytes at once",
	  "half of the L1: measured on Zen 5",
	  "half of the L3, in one stream: measured on Zen 5" },
	{ VENDOR_AMD, 0x19, 0, 0xff, CPU_AVX512, NEVER, 2, false,
	  "Zen 3 or 4: 32-byte stores are the widest that move at once",
	  "slow on family 19h, glibc bug 30994", HALF_L3 },
	{ VENDOR_AMD, 0x17, 0, 0xff, CPU_AVX512, NEVER, 2, false,
	  "Zen 1 or 2: AVX2 is the widest there is",
	  "slow microcode on family 17h, firedancer issue 1073",
	  HALF_L3 },
	{ VENDOR_AMD, 0, 0, 0xff, 0, NEVER, 2, false,
	  "widest vectors that the CPU, the OS and this build allow",
	  "no gain known on AMD", HALF_L3 },
	/* 0x55: Skylake-X, Cascade Lake, Cooper Lake lower their clock for
	 * 512-bit vectors (Intel optimization manual, 2.5.3; dotnet/runtime
	 * issue 84577). */
	{ VENDOR_INTEL, 6, 0x55, 0x55, CPU_AVX512, BY_RULE, 4, false,
	  "Skylake-X class: 512-bit vectors cost clock",
	  "glibc's rule for ERMS and FSRM", QUARTER_L3 },
	{ VENDOR_OTHER, 0, 0, 0xff, 0, BY_RULE, 4, false,
	  "widest vectors that the CPU, the OS and this build allow",
	  "glibc's rule for ERMS and FSRM", QUARTER_L3 },
};

BARE static const struct policy *find_policy(const struct cpu *cpu)
{
	const struct policy *p = policies;

	/* The last row fits every CPU. */
	while ((p->vendor != VENDOR_OTHER && p->vendor != cpu->vendor) ||
	       (p->family && (p->family != cpu->family ||
			      p->first_model > cpu->model ||
			      p->last_model < cpu->model)))
		p++;
	return p;
}

BARE bool policy_allows(const struct cpu *cpu, const struct kernel *kernel)
{
	return (kernel->needs & cpu->features) == kernel->needs;
}

/* vzeroupper, at the end of these kernels, aborts transactions
 * (glibc commit 7ebba91361). */
#define NEEDS_VZEROUPPER (CPU_AVX2 | CPU_AVX512)

BARE static const struct kernel *best_kernel(const struct cpu *cpu,
					     uint32_t avoid)
{
	for (size_t i = 0; i < memroute_kernel_count; i++) {
		const struct kernel *k = &memroute_kernels[i];

		/* erms is sse2 with another threshold, which policy sets */
		if (policy_allows(cpu, k) && !(k->needs & avoid) &&
		    !(k->needs & CPU_ERMS))
			return k;
	}
	return &memroute_kernels[memroute_kernel_count - 1];
}

BARE static void choose_auto(const struct cpu *cpu,
			     const struct policy *policy,
			     struct decision *decision)
{
	uint32_t avoid = policy->avoid;

	decision->kernel_reason = policy->kernel_reason;
	if (cpu->features & CPU_RTM) {
		avoid |= NEEDS_VZEROUPPER;
		decision->kernel_reason =
			"RTM is usable: vzeroupper would abort transactions";
	}
	decision->kernel = best_kernel(cpu, avoid);
	if (!(cpu->features & CPU_AVX2))
		decision->kernel_reason = "no AVX2 that the OS allows";
}

BARE static size_t non_temporal_from_l3(const struct cpu *cpu,
					const struct policy *policy,
					struct decision *decision)
{
	uint64_t size = cpu->l3 / policy->l3_divisor;
	/* Without the topology AMD reports the L3 of all its core complexes. */
	size_t max = cpu->l3_threads ? NON_TEMPORAL_MAX : NON_TEMPORAL_MAX / 4;

	if (cpu->l3 < L3_SANE_MIN || cpu->l3 > L3_SANE_MAX) {
		decision->non_temporal_reason = "L3 size unknown or absurd";
		return NON_TEMPORAL_DEFAULT;
	}
	decision->non_temporal_reason = policy->non_temporal_reason;
	return size < NON_TEMPORAL_MIN ? NON_TEMPORAL_MIN :
	       size > max ? max : (size_t)size;
}

BARE static size_t rep_movsb_from_policy(const struct cpu *cpu,
				     const struct policy *policy,
				     struct decision *decision)
{
	uint32_t needs = decision->kernel->needs;

	decision->rep_movsb_reason = policy->rep_movsb_reason;
	if (policy->rep_movsb == NEVER)
		return NEVER;
	if (!(cpu->features & CPU_ERMS)) {
		decision->rep_movsb_reason = "no ERMS";
		return NEVER;
	}
	if (policy->rep_movsb != BY_RULE)
		return policy->rep_movsb;
	if (cpu->features & CPU_FSRM)
		return REP_MOVSB_FSRM;
	return needs & CPU_AVX512 ? REP_MOVSB_AVX512 :
	       needs & CPU_AVX2 ? REP_MOVSB_AVX2 : REP_MOVSB_SSE2;
}

BARE static void choose_named(const struct kernel *kernel,
			      struct decision *decision)
{
	struct thresholds *t = &decision->thresholds;

	decision->kernel = kernel;
	decision->kernel_reason = "asked for";
	t->non_temporal = FIXED_NON_TEMPORAL;
	t->rep_movsb = kernel->needs & CPU_ERMS ? FIXED_ERMS_REP_MOVSB : NEVER;
	t->one_stream = false;
	decision->non_temporal_reason = decision->rep_movsb_reason =
		"fixed, as always for a named kernel";
}

BARE static void override(uint64_t wanted, size_t *threshold,
			  const char **reason)
{
	if (wanted) {
		*threshold = (size_t)wanted;
		*reason = "asked for";
	}
}

BARE void policy_choose(const struct cpu *cpu, const struct options *options,
			struct decision *decision)
{
	const struct policy *policy = find_policy(cpu);
	const struct kernel *named = memroute_kernel_by_name(options->kernel);
	struct thresholds *t = &decision->thresholds;

	decision->refused = NULL;
	if (text_equal(options->kernel, "libc")) {
		decision->kernel = NULL;
		decision->kernel_reason = "asked for";
		decision->non_temporal_reason = decision->rep_movsb_reason =
			"libc has its own";
		t->special = t->non_temporal = t->rep_movsb = NEVER;
		t->one_stream = false;
		return;
	}
	if (named && policy_allows(cpu, named)) {
		choose_named(named, decision);
	} else {
		choose_auto(cpu, policy, decision);
		if (named)
			decision->refused = named->name;
		t->non_temporal = non_temporal_from_l3(cpu, policy, decision);
		t->rep_movsb = rep_movsb_from_policy(cpu, policy, decision);
		t->one_stream = policy->one_stream;
	}
	override(options->non_temporal_threshold, &t->non_temporal,
		 &decision->non_temporal_reason);
	override(options->rep_movsb_threshold, &t->rep_movsb,
		 &decision->rep_movsb_reason);
	t->special = t->non_temporal < t->rep_movsb ? t->non_temporal :
		     t->rep_movsb;
}
