/* system_processes.c - which processes have the library.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "system.h"

/* What the kernel puts behind the name of a file that is gone. */
#define DELETED " (deleted)"

/* True if a line of /proc/PID/maps is about the library. */
static bool is_library(char *line, bool *deleted)
{
	char *name = strchr(line, '/');
	size_t n, m = strlen(DELETED);

	if (!name)
		return false;
	n = strcspn(name, "\n");
	name[n] = 0;
	*deleted = n > m && strcmp(name + n - m, DELETED) == 0;
	if (*deleted)
		name[n - m] = 0;
	return strcmp(strrchr(name, '/') + 1, LIBRARY_NAME) == 0;
}

static void count_process(const char *pid, struct processes *processes)
{
	char path[300], *line = NULL;
	bool found = false, deleted = false, has_memory = false;
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	if (!maps) {
		processes->unknown += errno == EACCES || errno == EPERM;
		return;
	}
	while (!found && getline(&line, &room, maps) > 0) {
		has_memory = true;	/* no kernel thread */
		found = is_library(line, &deleted);
	}
	processes->all += has_memory;
	processes->with += found;
	processes->replaced += found && deleted;
	free(line);
	fclose(maps);
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
				count_process(entry->d_name, processes);
	closedir(directory);
}
