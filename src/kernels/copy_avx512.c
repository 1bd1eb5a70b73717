/* copy_avx512.c - copy kernel with 64-byte vectors.
 *
 * Small sizes are the entry's, as everywhere. A masked load and store would
 * need no branch either, but a load of what a masked store has just written
 * waits until it has left the store queue, and a kernel that is to see every
 * size costs each copy two jumps more.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 64
#define TARGET "avx512f,avx512bw,avx512vl"
#define COPY memroute_copy_avx512
#define COPY_ABOVE memroute_copy_above_avx512
#define STREAM "vmovntdq"
#define CLEAN_UPPER 1
#include "copy_template.h"
