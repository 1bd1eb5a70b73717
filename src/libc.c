/* libc.c - look things up in libc and ld.so without calling dlsym.
 *
 * dlsym would need dlsym@GLIBC_2.34 when linked on Debian 12, may allocate,
 * and finds the first memmove in search order, which can be a sanitizer's.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <link.h>
#include <stdbool.h>

#include "compiler.h"
#include "libc.h"
#include "text.h"

/* The parts of one loaded object's dynamic section that a lookup needs. */
struct object {
	const struct dl_phdr_info *info;
	const ElfW(Sym) *symbols;
	const char *strings;
	const uint32_t *gnu_hash;
	const uint32_t *sysv_hash;
};

/* glibc relocates the addresses in a dynamic section, musl and the vDSO do
 * not; what is smaller than the load address is not relocated yet. */
BARE static const void *absolute(const struct object *object,
				 const ElfW(Dyn) *entry)
{
	ElfW(Addr) base = object->info->dlpi_addr, p = entry->d_un.d_ptr;

	return (const void *)(p < base ? p + base : p);
}

BARE static bool open_object(struct object *object,
			     const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *entry = NULL;

	object->info = info;
	object->symbols = NULL;
	object->strings = NULL;
	object->gnu_hash = object->sysv_hash = NULL;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const void *)(info->dlpi_addr +
					       info->dlpi_phdr[i].p_vaddr);
	if (!entry)
		return false;
	for (; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			object->symbols = absolute(object, entry);
		else if (entry->d_tag == DT_STRTAB)
			object->strings = absolute(object, entry);
		else if (entry->d_tag == DT_GNU_HASH)
			object->gnu_hash = absolute(object, entry);
		else if (entry->d_tag == DT_HASH)
			object->sysv_hash = absolute(object, entry);
	}
	return object->symbols && object->strings;
}

BARE static bool defines(const struct object *object, const ElfW(Sym) *symbol,
			 const char *name)
{
	return symbol->st_shndx != SHN_UNDEF &&
	       text_equal(object->strings + symbol->st_name, name);
}

/* DT_GNU_HASH: header, bloom filter (skipped), buckets, chains of hashes. */
BARE static const ElfW(Sym) *find_gnu(const struct object *object,
				      const char *name)
{
	const uint32_t *table = object->gnu_hash;
	uint32_t buckets = table[0], first = table[1], bloom = table[2];
	const uint32_t *bucket = table + 4 + bloom * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	uint32_t hash = 5381, i;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	if (!buckets || (i = bucket[hash % buckets]) < first)
		return NULL;
	do {
		if ((chain[i - first] | 1) == (hash | 1) &&
		    defines(object, &object->symbols[i], name))
			return &object->symbols[i];
	} while (!(chain[i++ - first] & 1));
	return NULL;
}

/* DT_HASH tells the number of symbols; few objects have only this table. */
BARE static const ElfW(Sym) *find_sysv(const struct object *object,
				       const char *name)
{
	for (uint32_t i = 1; i < object->sysv_hash[1]; i++)
		if (defines(object, &object->symbols[i], name))
			return &object->symbols[i];
	return NULL;
}

BARE static const ElfW(Sym) *find_symbol(const struct object *object,
					 const char *name)
{
	return object->gnu_hash ? find_gnu(object, name) :
	       object->sysv_hash ? find_sysv(object, name) : NULL;
}

BARE static void *address_of(const struct object *object,
			     const ElfW(Sym) *symbol)
{
	return (void *)(object->info->dlpi_addr + symbol->st_value);
}

/* True if code lies in an executable segment of the object. */
BARE static bool holds_code(const struct object *object, const void *code)
{
	const struct dl_phdr_info *info = object->info;

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		ElfW(Addr) start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    (ElfW(Addr))code - start < segment->p_memsz)
			return true;
	}
	return false;
}

BARE static void *function_at(const struct object *object, const char *name)
{
	const ElfW(Sym) *symbol = find_symbol(object, name);
	void *code;

	if (!symbol)
		return NULL;
	code = address_of(object, symbol);
	if (ELF32_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC &&
	    holds_code(object, code))
		code = ((void *(*)(void))code)();
	return holds_code(object, code) ? code : NULL;
}

/* The libc is what defines both; a sanitizer's runtime only has the second,
 * a program only refers to the first. */
BARE static int visit_libc(struct dl_phdr_info *info, size_t size, void *data)
{
	struct libc *libc = data;
	struct object object;
	const char *(*version)(void);

	(void)size;
	if (!open_object(&object, info) ||
	    !find_symbol(&object, "__libc_start_main") ||
	    !find_symbol(&object, "memmove"))
		return 0;
	libc->path = info->dlpi_name;
	libc->memmove = (copy_fn *)function_at(&object, "memmove");
	version = (const char *(*)(void))function_at(&object,
						     "gnu_get_libc_version");
	libc->version = version ? version() : NULL;
	return 1;
}

BARE void libc_find(struct libc *libc)
{
	libc->path = NULL;
	libc->memmove = NULL;
	libc->version = NULL;
	dl_iterate_phdr(visit_libc, libc);
}

/*
 * ld.so is what defines both. A program may define the first as well: node
 * has a copy relocation for it, which is filled only after our resolver ran.
 */
BARE static int visit_loader(struct dl_phdr_info *info, size_t size,
			     void *data)
{
	void ***stack_end = data;
	const ElfW(Sym) *symbol;
	struct object object;

	(void)size;
	if (!open_object(&object, info) ||
	    !find_symbol(&object, "__tls_get_addr"))
		return 0;
	symbol = find_symbol(&object, "__libc_stack_end");
	if (!symbol)
		return 0;
	*stack_end = *(void ***)address_of(&object, symbol);
	return 1;
}

BARE const char *const *libc_initial_environment(void)
{
	void **stack_end = NULL;

	dl_iterate_phdr(visit_loader, &stack_end);
	if (!stack_end)
		return NULL;
	/* argc, argv[argc], NULL, environment, NULL */
	return (const char *const *)(stack_end + 2 + *(uintptr_t *)stack_end);
}
