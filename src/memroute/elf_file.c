/* elf_file.c - what an ELF file says about itself and the copies it needs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"

const char *const copy_functions[COPY_FUNCTIONS] = {
	"memcpy", "memmove", "mempcpy", "__mempcpy", "bcopy",
	"wmemcpy", "wmemmove", "wmempcpy",
	"__memcpy_chk", "__memmove_chk", "__mempcpy_chk",
	"__wmemcpy_chk", "__wmemmove_chk", "__wmempcpy_chk",
};

static int copy_function(const char *name)
{
	for (int i = 0; i < COPY_FUNCTIONS; i++)
		if (name && strcmp(name, copy_functions[i]) == 0)
			return i;
	return -1;
}

/* Runtimes that intercept copies; gcc's names, then clang's. */
static bool is_sanitizer(const char *library)
{
	static const char *const begins[] = {
		"libasan.so", "libtsan.so", "libhwasan.so",
		"libclang_rt.asan", "libclang_rt.tsan", "libclang_rt.hwasan",
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(library, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void read_interpreter(Elf *elf, const GElf_Phdr *segment,
			     struct elf_file *file)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset,
					      segment->p_filesz, ELF_T_BYTE);

	if (data && data->d_size)
		snprintf(file->interpreter, sizeof(file->interpreter), "%.*s",
			 (int)data->d_size, (const char *)data->d_buf);
}

static bool read_segments(Elf *elf, struct elf_file *file)
{
	bool loaded = false;
	GElf_Phdr segment;
	size_t count;

	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment))
			return false;
		if (segment.p_type == PT_INTERP)
			read_interpreter(elf, &segment, file);
		if (segment.p_type == PT_LOAD && !loaded) {
			file->first_address = segment.p_vaddr;
			loaded = true;
		}
	}
	return loaded;
}

static void read_dynamic(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			 struct elf_file *file)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *library;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
		if (entry.d_tag != DT_NEEDED)
			continue;
		library = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		if (!library || !is_sanitizer(library))
			continue;
		file->has_sanitizer = SANITIZER_NEEDED;
		snprintf(file->sanitizer, sizeof(file->sanitizer), "%s",
			 library);
	}
}

static void read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			 struct elf_file *file)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *name;
	GElf_Sym symbol;
	int function;

	file->has_symbols = data;
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		function = copy_function(name);
		if (function >= 0 && symbol.st_shndx == SHN_UNDEF)
			file->imports_mask |= 1u << function;
		else if (function >= 0)
			file->defines_mask |= 1u << function;
		/* asan's mark; tsan's and hwasan's */
		if (name && symbol.st_shndx != SHN_UNDEF &&
		    (strcmp(name, "__asan_init") == 0 ||
		     strcmp(name, "__tsan_init") == 0 ||
		     strcmp(name, "__hwasan_init") == 0))
			file->has_sanitizer = SANITIZER_INSIDE;
	}
}

/* JUMP_SLOT, GLOB_DAT and the plain address have these numbers both on
 * x86-64 and on i386. */
static bool fills_address(uint64_t type)
{
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
	       type == R_X86_64_64;
}

static void add_import(struct elf_file *file, int function, uint64_t address)
{
	struct elf_import *more = realloc(file->imports,
		(file->import_count + 1) * sizeof(*more));

	if (!more)
		abort();
	file->imports = more;
	more[file->import_count].function = (unsigned)function;
	more[file->import_count++].address = address;
}

/* The name that relocation i of a section is about, or NULL. */
static const char *relocation(Elf *elf, Elf_Scn *section,
			      const GElf_Shdr *header, int i,
			      uint64_t *address)
{
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr symbols_header;
	GElf_Rela rela;
	GElf_Rel rel;
	GElf_Sym symbol;

	if (header->sh_type == SHT_RELA) {
		if (!gelf_getrela(data, i, &rela))
			return NULL;
		rel.r_offset = rela.r_offset;
		rel.r_info = rela.r_info;
	} else if (!gelf_getrel(data, i, &rel)) {
		return NULL;
	}
	*address = rel.r_offset;
	if (!fills_address(GELF_R_TYPE(rel.r_info)) || !symbols ||
	    !gelf_getshdr(symbols, &symbols_header) ||
	    !gelf_getsym(elf_getdata(symbols, NULL),
			 (int)GELF_R_SYM(rel.r_info), &symbol) ||
	    symbol.st_shndx != SHN_UNDEF)
		return NULL;
	return elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
}

static void read_relocations(Elf *elf, Elf_Scn *section,
			     const GElf_Shdr *header, struct elf_file *file)
{
	uint64_t count = header->sh_entsize ?
			 header->sh_size / header->sh_entsize : 0;
	uint64_t address = 0;
	int function;

	for (uint64_t i = 0; i < count; i++) {
		function = copy_function(relocation(elf, section, header,
						    (int)i, &address));
		if (function >= 0)
			add_import(file, function, address);
	}
}

static void read_sections(Elf *elf, struct elf_file *file)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_ALLOC))
			continue;
		if (header.sh_type == SHT_DYNAMIC)
			read_dynamic(elf, section, &header, file);
		else if (header.sh_type == SHT_DYNSYM)
			read_symbols(elf, section, &header, file);
		else if (header.sh_type == SHT_RELA ||
			 header.sh_type == SHT_REL)
			read_relocations(elf, section, &header, file);
	}
}

enum elf_result elf_file_read(int fd, struct elf_file *file)
{
	enum elf_result result = ELF_BROKEN;
	GElf_Ehdr header;
	Elf *elf;

	memset(file, 0, sizeof(*file));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return ELF_NONE;
	}
	if (gelf_getehdr(elf, &header) && read_segments(elf, file)) {
		file->class = header.e_ident[EI_CLASS];
		file->machine = header.e_machine;
		read_sections(elf, file);
		file->dynamic = *file->interpreter;
		result = ELF_READ;
	}
	elf_end(elf);
	return result;
}

void elf_file_release(struct elf_file *file)
{
	free(file->imports);
	file->imports = NULL;
	file->import_count = 0;
}
