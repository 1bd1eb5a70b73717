/* process.c - another process: its mappings, its memory, memroute in it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

/* What one program header says, of either class. */
struct segment {
	uint32_t type;
	uint64_t address, size;
};

/* More than any linker makes; a file that says more is not believed. */
enum { SEGMENTS_MAX = 64, NOTES_MAX = 4096 };

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

static bool parse_mapping(const char *line, struct mapping *mapping)
{
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64
		   " %*s %" SCNu64 " %n", &mapping->start, &mapping->end,
		   &mapping->offset, &mapping->inode, &path) != 4 || !path)
		return false;
	mapping->path = strndup(line + path, strcspn(line + path, "\n"));
	return mapping->path;
}

static int read_mappings(FILE *maps, struct process *process)
{
	struct mapping mapping, *more;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, maps) > 0) {
		if (!parse_mapping(line, &mapping))
			continue;
		more = realloc(process->mappings,
			       (process->count + 1) * sizeof(mapping));
		if (!more)
			abort();
		more[process->count++] = mapping;
		process->mappings = more;
	}
	free(line);
	return ferror(maps) ? EACCES : process->count ? 0 : ESRCH;
}

int process_open(pid_t pid, struct process *process)
{
	char path[64];
	FILE *maps = open_proc(pid, "maps");
	int error;

	memset(process, 0, sizeof(*process));
	process->pid = pid;
	if (!maps)
		return errno;
	error = read_mappings(maps, process);
	fclose(maps);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	process->memory = error ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!error && process->memory < 0)
		error = errno;
	if (error)
		process_close(process);
	return error;
}

void process_close(struct process *process)
{
	if (process->memory >= 0)
		close(process->memory);
	for (size_t i = 0; i < process->count; i++)
		free(process->mappings[i].path);
	free(process->mappings);
	process->mappings = NULL;
	process->count = 0;
}

bool process_read(const struct process *process, uint64_t address, void *data,
		  size_t n)
{
	return pread(process->memory, data, n, (off_t)address) == (ssize_t)n;
}

const struct mapping *process_mapping(const struct process *process,
				      uint64_t address)
{
	for (size_t i = 0; i < process->count; i++)
		if (address >= process->mappings[i].start &&
		    address < process->mappings[i].end)
			return &process->mappings[i];
	return NULL;
}

/* Program header number i of the object whose ELF header is at start. */
static bool read_segment(const struct process *process, uint64_t start,
			 const Elf64_Ehdr *header, unsigned i,
			 struct segment *segment)
{
	const Elf32_Ehdr *header32 = (const void *)header;
	bool is_32 = header->e_ident[EI_CLASS] == ELFCLASS32;
	uint64_t table = is_32 ? header32->e_phoff : header->e_phoff;
	Elf64_Phdr p;
	Elf32_Phdr p32;

	if (is_32) {
		if (!process_read(process, start + table + i * sizeof(p32),
				  &p32, sizeof(p32)))
			return false;
		*segment = (struct segment) { p32.p_type, p32.p_vaddr,
					      p32.p_memsz };
		return true;
	}
	if (!process_read(process, start + table + i * sizeof(p), &p,
			  sizeof(p)))
		return false;
	*segment = (struct segment) { p.p_type, p.p_vaddr, p.p_memsz };
	return true;
}

static unsigned segment_count(const Elf64_Ehdr *header)
{
	const Elf32_Ehdr *header32 = (const void *)header;
	unsigned count = header->e_ident[EI_CLASS] == ELFCLASS32 ?
			 header32->e_phnum : header->e_phnum;

	return count < SEGMENTS_MAX ? count : SEGMENTS_MAX;
}

/* Size of a note's name or descriptor with its padding. */
static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

/* The address of the state if there is memroute's note in n bytes that were
 * read from that address, or 0. */
static uint64_t find_note(const unsigned char *notes, size_t n,
			  uint64_t address, unsigned class)
{
	size_t at = 0, name, descriptor;
	Elf64_Nhdr note;	/* the same in both classes */
	int64_t offset = 0;
	int32_t offset32;

	while (n - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		descriptor = name + padded(note.n_namesz);
		at = descriptor + padded(note.n_descsz);
		if (at > n)
			return 0;
		if (note.n_type != MEMROUTE_NOTE_TYPE ||
		    note.n_namesz != sizeof(MEMROUTE_NOTE_NAME) ||
		    memcmp(notes + name, MEMROUTE_NOTE_NAME,
			   sizeof(MEMROUTE_NOTE_NAME)) != 0 ||
		    note.n_descsz != (class == ELFCLASS32 ? 4 : 8))
			continue;
		memcpy(&offset32, notes + descriptor, sizeof(offset32));
		offset = offset32;
		if (class == ELFCLASS64)
			memcpy(&offset, notes + descriptor, sizeof(offset));
		return address + descriptor + (uint64_t)offset;
	}
	return 0;
}

static uint64_t state_in_segment(const struct process *process,
				 const struct segment *segment,
				 const struct object *object)
{
	unsigned char notes[NOTES_MAX];
	size_t n = segment->size < NOTES_MAX ? segment->size : NOTES_MAX;
	uint64_t address = object->bias + segment->address;

	if (segment->type != PT_NOTE ||
	    !process_read(process, address, notes, n))
		return 0;
	return find_note(notes, n, address, object->class);
}

bool process_object(const struct process *process, size_t mapping,
		    struct object *object)
{
	uint64_t start = process->mappings[mapping].start;
	struct segment segment;
	bool loaded = false;
	Elf64_Ehdr header;

	if (process->mappings[mapping].offset != 0 ||
	    !process_read(process, start, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	*object = (struct object) { mapping, header.e_ident[EI_CLASS], 0, 0 };
	for (unsigned i = 0; i < segment_count(&header); i++) {
		if (!read_segment(process, start, &header, i, &segment))
			return false;
		if (segment.type == PT_LOAD && !loaded) {
			/* what is mapped begins at a page */
			object->bias = start - (segment.address & ~0xfffULL);
			loaded = true;
		}
	}
	for (unsigned i = 0; i < segment_count(&header); i++)
		if (!object->state &&
		    read_segment(process, start, &header, i, &segment))
			object->state = state_in_segment(process, &segment,
							 object);
	return loaded;
}

bool process_state(const struct process *process, uint64_t address,
		   struct memroute_state *state, char reason_text[200])
{
	/* Without ifunc the struct fills a page: only this much is said. */
	size_t n = offsetof(struct memroute_state, kernel) +
		   sizeof(state->kernel);
	uint64_t end;

	memset(state, 0, sizeof(*state));
	memset(reason_text, 0, 200);
	if (!process_read(process, address, state, n) ||
	    state->magic != MEMROUTE_STATE_MAGIC ||
	    state->version != MEMROUTE_STATE_VERSION || state->size < n)
		return false;
	state->kernel[sizeof(state->kernel) - 1] = 0;
	/* The string may be the last thing before a hole. */
	for (end = 0; state->reason_u64 && end < 199; end++)
		if (!process_read(process, state->reason_u64 + end,
				  reason_text + end, 1) || !reason_text[end])
			break;
	return true;
}

bool process_is_secure(const struct process *process, unsigned class)
{
	size_t half = class == ELFCLASS32 ? 4 : 8;
	FILE *auxv = open_proc(process->pid, "auxv");
	uint64_t entry[2] = { 0, 0 };
	bool secure = false;

	/* little-endian: a word of four bytes fills the lower half */
	while (auxv && fread(&entry[0], half, 1, auxv) == 1 &&
	       fread(&entry[1], half, 1, auxv) == 1)
		if (entry[0] == AT_SECURE)
			secure = entry[1];
	if (auxv)
		fclose(auxv);
	return secure;
}

char *process_variable(const struct process *process, const char *name)
{
	FILE *environment = open_proc(process->pid, "environ");
	char *item = NULL, *value = NULL;
	size_t size = 0, n = strlen(name);

	while (environment && !value &&
	       getdelim(&item, &size, 0, environment) > 0)
		if (strncmp(item, name, n) == 0 && item[n] == '=')
			value = strdup(item + n + 1);
	if (environment)
		fclose(environment);
	free(item);
	return value;
}
