/* system_enable.c - the line in, the line out.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

static bool is_line(const struct preload *preload, const struct entry *entry,
		    const char *line)
{
	return entry->length == strlen(line) &&
	       memcmp(preload->bytes + entry->start, line, entry->length) == 0;
}

const char *job_file(const struct job *job)
{
	static char name[PATH_MAX + 40];

	snprintf(name, sizeof(name), "%s" PRELOAD_FILE,
		 tree_is_system(&job->tree) ? "" : job->tree.path);
	return name;
}

bool job_begin(struct job *job, const struct request *request)
{
	char reason[REASON_SIZE];

	memset(job, 0, sizeof(*job));
	job->request = request;
	umask(022);	/* for what is made, not replaced */
	if (tree_open(&job->tree, request->root, reason) &&
	    preload_read(&job->tree, true, &job->preload, reason))
		return true;
	complain("%s", reason);
	return false;
}

void job_end(struct job *job)
{
	free(job->bytes);
	preload_close(&job->preload);
	close(job->tree.fd);
}

bool job_is_wanted(const struct job *job, const char *question)
{
	char answer[10];

	if (job->request->yes)
		return true;
	if (!isatty(0)) {
		complain("standard input is no terminal: say --yes to do it "
			 "without a question");
		return false;
	}
	printf("%s [y/N] ", question);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) &&
	       (answer[0] == 'y' || answer[0] == 'Y');
}

/* Refuses what nobody but root should be able to bring about. */
static bool check_file(const struct job *job)
{
	const struct preload *preload = &job->preload;
	struct place etc;

	if (preload->trial) {
		complain("a trial is running: confirm it (memroute system "
			 "trial --confirm) or end it (disable)");
		return false;
	}
	if (preload->mounted) {
		complain(PRELOAD_FILE " is a mount point (a container's, "
			 "perhaps): it cannot be replaced");
		return false;
	}
	if (preload->exists && others_can_write(&preload->status)) {
		complain(PRELOAD_FILE ": others than root can write to it: "
			 "make it root's, mode 644");
		return false;
	}
	if (preload->exists && (preload->status.st_mode & 0444) != 0444) {
		complain(PRELOAD_FILE ": not readable by everybody: only some "
			 "programs would follow it; make it mode 644");
		return false;
	}
	if (tree_resolve(&job->tree, PRELOAD_FILE, &etc), etc.unsafe[0]) {
		complain("others than root can write to the directory %s",
			 etc.unsafe);
		return false;
	}
	return true;
}

/* Enabled twice is once; but not silently if the library went bad since. */
static int still_fit(const struct job *job, const char *line)
{
	char reason[REASON_SIZE];
	struct place place;

	if (!library_check(&job->tree, job->request->library, ELFCLASS64,
			   &place, reason)) {
		complain("enabled, but broken: %.900s", reason);
		return STATUS_FAILED;
	}
	printf("already enabled in %s: %s\n", job_file(job), line);
	return 0;
}

/* An entry that is there already: what would be written, then nothing is to
 * be done, or that of another place. Returns the exit status, or -1 if there
 * is none. */
static int check_entry(const struct job *job)
{
	const char *library = job->request->library;
	const struct preload *preload = &job->preload;
	struct line lines[2];
	struct entry entry;
	int count = library_lines(&job->tree, library, lines);

	if (!preload_find(preload, &entry))
		return -1;
	while (count--) {
		if (!is_line(preload, &entry, lines[count].text))
			continue;
		return still_fit(job, lines[count].text);
	}
	complain(PRELOAD_FILE " names another %.*s: disable that first",
		 (int)entry.length, preload->bytes + entry.start);
	return STATUS_FAILED;
}

/* Chooses the best line that brings the library into programs of the tree. */
static bool choose_line(struct job *job)
{
	struct line lines[2];
	int count = library_lines(&job->tree, job->request->library, lines);
	int status = 0;
	size_t size;
	char *bytes;

	job->line = lines[0];
	if (count == 1)
		return true;
	bytes = preload_with(&job->preload, lines[0].text, &size);
	if (bytes)
		status = selftest_loads(&job->tree, bytes, size,
					job->library.path);
	free(bytes);
	if (status == SELFTEST_NOT_LOADED)
		job->line = lines[1];
	return status != STATUS_FAILED;
}

bool job_check_library(struct job *job)
{
	const char *library = job->request->library;
	char reason[REASON_SIZE];

	if (!library_check(&job->tree, library, ELFCLASS64, &job->library,
			   reason)) {
		complain("%s", reason);
		return false;
	}
	if (choose_line(job))
		job->bytes = preload_with(&job->preload, job->line.text,
					  &job->size);
	if (job->bytes && selftest(&job->tree, job->bytes, job->size,
				   job->library.path, &job->line))
		return true;
	complain("not enabled");
	return false;
}

int job_prepare(struct job *job)
{
	int status;

	if (geteuid() != 0) {
		complain("only root can do that");
		return STATUS_FAILED;
	}
	if (!check_file(job))
		return STATUS_FAILED;
	status = check_entry(job);
	if (status >= 0)
		return status;
	return job_check_library(job) ? -1 : STATUS_FAILED;
}

static int enable(struct job *job)
{
	char reason[REASON_SIZE];
	int status = job_prepare(job);

	if (status >= 0)
		return status;
	if (job->request->dry_run) {
		printf("would add to %s: %s\n", job_file(job),
		       job->line.text);
		return 0;
	}
	if (!job_is_wanted(job, "Enable for every program?")) {
		complain("not enabled");
		return STATUS_FAILED;
	}
	if (!preload_replace(&job->preload, job->bytes, job->size, reason)) {
		complain("%s", reason);
		return STATUS_FAILED;
	}
	printf("enabled in %s: %s\n", job_file(job), job->line.text);
	return 0;
}

int system_enable(const struct request *request)
{
	struct job job;
	int status;

	if (!job_begin(&job, request))
		return STATUS_FAILED;
	status = enable(&job);
	job_end(&job);
	return status;
}

static int disable(const struct job *job)
{
	const struct preload *preload = &job->preload;
	char reason[REASON_SIZE];
	struct entry entry;
	bool remove, done;
	size_t size;
	char *bytes;

	if (!preload_find(preload, &entry)) {
		printf("not enabled in %s\n", job_file(job));
		return 0;
	}
	if (preload->mounted) {
		complain(PRELOAD_FILE " is a mount point (a container's, "
			 "perhaps): it cannot be replaced");
		return STATUS_FAILED;
	}
	if (job->request->dry_run) {
		printf("would remove from %s: %.*s\n", job_file(job),
		       (int)entry.length, preload->bytes + entry.start);
		return 0;
	}
	bytes = preload_without(preload, &size, &remove);
	if (!bytes) {
		complain("out of memory");
		return STATUS_FAILED;
	}
	done = remove ? preload_remove(preload, reason)
		      : preload_replace(preload, bytes, size, reason);
	free(bytes);
	if (!done) {
		complain("%s", reason);
		return STATUS_FAILED;
	}
	printf("disabled in %s; running programs keep the library until they "
	       "end\n", job_file(job));
	return 0;
}

int system_disable(const struct request *request)
{
	struct job job;
	int status;

	if (!job_begin(&job, request))
		return STATUS_FAILED;
	status = job.preload.trial && !request->dry_run
		 ? trial_end(&job) : disable(&job);
	job_end(&job);
	return status;
}
