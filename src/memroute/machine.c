/* machine.c - what a result has to say of the machine it is from.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command_line.h"
#include "machine.h"

void machine_decide(struct dispatch *dispatch)
{
	dispatch_decide(dispatch, (const char *const *)environ);
	if (!dispatch->libc.path)
		libc_find(&dispatch->libc);
}

json_t *machine_json(void)
{
	struct cpu_record record;
	struct utsname name;
	struct libc libc;
	struct cpu cpu;
	char brand[49];

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	cpu_brand(brand);
	libc_find(&libc);
	if (uname(&name) != 0)
		*name.release = 0;
	return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s?, s:s?}",
			 "cpu", brand,
			 "family", (int)cpu.family, "model", (int)cpu.model,
			 "stepping", (int)cpu.stepping,
			 "cpus", (int)sysconf(_SC_NPROCESSORS_ONLN),
			 "kernel_release", name.release,
			 "libc", libc.path, "libc_version", libc.version);
}

bool machine_write_json(const json_t *document, const char *path)
{
	FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	bool written;

	if (!file) {
		complain("%s: %s", path, strerror(errno));
		return false;
	}
	written = json_dumpf(document, file, JSON_INDENT(2) |
			     JSON_REAL_PRECISION(9)) == 0 &&
		  fputc('\n', file) != EOF && fflush(file) == 0;
	if (file != stdout && fclose(file) != 0)
		written = false;
	if (!written)
		complain("%s: %s", path, strerror(errno));
	return written;
}
