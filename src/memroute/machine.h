/* machine.h - what a result has to say of the machine it is from.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_MACHINE_H
#define MEMROUTE_MACHINE_H

#include <jansson.h>

#include "../dispatch.h"

/* Decides for this machine as the library would with the MEMROUTE of this
 * process; also finds libc. */
void machine_decide(struct dispatch *dispatch);

/* {"cpu", "family", "model", "stepping", "cpus", "kernel_release", "libc",
 * "libc_version"}; for json_decref(). */
json_t *machine_json(void);

/* Writes a document to path, or to stdout for "-". False, after a complaint,
 * if that fails. */
bool machine_write_json(const json_t *document, const char *path);

#endif
