/* sealed.c - try to write to the first and the last byte of the library's
 * state, each in a child of its own: prints how the children ended.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "state.h"

/* The state from the note in one PT_NOTE segment; the note is the only one
 * of its name. */
static int visit(struct dl_phdr_info *info, size_t size, void *found)
{
	static const char name[] = MEMROUTE_NOTE_NAME;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const char *notes = (char *)info->dlpi_addr + segment->p_vaddr;
		const char *at;

		if (segment->p_type != PT_NOTE)
			continue;
		at = memmem(notes, segment->p_memsz, name, sizeof(name));
		if (!at)
			continue;
		at += (sizeof(name) + 3) & -(size_t)4;
		*(char **)found = (char *)at + *(const int64_t *)at;
		return 1;
	}
	return 0;
}

static int signal_of_writing(volatile char *byte)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		*byte = 1;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* As the library has it: it depends on how that was configured. */
static size_t state_size(const char *state)
{
	return ((const struct memroute_state *)state)->size;
}

int main(void)
{
	char *state = NULL;
	static char writable;

	if (!dl_iterate_phdr(visit, &state)) {
		puts("no library");
		return 1;
	}
	printf("%d %d %d\n", signal_of_writing(&writable),
	       signal_of_writing(state),
	       signal_of_writing(state + state_size(state) - 1));
	return 0;
}
