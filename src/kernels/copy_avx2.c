/* copy_avx2.c - copy kernel with 32-byte vectors.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 32
#define TARGET "avx2"
#define COPY memroute_copy_avx2
#define COPY_ABOVE memroute_copy_above_avx2
#define STREAM "vmovntdq"
#define CLEAN_UPPER 1
#include "copy_template.h"
