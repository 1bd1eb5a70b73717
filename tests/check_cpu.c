/* check_cpu.c - decode CPUs that are not here, and read the one that is.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "made_up_cpus.h"
#include "suite.h"

START_TEST(test_decodes_made_up_cpus)
{
	const struct made_up_cpu *m = &made_up_cpus[_i];
	struct cpu cpu;

	memset(&cpu, 0xff, sizeof(cpu));
	cpu_decode(&m->record, &cpu);
	ck_assert_msg(cpu.vendor == m->vendor, "%s: vendor %d", m->name,
		      (int)cpu.vendor);
	ck_assert_msg(cpu.family == m->family && cpu.model == m->model,
		      "%s: family %#x model %#x", m->name, cpu.family,
		      cpu.model);
	ck_assert_msg(cpu.stepping == (m->record.model.eax & 15),
		      "%s: stepping %u", m->name, cpu.stepping);
	ck_assert_msg(cpu.features == m->features, "%s: features %#x, not %#x",
		      m->name, cpu.features, m->features);
	ck_assert_msg(cpu.l3 == m->l3 && cpu.l3_threads == m->l3_threads,
		      "%s: L3 of %llu bytes for %u threads", m->name,
		      (unsigned long long)cpu.l3, cpu.l3_threads);
	if (m->record.caches[0].eax)
		ck_assert_msg(cpu.l1d == 32 << 10 && cpu.l2 == 1 << 20,
			      "%s: L1d or L2", m->name);
	else
		ck_assert_msg(!cpu.l1d && cpu.l2 == (uint64_t)
			      (m->record.amd_l2_l3.ecx >> 16) << 10,
			      "%s: L1d or L2", m->name);
}
END_TEST

/* Any bits at all: no loop without end, no shift too far (UBSan). */
START_TEST(test_decodes_anything)
{
	struct cpu_record record;
	unsigned char *bytes = (unsigned char *)&record;
	struct cpu cpu;

	srandom((unsigned)_i);
	for (size_t i = 0; i < sizeof(record); i++)
		bytes[i] = (unsigned char)(_i ? random() : 0xff);
	cpu_decode(&record, &cpu);
	ck_assert(!(cpu.features & CPU_AVX2) || cpu.features & CPU_AVX);
	ck_assert(!(cpu.features & CPU_AVX512) || cpu.features & CPU_AVX2);
}
END_TEST

/* What the compiler's own detection says of this CPU must be what we say. */
START_TEST(test_agrees_with_the_compiler_here)
{
	struct cpu_record record;
	struct cpu cpu;

	__builtin_cpu_init();
	cpu_read(&record);
	cpu_decode(&record, &cpu);
	ck_assert_int_eq(!!(cpu.features & CPU_AVX),
			 !!__builtin_cpu_supports("avx"));
	ck_assert_int_eq(!!(cpu.features & CPU_AVX2),
			 !!__builtin_cpu_supports("avx2"));
	ck_assert_int_eq(!!(cpu.features & CPU_AVX512),
			 __builtin_cpu_supports("avx512f") &&
			 __builtin_cpu_supports("avx512bw") &&
			 __builtin_cpu_supports("avx512vl") &&
			 __builtin_cpu_supports("bmi2"));
	ck_assert_int_eq(cpu.vendor == VENDOR_INTEL,
			 !!__builtin_cpu_is("intel"));
}
END_TEST

/* The short way must lead to the same decision. */
START_TEST(test_essentials_are_what_policies_need)
{
	struct cpu_record record;
	struct cpu whole, essential;

	cpu_read(&record);
	cpu_decode(&record, &whole);
	memset(&record, 0xff, sizeof(record));
	cpu_read_essentials(&record);
	cpu_decode(&record, &essential);
	ck_assert_int_eq(whole.vendor, essential.vendor);
	ck_assert_uint_eq(whole.family, essential.family);
	ck_assert_uint_eq(whole.model, essential.model);
	ck_assert_uint_eq(whole.features & ~(uint32_t)CPU_XGETBV1,
			  essential.features & ~(uint32_t)CPU_XGETBV1);
	ck_assert_uint_eq(whole.l3, essential.l3);
	ck_assert_uint_eq(whole.l3_threads, essential.l3_threads);
}
END_TEST

START_TEST(test_brand_is_terminated)
{
	char brand[49];

	memset(brand, 'x', sizeof(brand));
	cpu_brand(brand);
	ck_assert_ptr_nonnull(memchr(brand, 0, sizeof(brand)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cpu");
	TCase *tc = tcase_create("cpu");

	tcase_add_loop_test(tc, test_decodes_made_up_cpus, 0,
			    made_up_cpu_count);
	tcase_add_loop_test(tc, test_decodes_anything, 0, 50);
	tcase_add_test(tc, test_agrees_with_the_compiler_here);
	tcase_add_test(tc, test_essentials_are_what_policies_need);
	tcase_add_test(tc, test_brand_is_terminated);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
