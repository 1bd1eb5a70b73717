/* system_file.c - the preload file, read and replaced.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

/* Behind the name of the file, for the one that will replace it. Always the
 * same, under the lock: what a killed command left is replaced by the next. */
#define NEW ".memroute-new"

#define LARGEST_FILE (1 << 20)

/* Tells preload_without to leave an empty file, since there was one. The rest
 * of the line is a comment to ld.so. */
#define WAS_EMPTY " # in a file that was empty"

/* Reads fd to its end. Returns allocated memory, or NULL with errno set. */
static char *read_all(int fd, size_t size)
{
	char *bytes = malloc(size + 1);
	size_t have = 0;
	ssize_t n;

	if (!bytes)
		return NULL;
	while (have < size) {
		n = read(fd, bytes + have, size - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	if (have == size)
		return bytes;
	if (n == 0)
		errno = EAGAIN;		/* shrunk while being read */
	free(bytes);
	return NULL;
}

/* True if the mount with this number shows a file of a trial. */
static bool is_trial(unsigned long long mount)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, shown[PATH_MAX];
	unsigned long long number;
	bool found = false;
	size_t room = 0;

	while (mounts && !found && getline(&line, &room, mounts) > 0)
		found = sscanf(line, "%llu %*u %*s %4095s", &number, shown) ==
			2 && number == mount &&
			strstr(shown, "/" TRIAL_NAME);
	free(line);
	if (mounts)
		fclose(mounts);
	return found;
}

static void find_mount(int fd, struct preload *preload)
{
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &status))
		return;
	preload->mounted = status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
	preload->trial = preload->mounted && is_trial(status.stx_mnt_id);
}

/* Reads what NAME in the open directory is. */
static bool read_file(struct preload *preload, char *reason)
{
	struct stat *status = &preload->status;
	int fd;

	fd = openat(preload->directory, preload->name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && errno == ELOOP)
		return refuse(reason, "%s is a symbolic link: replace it by a "
			      "plain file first", preload->path);
	if (fd < 0)
		return refuse(reason, "%s: %s", preload->path,
			      strerror(errno));
	preload->exists = true;
	if (fstat(fd, status))
		refuse(reason, "%s: %s", preload->path, strerror(errno));
	else if (!S_ISREG(status->st_mode))
		refuse(reason, "%s is not a regular file", preload->path);
	else if (status->st_nlink > 1)
		refuse(reason, "%s has %lu names (hard links): replace it by "
		       "a plain file first", preload->path,
		       (unsigned long)status->st_nlink);
	else if (status->st_size > LARGEST_FILE)
		refuse(reason, "%s has %lld bytes: too many for what it is",
		       preload->path, (long long)status->st_size);
	else if (!(preload->bytes = read_all(fd, (size_t)status->st_size)))
		refuse(reason, "%s: %s", preload->path, strerror(errno));
	else
		preload->size = (size_t)status->st_size;
	find_mount(fd, preload);
	close(fd);
	return preload->bytes != NULL;
}

/* Keeps other memroute commands out. Any user can hold such a lock on a
 * directory: after ten seconds it goes on without. preload_replace looks
 * whether the file has changed, lock or not. */
static void lock_directory(int fd)
{
	const struct timespec tenth = { 0, 100000000 };

	for (int i = 0; i < 100; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return;
		nanosleep(&tenth, NULL);
	}
}

bool preload_read_at(const struct tree *tree, const char *directory,
		     const char *name, bool lock, struct preload *preload,
		     char *reason)
{
	struct place place;

	memset(preload, 0, sizeof(*preload));
	preload->name = name;
	snprintf(preload->path, sizeof(preload->path), "%s/%s", directory,
		 name);
	if (!tree_resolve(tree, directory, &place))
		return refuse(reason, "%.400s: %s", directory,
			      strerror(errno));
	preload->directory = tree_open_place(tree, &place,
					     O_RDONLY | O_DIRECTORY);
	if (preload->directory < 0)
		return refuse(reason, "%.400s: %s", directory,
			      strerror(errno));
	if (lock)
		lock_directory(preload->directory);
	if (read_file(preload, reason))
		return true;
	preload_close(preload);
	return false;
}

bool preload_read(const struct tree *tree, bool lock, struct preload *preload,
		  char *reason)
{
	return preload_read_at(tree, "/etc", "ld.so.preload", lock, preload,
			       reason);
}

void preload_close(struct preload *preload)
{
	close(preload->directory);
	free(preload->bytes);
	preload->bytes = NULL;
}

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == ':';
}

bool preload_next(const struct preload *preload, size_t *at,
		  struct entry *entry)
{
	const char *bytes = preload->bytes;
	size_t i = *at, size = preload->size;

	while (i < size && (is_separator(bytes[i]) || bytes[i] == '#')) {
		if (bytes[i] == '#')
			while (i < size && bytes[i] != '\n')
				i++;
		else
			i++;
	}
	entry->start = i;
	while (i < size && bytes[i] && bytes[i] != '#' &&
	       !is_separator(bytes[i]))
		i++;
	entry->length = i - entry->start;
	*at = i;
	return entry->length > 0;
}

/* True if the entry names our library; a carriage return at its end, which
 * ld.so takes for a part of the name, may follow. */
static bool is_ours(const struct preload *preload, const struct entry *entry)
{
	const char *text = preload->bytes + entry->start;
	size_t n = entry->length, m = strlen(LIBRARY_NAME);

	if (n && text[n - 1] == '\r')
		n--;
	return n >= m && memcmp(text + n - m, LIBRARY_NAME, m) == 0 &&
	       (n == m || text[n - m - 1] == '/');
}

static bool find_from(const struct preload *preload, size_t at,
		      struct entry *entry)
{
	while (preload_next(preload, &at, entry))
		if (is_ours(preload, entry))
			return true;
	return false;
}

bool preload_find(const struct preload *preload, struct entry *entry)
{
	return find_from(preload, 0, entry);
}

char *preload_with(const struct preload *preload, const char *line,
		   size_t *size)
{
	const char *mark = preload->exists && !preload->size ? WAS_EMPTY : "";
	size_t room = strlen(line) + strlen(mark) + 1;
	char *bytes = malloc(room + preload->size + 1);

	if (!bytes)
		return NULL;
	sprintf(bytes, "%s%s\n", line, mark);
	if (preload->size)
		memcpy(bytes + room, preload->bytes, preload->size);
	*size = room + preload->size;
	return bytes;
}

/* Widens the entry to what goes with it: its line if nothing else is there,
 * with the mark that we made; else one separator. True if marked. */
static bool widen(const char *bytes, size_t size, struct entry *entry)
{
	size_t end = entry->start + entry->length;
	size_t mark = strlen(WAS_EMPTY);
	bool first = !entry->start || bytes[entry->start - 1] == '\n';
	bool marked = first && size - end >= mark &&
		      memcmp(bytes + end, WAS_EMPTY, mark) == 0;

	if (marked)
		entry->length += mark;
	end = entry->start + entry->length;
	if (first && (end == size || bytes[end] == '\n')) {
		entry->length += end < size;
	} else if (end < size && is_separator(bytes[end]) &&
		   bytes[end] != '\n') {
		entry->length++;
	} else if (!first && is_separator(bytes[entry->start - 1])) {
		entry->start--;
		entry->length++;
	}
	return marked;
}

char *preload_without(const struct preload *preload, size_t *size,
		      bool *remove)
{
	struct preload rest = *preload;
	struct entry entry;
	bool marked = false;

	rest.bytes = malloc(preload->size + 1);
	if (!rest.bytes)
		return NULL;
	if (preload->size)
		memcpy(rest.bytes, preload->bytes, preload->size);
	while (preload_find(&rest, &entry)) {
		marked |= widen(rest.bytes, rest.size, &entry);
		rest.size -= entry.length;
		memmove(rest.bytes + entry.start,
			rest.bytes + entry.start + entry.length,
			rest.size - entry.start);
	}
	*size = rest.size;
	*remove = !rest.size && !marked;
	return rest.bytes;
}

/* Not to be copied: the kernel computes them, for the content. */
static bool is_digest(const char *name)
{
	return strcmp(name, "security.ima") == 0 ||
	       strcmp(name, "security.evm") == 0;
}

/* Copies the extended attributes: labels, access control lists. */
static bool copy_attributes(int from, int to)
{
	char names[65536], value[65536];	/* the kernel's limits */
	ssize_t size = flistxattr(from, names, sizeof(names)), n;

	if (size < 0)
		return errno == EOPNOTSUPP;
	for (char *name = names; name < names + size;
	     name += strlen(name) + 1) {
		if (is_digest(name))
			continue;
		n = fgetxattr(from, name, value, sizeof(value));
		if (n < 0 || fsetxattr(to, name, value, (size_t)n, 0))
			return false;
	}
	return true;
}

/* Owner before mode: chown(2) clears mode bits. The list of access rights
 * comes last: it refines the mode. */
bool preload_copy_status(const struct preload *preload, int new)
{
	const struct stat *status = &preload->status;
	bool copied;
	int old;

	if (!preload->exists)
		return fchmod(new, 0644) == 0;
	if (fchown(new, status->st_uid, status->st_gid) ||
	    fchmod(new, status->st_mode & 07777))
		return false;
	old = openat(preload->directory, preload->name,
		     O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (old < 0)
		return false;
	copied = copy_attributes(old, new);
	close(old);
	return copied;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes += n;
		size -= (size_t)n;
	}
	return true;
}

/* True if nobody has changed the file since it was read. */
static bool is_unchanged(const struct preload *preload)
{
	const struct stat *old = &preload->status;
	struct stat now;

	if (fstatat(preload->directory, preload->name, &now, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT && !preload->exists;
	return preload->exists && now.st_dev == old->st_dev &&
	       now.st_ino == old->st_ino && now.st_size == old->st_size &&
	       now.st_ctim.tv_sec == old->st_ctim.tv_sec &&
	       now.st_ctim.tv_nsec == old->st_ctim.tv_nsec;
}

/* The name of the new file, beside the old one. */
static const char *new_name(const struct preload *preload)
{
	static char name[NAME_MAX + 1];

	snprintf(name, sizeof(name), "%s" NEW, preload->name);
	return name;
}

/* Writes the new file, down to the disk. */
static bool write_new(const struct preload *preload, const char *bytes,
		      size_t size, char *reason)
{
	const char *name = new_name(preload), *step;
	int fd;

	if (unlinkat(preload->directory, name, 0) && errno != ENOENT)
		return refuse(reason, "%s" NEW ": cannot remove: %s",
			      preload->path, strerror(errno));
	fd = openat(preload->directory, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return refuse(reason, "%s" NEW ": cannot create: %s",
			      preload->path, strerror(errno));
	step = !write_all(fd, bytes, size) ? "write" :
	       !preload_copy_status(preload, fd)
	       ? "set mode, owner or attributes of" :
	       fsync(fd) ? "synchronise" : NULL;
	if (step)
		refuse(reason, "%s" NEW ": cannot %s: %s; the old file is as "
		       "it was", preload->path, step, strerror(errno));
	if (close(fd) && !step)
		return refuse(reason, "%s" NEW ": cannot close: %s",
			      preload->path, strerror(errno));
	return !step;
}

/* The last step of a change. */
static bool synchronise(const struct preload *preload, char *reason)
{
	if (fsync(preload->directory) == 0)
		return true;
	return refuse(reason, "%s is changed, but a power failure may undo "
		      "that: cannot synchronise its directory: %s",
		      preload->path, strerror(errno));
}

static bool refuse_changed(const struct preload *preload, char *reason)
{
	return refuse(reason, "%s was changed by somebody else meanwhile; it "
		      "is as they left it", preload->path);
}

bool preload_replace(const struct preload *preload, const char *bytes,
		     size_t size, char *reason)
{
	const char *name = new_name(preload);
	bool ready = write_new(preload, bytes, size, reason);

	if (ready && !is_unchanged(preload))
		ready = refuse_changed(preload, reason);
	if (ready && renameat(preload->directory, name, preload->directory,
			      preload->name))
		ready = refuse(reason, "%s: cannot replace: %s; it is as it "
			       "was", preload->path, strerror(errno));
	if (ready)
		return synchronise(preload, reason);
	unlinkat(preload->directory, name, 0);
	return false;
}

bool preload_remove(const struct preload *preload, char *reason)
{
	if (!is_unchanged(preload))
		return refuse_changed(preload, reason);
	if (unlinkat(preload->directory, new_name(preload), 0) &&
	    errno != ENOENT)
		return refuse(reason, "%s" NEW ": cannot remove: %s",
			      preload->path, strerror(errno));
	if (unlinkat(preload->directory, preload->name, 0))
		return refuse(reason, "%s: cannot remove: %s; it is as it "
			      "was", preload->path, strerror(errno));
	return synchronise(preload, reason);
}
