/* locate.h - where the parts of memroute are, installed or not.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_LOCATE_H
#define MEMROUTE_LOCATE_H

#include <limits.h>
#include <stdbool.h>

/*
 * Each fills path with an absolute path and returns true, or complains of
 * what is missing and where it was sought, and returns false. In this order:
 * the build tree, if this program runs from one; the directories that
 * configure was told, below the same root as this program (DESTDIR).
 */

/* libmemroute.so of this program's own ABI. */
bool locate_library(char path[PATH_MAX]);

/* Another program of memroute, by its name. */
bool locate_program(const char *name, char path[PATH_MAX]);

/* The directory of the workloads for ab. */
bool locate_workloads(char path[PATH_MAX]);

#endif
