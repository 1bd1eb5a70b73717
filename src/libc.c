/* libc.c - look things up in libc and ld.so without calling dlsym.
 *
 * dlsym would need dlsym@GLIBC_2.34 when linked on Debian 12, may allocate,
 * and finds the first memmove in search order, which can be a sanitizer's.
 *
 * In a resolver not even a call by name is safe. The name may be bound to the
 * executable, which is relocated after us: to a function of its own (the
 * thread and memory sanitizers define dl_iterate_phdr), or to the PLT entry
 * that a non-PIE program uses as the address of libc's function. So the
 * resolver starts from the one address that it can trust, its return address
 * in ld.so, and finds libc's own functions from there.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <sys/auxv.h>

#include "compiler.h"
#include "libc.h"
#include "text.h"

/* What we call of libc; null: do without. Written by the resolver at most. */
__attribute__((section(".data.rel.ro.memroute")))
static struct {
	int (*iterate)(int (*visit)(struct dl_phdr_info *, size_t, void *),
		       void *data);
	unsigned long (*getauxval)(unsigned long type);
} own = { dl_iterate_phdr, getauxval };

/* The parts of one loaded object's dynamic section that a lookup needs. */
struct object {
	ElfW(Addr) base;
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
	ElfW(Addr) p = entry->d_un.d_ptr;

	return (const void *)(p < object->base ? p + object->base : p);
}

BARE static bool open_dynamic(struct object *object, ElfW(Addr) base,
			      const ElfW(Dyn) *entry)
{
	object->base = base;
	object->symbols = NULL;
	object->strings = NULL;
	object->gnu_hash = object->sysv_hash = NULL;
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

BARE static bool open_object(struct object *object,
			     const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *dynamic = NULL;

	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(info->dlpi_addr +
						 info->dlpi_phdr[i].p_vaddr);
	return open_dynamic(object, info->dlpi_addr, dynamic);
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

BARE static void *at(const struct object *object, const ElfW(Sym) *symbol)
{
	return (void *)(object->base + symbol->st_value);
}

/* True if code lies in an executable segment of the object. */
BARE static bool holds_code(const struct dl_phdr_info *info, const void *code)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		ElfW(Addr) start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    (ElfW(Addr))code - start < segment->p_memsz)
			return true;
	}
	return false;
}

BARE static void *function_at(const struct object *object,
			      const struct dl_phdr_info *info,
			      const char *name)
{
	const ElfW(Sym) *symbol = find_symbol(object, name);
	void *code;

	if (!symbol)
		return NULL;
	code = at(object, symbol);
	if (ELF32_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC &&
	    holds_code(info, code))
		code = ((void *(*)(void))code)();
	return holds_code(info, code) ? code : NULL;
}

/* The libc is what defines both; a sanitizer's runtime only has the second,
 * a program only refers to the first. */
BARE static bool is_libc(const struct object *object)
{
	return find_symbol(object, "__libc_start_main") &&
	       find_symbol(object, "memmove");
}

BARE static int visit_libc(struct dl_phdr_info *info, size_t size, void *data)
{
	struct libc *libc = data;
	struct object object;
	const char *(*version)(void);

	(void)size;
	if (!open_object(&object, info) || !is_libc(&object))
		return 0;
	libc->path = info->dlpi_name;
	libc->memmove = (copy_fn *)function_at(&object, info, "memmove");
	version = (const char *(*)(void))function_at(&object, info,
						     "gnu_get_libc_version");
	libc->version = version ? version() : NULL;
	return 1;
}

BARE void libc_find(struct libc *libc)
{
	libc->path = NULL;
	libc->memmove = NULL;
	libc->version = NULL;
	if (own.iterate)
		own.iterate(visit_libc, libc);
}

BARE bool libc_is_secure(void)
{
	return !own.getauxval || own.getauxval(AT_SECURE);
}

#if WITH_IFUNC

/* The address of what the object defines under that name, or NULL. */
BARE static void *address_of(const struct object *object, const char *name)
{
	const ElfW(Sym) *symbol = find_symbol(object, name);

	return symbol ? at(object, symbol) : NULL;
}

#define PAGE 4096UL
#define LOADER_MAX (4096 * PAGE)	/* ld.so has about 60 pages */

/* Describes the object around the code: the nearest ELF header below it whose
 * segments hold it. What lies between is mapped, since ld.so's segments are. */
BARE static bool find_around(const void *code, struct dl_phdr_info *info)
{
	ElfW(Addr) start = (ElfW(Addr))code & -PAGE;

	for (ElfW(Addr) end = start - LOADER_MAX; start != end; start -= PAGE) {
		const ElfW(Ehdr) *header = (const void *)start;
		const unsigned char *magic = header->e_ident;

		if (magic[0] != ELFMAG0 || magic[1] != ELFMAG1 ||
		    magic[2] != ELFMAG2 || magic[3] != ELFMAG3)
			continue;
		info->dlpi_phdr = (const void *)(start + header->e_phoff);
		info->dlpi_phnum = header->e_phnum;
		info->dlpi_addr = header->e_type == ET_DYN ? start : 0;
		return holds_code(info, code);
	}
	return false;
}

/* Makes the library call libc's own functions, by way of ld.so's list of the
 * loaded objects, which is there for debuggers. */
BARE static void call_own(const struct link_map *map)
{
	struct object object;

	own.iterate = NULL;
	own.getauxval = NULL;
	for (; map; map = map->l_next) {
		if (!open_dynamic(&object, map->l_addr, map->l_ld) ||
		    !is_libc(&object))
			continue;
		own.iterate = (__typeof__(own.iterate))
			address_of(&object, "dl_iterate_phdr");
		own.getauxval = (__typeof__(own.getauxval))
			address_of(&object, "getauxval");
		return;
	}
}

BARE const char *const *libc_start(const void *loader_code)
{
	const struct r_debug *debug = NULL;
	void ***stack_end = NULL;
	struct dl_phdr_info info;
	struct object loader;

	if (find_around(loader_code, &info) && open_object(&loader, &info)) {
		debug = address_of(&loader, "_r_debug");
		stack_end = address_of(&loader, "__libc_stack_end");
	}
	call_own(debug ? debug->r_map : NULL);
	if (!stack_end || !*stack_end)
		return NULL;
	/* argc, argv[argc], NULL, environment, NULL */
	return (const char *const *)
		(*stack_end + 2 + *(const uintptr_t *)*stack_end);
}

#endif
