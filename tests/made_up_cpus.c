/* made_up_cpus.c - the table. Signatures and leaves as the Intel SDM and the
 * AMD PPRs of these families have them; sizes of common models.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "made_up_cpus.h"

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)
#define NEVER SIZE_MAX

#define INTEL(max) { max, 0x756e6547, 0x6c65746e, 0x49656e69 }
#define AMD(max) { max, 0x68747541, 0x444d4163, 0x69746e65 }
#define HYGON(max) { max, 0x6f677948, 0x656e6975, 0x6e65476e }
#define CENTAUR(max) { max, 0x746e6543, 0x736c7561, 0x48727561 }

/* Leaf 1, ecx; leaf 7, ebx and edx. */
#define OSXSAVE (1u << 27)
#define AVX (1u << 28)
#define BOTH (OSXSAVE | AVX)
#define AVX2 (1u << 5)
#define ERMS (1u << 9)
#define RTM (1u << 11)
#define AVX512 (1u << 16 | 1u << 30 | 1u << 31)	/* F BW VL */
#define AVX512F (1u << 16)
#define FSRM (1u << 4)
#define ALWAYS_ABORT (1u << 11)

#define X87_SSE_AVX 7
#define ALL_AVX512 0xe7

/* A leaf of cache topology with 64-byte lines; size in bytes. */
#define CACHE(level, type, threads, ways, size)				\
	{ (type) | (level) << 5 | ((threads) - 1u) << 14,		\
	  ((ways) - 1u) << 22 | 63,					\
	  (uint32_t)((size) / ((ways) * 64ull)) - 1, 0 }
#define CACHES(threads, ways, size)					\
	{ CACHE(1, 1, 2, 8, 32 * KIB), CACHE(1, 2, 2, 8, 32 * KIB),	\
	  CACHE(2, 3, 2, 8, 1 * MIB), CACHE(3, 3, threads, ways, size) }

#define HAS_AVX2 (CPU_AVX | CPU_AVX2)
#define HAS_AVX512 (HAS_AVX2 | CPU_AVX512)

#define WIDEST "widest vectors"
#define RULE "glibc's rule"

const struct made_up_cpu made_up_cpus[] = {
	{ "Zen 1", {
		.vendor = AMD(0xd), .model = { 0x00800f11, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x8000001f, 0, 0, 0 },
		.caches = CACHES(8, 16, 8 * MIB) },
	  VENDOR_AMD, 0x17, 0x01, HAS_AVX2, 8 * MIB, 8,
	  "avx2", 4 * MIB, NEVER, "Zen 1 or 2", "half of the L3", "microcode" },
	{ "Zen 2, with ERMS made up", {
		.vendor = AMD(0x10), .model = { 0x00830f10, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, FSRM },
		.xcr0 = X87_SSE_AVX, .extended = { 0x80000020, 0, 0, 0 },
		.caches = CACHES(8, 16, 16 * MIB) },
	  VENDOR_AMD, 0x17, 0x31, HAS_AVX2 | CPU_ERMS | CPU_FSRM, 16 * MIB, 8,
	  "avx2", 8 * MIB, NEVER, "Zen 1 or 2", "half of the L3",
	  "family 17h" },
	{ "Hygon", {
		.vendor = HYGON(0xd), .model = { 0x00900f01, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x8000001f, 0, 0, 0 },
		.caches = CACHES(8, 16, 8 * MIB) },
	  VENDOR_AMD, 0x18, 0x00, HAS_AVX2, 8 * MIB, 8,
	  "avx2", 4 * MIB, NEVER, WIDEST, "half of the L3", "no gain" },
	{ "Zen 3", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, FSRM },
		.xsave = { 4, 0, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 32 * MIB) },
	  VENDOR_AMD, 0x19, 0x01,
	  HAS_AVX2 | CPU_ERMS | CPU_FSRM | CPU_XGETBV1, 32 * MIB, 16,
	  "avx2", 16 * MIB, NEVER, "Zen 3 or 4", "half of the L3", "30994" },
	{ "Zen 3 with stacked cache", {
		.vendor = AMD(0x10), .model = { 0x00a20f12, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, FSRM },
		.xcr0 = X87_SSE_AVX, .extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 96 * MIB) },
	  VENDOR_AMD, 0x19, 0x21, HAS_AVX2 | CPU_ERMS | CPU_FSRM, 96 * MIB, 16,
	  "avx2", 48 * MIB, NEVER, "Zen 3 or 4", "half of the L3", "30994" },
	{ "Zen 4", {
		.vendor = AMD(0x10), .model = { 0x00a10f11, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xcr0 = ALL_AVX512, .extended = { 0x80000028, 0, 0, 0 },
		.caches = CACHES(16, 16, 32 * MIB) },
	  VENDOR_AMD, 0x19, 0x11, HAS_AVX512 | CPU_ERMS | CPU_FSRM, 32 * MIB,
	  16, "avx2", 16 * MIB, NEVER, "Zen 3 or 4", "half of the L3",
	  "30994" },
	{ "Zen 5", {
		.vendor = AMD(0x10), .model = { 0x00b00f21, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xcr0 = ALL_AVX512, .extended = { 0x80000028, 0, 0, 0 },
		.caches = CACHES(16, 16, 32 * MIB) },
	  VENDOR_AMD, 0x1a, 0x02, HAS_AVX512 | CPU_ERMS | CPU_FSRM, 32 * MIB,
	  16, "avx512", 16 * MIB, 24 * KIB, "Zen 5", "one stream",
	  "half of the L1" },
	{ "Zen 5 without ERMS", {
		.vendor = AMD(0x10), .model = { 0x00b00f21, 0, BOTH, 0 },
		.features = { 0, AVX2 | AVX512, 0, 0 },
		.xcr0 = ALL_AVX512, .extended = { 0x80000028, 0, 0, 0 },
		.caches = CACHES(16, 16, 32 * MIB) },
	  VENDOR_AMD, 0x1a, 0x02, HAS_AVX512, 32 * MIB,
	  16, "avx512", 16 * MIB, NEVER, "Zen 5", "one stream", "no ERMS" },
	{ "AMD family 10h, no topology", {
		.vendor = AMD(6), .model = { 0x00100f80, 0, 0, 0 },
		.extended = { 0x8000001b, 0, 0, 0 },
		.amd_l2_l3 = { 0, 0, 512 << 16, 12 << 18 } },
	  VENDOR_AMD, 0x10, 0x08, 0, 6 * MIB, 0,
	  "sse2", 3 * MIB, NEVER, "no AVX2", "half of the L3", "no gain" },
	{ "AMD, no topology, the L3 of all complexes", {
		.vendor = AMD(0xd), .model = { 0x00830f10, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000020, 0, 0, 0 },
		.amd_l2_l3 = { 0, 0, 512 << 16, 512u << 18 } },
	  VENDOR_AMD, 0x17, 0x31, HAS_AVX2, 256 * MIB, 0,
	  "avx2", 16 * MIB, NEVER, "Zen 1 or 2", "half of the L3", "microcode" },
	{ "AMD K8: SSE2 alone, no L3", {
		.vendor = AMD(1), .model = { 0x00000f4a, 0, 0, 0 },
		.extended = { 0x80000018, 0, 0, 0 },
		.amd_l2_l3 = { 0, 0, 1024 << 16, 0 } },
	  VENDOR_AMD, 0x0f, 0x04, 0, 0, 0,
	  "sse2", 8 * MIB, NEVER, "no AVX2", "unknown or absurd", "no gain" },
	{ "Haswell", {
		.vendor = INTEL(0xd), .model = { 0x000306c3, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, 0 },
		.xcr0 = X87_SSE_AVX, .caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, HAS_AVX2 | CPU_ERMS, 8 * MIB, 16,
	  "avx2", 2 * MIB, 8 * KIB, WIDEST, "quarter of the L3", RULE },
	{ "Haswell with RTM", {
		.vendor = INTEL(0xd), .model = { 0x000306c3, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | RTM, 0, 0 },
		.xcr0 = X87_SSE_AVX, .caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, HAS_AVX2 | CPU_ERMS | CPU_RTM, 8 * MIB, 16,
	  "sse2", 2 * MIB, 2 * KIB, "RTM is usable", "quarter of the L3",
	  RULE },
	{ "Sandy Bridge: AVX, not AVX2", {
		.vendor = INTEL(0xd), .model = { 0x000206a7, 0, BOTH, 0 },
		.xcr0 = X87_SSE_AVX, .xsave = { 1, 0, 0, 0 },
		.caches = CACHES(16, 12, 6 * MIB) },
	  VENDOR_INTEL, 6, 0x2a, CPU_AVX, 6 * MIB, 16,
	  "sse2", 2 * MIB, NEVER, "no AVX2", "quarter of the L3", "no ERMS" },
	{ "Skylake-X", {
		.vendor = INTEL(0x16), .model = { 0x00050654, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, 0 },
		.xcr0 = ALL_AVX512, .caches = CACHES(64, 11, 25344 * KIB) },
	  VENDOR_INTEL, 6, 0x55, HAS_AVX512 | CPU_ERMS, 25344 * KIB, 64,
	  "avx2", 6336 * KIB, 8 * KIB, "Skylake-X", "quarter of the L3", RULE },
	{ "Skylake-X with RTM", {
		.vendor = INTEL(0x16), .model = { 0x00050654, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512 | RTM, 0, 0 },
		.xcr0 = ALL_AVX512, .caches = CACHES(64, 11, 25344 * KIB) },
	  VENDOR_INTEL, 6, 0x55, HAS_AVX512 | CPU_ERMS | CPU_RTM, 25344 * KIB,
	  64, "sse2", 6336 * KIB, 2 * KIB, "RTM is usable",
	  "quarter of the L3", RULE },
	{ "Ice Lake client, RTM always aborts", {
		.vendor = INTEL(0x1b), .model = { 0x000706e5, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512 | RTM, 0,
			      FSRM | ALWAYS_ABORT },
		.xcr0 = ALL_AVX512, .caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x7e, HAS_AVX512 | CPU_ERMS | CPU_FSRM, 8 * MIB, 16,
	  "avx512", 2 * MIB, 2112, WIDEST, "quarter of the L3", RULE },
	{ "Ice Lake server", {
		.vendor = INTEL(0x1b), .model = { 0x000606a6, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xsave = { 0xf, 0, 0, 0 }, .xcr0 = 0x2e7,
		.caches = CACHES(64, 12, 48 * MIB) },
	  VENDOR_INTEL, 6, 0x6a,
	  HAS_AVX512 | CPU_ERMS | CPU_FSRM | CPU_XGETBV1, 48 * MIB, 64,
	  "avx512", 12 * MIB, 2112, WIDEST, "quarter of the L3", RULE },
	{ "Sapphire Rapids", {
		.vendor = INTEL(0x20), .model = { 0x000806f8, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xcr0 = 0x602e7, .caches = CACHES(128, 15, 105 * MIB) },
	  VENDOR_INTEL, 6, 0x8f, HAS_AVX512 | CPU_ERMS | CPU_FSRM, 105 * MIB,
	  128, "avx512", 26880 * KIB, 2112, WIDEST, "quarter of the L3", RULE },
	{ "AVX-512 F without BW and VL (Knights Landing)", {
		.vendor = INTEL(0xd), .model = { 0x00050671, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512F, 0, 0 },
		.xcr0 = ALL_AVX512 },
	  VENDOR_INTEL, 6, 0x57, HAS_AVX2 | CPU_ERMS, 0, 0,
	  "avx2", 8 * MIB, 8 * KIB, WIDEST, "unknown or absurd", RULE },
	{ "AVX-512 without its state in XCR0", {
		.vendor = INTEL(0x1b), .model = { 0x000606a6, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xcr0 = X87_SSE_AVX, .caches = CACHES(64, 12, 48 * MIB) },
	  VENDOR_INTEL, 6, 0x6a, HAS_AVX2 | CPU_ERMS | CPU_FSRM, 48 * MIB, 64,
	  "avx2", 12 * MIB, 2112, WIDEST, "quarter of the L3", RULE },
	{ "AVX-512 with a part of its state in XCR0", {
		.vendor = INTEL(0x1b), .model = { 0x000606a6, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS | AVX512, 0, FSRM },
		.xcr0 = 0x67, .caches = CACHES(64, 12, 48 * MIB) },
	  VENDOR_INTEL, 6, 0x6a, HAS_AVX2 | CPU_ERMS | CPU_FSRM, 48 * MIB, 64,
	  "avx2", 12 * MIB, 2112, WIDEST, "quarter of the L3", RULE },
	{ "AVX without OSXSAVE", {
		.vendor = INTEL(0xd), .model = { 0x000306c3, 0, AVX, 0 },
		.features = { 0, AVX2 | ERMS, 0, 0 },
		.xsave = { 4, 0, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, CPU_ERMS, 8 * MIB, 16,
	  "sse2", 2 * MIB, 2 * KIB, "no AVX2", "quarter of the L3", RULE },
	{ "OSXSAVE, but the OS saves only SSE", {
		.vendor = INTEL(0xd), .model = { 0x000306c3, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, 0 }, .xcr0 = 3,
		.caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, CPU_ERMS, 8 * MIB, 16,
	  "sse2", 2 * MIB, 2 * KIB, "no AVX2", "quarter of the L3", RULE },
	{ "AVX2 bit without AVX", {
		.vendor = INTEL(0xd), .model = { 0x000306c3, 0, OSXSAVE, 0 },
		.features = { 0, AVX2 | AVX512, 0, 0 }, .xcr0 = ALL_AVX512,
		.caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, 0, 8 * MIB, 16,
	  "sse2", 2 * MIB, NEVER, "no AVX2", "quarter of the L3", "no ERMS" },
	{ "highest leaf below 7, leaf 7 full of rubbish", {
		.vendor = INTEL(6), .model = { 0x000306c3, 0, BOTH, 0 },
		.features = { ~0u, ~0u, ~0u, ~0u }, .xcr0 = ALL_AVX512,
		.caches = CACHES(16, 16, 8 * MIB) },
	  VENDOR_INTEL, 6, 0x3c, CPU_AVX, 8 * MIB, 16,
	  "sse2", 2 * MIB, NEVER, "no AVX2", "quarter of the L3", "no ERMS" },
	{ "nothing but zeros", { .xcr0 = 0 },
	  VENDOR_OTHER, 0, 0, 0, 0, 0,
	  "sse2", 8 * MIB, NEVER, "no AVX2", "unknown or absurd", "no ERMS" },
	{ "another vendor", {
		.vendor = CENTAUR(0xd), .model = { 0x000606b1, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.caches = CACHES(8, 16, 32 * MIB) },
	  VENDOR_OTHER, 6, 0x6b, HAS_AVX2, 32 * MIB, 8,
	  "avx2", 8 * MIB, NEVER, WIDEST, "quarter of the L3", "no ERMS" },
	{ "L3 of 1 TiB", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2 | ERMS, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 1024 * 1024 * MIB) },
	  VENDOR_AMD, 0x19, 0x01, HAS_AVX2 | CPU_ERMS,
	  (uint64_t)1 << 40, 16,
	  "avx2", 8 * MIB, NEVER, "Zen 3 or 4", "unknown or absurd", "30994" },
	{ "L3 of 1 GiB, the most that is believed", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 1024 * MIB) },
	  VENDOR_AMD, 0x19, 0x01, HAS_AVX2, 1024 * MIB, 16,
	  "avx2", 64 * MIB, NEVER, "Zen 3 or 4", "half of the L3", "30994" },
	{ "L3 just above that", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 1024 * MIB + 1 * KIB) },
	  VENDOR_AMD, 0x19, 0x01, HAS_AVX2, 1024 * MIB + 1 * KIB, 16,
	  "avx2", 8 * MIB, NEVER, "Zen 3 or 4", "unknown or absurd", "30994" },
	{ "L3 of 1 MiB, the least that is believed", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 1 * MIB) },
	  VENDOR_AMD, 0x19, 0x01, HAS_AVX2, 1 * MIB, 16,
	  "avx2", 2 * MIB, NEVER, "Zen 3 or 4", "half of the L3", "30994" },
	{ "L3 just below that", {
		.vendor = AMD(0x10), .model = { 0x00a00f11, 0, BOTH, 0 },
		.features = { 0, AVX2, 0, 0 }, .xcr0 = X87_SSE_AVX,
		.extended = { 0x80000023, 0, 0, 0 },
		.caches = CACHES(16, 16, 1 * MIB - 1 * KIB) },
	  VENDOR_AMD, 0x19, 0x01, HAS_AVX2, 1 * MIB - 1 * KIB, 16,
	  "avx2", 8 * MIB, NEVER, "Zen 3 or 4", "unknown or absurd", "30994" },
};

const int made_up_cpu_count = sizeof(made_up_cpus) / sizeof(made_up_cpus[0]);
