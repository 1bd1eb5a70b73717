/* seeds_library.c - the library beside itself, once more, with MEMROUTE=libc.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "complain.h"
#include "seeds.h"

/* A file of its own: ld.so maps one and the same file only once. */
static int copy_of(const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC);
	int to = memfd_create("libmemroute", MFD_CLOEXEC);
	ssize_t sent;

	if (from < 0)
		fail("cannot read %s: %s", path, strerror(errno));
	if (to < 0)
		fail("cannot make a copy of %s: %s", path, strerror(errno));
	do {
		sent = sendfile(to, from, NULL, 1 << 20);
	} while (sent > 0);
	if (sent < 0)
		fail("cannot copy %s: %s", path, strerror(errno));
	close(from);
	return to;
}

/* The library reads the environment where the kernel laid it, as it must in
 * a resolver, so setenv() would be too late: one string there is exchanged
 * while it is loaded. */
static void *load_with(const char *path, char *variable)
{
	char **environment = environ, *saved;
	void *library;

	if (!environment || !environment[0])
		fail("delegation: the environment is empty; there must be one "
		     "variable in it, whichever");
	saved = environment[0];
	environment[0] = variable;
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	environment[0] = saved;
	if (!library)
		fail("cannot load a copy of the library: %s", dlerror());
	return library;
}

static const struct memroute_state *state_in(const char *notes, size_t size)
{
	for (size_t at = 0; at + sizeof(ElfW(Nhdr)) < size;) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + at);
		const char *name = (const char *)(note + 1);
		const char *content = name + ((note->n_namesz + 3u) & ~3u);
		int64_t offset;

		if (note->n_type == MEMROUTE_NOTE_TYPE &&
		    !strcmp(name, MEMROUTE_NOTE_NAME)) {
			memcpy(&offset, content, sizeof(offset));
			return (const struct memroute_state *)
				(content + offset);
		}
		at = (size_t)(content - notes) + ((note->n_descsz + 3u) & ~3u);
	}
	return NULL;
}

/* The state that the library's note points to. */
static const struct memroute_state *state_of(void *library)
{
	const struct memroute_state *state = NULL;
	const ElfW(Phdr) *segments;
	const ElfW(Ehdr) *header;
	struct link_map *map;

	if (dlinfo(library, RTLD_DI_LINKMAP, &map))
		fail("cannot look into the library: %s", dlerror());
	header = (const ElfW(Ehdr) *)map->l_addr;
	segments = (const ElfW(Phdr) *)(map->l_addr + header->e_phoff);
	for (int i = 0; i < header->e_phnum && !state; i++)
		if (segments[i].p_type == PT_NOTE)
			state = state_in((const char *)(map->l_addr +
							segments[i].p_vaddr),
					 segments[i].p_memsz);
	return state;
}

copy_fn *seeds_library_to_libc(const char *path)
{
	char variable[] = "MEMROUTE=libc", name[40];
	const struct memroute_state *state;
	void *library;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", copy_of(path));
	library = load_with(name, variable);
	state = state_of(library);
	if (!state || strcmp(state->kernel, "libc"))
		fail("%s does not obey MEMROUTE=libc", path);
	return (copy_fn *)dlsym(library, "memcpy");
}
