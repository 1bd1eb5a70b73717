/* system_status.c - what is there, and what is wrong with it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

struct state {
	struct tree tree;
	const char *name;		/* "enabled", "disabled", ... */
	char entry[PATH_MAX];		/* in the file, or "" */
	char problem[REASON_SIZE];	/* or "" */
	struct processes processes;
};

/* The path that a 64-bit program takes for $LIB in an entry. */
static bool expand(const struct tree *tree, const char *entry, char *path)
{
	static const char *const directories[] = {
		"lib/x86_64-linux-gnu", "lib64", "lib",
	};
	const char *token = strstr(entry, "$LIB");
	struct place place;

	snprintf(path, PATH_MAX, "%s", entry);
	if (!token)
		return true;
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)(token - entry),
			 entry, directories[i], token + strlen("$LIB"));
		if (tree_resolve(tree, path, &place))
			return true;
	}
	return false;
}

/* An entry is there: is what it names still fit? */
static void judge_entry(struct state *state, const struct preload *preload,
			const struct entry *entry)
{
	char path[PATH_MAX];
	struct place place;

	snprintf(state->entry, sizeof(state->entry), "%.*s",
		 (int)entry->length, preload->bytes + entry->start);
	state->name = preload->trial ? "trial" : "enabled";
	if (!expand(&state->tree, state->entry, path))
		refuse(state->problem, "%.900s: no such file", state->entry);
	else if (library_check(&state->tree, path, ELFCLASS64, &place,
			       state->problem))
		return;
	state->name = "broken";
}

/* Fills state. Returns false with a complaint if nothing can be told. */
static bool find_out(struct state *state, const char *root)
{
	char reason[REASON_SIZE];
	struct preload preload;
	struct entry entry;

	memset(state, 0, sizeof(*state));
	if (!tree_open(&state->tree, root, reason) ||
	    !preload_read(&state->tree, false, &preload, reason)) {
		complain("%s", reason);
		return false;
	}
	state->name = "disabled";
	if (preload_find(&preload, &entry))
		judge_entry(state, &preload, &entry);
	preload_close(&preload);
	processes_count(&state->tree, &state->processes);
	return true;
}

static void print_text(const struct state *state)
{
	const struct processes *processes = &state->processes;

	printf("file: %s" PRELOAD_FILE "\n",
	       tree_is_system(&state->tree) ? "" : state->tree.path);
	printf("state: %s\n", state->name);
	if (*state->entry)
		printf("entry: %s\n", state->entry);
	if (*state->problem)
		printf("problem: %s\n", state->problem);
	printf("processes: %d of %d have the library\n", processes->with,
	       processes->all);
	for (size_t i = 0; i < KERNEL_NAMES; i++)
		if (processes->kernels[i].processes)
			printf("kernel: %s in %d\n", processes->kernels[i].name,
			       processes->kernels[i].processes);
	if (processes->replaced)
		printf("stale: %d of them have a library that was replaced "
		       "or removed since\n", processes->replaced);
	if (processes->unknown)
		printf("unknown: %d processes that only root can look into\n",
		       processes->unknown);
}

static json_t *kernels_json(const struct processes *processes)
{
	json_t *json = json_object();

	for (size_t i = 0; i < KERNEL_NAMES; i++)
		if (processes->kernels[i].processes)
			json_object_set_new(json, processes->kernels[i].name,
				json_integer(processes->kernels[i].processes));
	return json;
}

static void print_json(const struct state *state)
{
	const struct processes *processes = &state->processes;
	json_t *json = json_pack(
		"{s:s, s:s, s:s, s:s, s:{s:i, s:i, s:i, s:i, s:o}}",
		"root", state->tree.path, "state", state->name,
		"entry", state->entry, "problem", state->problem,
		"processes", "all", processes->all, "with", processes->with,
		"stale", processes->replaced, "unknown", processes->unknown,
		"kernels", kernels_json(processes));

	/* NULL: a path that is no UTF-8 */
	if (json && json_dumpf(json, stdout, JSON_INDENT(2)) == 0)
		putchar('\n');
	else
		complain("the state cannot be written as JSON");
	json_decref(json);
}

int system_status(const struct request *request)
{
	struct state state;

	if (!find_out(&state, request->root))
		return STATUS_FAILED;
	if (request->json)
		print_json(&state);
	else
		print_text(&state);
	return *state.problem ? STATUS_FAILED : 0;
}
