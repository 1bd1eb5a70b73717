/* system_tree.c - a file tree, the running system's or an image's.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

/* As the kernel has it: more links than this are a loop. */
#define MOST_LINKS 40

bool refuse(char reason[REASON_SIZE], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, REASON_SIZE, format, arguments);
	va_end(arguments);
	return false;
}

bool tree_open(struct tree *tree, const char *path, char *reason)
{
	if (!realpath(path, tree->path))
		return refuse(reason, "--root %s: %s", path, strerror(errno));
	tree->fd = open(tree->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (tree->fd < 0)
		return refuse(reason, "--root %s: %s", path, strerror(errno));
	return true;
}

bool tree_is_system(const struct tree *tree)
{
	return strcmp(tree->path, "/") == 0;
}

bool others_can_write(const struct stat *status)
{
	return status->st_uid != 0 || (status->st_mode & (S_IWGRP | S_IWOTH));
}

/* The name that *at functions want: "." for the root itself. */
static const char *relative(const char *path)
{
	return path[1] ? path + 1 : ".";
}

int tree_open_place(const struct tree *tree, const struct place *place,
		    int flags)
{
	return openat(tree->fd, relative(place->path),
		      flags | O_NOFOLLOW | O_CLOEXEC);
}

/* Notes the directory at path if others than root can write to it. */
static bool note_unsafe(const struct tree *tree, const char *path,
			char *unsafe)
{
	struct stat status;

	if (fstatat(tree->fd, relative(path), &status, AT_SYMLINK_NOFOLLOW))
		return false;
	if (!*unsafe && others_can_write(&status))
		snprintf(unsafe, PATH_MAX, "%s", path);
	return true;
}

/* Puts the target of the link at path before what is still to be followed. */
static bool follow_link(const struct tree *tree, const char *path,
			char *pending)
{
	char target[PATH_MAX], joined[PATH_MAX];
	ssize_t n = readlinkat(tree->fd, path + 1, target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = 0;
	if ((size_t)n + strlen(pending) + 2 > sizeof(joined)) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(joined, target);
	strcat(joined, "/");
	strcat(joined, pending);
	strcpy(pending, joined);
	return true;
}

/* Takes the first component from pending into name. False if none is left. */
static bool take_component(char *pending, char name[PATH_MAX])
{
	size_t skip = strspn(pending, "/");
	size_t n = strcspn(pending + skip, "/");

	memcpy(name, pending + skip, n);
	name[n] = 0;
	memmove(pending, pending + skip + n, strlen(pending + skip + n) + 1);
	return n > 0;
}

/* Moves path to its component name; a link is left to the caller: *link. */
static bool descend(const struct tree *tree, struct place *place,
		    const char *name, bool *link)
{
	size_t length = strlen(place->path);
	struct stat status;

	*link = false;
	if (strcmp(name, ".") == 0)
		return true;
	if (strcmp(name, "..") == 0) {
		char *slash = strrchr(place->path, '/');

		slash[slash == place->path] = 0;
		return true;
	}
	if (!note_unsafe(tree, place->path, place->unsafe))
		return false;
	if (length == 1)
		length = 0;
	if (length + strlen(name) + 2 > sizeof(place->path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	sprintf(place->path + length, "/%s", name);
	if (fstatat(tree->fd, place->path + 1, &status, AT_SYMLINK_NOFOLLOW))
		return false;
	*link = S_ISLNK(status.st_mode);
	return true;
}

bool tree_resolve(const struct tree *tree, const char *path,
		  struct place *place)
{
	char pending[PATH_MAX], name[PATH_MAX];
	int links = 0;
	bool link;

	strcpy(place->path, "/");
	place->unsafe[0] = 0;
	if (snprintf(pending, sizeof(pending), "%s", path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	while (take_component(pending, name)) {
		if (!descend(tree, place, name, &link))
			return false;
		if (!link)
			continue;
		if (++links > MOST_LINKS) {
			errno = ELOOP;
			return false;
		}
		if (!follow_link(tree, place->path, pending))
			return false;
		if (pending[0] == '/')
			strcpy(place->path, "/");
		else
			descend(tree, place, "..", &link);
	}
	return true;
}

/* In the child: a mount namespace of its own, then the tree as root. */
static bool enter(const struct tree *tree)
{
	if (unshare(CLONE_NEWNS)) {
		complain("cannot make a private mount namespace: %s%s",
			 strerror(errno),
			 errno == EPERM ? "; the self-test needs root" : "");
		return false;
	}
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		complain("cannot make the mounts private: %s%s",
			 strerror(errno), errno == EINVAL
			 ? "; in a chroot: use --root from outside" : "");
		return false;
	}
	if ((!tree_is_system(tree) && chroot(tree->path)) || chdir("/")) {
		complain("%s: cannot change root: %s", tree->path,
			 strerror(errno));
		return false;
	}
	return true;
}

int tree_enter(const struct tree *tree, int (*function)(void *), void *data)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		complain("cannot fork: %s", strerror(errno));
		return STATUS_FAILED;
	}
	if (pid == 0) {
		status = enter(tree) ? function(data) : STATUS_FAILED;
		fflush(stdout);
		_exit(status);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return STATUS_FAILED;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	complain("the self-test ended by signal %d", WTERMSIG(status));
	return STATUS_FAILED;
}
