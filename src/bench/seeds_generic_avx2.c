/* seeds_generic_avx2.c - the avx2 kernel without its loop for aligned blocks.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 32
#define TARGET "avx2"
#define COPY seeds_generic_avx2
#define COPY_ABOVE seeds_generic_above_avx2
#define STREAM "vmovntdq"
#define CLEAN_UPPER 1
#define ALIGNED_LOOP 0
#include "seeds_variants.h"
