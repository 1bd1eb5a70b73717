/* place.h - where the library and the data are, installed or not.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_PLACE_H
#define MEMROUTE_BENCH_PLACE_H

/* Path of libmemroute.so: beside this program in its build tree, or where it
 * is installed, below DESTDIR too. To be freed. */
char *place_library(void);

/* The folder of the distributions: in the source tree of this program's build
 * tree, or where they are installed, in the same way. To be freed. */
char *place_data(void);

#endif
