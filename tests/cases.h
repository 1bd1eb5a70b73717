/* cases.h - what every copy function has to get right, a function each.
 *
 * check_kernels.c runs them at length, mutant_driver.c thinned out.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef TESTS_CASES_H
#define TESTS_CASES_H

#include "rows.h"

/*
 * Runs one kind of check on a row, under the thresholds that are set. thin 1
 * takes every alignment and size, a greater one about one in thin (it should
 * be odd, to meet all residues). Returns NULL if all was right, else a
 * message in a static buffer.
 */
typedef const char *case_fn(const struct row *row, unsigned thin);

/* cases_bytes.c */
case_fn case_alignments;	/* 64x64, sizes 0..520, whole window */
case_fn case_sizes;		/* 0..1100 and around likely borders above */
case_fn case_overlaps;		/* every distance up to 300, selected above */
case_fn case_guards;		/* both ends at guard pages, read-only source */
case_fn case_nothing;		/* zero bytes, from and to anywhere */

/* cases_machine.c */
case_fn case_registers;		/* what the ABI and good manners preserve */
case_fn case_paths;		/* rep movsb, non-temporal, fence: stepped */
case_fn case_words;		/* no step tears an aligned word */

/* cases_threads.c */
case_fn case_tearing;		/* aligned words of 8 bytes stay whole */
case_fn case_handover;		/* a flag set after the copy guards it */

/* cases_huge.c */
case_fn case_huge;		/* above 2 and 4 GiB */
case_fn case_impossible;	/* SIZE_MAX faults, and does so soon */

/* For the cases: a message in a static buffer, with the row's name. */
__attribute__((format(printf, 2, 3)))
const char *cases_failure(const struct row *row, const char *format, ...);

/* Fills n bytes that have no period, each with high in its top bit. */
void cases_fill(unsigned char *p, size_t n, unsigned seed, bool high);

/* The next size worth a try above n when all up to dense are tried: the
 * neighbours of powers of two, of their halves between, and of multiples of
 * the distance of the non-temporal streams. 0 above max. */
size_t cases_next_size(size_t n, size_t dense, size_t max);

#endif
