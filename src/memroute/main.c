/* main.c - memroute(1): find the command and run it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"

static const struct command {
	const char *name;
	int (*function)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "run", command_run, "run a program with faster copies" },
	{ "ab", command_ab, "tell whether it makes a program faster" },
	{ "info", command_info, "show what is chosen on this machine and why" },
	{ "doctor", command_doctor, "tell whether it is in use in a process" },
	{ "bench", command_bench, "measure the kernels (memroute-bench)" },
	{ "system", command_system, "put the library into every program" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(void)
{
	puts("Usage: memroute COMMAND [ARGUMENT]...\n"
	     "       memroute --help | --version\n"
	     "\n"
	     "Puts faster memory copies in front of unmodified programs.\n"
	     "\n"
	     "Commands; memroute COMMAND --help says more:");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	puts("\n"
	     "The manual: memroute(1); for the library and its variable\n"
	     "MEMROUTE: libmemroute(7).");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int refuse_command(const char *name)
{
	char allowed[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < COMMANDS && used < sizeof(allowed); i++)
		used += (size_t)snprintf(allowed + used,
					 sizeof(allowed) - used, " %s",
					 commands[i].name);
	if (name)
		complain("'%s': no such command; allowed:%s", name, allowed);
	else
		complain("which command? allowed:%s", allowed);
	return STATUS_USAGE;
}

/* Results that could not be written are an error, not a success. */
static int flushed(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	complain("standard output: cannot write");
	return status ? status : STATUS_FAILED;
}

int main(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return refuse_command(NULL);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help();
		return flushed(0);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("memroute " PACKAGE_VERSION);
		return flushed(0);
	}
	command = find_command(argv[1]);
	if (!command)
		return refuse_command(argv[1]);
	command_name = command->name;
	return flushed(command->function(argc - 1, argv + 1));
}
