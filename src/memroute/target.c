/* target.c - can a program be reached by a preload, and if not, why not.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "target.h"

/* What Linux reads of a script's first line (BINPRM_BUF_SIZE), and how many
 * interpreters it follows (fs/exec.c). */
enum { SCRIPT_LINE = 256, SCRIPT_DEPTH = 5 };

static const unsigned own_class =
	sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
static const unsigned own_machine =
	sizeof(void *) == 8 ? EM_X86_64 : EM_386;

static bool is_program(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	if (!S_ISREG(status.st_mode) || access(path, X_OK) != 0) {
		errno = EACCES;
		return false;
	}
	return true;
}

bool target_find(const char *command, char path[PATH_MAX])
{
	const char *directories = getenv("PATH");
	int error = ENOENT;
	size_t n;

	if (strchr(command, '/')) {
		snprintf(path, PATH_MAX, "%s", command);
		return is_program(path);
	}
	if (!directories)
		directories = "/bin:/usr/bin";	/* as glibc's execvp */
	for (; *command; directories += n + 1) {
		n = strcspn(directories, ":");
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)n, directories,
			 n ? "/" : "", command);
		if (is_program(path))
			return true;
		if (errno == EACCES)
			error = EACCES;
		if (!directories[n])
			break;
	}
	errno = error;
	return false;
}

/* An ID bit counts only if it changes something and is honoured. */
static bool is_privileged(const char *path)
{
	struct statvfs mount;
	struct stat status;

	if (stat(path, &status) != 0 || statvfs(path, &mount) != 0 ||
	    mount.f_flag & ST_NOSUID ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	if (status.st_mode & S_ISUID && status.st_uid != getuid())
		return true;
	if (status.st_mode & S_ISGID && status.st_mode & S_IXGRP &&
	    status.st_gid != getgid())
		return true;
	return getuid() != 0 &&
	       getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool is_musl(const char *interpreter)
{
	return strstr(interpreter, "/ld-musl-");
}

/* Whether the library was built for musl: this program was built with it. */
static bool own_libc_is_musl(void)
{
	struct elf_file self;
	bool musl;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || elf_file_read(fd, &self) != ELF_READ) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	musl = is_musl(self.interpreter);
	elf_file_release(&self);
	close(fd);
	return musl;
}

/* musl cannot relocate a library that has an ifunc; glibc cannot load one
 * that was linked with musl. */
static bool other_libc(const char *interpreter)
{
	return is_musl(interpreter) ? WITH_IFUNC : own_libc_is_musl();
}

static enum obstacle judge_elf(const char *path, const struct elf_file *elf)
{
	if (!elf->dynamic)
		return STATIC;
	if (elf->class != own_class || elf->machine != own_machine)
		return OTHER_CLASS;
	if (other_libc(elf->interpreter))
		return OTHER_LIBC;
	return is_privileged(path) ? PRIVILEGED : REACHABLE;
}

/* The first word at *text that is no option and no assignment; env(1) takes
 * it for a program. NULL if there is none. */
static char *env_program(char *text)
{
	char *word, *state = NULL;

	for (word = strtok_r(text, " \t", &state); word;
	     word = strtok_r(NULL, " \t", &state))
		if (*word != '-' && !strchr(word, '='))
			return word;
	return NULL;
}

/*
 * The interpreter that a script's first line names, into path. A text without
 * such a line is run by sh, as execvp(3) does.
 */
static bool script_interpreter(char *line, char path[PATH_MAX])
{
	char *interpreter, *argument, *name;

	line[strcspn(line, "\n")] = 0;
	if (strncmp(line, "#!", 2) != 0)
		return target_find("/bin/sh", path);
	interpreter = line + 2 + strspn(line + 2, " \t");
	argument = interpreter + strcspn(interpreter, " \t");
	if (*argument)
		*argument++ = 0;
	name = strrchr(interpreter, '/');
	if (name && strcmp(name, "/env") == 0) {
		name = env_program(argument);
		return name && target_find(name, path);
	}
	snprintf(path, PATH_MAX, "%s", interpreter);
	return *interpreter && is_program(path);
}

/* True if the file may be a script: no zero byte in its beginning, and not the
 * first bytes of an ELF file that was cut off. */
static bool read_text(int fd, char line[SCRIPT_LINE])
{
	ssize_t n = pread(fd, line, SCRIPT_LINE - 1, 0);

	if (n < 0)
		return false;
	line[n] = 0;
	return strlen(line) == (size_t)n &&
	       strncmp(line, ELFMAG, SELFMAG) != 0;
}

/* One step; true if target->path was a script and is now its interpreter. */
static bool examine_file(struct target *target)
{
	char line[SCRIPT_LINE];
	bool follow = false;
	int fd = open(target->path, O_RDONLY | O_CLOEXEC);

	target->obstacle = UNREADABLE;
	if (fd < 0)
		return false;
	if (elf_file_read(fd, &target->elf) == ELF_READ) {
		target->has_elf = true;
		target->obstacle = judge_elf(target->path, &target->elf);
	} else if (read_text(fd, line)) {
		if (!*target->script)
			memcpy(target->script, target->path, PATH_MAX);
		follow = script_interpreter(line, target->path);
	} else {
		target->obstacle = NOT_ELF;
	}
	close(fd);
	return follow;
}

void target_examine(const char *path, struct target *target)
{
	memset(target, 0, sizeof(*target));
	snprintf(target->path, sizeof(target->path), "%s", path);
	for (int i = 0; i < SCRIPT_DEPTH && examine_file(target); i++)
		;
}

void target_release(struct target *target)
{
	if (target->has_elf)
		elf_file_release(&target->elf);
	target->has_elf = false;
}

const char *obstacle_text(enum obstacle obstacle)
{
	static const char *const texts[] = {
		[UNREADABLE] = "cannot be read, so whether a preload reaches "
			"it is not known",
		[NOT_ELF] = "is no ELF program, so whether a preload reaches "
			"it is not known",
		[STATIC] = "is statically linked: no preload reaches it, only "
			"the dynamically linked programs that it starts",
		[OTHER_CLASS] = "is for another ABI than the library: it needs "
			"a libmemroute.so built for that ABI",
		[OTHER_LIBC] = "uses another C library than libmemroute.so was "
			"built for: it needs one built for that C library",
		[PRIVILEGED] = "has a set-user-ID or set-group-ID bit or file "
			"capabilities: ld.so ignores LD_PRELOAD there; only "
			"/etc/ld.so.preload reaches it",
	};

	return texts[obstacle];
}

const char *obstacle_advice(enum obstacle obstacle)
{
	static const char *const texts[] = {
		[UNREADABLE] = "ask as a user who may read it, or ask about "
			"its PID while it runs",
		[NOT_ELF] = "ask about its PID while it runs",
		[STATIC] = "nothing, unless it can be linked dynamically",
		[OTHER_CLASS] = "build memroute for that ABI as well "
			"(configure --host)",
		[OTHER_LIBC] = "build memroute with that C library",
		[PRIVILEGED] = "memroute system enable, if you want it for "
			"the whole machine",
	};

	return texts[obstacle];
}

bool obstacle_harms(enum obstacle obstacle)
{
	return obstacle == OTHER_CLASS || obstacle == OTHER_LIBC;
}
