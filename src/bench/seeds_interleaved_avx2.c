/* seeds_interleaved_avx2.c - the avx2 kernel with a load and a store in turn.
 * SPDX-License-Identifier: BSD-3-Clause */

#define VEC_SIZE 32
#define TARGET "avx2"
#define COPY seeds_interleaved_avx2
#define COPY_ABOVE seeds_interleaved_above_avx2
#define STREAM "vmovntdq"
#define CLEAN_UPPER 1
#define COPY4(type, d, s) INTERLEAVED4(type, d, s)
#include "seeds_variants.h"
