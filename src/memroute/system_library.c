/* system_library.c - is this file fit to be in every process?
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../state.h"
#include "system.h"

/* Where 32-bit programs have their ld.so, on every distribution. */
#define LOADER_32 "/lib/ld-linux.so.2"

/* What $LIB stands for in a 64-bit and in a 32-bit process: Debian's
 * multiarch and its older libc6-i386; Fedora, SUSE and their kin; Arch. The
 * loaders tell it by ld.so --list-diagnostics, as dl_dst_lib. */
static const struct {
	const char *of_64, *of_32;
} lib_directories[] = {
	{ "lib/x86_64-linux-gnu", "lib/i386-linux-gnu" },
	{ "lib/x86_64-linux-gnu", "lib32" },
	{ "lib64", "lib" },
	{ "lib", "lib32" },
};

#define LIB_DIRECTORIES (sizeof(lib_directories) / sizeof(lib_directories[0]))

/* True if the segment of notes holds the one that makes a library ours. */
static bool has_our_note(Elf *elf, const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset,
					      segment->p_filesz, ELF_T_NHDR);
	size_t at = 0, name, descriptor;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name,
					  &descriptor)) > 0)
		if (note.n_type == MEMROUTE_NOTE_TYPE &&
		    note.n_namesz == sizeof(MEMROUTE_NOTE_NAME) &&
		    memcmp((const char *)data->d_buf + name,
			   MEMROUTE_NOTE_NAME, note.n_namesz) == 0)
			return true;
	return false;
}

static bool check_segments(Elf *elf, uint64_t size, char *reason)
{
	GElf_Phdr segment;
	bool ours = false;
	size_t count;

	if (elf_getphdrnum(elf, &count) != 0)
		return refuse(reason, "truncated, or no library at all");
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment))
			return refuse(reason, "truncated");
		if (segment.p_offset > size ||
		    segment.p_filesz > size - segment.p_offset)
			return refuse(reason, "truncated: it ends before its "
				      "segments do");
		if (segment.p_type == PT_NOTE && has_our_note(elf, &segment))
			ours = true;
	}
	return ours || refuse(reason, "not a library of memroute");
}

static bool check_header(Elf *elf, int class, uint64_t size, char *reason)
{
	GElf_Ehdr header;
	uint64_t end;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return refuse(reason, "not an ELF file, or a truncated one");
	if (header.e_ident[EI_CLASS] != class)
		return refuse(reason, "wrong class: a %s-bit file, needed is "
			      "%s-bit", class == ELFCLASS64 ? "32" : "64",
			      class == ELFCLASS64 ? "64" : "32");
	if (header.e_type != ET_DYN ||
	    header.e_machine != (class == ELFCLASS64 ? EM_X86_64 : EM_386))
		return refuse(reason, "not a shared library for x86");
	/* The section headers are the last thing in it. */
	end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	if (end > size)
		return refuse(reason, "truncated: %llu bytes of at least %llu",
			      (unsigned long long)size,
			      (unsigned long long)end);
	return check_segments(elf, size, reason);
}

static bool check_elf(int fd, int class, uint64_t size, char *reason)
{
	bool good;
	Elf *elf;

	elf_version(EV_CURRENT);
	/* Read, not mapped: a file that shrinks meanwhile must not kill us. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	good = elf ? check_header(elf, class, size, reason)
		   : refuse(reason, "not an ELF file");
	elf_end(elf);
	return good;
}

/* The device of the file system of a directory; of the directory, since on
 * an overlay the files in it may show another one. */
static dev_t device_of(const struct tree *tree, const char *path)
{
	struct place place;
	struct stat status;

	if (!tree_resolve(tree, path, &place) ||
	    fstatat(tree->fd, place.path[1] ? place.path + 1 : ".", &status,
		    AT_SYMLINK_NOFOLLOW))
		return 0;
	return status.st_dev;
}

/* Only / and /usr are there when the first program starts: the initial RAM
 * disk mounts those two. */
static bool check_mount(const struct tree *tree, const struct place *place,
			int fd, char *reason)
{
	char directory[PATH_MAX];
	struct statvfs mounted;
	dev_t device;

	if (fstatvfs(fd, &mounted))
		return refuse(reason, "%s", strerror(errno));
	if (mounted.f_flag & ST_NOEXEC)
		return refuse(reason, "its file system is mounted noexec");
	strcpy(directory, place->path);
	*strrchr(directory, '/') = 0;
	device = device_of(tree, *directory ? directory : "/");
	if (device != device_of(tree, "/") && device != device_of(tree, "/usr"))
		return refuse(reason, "its file system is mounted too late in "
			      "the boot: it must be that of / or of /usr");
	return true;
}

static bool check_file(const struct tree *tree, const struct place *place,
		       int class, char *reason)
{
	int fd = tree_open_place(tree, place, O_RDONLY | O_NONBLOCK);
	struct stat status;
	bool good;

	if (fd < 0 || fstat(fd, &status)) {
		refuse(reason, "%s", strerror(errno));
		good = false;
	} else if (!S_ISREG(status.st_mode)) {
		good = refuse(reason, "not a regular file");
	} else if (others_can_write(&status)) {
		good = refuse(reason, "others than root can write to it");
	} else if ((status.st_mode & 0444) != 0444) {
		good = refuse(reason, "not readable by everybody");
	} else {
		good = check_elf(fd, class, (uint64_t)status.st_size, reason) &&
		       check_mount(tree, place, fd, reason);
	}
	if (fd >= 0)
		close(fd);
	return good;
}

bool library_check(const struct tree *tree, const char *path, int elf_class,
		   struct place *place, char *reason)
{
	char why[REASON_SIZE];

	if (path[0] != '/')
		return refuse(reason, "%.400s: not an absolute path", path);
	/* Separators and the comment sign of the file, and ld.so's tokens. */
	if (path[strcspn(path, " \t\r\n:#$")])
		return refuse(reason, "%.400s: ld.so cannot read a path with "
			      "blanks, ':', '#' or '$' in this file", path);
	if (!tree_resolve(tree, path, place))
		return refuse(reason, "%.400s: %s", path, strerror(errno));
	if (place->unsafe[0])
		return refuse(reason, "%.400s: others than root can write to "
			      "the directory %.400s", path, place->unsafe);
	if (!check_file(tree, place, elf_class, why))
		return refuse(reason, "%.400s: %.500s", path, why);
	return true;
}

bool tree_has_32_bit(const struct tree *tree)
{
	struct place place;

	return tree_resolve(tree, LOADER_32, &place);
}

/* True if path is PREFIX/directory/libmemroute.so, with the length of PREFIX
 * and its slash in *prefix. */
static bool lies_in(const char *path, const char *directory, size_t *prefix)
{
	char tail[100];
	size_t n = strlen(path);
	size_t m = (size_t)snprintf(tail, sizeof(tail), "/%s/" LIBRARY_NAME,
				    directory);

	if (n < m || strcmp(path + n - m, tail) != 0)
		return false;
	*prefix = n - m + 1;
	return true;
}

/* True if $LIB can stand in a path: its directory may be one of those, and the
 * 32-bit programs of the tree, if there are any, find a library too. Which of
 * two kinds of loader they have is not known: no unfit one may lie about. */
static bool is_generic(const struct tree *tree, const char *path,
		       size_t *prefix)
{
	char other[PATH_MAX], why[REASON_SIZE];
	bool lies = false, found = false;
	struct place place;

	for (size_t i = 0; i < LIB_DIRECTORIES; i++) {
		if (!lies_in(path, lib_directories[i].of_64, prefix))
			continue;
		lies = true;
		snprintf(other, sizeof(other), "%.*s%s/" LIBRARY_NAME,
			 (int)*prefix, path, lib_directories[i].of_32);
		if (!tree_resolve(tree, other, &place))
			continue;
		if (!library_check(tree, other, ELFCLASS32, &place, why))
			return false;
		found = true;
	}
	return lies && (found || !tree_has_32_bit(tree));
}

int library_lines(const struct tree *tree, const char *path,
		  struct line lines[2])
{
	size_t prefix;
	int count = 0;

	if (is_generic(tree, path, &prefix)) {
		snprintf(lines[count].text, PATH_MAX, "%.*s$LIB/" LIBRARY_NAME,
			 (int)prefix, path);
		lines[count++].generic = true;
	}
	snprintf(lines[count].text, PATH_MAX, "%s", path);
	lines[count++].generic = false;
	return count;
}
