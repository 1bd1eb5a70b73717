/* run.c - memroute run: put the library in front of a command.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernels/kernels.h"
#include "command_line.h"
#include "commands.h"
#include "locate.h"
#include "preload.h"
#include "target.h"

/* As env(1) has them; whatever else is the command's own. */
enum {
	RUN_FAILED = 125,
	RUN_CANNOT_EXECUTE = 126,
	RUN_NOT_FOUND = 127,
};

static const struct option options[] = {
	{ "kernel", required_argument, NULL, 'k' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void help(void)
{
	puts("Usage: memroute run [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	     "\n"
	     "Runs COMMAND with libmemroute.so added to LD_PRELOAD.\n"
	     "\n"
	     "  --kernel NAME  auto, libc or a kernel, in place of the one in\n"
	     "                 MEMROUTE; other items of MEMROUTE stay\n"
	     "  --verbose      the library says on stderr what it chose and why\n"
	     "  --help         this text\n"
	     "\n"
	     "Exit status: COMMAND's own; 125 if memroute itself fails, 126 if\n"
	     "COMMAND cannot be run, 127 if there is no such command.");
}

static bool check_kernel(const char *name)
{
	char allowed[200] = "auto libc";
	size_t used = strlen(allowed);

	if (strcmp(name, "auto") == 0 || strcmp(name, "libc") == 0 ||
	    memroute_kernel_by_name(name))
		return true;
	for (size_t i = 0; i < memroute_kernel_count; i++)
		used += (size_t)snprintf(allowed + used,
					 sizeof(allowed) - used, " %s",
					 memroute_kernels[i].name);
	complain("--kernel '%s': no such kernel; allowed: %s", name, allowed);
	return false;
}

static void set_list(const char *variable, char *value)
{
	if (setenv(variable, value, 1) != 0)
		abort();
	free(value);
}

/* Sets LD_PRELOAD as target needs it; the first thing said, if anything, is
 * why that has no effect. */
static void set_preload(const struct target *target, const char *library)
{
	const char *first = NULL, *why = obstacle_text(target->obstacle);

	if (why)
		complain("%s %s", target->path, why);
	if (obstacle_harms(target->obstacle))
		return;
	if (target->has_elf && target->elf.has_sanitizer == SANITIZER_NEEDED)
		first = target->elf.sanitizer;
	set_list("LD_PRELOAD",
		 preload_add(getenv("LD_PRELOAD"), library, first));
}

static int execute(char **argv, const char *library)
{
	char path[PATH_MAX];
	struct target target;

	if (target_find(argv[0], path)) {
		target_examine(path, &target);
		set_preload(&target, library);
		target_release(&target);
	}
	execvp(argv[0], argv);
	complain("%s: %s", argv[0], strerror(errno));
	return errno == ENOENT ? RUN_NOT_FOUND : RUN_CANNOT_EXECUTE;
}

int command_run(int argc, char **argv)
{
	char library[PATH_MAX];
	const char *kernel = NULL;
	bool verbose = false;
	int option;

	while ((option = next_option(argc, argv, options)) != -1) {
		if (option == 'h')
			return help(), 0;
		if (option == 'v')
			verbose = true;
		else if (option == 'k')
			kernel = optarg;
		if (option == '?' ||
		    (option == 'k' && !check_kernel(kernel)))
			return RUN_FAILED;
	}
	if (optind == argc) {
		complain("which command? usage: memroute run [--kernel NAME] "
			 "[--verbose] [--] COMMAND [ARGUMENT]...");
		return RUN_FAILED;
	}
	if (!locate_library(library))
		return RUN_FAILED;
	if (!preload_can_hold(library)) {
		complain("%s: ld.so takes spaces and colons in LD_PRELOAD for "
			 "separators; move memroute to a path without them",
			 library);
		return RUN_FAILED;
	}
	if (kernel || verbose)
		set_list("MEMROUTE", memroute_with(getenv("MEMROUTE"), kernel,
						   verbose));
	return execute(argv + optind, library);
}
