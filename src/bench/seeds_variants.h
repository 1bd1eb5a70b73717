/* seeds_variants.h - kernels of the library with one thing changed, to see
 * what that thing is worth. The including file says which, by the parameters
 * of copy_template.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "../kernels/kernels.h"

copy_fn seeds_generic_avx2, seeds_generic_above_avx2;
copy_fn seeds_generic_sse2, seeds_generic_above_sse2;
copy_fn seeds_interleaved_avx2, seeds_interleaved_above_avx2;
copy_fn seeds_interleaved_sse2, seeds_interleaved_above_sse2;

/* dst is below src or the blocks are disjoint: no load comes too late. */
#define INTERLEAVED4(type, d, s)					\
	do {								\
		for (int vector = 0; vector < 4; vector++)		\
			AT(vec_aligned, d, vector) =			\
				AT(const type, s, vector);		\
	} while (0)

#ifdef COPY
# include "../kernels/copy_template.h"
#endif
