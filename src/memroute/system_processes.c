/* system_processes.c - which processes have the library, and its kernel there.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"
#include "system.h"

/* What the kernel puts behind the name of a file that is gone. */
#define DELETED " (deleted)"

/* True if a mapping shows the library's file. */
static bool is_library(const struct mapping *mapping, bool *deleted)
{
	const char *name = strrchr(mapping->path, '/');
	size_t n = strlen(LIBRARY_NAME);

	if (!name || strncmp(name + 1, LIBRARY_NAME, n) != 0)
		return false;
	*deleted = strcmp(name + 1 + n, DELETED) == 0;
	return *deleted || !name[1 + n];
}

static void count_kernel(struct processes *processes, const char *kernel)
{
	for (size_t i = 0; i < KERNEL_NAMES; i++) {
		struct kernel_count *count = &processes->kernels[i];

		if (!count->processes)
			snprintf(count->name, sizeof(count->name), "%s",
				 kernel);
		if (strcmp(count->name, kernel) == 0) {
			count->processes++;
			return;
		}
	}
}

/* The kernel that the library of the first mapping has chosen. */
static void find_kernel(const struct process *process, size_t mapping,
			struct processes *processes)
{
	struct memroute_state state;
	struct object object;
	char reason[200];

	if (process_object(process, mapping, &object) && object.state &&
	    process_state(process, object.state, &state, reason))
		count_kernel(processes, state.kernel);
	else
		count_kernel(processes, "unknown");
}

static void count_process(pid_t pid, struct processes *processes)
{
	struct process process;
	bool deleted = false;
	int error = process_open(pid, &process);
	size_t i = 0;

	processes->unknown += error == EACCES || error == EPERM;
	if (error)
		return;
	processes->all++;
	while (i < process.count &&
	       !is_library(&process.mappings[i], &deleted))
		i++;
	if (i < process.count) {
		processes->with++;
		processes->replaced += deleted;
		find_kernel(&process, i, processes);
	}
	process_close(&process);
}

/* True if the root directory of the process is that of the tree. */
static bool is_in_tree(const char *pid, const struct stat *root, int *unknown)
{
	char path[300];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%s/root", pid);
	if (stat(path, &status)) {
		*unknown += errno == EACCES || errno == EPERM;
		return false;
	}
	return status.st_dev == root->st_dev && status.st_ino == root->st_ino;
}

void processes_count(const struct tree *tree, struct processes *processes)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	struct stat root;

	memset(processes, 0, sizeof(*processes));
	if (!directory)
		return;
	if (fstat(tree->fd, &root) == 0)
		while ((entry = readdir(directory)))
			if (isdigit((unsigned char)entry->d_name[0]) &&
			    is_in_tree(entry->d_name, &root,
				       &processes->unknown))
				count_process(atoi(entry->d_name), processes);
	closedir(directory);
}
