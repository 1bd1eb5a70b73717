/* seeds_interleaved_sse2.c - the sse2 kernel with a load and a store in turn.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 16
#define TARGET "sse2"
#define COPY seeds_interleaved_sse2
#define COPY_ABOVE seeds_interleaved_above_sse2
#define STREAM "movntdq"
#define CLEAN_UPPER 0
#define COPY4(type, d, s) INTERLEAVED4(type, d, s)
#include "seeds_variants.h"
