/* command_line.c - options, usage and errors, the same for every command.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"

const char *command_name = "";

void complain(const char *format, ...)
{
	char text[2000];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	fprintf(stderr, "memroute%s%s: %s\n", *command_name ? " " : "",
		command_name, text);
}

/* Appends what fits; text is always terminated. */
static void append(char *text, size_t size, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s", more);
}

static void list_options(const struct option *options, char *text, size_t size)
{
	*text = 0;
	for (; options->name; options++) {
		append(text, size, " --");
		append(text, size, options->name);
		if (options->has_arg == required_argument)
			append(text, size, " VALUE");
	}
}

int next_option(int argc, char **argv, const struct option *options)
{
	char allowed[1000];
	const char *wrong;
	int option, at;

	opterr = 0;
	at = optind ? optind : 1;
	option = getopt_long(argc, argv, "+:h", options, NULL);
	if (option != '?' && option != ':')
		return option;
	wrong = argv[at];
	list_options(options, allowed, sizeof(allowed));
	complain("'%s': %s; allowed:%s", wrong,
		 option == ':' ? "needs a value" :
		 wrong[1] == '-' && optopt ? "takes no value" :
		 "no such option",
		 allowed);
	return '?';
}

int refuse_arguments(int argc, char **argv)
{
	if (optind >= argc)
		return 0;
	complain("'%s': no such argument; see memroute %s --help",
		 argv[optind], command_name);
	return STATUS_USAGE;
}
