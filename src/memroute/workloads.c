/* workloads.c - the A/B workloads that memroute brings along.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "command_line.h"
#include "locate.h"
#include "workloads.h"

enum { SKIPPED = 77 };	/* as automake has it */

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_workload(int directory, const char *name)
{
	struct stat status;

	return fstatat(directory, name, &status, 0) == 0 &&
	       S_ISREG(status.st_mode) &&
	       faccessat(directory, name, X_OK, 0) == 0;
}

static void add(struct workloads *workloads, const char *name)
{
	size_t size = (workloads->count + 1) * sizeof(char *);
	char **more = realloc(workloads->names, size), *copy = strdup(name);

	if (!more || !copy)
		abort();
	more[workloads->count++] = copy;
	workloads->names = more;
}

bool workloads_find(struct workloads *workloads)
{
	struct dirent *entry;
	DIR *directory;

	memset(workloads, 0, sizeof(*workloads));
	if (!locate_workloads(workloads->directory))
		return false;
	directory = opendir(workloads->directory);
	while (directory && (entry = readdir(directory)))
		if (is_workload(dirfd(directory), entry->d_name))
			add(workloads, entry->d_name);
	if (directory)
		closedir(directory);
	if (!workloads->count) {
		complain("no workloads in %s", workloads->directory);
		return false;
	}
	qsort(workloads->names, workloads->count, sizeof(char *), compare);
	return true;
}

void workloads_release(struct workloads *workloads)
{
	for (size_t i = 0; i < workloads->count; i++)
		free(workloads->names[i]);
	free(workloads->names);
}

bool workloads_check(const struct workloads *workloads, const char *name)
{
	char allowed[1000] = "";
	size_t used = 0;

	for (size_t i = 0; i < workloads->count; i++) {
		if (strcmp(workloads->names[i], name) == 0)
			return true;
		if (used < sizeof(allowed))
			used += (size_t)snprintf(allowed + used,
						 sizeof(allowed) - used,
						 " %s", workloads->names[i]);
	}
	complain("--workload '%s': no such workload; allowed:%s", name,
		 allowed);
	return false;
}

enum prepared workload_prepare(const char *path, int *interrupt)
{
	char prepare[] = "prepare";
	char *argv[] = { (char *)path, prepare, NULL };
	struct child_command command = {
		.argv = argv, .input = "/dev/null",
		.output = STDERR_FILENO, .errors = STDERR_FILENO,
	};
	struct child_result result;

	child_run(&command, &result);
	*interrupt = result.interrupt;
	if (result.interrupt)
		return PREPARE_FAILED;
	if (result.error)
		complain("%s: %s", path, strerror(result.error));
	else if (WIFEXITED(result.status) &&
		 WEXITSTATUS(result.status) == SKIPPED)
		return PREPARE_SKIPPED;
	else if (result.status == 0)
		return PREPARED;
	else
		complain("%s prepare: failed", path);
	return PREPARE_FAILED;
}
