/* copy_erms.c - the SSE2 kernel under the name that MEMROUTE=erms shows in
 * perf and gdb; its rep movsb threshold makes the difference (policy.c).
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 16
#define TARGET "sse2"
#define COPY memroute_copy_erms
#define COPY_ABOVE memroute_copy_above_erms
#define STREAM "movntdq"
#define CLEAN_UPPER 0
#include "copy_template.h"
