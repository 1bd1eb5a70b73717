/* system.h - memroute system: the line in /etc/ld.so.preload.
 *
 * Every dynamically linked program reads that file, so nothing here writes
 * before everything was checked, and what is written is whole at any instant.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_SYSTEM_H
#define MEMROUTE_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define PRELOAD_FILE "/etc/ld.so.preload"
#define LIBRARY_NAME "libmemroute.so"

/* How the files in /run begin that trials mount over the preload file. */
#define TRIAL_NAME "memroute-trial."

/* Why something was refused: one line, without newline. */
#define REASON_SIZE 1000

/* Fills reason and returns false, so that a check ends in one statement. */
__attribute__((format(printf, 2, 3)))
bool refuse(char reason[REASON_SIZE], const char *format, ...);

/* What the command line asked for. */
struct request {
	const char *root;	/* --root; "/" without */
	const char *library;	/* --library: a path inside the tree */
	bool yes, dry_run, json, confirm;
	const char *argument[2];	/* after the verb; NULL if missing */
};

/* ---- system_tree.c: a file tree, the running system's or an image's ---- */

struct tree {
	int fd;			/* its root directory, O_PATH */
	char path[PATH_MAX];	/* its real path; "/" is the running system */
};

/* A path of the tree with all symbolic links followed inside the tree. */
struct place {
	char path[PATH_MAX];	/* absolute, seen from the tree's root */
	/* The first directory on the way, links included, that others than
	 * root can write to; "" if there is none. */
	char unsafe[PATH_MAX];
};

/* Opens the tree below path. On failure fills reason and returns false. */
bool tree_open(struct tree *tree, const char *path, char *reason);

/* True if tree is the running system itself. */
bool tree_is_system(const struct tree *tree);

/* Follows an absolute path. On failure returns false with errno set. */
bool tree_resolve(const struct tree *tree, const char *path,
		  struct place *place);

/* Opens a place, close-on-exec, never through a symbolic link. Returns the
 * descriptor, or -1 with errno set. */
int tree_open_place(const struct tree *tree, const struct place *place,
		    int flags);

/* True if a file with this status can be changed by others than root: owned
 * by somebody else, or writable by group or others. The group bits cover
 * access control lists too: they show the mask. */
bool others_can_write(const struct stat *status);

/* Runs function in a child process with a private mount namespace, whose root
 * is the tree. Returns its return value, 0 to 255, or STATUS_FAILED with a
 * complaint if that could not be done. */
int tree_enter(const struct tree *tree, int (*function)(void *), void *data);

/* ---- system_library.c: is this file fit to be in every process? ---- */

/*
 * Checks the library at an absolute path of the tree: what ld.so can read as
 * a name, a whole ELF file of this class (ELFCLASS64 or ELFCLASS32) that is
 * memroute's, changeable by root only, on a file system that is there early
 * and allows execution. On failure fills reason and returns false.
 */
bool library_check(const struct tree *tree, const char *path, int elf_class,
		   struct place *place, char *reason);

/* What is to be written for the library at path. */
struct line {
	char text[PATH_MAX];
	bool generic;		/* with $LIB: serves each ABI of the tree */
};

/*
 * Fills the lines worth trying for a library that passed library_check, best
 * first, and returns their number (1 or 2). $LIB is tried where the tree's
 * other ABI, if there is one, has its library at the matching place.
 */
int library_lines(const struct tree *tree, const char *path,
		  struct line lines[2]);

/* True if the tree can run 32-bit programs. */
bool tree_has_32_bit(const struct tree *tree);

/* ---- system_file.c: the file, read and replaced ---- */

struct preload {
	const char *name;	/* in its directory */
	char path[REASON_SIZE / 2];	/* in the tree, for messages */
	int directory;		/* locked while open, if asked for and had */
	bool exists;
	bool mounted;		/* something is mounted over it */
	bool trial;		/* that is a trial of ours */
	struct stat status;
	char *bytes;		/* its content */
	size_t size;
};

/* An entry of the file, as ld.so takes it apart. */
struct entry {
	size_t start, length;
};

/*
 * Reads the file of the tree. With lock, waits for other memroute commands,
 * ten seconds at most.
 * Refuses what is no plain file: links of both kinds, directories, more than
 * 1 MiB. On failure fills reason and returns false; nothing is left open.
 */
bool preload_read(const struct tree *tree, bool lock, struct preload *preload,
		  char *reason);

/* The same for another file of the tree that is read and replaced whole. */
bool preload_read_at(const struct tree *tree, const char *directory,
		     const char *name, bool lock, struct preload *preload,
		     char *reason);

void preload_close(struct preload *preload);

/*
 * Finds the next entry from *at on, as ld.so does: separated by blanks, tabs,
 * colons and newlines, without comments, up to the first NUL byte. Returns
 * false after the last one. *at starts as 0.
 */
bool preload_next(const struct preload *preload, size_t *at,
		  struct entry *entry);

/* Finds the first entry that names a libmemroute.so, wherever it is. */
bool preload_find(const struct preload *preload, struct entry *entry);

/*
 * The bytes of the file with the line put before the first. First, since
 * then every other byte stays as it is, whatever the file ends with, and
 * since ld.so reads nothing after a NUL byte. Returns allocated memory and
 * its size.
 */
char *preload_with(const struct preload *preload, const char *line,
		   size_t *size);

/*
 * The bytes without any entry that names a libmemroute.so: without its line
 * if it is alone there, else without the separator beside it. *remove is true
 * if the file should go too, since preload_with has made it.
 */
char *preload_without(const struct preload *preload, size_t *size,
		      bool *remove);

/*
 * Replaces the file by these bytes, with mode, owner and extended attributes
 * kept: a new file beside it, synchronised, renamed, the directory
 * synchronised. On failure fills reason and returns false: the old file is
 * there then, except where reason says that only the last step failed.
 */
bool preload_replace(const struct preload *preload, const char *bytes,
		     size_t size, char *reason);

/* Gives a new file the mode, owner and attributes of the file, or mode 644 if
 * there is none. Returns false with errno set on failure. */
bool preload_copy_status(const struct preload *preload, int new);

/* Removes the file. On failure as preload_replace. */
bool preload_remove(const struct preload *preload, char *reason);

/* ---- system_selftest.c ---- */

/*
 * Runs programs of the tree in a private mount namespace in which these bytes
 * are the preload file, and compares what they print and return with the same
 * run without. Prints a line for each; complains about the first that
 * differs. library is where the library must turn up in their memory. Returns
 * true if all is well.
 */
bool selftest(const struct tree *tree, const char *bytes, size_t size,
	      const char *library, const struct line *line);

/* Whether a program of the tree has the library in its memory under these
 * bytes, and a 32-bit one runs without complaint. Returns 0 if so;
 * SELFTEST_NOT_LOADED if not, silently: another line may do; STATUS_FAILED,
 * with a complaint, if that could not be tried. */
enum { SELFTEST_NOT_LOADED = 3 };
int selftest_loads(const struct tree *tree, const char *bytes, size_t size,
		   const char *library);

/* ---- system_processes.c ---- */

/* More than there are kernels. */
enum { KERNEL_NAMES = 16 };

/* Which processes of the tree have the library. */
struct processes {
	int all;		/* with the same root as the tree */
	int with;		/* of them with the library in memory */
	int replaced;		/* of those with a file that is gone since */
	int unknown;		/* that this user may not look into */
	struct kernel_count {
		char name[16];	/* "unknown": of another version, say */
		int processes;	/* 0 after the last one */
	} kernels[KERNEL_NAMES];
};

/* Looks at all processes; the kernel is from the state of the library. */
void processes_count(const struct tree *tree, struct processes *processes);

/* ---- system_enable.c: what the verbs that change something share ---- */

struct job {
	const struct request *request;
	struct tree tree;
	struct preload preload;	/* as it is; locked */
	struct place library;
	/* What job_prepare has chosen and tested. */
	struct line line;
	char *bytes;
	size_t size;
};

/* Opens and reads. Complains and returns false on failure. */
bool job_begin(struct job *job, const struct request *request);
void job_end(struct job *job);

/* "DIR/etc/ld.so.preload", for messages. */
const char *job_file(const struct job *job);

/* Checks the file and the library, chooses the line, tests it. Returns -1 if
 * it can be written, else the exit status: 0 if it is there already. */
int job_prepare(struct job *job);

/* The part of it that is about the library: also for other places that name
 * it than the file. Complains and returns false if it is not fit. */
bool job_check_library(struct job *job);

/* Asks on the terminal. Without one, --yes has to say it. */
bool job_is_wanted(const struct job *job, const char *question);

/* ---- system_trial.c ---- */

/* Ends the trial that runs in the tree. Returns the exit status. */
int trial_end(const struct job *job);

/* ---- the verbs; each returns the exit status ---- */

int system_status(const struct request *request);
int system_enable(const struct request *request);
int system_disable(const struct request *request);
int system_trial(const struct request *request);
int system_service(const struct request *request);

#endif
