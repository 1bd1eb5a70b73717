/* cpu.h - what the processor is, and what it and the OS allow.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_CPU_H
#define MEMROUTE_CPU_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Features: set only if the CPU has it and the OS has enabled its state. */
enum cpu_feature {
	CPU_AVX		= 1 << 0,
	CPU_AVX2	= 1 << 1,
	CPU_AVX512	= 1 << 2,	/* F, BW and VL, all of them */
	CPU_ERMS	= 1 << 3,	/* enhanced rep movsb */
	CPU_FSRM	= 1 << 4,	/* fast short rep movsb */
	CPU_RTM		= 1 << 5,	/* transactions that vzeroupper aborts */
	CPU_XGETBV1	= 1 << 6,	/* xgetbv(1) tells what is in use */
	CPU_SSE2	= 1 << 7,	/* a question on i386 alone */
};

enum cpu_vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD };

struct cpu {
	enum cpu_vendor vendor;
	unsigned family, model, stepping;	/* displayed values */
	uint32_t features;			/* enum cpu_feature */
	/* Bytes, as CPUID has them; 0 is unknown. Policy clamps. */
	uint64_t l1d, l2, l3;
	unsigned l3_threads;			/* that share the L3; 0 unknown */
};

struct cpuid_leaf {
	uint32_t eax, ebx, ecx, edx;
};

enum { CPU_CACHE_LEAVES = 5 };	/* L1d, L1i, L2, L3 and an end mark */

/* The leaves that cpu_decode() reads; those that do not exist are zero. */
struct cpu_record {
	struct cpuid_leaf vendor;	/* 0 */
	struct cpuid_leaf model;	/* 1 */
	struct cpuid_leaf features;	/* 7, subleaf 0 */
	struct cpuid_leaf xsave;	/* 0xd, subleaf 1 */
	struct cpuid_leaf extended;	/* 0x80000000 */
	/* 4, or 0x8000001d on AMD, subleaf by subleaf */
	struct cpuid_leaf caches[CPU_CACHE_LEAVES];
	struct cpuid_leaf amd_l2_l3;	/* 0x80000006, where AMD has no topology */
	uint64_t xcr0;			/* 0 without OSXSAVE */
};

/* Runs CPUID and XGETBV: with the next function the only code that does. */
void cpu_read(struct cpu_record *record);

/* The same, but only the leaves that a policy depends on: five or six CPUIDs
 * in place of eleven. Each is an exit to the hypervisor where there is one,
 * 4.5 us on a Zen 3 under KVM, and the library pays in every process.
 * L1d, L2 and CPU_XGETBV1 are unknown in what it records. */
void cpu_read_essentials(struct cpu_record *record);

/* Turns recorded leaves into features and cache sizes. Total: any input.
 * Leaves as in the Intel SDM, volume 2A, CPUID, and AMD APM, volume 3,
 * appendix E. */
void cpu_decode(const struct cpu_record *record, struct cpu *cpu);

/* The brand string (leaves 0x80000002-4), terminated; "" where there is none. */
void cpu_brand(char brand[49]);

#pragma GCC visibility pop

#endif
