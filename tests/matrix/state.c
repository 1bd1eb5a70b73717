/* state.c - what the preloaded library says of itself, from inside a process.
 *
 * Finds the ELF note and reads the state behind it. Prints key=value lines:
 * kernel, the object that the slot points into, and whether the state is
 * sealed, which a child finds out by writing to it. With an argument it then
 * waits for the end of its input.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/state.h"

#define ALIGN4(n) (((n) + 3) & ~(size_t)3)

/* The state behind a memroute note among the notes of one segment, or NULL. */
static struct memroute_state *find_in(const char *notes, size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		const char *name = (const char *)(note + 1);
		const char *desc = name + ALIGN4(note->n_namesz);
		size_t whole = (size_t)(desc - notes) + ALIGN4(note->n_descsz);
		intptr_t offset;	/* of the size of an address */

		if (whole > size)
			return NULL;
		if (note->n_type == MEMROUTE_NOTE_TYPE &&
		    note->n_descsz == sizeof(offset) &&
		    note->n_namesz == sizeof(MEMROUTE_NOTE_NAME) &&
		    !strcmp(name, MEMROUTE_NOTE_NAME)) {
			memcpy(&offset, desc, sizeof(offset));
			return (void *)(desc + offset);
		}
		notes += whole;
		size -= whole;
	}
	return NULL;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct memroute_state **state = data;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum && !*state; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			*state = find_in((const char *)info->dlpi_addr +
					 segment->p_vaddr, segment->p_memsz);
	}
	return *state != NULL;
}

static const char *object_of(const void *code)
{
	Dl_info info;

	return dladdr(code, &info) ? info.dli_fname : "nowhere";
}

static const char *sealed(volatile struct memroute_state *state)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		state->limit = 0;
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return "unknown";
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? "yes" : "no";
}

int main(int argc, char **argv)
{
	struct memroute_state *state = NULL;

	(void)argv;
	dl_iterate_phdr(visit, &state);
	if (!state || state->magic != MEMROUTE_STATE_MAGIC ||
	    state->version != MEMROUTE_STATE_VERSION ||
	    state->size != sizeof(*state)) {
		fputs("state: no memroute in this process\n", stderr);
		return 1;
	}
	printf("kernel=%s\n", state->kernel);
	printf("slot=%s\n", object_of((const void *)state->slot));
	printf("sealed=%s\n", sealed(state));
	fflush(stdout);
	if (argc > 1)
		getchar();
	return 0;
}
