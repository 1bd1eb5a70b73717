/* seeds_generic_sse2.c - the sse2 kernel without its loop for aligned blocks.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 16
#define TARGET "sse2"
#define COPY seeds_generic_sse2
#define COPY_ABOVE seeds_generic_above_sse2
#define STREAM "movntdq"
#define CLEAN_UPPER 0
#define ALIGNED_LOOP 0
#include "seeds_variants.h"
