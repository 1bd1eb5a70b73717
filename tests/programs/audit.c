/* audit.c - an LD_AUDIT library that wants to hear of every binding, so that
 * every PLT call goes through ld.so, also in a library linked with -z now.
 * Says so when memcpy is bound.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include <unistd.h>

unsigned la_version(unsigned version)
{
	return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
	(void)map, (void)space, (void)cookie;
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from,
		       uintptr_t *to, unsigned *flags, const char *name)
{
	(void)index, (void)from, (void)to, (void)flags;
	if (!strcmp(name, "memcpy"))
		write(1, "audited ", 8);
	return symbol->st_value;
}
