/* process.h - another process: its mappings, its memory, memroute in it.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_PROCESS_H
#define MEMROUTE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../state.h"

struct mapping {
	uint64_t start, end;	/* addresses */
	uint64_t offset;	/* in the file */
	uint64_t inode;		/* 0: no file */
	char *path;		/* as /proc/PID/maps has it; "" for none */
};

struct process {
	pid_t pid;
	int memory;		/* descriptor of /proc/PID/mem */
	struct mapping *mappings;
	size_t count;
};

/* An ELF object in a process, as its memory shows it. */
struct object {
	size_t mapping;		/* number of its first one */
	unsigned class;		/* ELFCLASS32 or ELFCLASS64 */
	uint64_t bias;		/* what loading has added to its addresses */
	uint64_t state;		/* address of memroute's state, or 0 */
};

/* Opens a process; 0 or an errno: ENOENT, there is none; EACCES or EPERM, it
 * is not ours to look into; ESRCH, it has no memory (a kernel thread, a
 * zombie). To be closed after 0. */
int process_open(pid_t pid, struct process *process);
void process_close(struct process *process);

/* Reads n bytes at an address; false if that is not possible. */
bool process_read(const struct process *process, uint64_t address, void *data,
		  size_t n);

/* The mapping that holds an address, or NULL. */
const struct mapping *process_mapping(const struct process *process,
				      uint64_t address);

/* True, with object filled, if an ELF object begins with that mapping. */
bool process_object(const struct process *process, size_t mapping,
		    struct object *object);

/* Reads the state of a memroute library. False if it cannot be read or is not
 * of this version. reason_text gets the reason for the kernel. */
bool process_state(const struct process *process, uint64_t address,
		   struct memroute_state *state, char reason_text[200]);

/* True if the process was started in secure mode (AT_SECURE, ld.so(8)): as a
 * set-user-ID program, say. class is that of its program. */
bool process_is_secure(const struct process *process, unsigned class);

/* The value of a variable in the environment that the process was started
 * with, for free(); NULL if it has none or that is not known. */
char *process_variable(const struct process *process, const char *name);

#endif
