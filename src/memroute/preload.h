/* preload.h - lists in the environment: LD_PRELOAD and MEMROUTE.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_PRELOAD_H
#define MEMROUTE_PRELOAD_H

#include <stdbool.h>

/* All results are for free(). Lists may be NULL (unset); in LD_PRELOAD items
 * end at a colon or a space, as ld.so(8) has it, and empty ones are nothing. */

/* True if path can stand in LD_PRELOAD: ld.so knows no quoting. */
bool preload_can_hold(const char *path);

/*
 * list with library at its end, unless it is there, and first, if not NULL,
 * at its beginning. What the user has put there keeps its order, and so its
 * precedence over us.
 */
char *preload_add(const char *list, const char *library, const char *first);

/* list without the items whose file name is that of memroute's library. */
char *preload_without_memroute(const char *list);

/* A value of MEMROUTE with its kernel items replaced by kernel (NULL: as they
 * are), and with "verbose" if asked for and not there. */
char *memroute_with(const char *value, const char *kernel, bool verbose);

#endif
