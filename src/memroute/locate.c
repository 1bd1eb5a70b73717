/* locate.c - where the parts of memroute are, installed or not.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "command_line.h"
#include "locate.h"

/* Fills directory with this program's own; "" if that cannot be found out. */
static void own_directory(char directory[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", directory, PATH_MAX - 1);
	const char *name = (const char *)getauxval(AT_EXECFN);
	char *slash;

	directory[n > 0 ? n : 0] = 0;
	if (n <= 0 && (!name || !realpath(name, directory)))
		directory[0] = 0;
	slash = strrchr(directory, '/');
	if (slash)
		*slash = 0;
}

/* True, with path filled, if directory/rest exists. */
static bool is_at(char path[PATH_MAX], const char *directory, const char *rest)
{
	return snprintf(path, PATH_MAX, "%s/%s", directory, rest) < PATH_MAX &&
	       access(path, F_OK) == 0;
}

/* Takes BINDIR from the end of directory: what is left is the root below
 * which everything was installed. */
static bool installation_root(char *directory)
{
	size_t n = strlen(directory), tail = strlen(BINDIR);

	if (n < tail || strcmp(directory + n - tail, BINDIR) != 0)
		return false;
	directory[n - tail] = 0;
	return true;
}

/* built is relative to this program's directory, installed is absolute. */
static bool locate(const char *what, const char *const *built,
		   const char *installed, char path[PATH_MAX])
{
	char directory[PATH_MAX];

	own_directory(directory);
	for (; *directory && *built; built++)
		if (is_at(path, directory, *built))
			return true;
	if (installation_root(directory) &&
	    is_at(path, directory, installed + 1))
		return true;
	if (is_at(path, "/", installed + 1))
		return true;
	complain("%s not found: neither beside this program nor at %s",
		 what, installed);
	return false;
}

bool locate_library(char path[PATH_MAX])
{
	static const char *const built[] = { ".libs/libmemroute.so", NULL };

	return locate("libmemroute.so", built, LIBDIR "/libmemroute.so", path);
}

bool locate_program(const char *name, char path[PATH_MAX])
{
	const char *const beside[] = { name, NULL };
	char installed[PATH_MAX];

	snprintf(installed, sizeof(installed), "%s/%s", BINDIR, name);
	return locate(name, beside, installed, path);
}

bool locate_workloads(char path[PATH_MAX])
{
	/* source-tree is a link that the Makefile leaves in the build tree */
	static const char *const built[] = {
		"scripts/workloads", "source-tree/scripts/workloads", NULL
	};

	return locate("the workloads", built, PKGDATADIR "/workloads", path);
}
