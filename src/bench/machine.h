/* machine.h - on what it was measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_MACHINE_H
#define MEMROUTE_BENCH_MACHINE_H

#include "../cpu.h"

struct machine {
	char brand[49];
	struct cpu cpu;
	long cpus;			/* online */
	char libc[64];			/* "glibc 2.36" */
	char kernel[128];		/* "Linux 6.1.0" */
	char governor[32];		/* of CPU 0; "unknown" */
	char compiler[64];		/* of this program */
	char date[32];			/* ISO 8601, UTC */
	double core_ghz;		/* measured, see timing.h */
	double core_ghz_after;		/* the same behind all workloads */
	double tsc_ghz;
};

/* Fills everything, with core_ghz_after as core_ghz; takes some 25 ms. What
 * cannot be read is "unknown". */
void machine_read(struct machine *machine);

#endif
