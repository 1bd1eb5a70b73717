/* doctor.c - memroute doctor: is memroute in use there, and if not, why not.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../measure/text.h"
#include "bindings.h"
#include "command_line.h"
#include "commands.h"
#include "locate.h"
#include "machine.h"
#include "preload.h"
#include "process.h"
#include "target.h"

/* Everything that was found out; what does not apply is zero or NULL. */
struct findings {
	pid_t pid;		/* 0: a program that does not run */
	struct target target;	/* the program */
	const struct mapping *library;
	struct object object;	/* of the library */
	bool active;		/* it is there and has decided */
	struct memroute_state state;
	char reason[200];
	struct bindings bindings;
	char *preload, *variable;	/* its LD_PRELOAD and MEMROUTE */
	const char *why;	/* a preload does not reach it, or NULL */
	const char *advice;	/* what to do */
};

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const char limits[] =
	"What no preload can reach, anywhere: copies inside libc itself, "
	"copies of a size that the compiler knew and expanded, statically "
	"linked programs, libraries opened with RTLD_DEEPBIND, and programs "
	"with a copy routine of their own.";

static void help(void)
{
	puts("Usage: memroute doctor [--json] [PID | COMMAND]\n"
	     "\n"
	     "Tells whether memroute is in use in a running process, with\n"
	     "which kernel, and where its copies are bound to; or whether a\n"
	     "preload would reach a command, which is not run. Without an\n"
	     "argument: whether memroute works for a shell started now.\n"
	     "\n"
	     "  --json  the same for programs\n"
	     "  --help  this text\n"
	     "\n"
	     "A number is a PID; a command with such a name needs a path.\n"
	     "Exit status: 0 if memroute is in use, or would be; 1 if not, or\n"
	     "if it cannot be told; 2 for bad usage.");
}

static const char *class_name(unsigned class)
{
	return class == ELFCLASS32 ? "32-bit" : "64-bit";
}

static void find_library(struct process *process, struct findings *found)
{
	struct object object;

	for (size_t i = 0; i < process->count && !found->library; i++) {
		if (!process_object(process, i, &object) || !object.state)
			continue;
		found->library = &process->mappings[i];
		found->object = object;
		found->active = process_state(process, object.state,
					      &found->state, found->reason) &&
				*found->state.kernel;
	}
}

static bool is_deleted(const struct mapping *mapping)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(mapping->path), tail = sizeof(mark) - 1;

	return n > tail && strcmp(mapping->path + n - tail, mark) == 0;
}

/* What to do where it is not there, as far as can be told from outside. */
static const char *advise_absent(const struct findings *found)
{
	if (found->why)
		return obstacle_advice(found->target.obstacle);
	if (found->preload && strstr(found->preload, "libmemroute.so"))
		return "LD_PRELOAD names libmemroute.so, but ld.so did not "
		       "load it: look for an error of ld.so on the program's "
		       "stderr, and for a wrong path";
	return "start it again with 'memroute run', or enable memroute for "
	       "the whole machine with 'memroute system enable'";
}

static const char *advise(const struct findings *found)
{
	if (!found->library)
		return advise_absent(found);
	if (!found->active)
		return "its state cannot be read: the library is of another "
		       "version than this program, or has not started yet";
	if (is_deleted(found->library))
		return "the library's file was replaced since: the process "
		       "runs the old one until it is started again";
	if (strcmp(found->state.kernel, "libc") == 0)
		return "its copies go to libc's own function, as MEMROUTE or "
		       "the build says";
	if (found->bindings.elsewhere)
		return "some copies go elsewhere: libraries opened with "
		       "RTLD_DEEPBIND, or another library in front that has "
		       "copies of its own";
	if (!found->bindings.routed && !found->bindings.unbound)
		return "nothing in it imports a copy function: it brings its "
		       "own, or makes no copies";
	return "nothing: it is in use";
}

static const char *size_text(const struct findings *found, uint64_t size,
			     char text[32])
{
	uint64_t never = found->object.class == ELFCLASS32 ? UINT32_MAX :
			 UINT64_MAX;

	if (size == never)
		return "never";
	snprintf(text, 32, "from %" PRIu64 " bytes", size);
	return text;
}

static void print_state(const struct findings *found)
{
	const struct thresholds *t = &found->state.thresholds;
	char text[32];

	printf("library:  %s%s\n", found->library->path,
	       found->active ? "" : ", not active");
	if (!found->active)
		return;
	printf("kernel:   %s (%s)\n", found->state.kernel, found->reason);
	if (strcmp(found->state.kernel, "libc") == 0)
		return;
	printf("          copies of at most %" PRIu64 " bytes do not need it\n",
	       found->state.limit_u64);
	printf("          non-temporal stores %s\n",
	       size_text(found, t->non_temporal_u64, text));
	printf("          rep movsb %s\n",
	       size_text(found, t->rep_movsb_u64, text));
}

static void print_bindings(const struct bindings *bindings)
{
	printf("bindings: %u to memroute, %u through a table or not yet bound, "
	       "%u elsewhere, in %u objects\n", bindings->routed,
	       bindings->unbound, bindings->elsewhere, bindings->objects);
	for (unsigned i = 0; i < bindings->stray_count; i++)
		printf("          %s: %s goes to %s\n",
		       bindings->strays[i].from->path,
		       copy_functions[bindings->strays[i].function],
		       bindings->strays[i].to ? bindings->strays[i].to->path :
		       "nothing that is mapped");
	if (bindings->unreadable)
		printf("          %u objects could not be read: their files "
		       "are gone or replaced\n", bindings->unreadable);
}

static void print_imports(const struct elf_file *elf)
{
	bool any = false;

	printf("imports: ");
	if (!elf->has_symbols) {
		puts(" not known: no dynamic symbols");
		return;
	}
	for (unsigned i = 0; i < COPY_FUNCTIONS; i++)
		if (elf->imports_mask >> i & 1) {
			any = true;
			printf(" %s", copy_functions[i]);
		}
	puts(any ? "" : " no copy function (libraries that it loads may)");
}

static void print_program(const struct findings *found)
{
	const struct target *target = &found->target;

	if (found->pid)
		printf("process:  %d\n", (int)found->pid);
	if (*target->script)
		printf("script:   %s\n", target->script);
	printf("program:  %s", target->path);
	if (!target->has_elf) {
		puts("");
		return;
	}
	printf(" (%s, %s)\n", class_name(target->elf.class),
	       target->elf.dynamic ? "dynamically linked" :
	       "statically linked");
	print_imports(&target->elf);
	if (target->elf.has_sanitizer == SANITIZER_NEEDED)
		printf("          needs %s, which has to come first: memroute "
		       "run sees to it\n", target->elf.sanitizer);
	if (target->elf.has_sanitizer == SANITIZER_INSIDE)
		puts("          has a sanitizer inside, which takes its copies "
		     "first");
}

static const char *verdict(const struct findings *found)
{
	if (found->pid)
		return found->active ? "in use" : "not in use";
	return found->active ? "a preload reaches it" :
	       "a preload does not reach it";
}

static void print_findings(const struct findings *found)
{
	print_program(found);
	if (found->pid) {
		printf("started:  LD_PRELOAD='%s' MEMROUTE='%s'\n",
		       found->preload ? found->preload : "",
		       found->variable ? found->variable : "");
		if (found->library)
			print_state(found);
		else
			puts("library:  libmemroute.so is not mapped");
		if (found->library)
			print_bindings(&found->bindings);
	}
	printf("verdict:  %s\n", verdict(found));
	if (!found->active && found->why)
		printf("because:  it %s\n", found->why);
	printf("to do:    %s\n\n%s\n", found->advice, limits);
}

static json_t *optional(const char *text)
{
	return text ? text_json(text) : json_null();
}

static json_t *imports_json(const struct elf_file *elf)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < COPY_FUNCTIONS; i++)
		if (elf->imports_mask >> i & 1)
			json_array_append_new(list,
					      json_string(copy_functions[i]));
	return list;
}

static json_t *program_json(const struct findings *found)
{
	const struct target *target = &found->target;
	const char *class = target->has_elf ? class_name(target->elf.class) :
			    NULL;

	return json_pack("{s:o, s:o, s:s?, s:b, s:o}",
			 "path", text_json(target->path),
			 "script", optional(*target->script ? target->script :
					    NULL),
			 "class", class,
			 "dynamic", target->has_elf && target->elf.dynamic,
			 "imports", imports_json(&target->elf));
}

static json_t *size_json(const struct findings *found, uint64_t size)
{
	uint64_t never = found->object.class == ELFCLASS32 ? UINT32_MAX :
			 UINT64_MAX;

	return size == never ? json_null() : json_integer((json_int_t)size);
}

static json_t *state_json(const struct findings *found)
{
	const struct thresholds *t = &found->state.thresholds;

	if (!found->active || !found->library)
		return json_null();
	return json_pack("{s:o, s:s, s:o, s:I, s:o, s:o}",
		"library", text_json(found->library->path),
		"kernel", found->state.kernel,
		"reason", text_json(found->reason),
		"limit", (json_int_t)found->state.limit_u64,
		"non_temporal_threshold",
		size_json(found, t->non_temporal_u64),
		"rep_movsb_threshold", size_json(found, t->rep_movsb_u64));
}

static json_t *bindings_json(const struct findings *found)
{
	const struct bindings *bindings = &found->bindings;

	if (!found->library)
		return json_null();
	return json_pack("{s:i, s:i, s:i, s:i, s:i}",
			 "objects", (int)bindings->objects,
			 "routed", (int)bindings->routed,
			 "unbound", (int)bindings->unbound,
			 "elsewhere", (int)bindings->elsewhere,
			 "unreadable", (int)bindings->unreadable);
}

static bool print_json(const struct findings *found)
{
	json_t *document = json_pack(
		"{s:o, s:o, s:b, s:s?, s:o, s:o, s:o, s:o, s:o}",
		"pid", found->pid ? json_integer(found->pid) : json_null(),
		"program", program_json(found),
		"active", (int)found->active,
		"obstacle", found->active ? NULL : found->why,
		"state", state_json(found),
		"bindings", bindings_json(found),
		"LD_PRELOAD", optional(found->preload),
		"MEMROUTE", optional(found->variable),
		"advice", text_json(found->advice));
	bool written;

	if (!document)
		abort();
	written = machine_write_json(document, "-");
	json_decref(document);
	return written;
}

static bool print(const struct findings *found, bool json)
{
	if (json)
		return print_json(found);
	print_findings(found);
	return true;
}

static int complain_of_process(pid_t pid, int error)
{
	complain("process %d: %s", (int)pid,
		 error == ENOENT ? "there is none" :
		 error == ESRCH ? "has no memory of its own: a kernel thread, "
				  "or it has ended" :
		 error == EACCES || error == EPERM ?
		 "may not be looked into: be its user, or root" :
		 strerror(error));
	return STATUS_FAILED;
}

/* The program of a process; its ID bits count as they did at its start. */
static void find_program(const struct process *process, struct findings *found)
{
	struct target *target = &found->target;
	char exe[64], path[PATH_MAX];
	ssize_t n;

	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)process->pid);
	target_examine(exe, target);
	n = readlink(exe, path, sizeof(path) - 1);
	if (n > 0)
		snprintf(target->path, sizeof(target->path), "%.*s", (int)n,
			 path);
	if (target->obstacle == REACHABLE || target->obstacle == PRIVILEGED)
		target->obstacle =
			process_is_secure(process, target->elf.class) ?
			PRIVILEGED : REACHABLE;
	found->why = obstacle_text(target->obstacle);
}

static int examine_process(pid_t pid, bool json)
{
	struct findings found = { .pid = pid };
	struct process process;
	bool written;
	int error = process_open(pid, &process);

	if (error)
		return complain_of_process(pid, error);
	find_program(&process, &found);
	found.preload = process_variable(&process, "LD_PRELOAD");
	found.variable = process_variable(&process, "MEMROUTE");
	find_library(&process, &found);
	if (found.library)
		bindings_examine(&process, found.library, &found.bindings);
	found.advice = advise(&found);
	written = print(&found, json);
	free(found.preload);
	free(found.variable);
	target_release(&found.target);
	process_close(&process);
	return found.active && written ? 0 : STATUS_FAILED;
}

static int examine_command(const char *command, bool json)
{
	struct findings found = { .pid = 0 };
	char path[PATH_MAX];
	bool written;

	if (!target_find(command, path)) {
		complain("%s: %s", command, strerror(errno));
		return STATUS_FAILED;
	}
	target_examine(path, &found.target);
	found.active = found.target.obstacle == REACHABLE;
	found.why = obstacle_text(found.target.obstacle);
	found.advice = found.active ? "run it with 'memroute run', and ask "
		       "'memroute doctor PID' while it runs" :
		       obstacle_advice(found.target.obstacle);
	written = print(&found, json);
	target_release(&found.target);
	return found.active && written ? 0 : STATUS_FAILED;
}

/* A shell under the preload that says when it is up and then waits until
 * input is closed. In the child. */
_Noreturn static void become_shell(const char *library, int input, int output)
{
	char *preload = preload_add(getenv("LD_PRELOAD"), library, NULL);

	if (setenv("LD_PRELOAD", preload, 1) != 0 ||
	    dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
		_exit(1);
	execl("/bin/sh", "sh", "-c", "echo; read -r end", (char *)NULL);
	_exit(1);
}

static int examine_shell(bool json)
{
	int to_shell[2], from_shell[2], status = STATUS_FAILED;
	char library[PATH_MAX], newline;
	pid_t pid;

	if (!locate_library(library))
		return STATUS_FAILED;
	if (pipe2(to_shell, O_CLOEXEC) != 0 ||
	    pipe2(from_shell, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		complain("cannot start a shell: %s", strerror(errno));
		return STATUS_FAILED;
	}
	if (pid == 0)
		become_shell(library, to_shell[0], from_shell[1]);
	close(to_shell[0]);
	close(from_shell[1]);
	if (read(from_shell[0], &newline, 1) == 1)
		status = examine_process(pid, json);
	else
		complain("/bin/sh does not start with %s preloaded", library);
	close(to_shell[1]);
	close(from_shell[0]);
	waitpid(pid, NULL, 0);
	return status;
}

/* A number that can be a PID, else 0. */
static pid_t parse_pid(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	return *text >= '1' && *text <= '9' && !*end && number <= INT32_MAX ?
	       (pid_t)number : 0;
}

int command_doctor(int argc, char **argv)
{
	bool json = false;
	int option;
	char *subject;

	while ((option = next_option(argc, argv, options)) != -1) {
		if (option == 'h')
			return help(), 0;
		if (option == '?')
			return STATUS_USAGE;
		json = true;
	}
	if (optind == argc)
		return examine_shell(json);
	subject = argv[optind++];
	if (refuse_arguments(argc, argv))
		return STATUS_USAGE;
	return parse_pid(subject) ?
	       examine_process(parse_pid(subject), json) :
	       examine_command(subject, json);
}
