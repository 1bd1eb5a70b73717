/* system_service.c - the library in one service of systemd, by a drop-in.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

#define UNITS "/etc/systemd/system"
#define DROP_IN "memroute.conf"

/* What a unit name may consist of, from systemd.unit(5). */
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz" \
			"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@"

static const char *const unit_directories[] = {
	UNITS, "/run/systemd/system", "/usr/local/lib/systemd/system",
	"/usr/lib/systemd/system", "/lib/systemd/system",
};

#define UNIT_DIRECTORIES (sizeof(unit_directories) / sizeof(char *))

struct service {
	char name[NAME_MAX - 10];	/* "NAME.service" */
	char template[NAME_MAX - 10];	/* "NAME@.service"; "" if it is none */
	char directory[PATH_MAX];	/* of the drop-ins that we write */
};

static bool read_name(const char *name, struct service *service)
{
	const char *at = strchr(name, '@');
	size_t n = strlen(name), m = strlen(".service");
	bool whole = n > m && strcmp(name + n - m, ".service") == 0;

	memset(service, 0, sizeof(*service));
	if (!n || name[0] == '.' || n > 200 ||
	    name[strspn(name, NAME_CHARACTERS)])
		return false;
	snprintf(service->name, sizeof(service->name), "%s%s", name,
		 whole ? "" : ".service");
	if (at)
		snprintf(service->template, sizeof(service->template),
			 "%.*s@.service", (int)(at - name), name);
	snprintf(service->directory, sizeof(service->directory), UNITS "/%s.d",
		 service->name);
	return true;
}

/* True if a file of the tree sets LD_PRELOAD. *found if it is there. */
static bool sets_preload(const struct tree *tree, const char *path,
			 bool *found)
{
	struct place place;
	char *line = NULL;
	bool sets = false;
	size_t room = 0;
	FILE *file;
	int fd;

	if (!tree_resolve(tree, path, &place))
		return false;
	fd = tree_open_place(tree, &place, O_RDONLY | O_NONBLOCK);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file)
		return false;
	*found = true;
	while (!sets && getline(&line, &room, file) > 0)
		sets = line[0] != '#' && line[0] != ';' &&
		       strstr(line, "LD_PRELOAD");
	free(line);
	fclose(file);
	return sets;
}

/* True if one of the drop-ins in a directory, except ours, sets it. */
static bool drop_ins_set_preload(const struct tree *tree, const char *path,
				 char *culprit)
{
	struct dirent *entry;
	struct place place;
	bool sets = false, found;
	DIR *directory;
	int fd;

	if (!tree_resolve(tree, path, &place))
		return false;
	fd = tree_open_place(tree, &place, O_RDONLY | O_DIRECTORY);
	directory = fd < 0 ? NULL : fdopendir(fd);
	while (directory && !sets && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, DROP_IN) == 0 ||
		    entry->d_name[0] == '.' ||
		    snprintf(culprit, PATH_MAX, "%s/%s", path,
			     entry->d_name) >= PATH_MAX)
			continue;
		sets = sets_preload(tree, culprit, &found);
	}
	if (directory)
		closedir(directory);
	return sets;
}

/* Looks at the unit and all its drop-ins. *found if there is such a unit.
 * Returns true, with the file in culprit, if it sets LD_PRELOAD itself. */
static bool unit_sets_preload(const struct tree *tree, const char *name,
			      bool *found, char *culprit)
{
	char path[PATH_MAX];

	for (size_t i = 0; *name && i < UNIT_DIRECTORIES; i++) {
		snprintf(culprit, PATH_MAX, "%s/%s", unit_directories[i],
			 name);
		if (sets_preload(tree, culprit, found))
			return true;
		snprintf(path, sizeof(path), "%s/%s.d", unit_directories[i],
			 name);
		if (drop_ins_set_preload(tree, path, culprit))
			return true;
	}
	return false;
}

static bool check_unit(const struct tree *tree, const struct service *service)
{
	char culprit[PATH_MAX];
	bool found = false;

	if (unit_sets_preload(tree, service->name, &found, culprit) ||
	    unit_sets_preload(tree, service->template, &found, culprit)) {
		complain("%s sets LD_PRELOAD itself, and one setting replaces "
			 "the other: add the library there by hand", culprit);
		return false;
	}
	if (!found)
		complain("%s: no such unit in " UNITS " or the other "
			 "directories of systemd.unit(5)", service->name);
	return found;
}

/* Says what is left to do: a running systemd knows nothing of the change. */
static void tell(const struct job *job, const struct service *service,
		 const char *what)
{
	printf("%s %s%s/" DROP_IN "\n", what,
	       tree_is_system(&job->tree) ? "" : job->tree.path,
	       service->directory);
	if (tree_is_system(&job->tree))
		printf("now: systemctl daemon-reload && systemctl restart "
		       "%s\n", service->name);
}

static bool make_directory(const struct tree *tree,
			   const struct service *service)
{
	struct place place;

	if (!tree_resolve(tree, UNITS, &place)) {
		complain(UNITS ": %s", strerror(errno));
		return false;
	}
	if (tree_resolve(tree, service->directory, &place) ||
	    mkdirat(tree->fd, place.path + 1, 0755) == 0)
		return true;
	complain("%s: cannot create: %s", service->directory,
		 strerror(errno));
	return false;
}

/* Replaces the drop-in by text, or removes it if text is NULL. */
static bool write_drop_in(const struct job *job, const struct service *service,
			  const char *text)
{
	char reason[REASON_SIZE];
	struct preload file;
	bool done;

	if (!preload_read_at(&job->tree, service->directory, DROP_IN, true,
			     &file, reason)) {
		complain("%s", reason);
		return false;
	}
	if (text)
		done = preload_replace(&file, text, strlen(text), reason);
	else
		done = !file.exists || preload_remove(&file, reason);
	preload_close(&file);
	if (!done)
		complain("%s", reason);
	return done;
}

static int enable(struct job *job, const struct service *service)
{
	char text[PATH_MAX + 200];

	if (geteuid() != 0) {
		complain("only root can do that");
		return STATUS_FAILED;
	}
	if (!check_unit(&job->tree, service) || !job_check_library(job))
		return STATUS_FAILED;
	/* What Environment= takes for its own. */
	if (job->library.path[strcspn(job->library.path, "%\"'\\")]) {
		complain("%s: systemd cannot read a path with '%%', quotes or "
			 "'\\' there", job->library.path);
		return STATUS_FAILED;
	}
	snprintf(text, sizeof(text), "# Written by memroute system service.\n"
		 "[Service]\nEnvironment=LD_PRELOAD=%s\n",
		 job->request->library);
	if (job->request->dry_run) {
		tell(job, service, "would write");
		return 0;
	}
	if (!make_directory(&job->tree, service) ||
	    !write_drop_in(job, service, text))
		return STATUS_FAILED;
	tell(job, service, "wrote");
	return 0;
}

static int disable(const struct job *job, const struct service *service)
{
	char path[PATH_MAX + 20];
	struct place place;

	snprintf(path, sizeof(path), "%s/" DROP_IN, service->directory);
	if (!tree_resolve(&job->tree, path, &place)) {
		printf("not enabled for %s\n", service->name);
		return 0;
	}
	if (job->request->dry_run) {
		tell(job, service, "would remove");
		return 0;
	}
	if (!write_drop_in(job, service, NULL))
		return STATUS_FAILED;
	/* If it is ours alone. */
	if (tree_resolve(&job->tree, service->directory, &place))
		unlinkat(job->tree.fd, place.path + 1, AT_REMOVEDIR);
	tell(job, service, "removed");
	return 0;
}

int system_service(const struct request *request)
{
	const char *name = request->argument[0], *verb = request->argument[1];
	struct service service;
	struct job job;
	int status;

	if (!verb || (strcmp(verb, "enable") && strcmp(verb, "disable"))) {
		complain("say NAME and enable or disable");
		return STATUS_USAGE;
	}
	if (!read_name(name, &service)) {
		complain("'%s': not the name of a service", name);
		return STATUS_USAGE;
	}
	if (!job_begin(&job, request))
		return STATUS_FAILED;
	status = strcmp(verb, "enable") == 0 ? enable(&job, &service)
					     : disable(&job, &service);
	job_end(&job);
	return status;
}
