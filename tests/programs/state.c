/* state.c - print what the library in another process has decided, found
 * through its ELF note: state PID. Status 3: the library is not there.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

struct mapping {
	uintptr_t start, end, offset;
	char access[8], path[512];
};

static int memory;	/* /proc/PID/mem */
static char maps[64];	/* /proc/PID/maps */

static void die(const char *why)
{
	fprintf(stderr, "state: %s\n", why);
	exit(1);
}

static void peek(uintptr_t address, void *to, size_t n)
{
	if (pread(memory, to, n, (off_t)address) != (ssize_t)n)
		die("cannot read the memory");
}

/* The first mapping that holds the address, or whose file has the name. */
static int find_mapping(struct mapping *m, uintptr_t address, const char *name)
{
	char line[1024];
	FILE *file = fopen(maps, "r");

	if (!file)
		die("cannot read the mappings");
	while (fgets(line, sizeof(line), file)) {
		m->path[0] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511[^\n]", &m->start,
			   &m->end, m->access, &m->offset, m->path) < 4)
			continue;
		if (name ? !!strstr(m->path, name) :
		    address >= m->start && address < m->end) {
			fclose(file);
			return 1;
		}
	}
	fclose(file);
	return 0;
}

/* Where the descriptor of our note lies in one PT_NOTE segment, or 0. */
static uintptr_t find_note(uintptr_t note, uintptr_t end)
{
	while (note < end) {
		ElfW(Nhdr) head;
		char name[16] = "";
		uintptr_t descriptor;

		peek(note, &head, sizeof(head));
		descriptor = note + sizeof(head) +
			((head.n_namesz + 3) & -(uintptr_t)4);
		if (head.n_namesz == sizeof(MEMROUTE_NOTE_NAME))
			peek(note + sizeof(head), name, head.n_namesz);
		if (!strcmp(name, MEMROUTE_NOTE_NAME) &&
		    head.n_type == MEMROUTE_NOTE_TYPE)
			return descriptor;
		note = descriptor + ((head.n_descsz + 3) & -(uintptr_t)4);
	}
	return 0;
}

static uintptr_t find_state(uintptr_t base)
{
	ElfW(Ehdr) elf;

	peek(base, &elf, sizeof(elf));
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		ElfW(Phdr) segment;
		uintptr_t found;
		int64_t distance;

		peek(base + elf.e_phoff + i * sizeof(segment), &segment,
		     sizeof(segment));
		if (segment.p_type != PT_NOTE)
			continue;
		found = find_note(base + segment.p_vaddr,
				  base + segment.p_vaddr + segment.p_memsz);
		if (!found)
			continue;
		peek(found, &distance, sizeof(distance));
		return found + (uintptr_t)distance;
	}
	die("no note");
	return 0;
}

static void print_state(uintptr_t address)
{
	struct memroute_state state;
	struct mapping slot, sealed;

	peek(address, &state, sizeof(state));
	if (state.magic != MEMROUTE_STATE_MAGIC ||
	    state.version != MEMROUTE_STATE_VERSION)
		die("not a state that this program knows");
	find_mapping(&sealed, address, NULL);
	printf("kernel=%s\n", state.kernel);
	printf("slot=%#lx\n", (unsigned long)state.slot_u64);
	printf("slot_in=%s\n", find_mapping(&slot, state.slot_u64, NULL) ?
	       slot.path : "");
	printf("limit=%lu\n", (unsigned long)state.limit_u64);
	printf("libc_memmove=%#lx\n", (unsigned long)state.libc_memmove_u64);
	printf("non_temporal=%lu\n",
	       (unsigned long)state.thresholds.non_temporal_u64);
	printf("rep_movsb=%lu\n", (unsigned long)state.thresholds.rep_movsb_u64);
	printf("access=%s\n", sealed.access);
}

int main(int argc, char **argv)
{
	char path[64];
	struct mapping library;

	if (argc != 2)
		die("usage: state PID");
	snprintf(maps, sizeof(maps), "/proc/%s/maps", argv[1]);
	snprintf(path, sizeof(path), "/proc/%s/mem", argv[1]);
	memory = open(path, O_RDONLY);
	if (memory < 0)
		die("no such process, or no right to look at it");
	if (!find_mapping(&library, 0, "/libmemroute.so"))
		return 3;
	print_state(find_state(library.start));
	return 0;
}
