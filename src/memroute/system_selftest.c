/* system_selftest.c - programs under a preload file that nobody else sees.
 *
 * Each program runs twice: as the tree is, and with the new file. It must
 * print and return the same. The new file is in a private mount namespace:
 * it is the only way in which set-user-ID programs get the library too.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

/* Longer than any of the programs takes; then it is ended by SIGALRM. */
#define SECONDS 60

/* The user that runs the set-user-ID program: nobody, by custom. */
#define OTHER_USER 65534

#define OUTPUT_SIZE 200000

enum {
	BIND_NOW = 1,		/* with LD_BIND_NOW=1 */
	WITH_CXX = 2,		/* with the C++ library in front */
	SET_USER_ID = 4,	/* a set-user-ID copy, run by OTHER_USER */
	SHOWS_MAPS = 8,		/* prints its memory: the library is there */
	IS_32_BIT = 16,		/* without $LIB a difference is expected */
};

struct check {
	const char *name;
	const char *argv[5];
	int flags;
};

#define SHELL_SCRIPT "echo a b | while read -r x y; do echo $y; done; exit 7"

/* Of the checks with one name, the first that the tree can run counts. */
static const struct check checks[] = {
	{ "a shell", { "/bin/sh", "-c", SHELL_SCRIPT }, 0 },
	{ "a shell with LD_BIND_NOW=1", { "/bin/sh", "-c", SHELL_SCRIPT },
	  BIND_NOW },
	{ "the library is loaded", { "/bin/cat", "/proc/self/maps" },
	  SHOWS_MAPS },
	{ "a set-user-ID program",
	  { "cat", "/proc/self/maps", "/proc/self/status" },
	  SET_USER_ID | SHOWS_MAPS },
	{ "a C++ program", { "/usr/bin/apt-get", "--version" }, 0 },
	{ "a C++ program", { "/usr/bin/groff", "--version" }, 0 },
	{ "a C++ program", { "/usr/bin/cmake", "--version" }, 0 },
	{ "a C++ program", { "/usr/bin/gdb", "--version" }, 0 },
	{ "a C++ program", { "/bin/cat", "/dev/null" }, WITH_CXX },
	{ "a 32-bit program",
	  { "/lib/ld-linux.so.2", "/lib/i386-linux-gnu/libc.so.6" },
	  IS_32_BIT },
	{ "a 32-bit program",
	  { "/lib/ld-linux.so.2", "/lib32/libc.so.6" }, IS_32_BIT },
	{ "a 32-bit program",
	  { "/lib/ld-linux.so.2", "/lib/libc.so.6" }, IS_32_BIT },
};

#define CHECKS (sizeof(checks) / sizeof(checks[0]))

/* Its place in the table; those up to it are necessary. */
#define LOADED_CHECK 2

struct result {
	int status;		/* as wait(2) has it */
	size_t size;
	char *output;		/* stdout and stderr, terminated */
	bool complete;		/* the program could be run */
};

struct test {
	const struct tree *tree;
	const char *bytes;
	size_t size;
	const char *library;
	const struct line *line;
	bool quick;		/* only: is the library loaded? Silent */
	char work[PATH_MAX];	/* a directory that only this process sees */
	struct result before[CHECKS];
};

static bool write_file(const char *path, const char *bytes, size_t size,
		       mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	bool good = fd >= 0 && write(fd, bytes, size) == (ssize_t)size &&
		    fchmod(fd, mode) == 0;

	if (fd >= 0)
		close(fd);
	return good;
}

/* ---- the private view ---- */

/* A new file system over a directory that every tree has and no check uses. */
static bool make_work(struct test *test)
{
	static const char *const candidates[] = { "/mnt", "/media", "/srv",
						  "/tmp", "/run" };

	for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
		if (mount("memroute", candidates[i], "tmpfs", 0, "mode=755"))
			continue;
		strcpy(test->work, candidates[i]);
		return true;
	}
	complain("cannot mount a tmpfs for the self-test on /mnt, /media, "
		 "/srv, /tmp or /run: %s", strerror(errno));
	return false;
}

/* /proc as the programs see it; an image has none. */
static bool make_proc(void)
{
	if (access("/proc/self/maps", R_OK) == 0)
		return true;
	if (mount("proc", "/proc", "proc", 0, NULL) == 0)
		return true;
	complain("cannot mount /proc in the tree: %s", strerror(errno));
	return false;
}

/* A copy of cat that is set-user-ID: a new one, so that no attribute of the
 * system's programs matters. Seen by this namespace only. */
static bool make_set_user_id(const struct test *test)
{
	char path[PATH_MAX + 10], buffer[65536];
	int from = open("/bin/cat", O_RDONLY | O_CLOEXEC), to;
	ssize_t n = -1;

	snprintf(path, sizeof(path), "%s/cat", test->work);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	while (from >= 0 && to >= 0 &&
	       (n = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, (size_t)n) != n)
			break;
	if (from < 0 || to < 0 || n || fchmod(to, 04755))
		complain("cannot copy /bin/cat for the self-test: %s",
			 strerror(errno));
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return n == 0;
}

/* Makes view/name stand for /etc/name, which will be at etc/name. */
static bool add_to_view(const char *view, const char *etc, const char *name)
{
	char target[PATH_MAX], from[PATH_MAX], path[PATH_MAX];
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s", view, name) >= PATH_MAX ||
	    snprintf(from, sizeof(from), "/etc/%s", name) >= PATH_MAX)
		return false;
	n = readlink(from, target, sizeof(target) - 1);
	if (n >= 0)
		target[n] = 0;
	else if (snprintf(target, PATH_MAX, "%s/%s", etc, name) >= PATH_MAX)
		return false;
	return symlink(target, path) == 0;
}

static bool fill_view(const char *view, const char *etc)
{
	DIR *directory = opendir("/etc");
	struct dirent *entry;
	bool good = directory != NULL;

	while (good && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    strcmp(entry->d_name, "ld.so.preload") == 0)
			continue;
		good = add_to_view(view, etc, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return good;
}

/*
 * Puts a view of /etc over /etc that differs in one file. Mounting over the
 * file alone would do only where there is one already: to mount over it, it
 * would have to be made, for all to see.
 */
static bool mount_view(const struct test *test)
{
	char view[PATH_MAX + 10], etc[PATH_MAX + 10], file[PATH_MAX + 40];

	snprintf(view, sizeof(view), "%s/view", test->work);
	snprintf(etc, sizeof(etc), "%s/etc", test->work);
	snprintf(file, sizeof(file), "%s/ld.so.preload", view);
	if (mkdir(view, 0755) || mkdir(etc, 0755) ||
	    !write_file(file, test->bytes, test->size, 0644) ||
	    mount("/etc", etc, NULL, MS_BIND | MS_REC, NULL) ||
	    !fill_view(view, etc) ||
	    mount(view, "/etc", NULL, MS_BIND, NULL)) {
		complain("cannot show the new file to the self-test: %s",
			 strerror(errno));
		return false;
	}
	return true;
}

/* ---- the programs ---- */

/* In the child. Returns if the program cannot be run. */
static void execute(const struct test *test, const struct check *check,
		    int output)
{
	const char *environment[4] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
	};
	char path[PATH_MAX + 10];

	if (check->flags & BIND_NOW)
		environment[2] = "LD_BIND_NOW=1";
	if (check->flags & WITH_CXX)
		environment[2] = "LD_PRELOAD=libstdc++.so.6";
	snprintf(path, sizeof(path), "%s", check->argv[0]);
	if (check->flags & SET_USER_ID)
		snprintf(path, sizeof(path), "%s/cat", test->work);
	setsid();
	alarm(SECONDS);
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(output, 1);
	dup2(output, 2);
	if ((check->flags & SET_USER_ID) &&
	    (setgroups(0, NULL) ||
	     setresgid(OTHER_USER, OTHER_USER, OTHER_USER) ||
	     setresuid(OTHER_USER, OTHER_USER, OTHER_USER)))
		return;
	execve(path, (char **)check->argv, (char **)environment);
}

/* Reads what the program has written. */
static void take_output(int fd, struct result *result)
{
	ssize_t n;

	result->output = malloc(OUTPUT_SIZE + 1);
	n = result->output ? pread(fd, result->output, OUTPUT_SIZE, 0) : -1;
	result->size = n > 0 ? (size_t)n : 0;
	if (result->output)
		result->output[result->size] = 0;
	result->complete = n >= 0;
}

static void run(const struct test *test, const struct check *check,
		struct result *result)
{
	bool copied = check->flags & SET_USER_ID;
	char path[PATH_MAX + 10];
	pid_t pid;
	int fd;

	memset(result, 0, sizeof(*result));
	if (!copied && access(check->argv[0], X_OK))
		return;
	snprintf(path, sizeof(path), "%s/output", test->work);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	pid = fork();
	if (pid == 0) {
		execute(test, check, fd);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &result->status, 0) == pid) {
		kill(-pid, SIGKILL);	/* what it may have left */
		take_output(fd, result);
	}
	close(fd);
}

/* True if a set-user-ID program ran with the rights of its owner. */
static bool had_rights(const struct result *result)
{
	return strstr(result->output, "\nUid:\t65534\t0\t0\t0\n") != NULL;
}

/* True if the check says something here: it works as the tree is. */
static bool is_usable(const struct check *check, const struct result *before)
{
	if (!before->complete || !WIFEXITED(before->status) ||
	    WEXITSTATUS(before->status) >= 126)
		return false;
	if (check->flags & SET_USER_ID)
		return had_rights(before);
	if (check->flags & WITH_CXX)
		return before->size == 0;
	return true;
}

/* The lines of ld.so about libraries that it cannot load. */
static int loader_lines(const struct result *result)
{
	const char *line = result->output;
	int count = 0;

	while ((line = strstr(line, "ld.so: "))) {
		line++;
		count++;
	}
	return count;
}

static bool is_same(const struct check *check, const struct result *before,
		    const struct result *after, const char *library)
{
	if (!after->complete || after->status != before->status)
		return false;
	if (check->flags & SET_USER_ID && !had_rights(after))
		return false;
	if (check->flags & SHOWS_MAPS)
		return strstr(after->output, library) &&
		       loader_lines(after) == loader_lines(before);
	return after->size == before->size &&
	       memcmp(after->output, before->output, after->size) == 0;
}

/* The line on which the outputs first differ, for the complaint. */
static const char *first_difference(const struct result *before,
				    struct result *after)
{
	const char *a = before->output;
	char *b = after->output, *line = b;

	if (!a || !b)
		return "";
	while (*b && *a == *b) {
		if (*b == '\n')
			line = b + 1;
		a++, b++;
	}
	line[strcspn(line, "\n")] = 0;
	return line;
}

static void complain_of(const struct check *check, const struct result *before,
			struct result *after, const char *library)
{
	const char *line = first_difference(before, after);

	if (WIFSIGNALED(after->status))
		complain("self-test: %s: ended by signal %d (%s) under the "
			 "library", check->name, WTERMSIG(after->status),
			 strsignal(WTERMSIG(after->status)));
	else if (after->status != before->status)
		complain("self-test: %s: status %d under the library, %d "
			 "without: %.200s", check->name,
			 WEXITSTATUS(after->status),
			 WEXITSTATUS(before->status), line);
	else if (check->flags & SHOWS_MAPS)
		complain("self-test: %s: %s is not in its memory: %.200s",
			 check->name, library,
			 strncmp(line, "ERROR", 5) ? "" : line);
	else
		complain("self-test: %s: prints something else under the "
			 "library: %.200s", check->name, line);
}

/* A 32-bit program cannot have a 64-bit library: a warning, not a failure. */
static bool judge_32_bit(const struct test *test, const struct check *check,
			 struct result *before, struct result *after)
{
	const char *line = first_difference(before, after);

	if (test->line->generic || after->status != before->status ||
	    !strstr(line, "ld.so: "))
		return false;
	complain("warning: every 32-bit program will print: %.400s", line);
	printf("self-test: %s: works, but prints a line\n", check->name);
	return true;
}

static bool judge(const struct test *test, size_t i)
{
	const struct check *check = &checks[i];
	struct result before = test->before[i], after;
	bool good = true;

	run(test, check, &after);
	if (is_same(check, &before, &after, test->library)) {
		printf("self-test: %s: ok\n", check->name);
	} else if (!(check->flags & IS_32_BIT) ||
		   !judge_32_bit(test, check, &before, &after)) {
		complain_of(check, &before, &after, test->library);
		good = false;
	}
	free(after.output);
	return good;
}

static void skip(const struct test *test, const struct check *check)
{
	bool is_32_bit = check->flags & IS_32_BIT;

	if (is_32_bit && !tree_has_32_bit(test->tree))
		return;
	printf("self-test: %s: skipped, none works in this tree as it is\n",
	       check->name);
	if (is_32_bit && !test->line->generic)
		complain("warning: every 32-bit program will print: ERROR: "
			 "ld.so: object '%s' from " PRELOAD_FILE " cannot be "
			 "preloaded (wrong ELF class: ELFCLASS64): ignored.",
			 test->line->text);
}

/* The checks from first on have one name; *next is where another begins.
 * Returns the first of them that is usable, or CHECKS. */
static size_t choose(const struct test *test, size_t first, size_t *next)
{
	size_t chosen = CHECKS;

	for (*next = first; *next < CHECKS; ++*next) {
		if (strcmp(checks[*next].name, checks[first].name) != 0)
			break;
		if (chosen == CHECKS &&
		    is_usable(&checks[*next], &test->before[*next]))
			chosen = *next;
	}
	return chosen;
}

/* Each name once: the first usable check of that name, or a skip, aloud. */
static bool judge_all(const struct test *test)
{
	size_t next, chosen;

	for (size_t i = 0; i < CHECKS; i = next) {
		chosen = choose(test, i, &next);
		if (chosen == CHECKS)
			skip(test, &checks[i]);
		else if (!judge(test, chosen))
			return false;
	}
	return true;
}

/* What must work before the rest says anything. */
static bool has_necessary(const struct test *test)
{
	for (size_t i = 0; i <= LOADED_CHECK; i++) {
		if (is_usable(&checks[i], &test->before[i]))
			continue;
		complain("self-test: %s does not work in this tree as it is: "
			 "nothing can be tested", checks[i].argv[0]);
		return false;
	}
	return true;
}

/* True if the check comes out right, without a word. */
static bool is_right(const struct test *test, size_t i)
{
	struct result after;
	bool same;

	run(test, &checks[i], &after);
	same = is_same(&checks[i], &test->before[i], &after, test->library);
	free(after.output);
	return same;
}

/* True if a program has the library in its memory, and a 32-bit program, if
 * there is one, does not complain. */
static bool is_loaded(const struct test *test)
{
	size_t first = LOADED_CHECK, next, chosen;

	while (first < CHECKS && !(checks[first].flags & IS_32_BIT))
		first++;
	chosen = choose(test, first, &next);
	return is_right(test, LOADED_CHECK) &&
	       (chosen == CHECKS || is_right(test, chosen));
}

static int selftest_inside(void *data)
{
	struct test *test = data;

	umask(022);
	if (!make_work(test) || !make_proc() || !make_set_user_id(test))
		return STATUS_FAILED;
	for (size_t i = 0; i < CHECKS; i++)
		run(test, &checks[i], &test->before[i]);
	if (!has_necessary(test) || !mount_view(test))
		return STATUS_FAILED;
	if (test->quick)
		return is_loaded(test) ? 0 : SELFTEST_NOT_LOADED;
	return judge_all(test) ? 0 : STATUS_FAILED;
}

int selftest_loads(const struct tree *tree, const char *bytes, size_t size,
		   const char *library)
{
	struct test test = {
		.tree = tree, .bytes = bytes, .size = size,
		.library = library, .quick = true,
	};

	return tree_enter(tree, selftest_inside, &test);
}

bool selftest(const struct tree *tree, const char *bytes, size_t size,
	      const char *library, const struct line *line)
{
	struct test test = {
		.tree = tree, .bytes = bytes, .size = size,
		.library = library, .line = line,
	};

	return tree_enter(tree, selftest_inside, &test) == 0;
}
