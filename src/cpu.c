/* cpu.c - CPUID and XGETBV, read and decoded.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <cpuid.h>
#include <stdbool.h>

#include "compiler.h"
#include "cpu.h"

/* XCR0: what the OS saves for us. */
#define XCR0_AVX 0x06ULL	/* xmm and ymm */
#define XCR0_AVX512 0xe6ULL	/* and opmask, zmm 0-15, zmm 16-31 */

BARE static void cpuid(struct cpuid_leaf *leaf, uint32_t number,
		       uint32_t subleaf)
{
	__cpuid_count(number, subleaf, leaf->eax, leaf->ebx, leaf->ecx,
		      leaf->edx);
}

BARE static void clear(struct cpuid_leaf *leaf)
{
	leaf->eax = leaf->ebx = leaf->ecx = leaf->edx = 0;
}

BARE static void cpuid_if(bool present, struct cpuid_leaf *leaf,
			  uint32_t number, uint32_t subleaf)
{
	if (present)
		cpuid(leaf, number, subleaf);
	else
		clear(leaf);
}

BARE static bool is_amd(const struct cpuid_leaf *vendor)
{
	/* "AuthenticAMD"; "HygonGenuine" is a Zen 1 with the same leaves */
	return (vendor->ebx == 0x68747541 && vendor->edx == 0x69746e65 &&
		vendor->ecx == 0x444d4163) ||
	       (vendor->ebx == 0x6f677948 && vendor->edx == 0x6e65476e &&
		vendor->ecx == 0x656e6975);
}

BARE static bool is_intel(const struct cpuid_leaf *vendor)
{
	return vendor->ebx == 0x756e6547 && vendor->edx == 0x49656e69 &&
	       vendor->ecx == 0x6c65746e;
}

BARE static bool has_osxsave(const struct cpu_record *record)
{
	return record->model.ecx & 1u << 27;
}

/* Cache topology: leaf 4 at Intel; AMD's own reads as zero where it is not. */
BARE static uint32_t cache_leaf(const struct cpu_record *record)
{
	if (!is_amd(&record->vendor))
		return record->vendor.eax >= 4 ? 4 : 0;
	return record->extended.eax >= 0x8000001d ? 0x8000001d : 0;
}

BARE static bool is_l3(const struct cpuid_leaf *leaf)
{
	return (leaf->eax & 31) == 3 && (leaf->eax >> 5 & 7) == 3;
}

BARE static void read_caches(struct cpu_record *record)
{
	uint32_t leaf = cache_leaf(record);
	bool more = leaf;

	for (uint32_t i = 0; i < CPU_CACHE_LEAVES; i++) {
		cpuid_if(more, &record->caches[i], leaf, i);
		more = record->caches[i].eax & 31;
	}
}

/* The L3 is the fourth cache of nearly every CPU that has one. */
BARE static void read_l3(struct cpu_record *record)
{
	uint32_t leaf = cache_leaf(record);

	for (uint32_t i = 0; i < CPU_CACHE_LEAVES; i++)
		cpuid_if(leaf && i == 3, &record->caches[i], leaf, i);
	if (!is_l3(&record->caches[3]))
		read_caches(record);
}

BARE static void read_features(struct cpu_record *record)
{
	uint32_t low = 0, high = 0;

	cpuid(&record->vendor, 0, 0);
	cpuid_if(record->vendor.eax >= 1, &record->model, 1, 0);
	cpuid_if(record->vendor.eax >= 7, &record->features, 7, 0);
	if (has_osxsave(record))
		__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	record->xcr0 = (uint64_t)high << 32 | low;
	clear(&record->xsave);
	cpuid_if(is_amd(&record->vendor), &record->extended, 0x80000000, 0);
	if (record->extended.eax < 0x80000000)
		clear(&record->extended);
}

/* Where AMD has no topology. */
BARE static void read_legacy_caches(struct cpu_record *record)
{
	cpuid_if(!(record->caches[0].eax & 31) &&
		 !(record->caches[3].eax & 31) &&
		 record->extended.eax >= 0x80000006,
		 &record->amd_l2_l3, 0x80000006, 0);
}

BARE void cpu_read_essentials(struct cpu_record *record)
{
	read_features(record);
	read_l3(record);
	read_legacy_caches(record);
}

BARE void cpu_read(struct cpu_record *record)
{
	read_features(record);
	cpuid_if(record->vendor.eax >= 0xd && has_osxsave(record),
		 &record->xsave, 0xd, 1);
	read_caches(record);
	read_legacy_caches(record);
}

BARE static uint32_t decode_features(const struct cpu_record *record)
{
	uint32_t ebx = record->features.ebx, features = 0;
	bool avx = has_osxsave(record) && record->model.ecx & 1u << 28 &&
		   (record->xcr0 & XCR0_AVX) == XCR0_AVX;

	if (record->vendor.eax < 7)
		ebx = 0;
	/* No register says that the OS saves xmm; Linux does, since 2.4. */
	if (record->model.edx & 1u << 26)
		features |= CPU_SSE2;
	if (avx)
		features |= CPU_AVX;
	if (avx && ebx & 1u << 5)
		features |= CPU_AVX2;
	/* F 16, BW 30, VL 31 */
	if (features & CPU_AVX2 && ebx & 1u << 16 && ebx & 1u << 30 &&
	    ebx & 1u << 31 &&
	    (record->xcr0 & XCR0_AVX512) == XCR0_AVX512)
		features |= CPU_AVX512;
	if (ebx & 1u << 9)
		features |= CPU_ERMS;
	if (record->vendor.eax >= 7 && record->features.edx & 1u << 4)
		features |= CPU_FSRM;
	/* RTM_ALWAYS_ABORT (edx 11): transactions never start */
	if (ebx & 1u << 11 && !(record->features.edx & 1u << 11))
		features |= CPU_RTM;
	if (has_osxsave(record) && record->xsave.eax & 1u << 2)
		features |= CPU_XGETBV1;
	return features;
}

BARE static void decode_model(uint32_t eax, struct cpu *cpu)
{
	cpu->stepping = eax & 15;
	cpu->model = eax >> 4 & 15;
	cpu->family = eax >> 8 & 15;
	if (cpu->family == 6 || cpu->family == 15)
		cpu->model |= eax >> 12 & 0xf0;
	if (cpu->family == 15)
		cpu->family += eax >> 20 & 255;
}

/* Leaf 4 and AMD's 0x8000001d agree on the bits used here. */
BARE static void decode_cache(const struct cpuid_leaf *leaf, struct cpu *cpu)
{
	uint64_t size = (leaf->ebx >> 22) + 1ULL;	/* ways */
	unsigned type = leaf->eax & 31, level = leaf->eax >> 5 & 7;

	size *= (leaf->ebx >> 12 & 0x3ff) + 1ULL;	/* partitions */
	size *= (leaf->ebx & 0xfff) + 1ULL;		/* bytes in a line */
	size *= leaf->ecx + 1ULL;			/* sets */
	if (type == 1 && level == 1)
		cpu->l1d = size;
	if (type == 3 && level == 2)
		cpu->l2 = size;
	if (type == 3 && level == 3) {
		cpu->l3 = size;
		cpu->l3_threads = (leaf->eax >> 14 & 0xfff) + 1;
	}
}

BARE void cpu_decode(const struct cpu_record *record, struct cpu *cpu)
{
	cpu->vendor = is_amd(&record->vendor) ? VENDOR_AMD :
		      is_intel(&record->vendor) ? VENDOR_INTEL : VENDOR_OTHER;
	decode_model(record->model.eax, cpu);
	cpu->features = decode_features(record);
	cpu->l1d = 0;
	cpu->l2 = (uint64_t)(record->amd_l2_l3.ecx >> 16) << 10;
	cpu->l3 = (uint64_t)(record->amd_l2_l3.edx >> 18) << 19;
	cpu->l3_threads = 0;
	for (unsigned i = 0; i < CPU_CACHE_LEAVES; i++)
		if (record->caches[i].eax & 31)
			decode_cache(&record->caches[i], cpu);
}

BARE void cpu_brand(char brand[49])
{
	struct cpuid_leaf leaf;
	uint32_t word[4];

	brand[0] = 0;
	cpuid(&leaf, 0x80000000, 0);
	if (leaf.eax < 0x80000004)
		return;
	for (unsigned i = 0; i < 3; i++) {
		cpuid(&leaf, 0x80000002 + i, 0);
		word[0] = leaf.eax;
		word[1] = leaf.ebx;
		word[2] = leaf.ecx;
		word[3] = leaf.edx;
		for (unsigned j = 0; j < 16; j++)
			brand[i * 16 + j] =
				(char)(word[j / 4] >> j % 4 * 8 & 255);
	}
	brand[48] = 0;
}
