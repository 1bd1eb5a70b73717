/* bindings.c - where the copies of a process are bound to.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bindings.h"
#include "elf_file.h"

/* The file of a mapping as the process sees it; -1 if it is another by now. */
static int open_mapped(const struct process *process,
		       const struct mapping *mapping)
{
	struct stat status;
	char *path;
	int fd;

	if (asprintf(&path, "/proc/%d/root%s", (int)process->pid,
		     mapping->path) < 0)
		abort();
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && status.st_ino == mapping->inode)
		return fd;
	close(fd);
	return -1;
}

static bool same_file(const struct mapping *a, const struct mapping *b)
{
	return a && b && a->inode && a->inode == b->inode &&
	       strcmp(a->path, b->path) == 0;
}

static bool read_word(const struct process *process,
		      const struct object *object, uint64_t address,
		      uint64_t *word)
{
	uint32_t word32;

	if (object->class == ELFCLASS64)
		return process_read(process, object->bias + address, word, 8);
	if (!process_read(process, object->bias + address, &word32, 4))
		return false;
	*word = word32;
	return true;
}

static void note_stray(struct bindings *bindings, const struct mapping *from,
		       const struct mapping *to, unsigned function)
{
	struct stray *last = &bindings->strays[bindings->stray_count];

	bindings->elsewhere++;
	if (bindings->stray_count && last[-1].from == from)
		return;
	if (bindings->stray_count < STRAYS_MAX) {
		*last = (struct stray) { from, to, function };
		bindings->stray_count++;
	}
}

/* Whose words are looked at, and what else that takes. */
struct survey {
	const struct process *process;
	const struct mapping *library;	/* memroute */
	uint64_t program_inode;		/* 0 if it cannot be read */
	uint32_t program_imports;	/* bits of copy functions */
};

/*
 * True if the word leads to a procedure table: of its own object, where ld.so
 * has not bound it yet, or of the program, whose table is the address of a
 * function for everyone if it was linked to a fixed address.
 */
static bool in_procedure_table(const struct survey *survey,
			       const struct mapping *from,
			       const struct mapping *to, unsigned function)
{
	return same_file(to, from) ||
	       (to && to->inode && to->inode == survey->program_inode &&
		survey->program_imports >> function & 1);
}

static void sort_word(const struct survey *survey, const struct object *object,
		      const struct elf_import *import,
		      struct bindings *bindings)
{
	const struct process *process = survey->process;
	const struct mapping *from = &process->mappings[object->mapping], *to;
	uint64_t word;

	if (!read_word(process, object, import->address, &word))
		return;
	to = process_mapping(process, word);
	if (same_file(to, survey->library))
		bindings->routed++;
	else if (!word || in_procedure_table(survey, from, to,
					     import->function))
		bindings->unbound++;
	else
		note_stray(bindings, from, to, import->function);
}

static void examine_object(const struct survey *survey,
			   const struct object *object,
			   struct bindings *bindings)
{
	const struct mapping *mapping =
		&survey->process->mappings[object->mapping];
	struct elf_file file;
	int fd;

	if (!mapping->inode)	/* the vDSO */
		return;
	fd = open_mapped(survey->process, mapping);
	if (fd < 0 || elf_file_read(fd, &file) != ELF_READ) {
		bindings->unreadable++;
		if (fd >= 0)
			close(fd);
		return;
	}
	bindings->objects += file.import_count != 0;
	for (size_t i = 0; i < file.import_count; i++)
		sort_word(survey, object, &file.imports[i], bindings);
	elf_file_release(&file);
	close(fd);
}

static void examine_program(struct survey *survey)
{
	struct elf_file file;
	struct stat status;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe",
		 (int)survey->process->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && elf_file_read(fd, &file) == ELF_READ) {
		survey->program_inode = status.st_ino;
		survey->program_imports = file.imports_mask;
		elf_file_release(&file);
	}
	close(fd);
}

void bindings_examine(const struct process *process,
		      const struct mapping *library,
		      struct bindings *bindings)
{
	struct survey survey = { process, library, 0, 0 };
	struct object object;

	memset(bindings, 0, sizeof(*bindings));
	examine_program(&survey);
	for (size_t i = 0; i < process->count; i++)
		if (process_object(process, i, &object) && !object.state)
			examine_object(&survey, &object, bindings);
}
