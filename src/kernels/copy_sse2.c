/* copy_sse2.c - the kernel that every x86-64 runs: 16-byte vectors.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 16
#define TARGET "sse2"
#define COPY memroute_copy_sse2
#define COPY_ABOVE memroute_copy_above_sse2
#define STREAM "movntdq"
#define CLEAN_UPPER 0
#include "copy_template.h"
