/* bench.c - memroute bench: exactly memroute-bench.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"
#include "locate.h"

int command_bench(int argc, char **argv)
{
	char path[PATH_MAX];

	(void)argc;
	if (!locate_program("memroute-bench", path))
		return STATUS_FAILED;
	argv[0] = path;
	execv(path, argv);
	complain("%s: %s", path, strerror(errno));
	return STATUS_FAILED;
}
