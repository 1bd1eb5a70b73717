/* machine.c - on what it was measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../libc.h"
#include "machine.h"
#include "timing.h"

#ifdef __clang__
# define COMPILER __VERSION__		/* says "Clang" itself */
#else
# define COMPILER "gcc " __VERSION__
#endif

static void read_governor(char *text, size_t size)
{
	FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/"
			   "scaling_governor", "re");

	snprintf(text, size, "unknown");
	if (!file)
		return;
	if (fgets(text, (int)size, file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
}

static void read_system(struct machine *machine)
{
	struct utsname name;
	struct libc libc;
	time_t now = time(NULL);
	struct tm utc;

	uname(&name);
	snprintf(machine->kernel, sizeof(machine->kernel), "%s %.60s",
		 name.sysname, name.release);
	libc_find(&libc);
	snprintf(machine->libc, sizeof(machine->libc), "%s %s",
		 libc.version ? "glibc" : "libc",
		 libc.version ? libc.version : "unknown");
	snprintf(machine->compiler, sizeof(machine->compiler), "%.63s",
		 COMPILER);
	gmtime_r(&now, &utc);
	strftime(machine->date, sizeof(machine->date), "%Y-%m-%dT%H:%M:%SZ",
		 &utc);
}

void machine_read(struct machine *machine)
{
	struct cpu_record record;

	cpu_read(&record);
	cpu_decode(&record, &machine->cpu);
	cpu_brand(machine->brand);
	machine->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	read_governor(machine->governor, sizeof(machine->governor));
	read_system(machine);
	machine->core_ghz = machine->core_ghz_after = timing_core_ghz();
	machine->tsc_ghz = 1 / timing_ns_per_tick();
}
