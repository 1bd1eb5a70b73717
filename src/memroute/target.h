/* target.h - can a program be reached by a preload, and if not, why not.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_TARGET_H
#define MEMROUTE_TARGET_H

#include "elf_file.h"

enum obstacle {
	REACHABLE,
	UNREADABLE,	/* no way to tell */
	NOT_ELF,	/* for another interpreter: binfmt_misc, say */
	STATIC,
	OTHER_CLASS,	/* and what preloads it prints an error in it */
	OTHER_LIBC,	/* the library would keep it from starting */
	PRIVILEGED,	/* set-user-ID, set-group-ID, file capabilities */
};

struct target {
	char path[PATH_MAX];	/* the program that runs in the end */
	char script[PATH_MAX];	/* the script that names it, or "" */
	enum obstacle obstacle;
	bool has_elf;		/* elf is filled */
	struct elf_file elf;
};

/* Fills path with what execvp(3) would run for command. False, with errno, if
 * there is nothing to run. */
bool target_find(const char *command, char path[PATH_MAX]);

/* Examines the file at path, which execve(2) would be given; follows scripts
 * to their interpreters, and env(1) to the program that it is told to run.
 * To be released afterwards. */
void target_examine(const char *path, struct target *target);
void target_release(struct target *target);

/* Why the preload does not reach such a program, to follow its name, and what
 * to do; without a full stop; NULL for REACHABLE. */
const char *obstacle_text(enum obstacle obstacle);
const char *obstacle_advice(enum obstacle obstacle);

/* True if a preload would do harm there, not just nothing. */
bool obstacle_harms(enum obstacle obstacle);

#endif
