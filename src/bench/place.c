/* place.c - where the library and the data are, installed or not.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "place.h"

static char *joined(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		fail("out of memory");
	return path;
}

static void own_folder(char folder[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	char *slash;

	folder[length < 0 ? 0 : length] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
}

/* The source tree, as the Makefile beside this program has it; or NULL. */
static char *source_tree(const char *folder)
{
	static const char key[] = "abs_top_srcdir = ";
	char *path = joined(folder, "Makefile");
	FILE *file = fopen(path, "re");
	char line[PATH_MAX + sizeof(key)], *found = NULL;

	free(path);
	if (!file)
		return NULL;
	while (!found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, key, sizeof(key) - 1))
			found = strdup(line + sizeof(key) - 1);
	}
	fclose(file);
	return found;
}

/* What was installed in place: below the DESTDIR of this program, if it is
 * there; to be freed. */
static char *installed(const char *place, const char *name)
{
	size_t tail = strlen(BINDIR), n;
	char folder[PATH_MAX], *root, *path;

	own_folder(folder);
	n = strlen(folder);
	if (n < tail || strcmp(folder + n - tail, BINDIR))
		return joined(place, name);
	folder[n - tail] = '\0';
	root = joined(folder, place + 1);
	path = joined(root, name);
	free(root);
	if (!access(path, R_OK))
		return path;
	free(path);
	return joined(place, name);
}

char *place_library(void)
{
	char folder[PATH_MAX], *path;

	own_folder(folder);
	path = joined(folder, ".libs/libmemroute.so");
	if (!access(path, R_OK))
		return path;
	free(path);
	return installed(LIBDIR, "libmemroute.so");
}

char *place_data(void)
{
	char folder[PATH_MAX], *source, *path;

	own_folder(folder);
	source = source_tree(folder);
	path = source ? joined(source, "data") :
			installed(PKGDATADIR, "data");
	free(source);
	return path;
}
