/* seeds_lists.c - who is compared with whom.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "complain.h"
#include "place.h"
#include "seeds.h"
#include "seeds_variants.h"

static struct competitors dispatch, aligned, delegation, macswap;

static struct competitor *add(struct competitors *list, const char *name,
			      copy_fn *copy, const char *what)
{
	struct competitor *c = competitors_add(list, name, KIND_CALL, copy,
					       copy);
	struct decision decision;

	seeds_decide(&decision);
	c->thresholds = decision.thresholds;
	snprintf(c->what, sizeof(c->what), "%s", what);
	return c;
}

static void add_reference(struct competitors *list, const char *name,
			  copy_fn *copy, const char *what)
{
	add(list, name, copy, what);
	add(list, "A/A", copy, "the reference once more");
}

static void add_if_known(struct competitors *list, const struct bench *bench,
			 const char *name)
{
	const struct competitor *c =
		competitors_by_name(&bench->competitors, name);

	if (c)
		list->all[list->count++] = *c;
}

static void add_known(struct competitors *list, const struct bench *bench,
		      const char *name)
{
	size_t before = list->count;

	add_if_known(list, bench, name);
	if (list->count == before)
		fail_usage("the competitor %s is needed here, and left out by "
			   "--competitors", name);
}

const struct competitors *seeds_dispatch_list(const struct bench *bench)
{
	struct competitors *list = &dispatch;
	struct decision decision;

	if (list->count)
		return list;
	seeds_decide(&decision);
	add_reference(list, "direct", decision.kernel->copy,
		      "the kernel that auto chooses, bound directly");
	add_known(list, bench, "memroute");
	add(list, "pointer", seeds_pointer, "the same kernel through a pointer "
	    "that a constructor has filled, for every size");
	if (seeds_ifunc)
		add(list, "ifunc", seeds_ifunc, "the same kernel through the "
		    "GOT entry of a hidden ifunc, for every size");
	list->all[list->count++] = bench->competitors.all[REFERENCE];
	return list;
}

const struct competitors *seeds_aligned_list(void)
{
	struct competitors *list = &aligned;
	struct decision decision;
	bool avx2;

	if (list->count)
		return list;
	/* AVX-512 machines have AVX2 too; there is no variant of it here. */
	seeds_decide(&decision);
	avx2 = __builtin_cpu_supports("avx2");
	add_reference(list, "generic", avx2 ? seeds_generic_avx2 :
		      seeds_generic_sse2,
		      "kernel without its loop for aligned blocks");
	add(list, "aligned", memroute_kernel_by_name(avx2 ? "avx2" :
						     "sse2")->copy,
	    "kernel with it");
	add(list, "in_turn", avx2 ? seeds_interleaved_avx2 :
	    seeds_interleaved_sse2,
	    "kernel with it, each load followed by its store");
	return list;
}

const struct competitors *seeds_delegation_list(const struct bench *bench)
{
	struct competitors *list = &delegation;
	char *found = NULL;
	const char *path = bench->settings.library;

	if (list->count)
		return list;
	list->all[list->count++] = bench->competitors.all[REFERENCE];
	list->all[list->count++] = bench->competitors.all[CONTROL];
	add_known(list, bench, "memroute");
	if (!path)
		path = found = place_library();
	add(list, "to_libc", seeds_library_to_libc(path),
	    "exported memcpy of the library under MEMROUTE=libc");
	free(found);
	competitors_add(list, "inline", KIND_INLINE, NULL, NULL);
	add_if_known(list, bench, "rte_avx2");
	add_if_known(list, bench, "rte_avx512");
	add_if_known(list, bench, "rep_movsb");
	return list;
}

const struct competitors *seeds_macswap_list(void)
{
	struct competitors *list = &macswap;

	if (list->count)
		return list;
	if (!macswap_has_shuffle())
		fail("macswap: this CPU has no SSSE3, nothing to compare");
	add_reference(list, "sse", macswap_sse,
		      "four loads, four stores, then the fields");
	add(list, "in_turn", macswap_interleaved,
	    "loads, stores and fields interleaved");
	add(list, "scalar", macswap_scalar, "one packet after the other");
	return list;
}
