/* elf_file.h - what an ELF file says about itself and the copies it needs.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_ELF_FILE_H
#define MEMROUTE_ELF_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions that libmemroute.so takes over, by number. */
enum { COPY_FUNCTIONS = 14 };
extern const char *const copy_functions[COPY_FUNCTIONS];

/* A word that ld.so fills with the address of a copy function. */
struct elf_import {
	unsigned function;	/* number in copy_functions */
	uint64_t address;	/* of the word, before loading adds to it */
};

/* Sanitizer runtimes, which want to come before every other library. */
enum elf_sanitizer {
	SANITIZER_NONE,
	SANITIZER_NEEDED,	/* as a library: its name is in .sanitizer */
	SANITIZER_INSIDE,	/* linked into the program */
};

struct elf_file {
	unsigned class;		/* ELFCLASS32 or ELFCLASS64 */
	unsigned machine;	/* EM_... */
	bool dynamic;		/* a program that ld.so loads */
	bool has_symbols;	/* section headers tell the dynamic symbols */
	char interpreter[PATH_MAX];	/* ld.so; "" for none */
	enum elf_sanitizer has_sanitizer;
	char sanitizer[NAME_MAX + 1];	/* "libasan.so.8", ... */
	uint64_t first_address;	/* of the first segment, before loading */
	uint32_t imports_mask;	/* bit n: imports copy_functions[n] */
	uint32_t defines_mask;	/* bit n: defines it itself */
	struct elf_import *imports;
	size_t import_count;
};

enum elf_result { ELF_READ, ELF_NONE, ELF_BROKEN };

/* Reads the ELF file fd, of either class. ELF_NONE: it is something else;
 * ELF_BROKEN: it claims to be ELF and cannot be read. Only after ELF_READ
 * must it be released. */
enum elf_result elf_file_read(int fd, struct elf_file *file);
void elf_file_release(struct elf_file *file);

#endif
