/* system.c - memroute system: what the command line asks for.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"
#include "system.h"

enum { ROOT = 256, LIBRARY, YES, DRY_RUN, JSON, CONFIRM,
       HELP };

static const struct option options[] = {
	{ "root", required_argument, NULL, ROOT },
	{ "library", required_argument, NULL, LIBRARY },
	{ "yes", no_argument, NULL, YES },
	{ "dry-run", no_argument, NULL, DRY_RUN },
	{ "json", no_argument, NULL, JSON },
	{ "confirm", no_argument, NULL, CONFIRM },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

static const struct verb {
	const char *name;
	int (*function)(const struct request *request);
	int arguments;
} verbs[] = {
	{ "status", system_status, 0 },
	{ "enable", system_enable, 0 },
	{ "disable", system_disable, 0 },
	{ "trial", system_trial, 1 },
	{ "service", system_service, 2 },
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void help(void)
{
	puts("Usage: memroute system status  [--root DIR] [--json]\n"
	     "       memroute system enable  [--root DIR] [--library FILE]\n"
	     "                               [--dry-run] [--yes]\n"
	     "       memroute system disable [--root DIR] [--dry-run]\n"
	     "       memroute system trial SECONDS [--root DIR]\n"
	     "                               [--library FILE] [--yes]\n"
	     "       memroute system trial --confirm [--root DIR]\n"
	     "       memroute system service NAME enable|disable [--root DIR]\n"
	     "                               [--library FILE] [--dry-run]\n"
	     "\n"
	     "The line in " PRELOAD_FILE " that puts the library into every\n"
	     "dynamically linked program of the machine; service: into one\n"
	     "service of systemd only.\n"
	     "\n"
	     "  --root DIR      the tree below DIR, not the running system\n"
	     "  --library FILE  its path inside the tree, if it is not\n"
	     "                  " LIBDIR "/" LIBRARY_NAME "\n"
	     "  --yes           do not ask\n"
	     "  --dry-run       check and test all, change nothing\n"
	     "  --json          for programs\n"
	     "\n"
	     "Exit status: 0, 1 refused or failed or found broken, 2 usage.\n"
	     "Read memroute-system(8) first: it has the way back.");
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < VERBS; i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

static int refuse_verb(const char *name)
{
	char allowed[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < VERBS; i++)
		used += (size_t)sprintf(allowed + used, " %s", verbs[i].name);
	if (name)
		complain("'%s': no such verb; allowed:%s", name, allowed);
	else
		complain("which verb? allowed:%s", allowed);
	return STATUS_USAGE;
}

static void take_option(struct request *request, int option)
{
	switch (option) {
	case ROOT:
		request->root = optarg;
		break;
	case LIBRARY:
		request->library = optarg;
		break;
	case YES:
		request->yes = true;
		break;
	case DRY_RUN:
		request->dry_run = true;
		break;
	case JSON:
		request->json = true;
		break;
	case CONFIRM:
		request->confirm = true;
		break;
	}
}

/* Options and arguments in any order. Returns the exit status, or -1 if the
 * request is complete. */
static int read_arguments(int argc, char **argv, const struct verb *verb,
			  struct request *request)
{
	int option, count = 0;

	while (true) {
		option = next_option(argc, argv, options);
		if (option == 'h' || option == HELP) {
			help();
			return 0;
		}
		if (option == '?')
			return STATUS_USAGE;
		if (option == -1 && optind >= argc)
			break;
		if (option != -1)
			take_option(request, option);
		else if (count < verb->arguments)
			request->argument[count++] = argv[optind++];
		else
			return refuse_arguments(argc, argv);
	}
	return -1;
}

int command_system(int argc, char **argv)
{
	struct request request = {
		.root = "/", .library = LIBDIR "/" LIBRARY_NAME,
	};
	const struct verb *verb;
	int status;

	if (argc < 2)
		return refuse_verb(NULL);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help();
		return 0;
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return refuse_verb(argv[1]);
	status = read_arguments(argc - 1, argv + 1, verb, &request);
	return status >= 0 ? status : verb->function(&request);
}
