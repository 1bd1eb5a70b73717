/* cases_huge.c - sizes at which 32 bits, or a sign, get lost.
 *
 * Two blocks of more than 4 GiB side by side cost no memory: all but their
 * ends is one small piece of shared memory, mapped again and again. The ends
 * are memory of their own, and are what is compared.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

#if SIZE_MAX > 0xffffffffu

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

/* Half of the arena holds a block and what is beside it. A piece is as large as
 * a huge page: without those, a virtual machine may take 10 us for each of the
 * two million pages, for every copy. */
enum { PIECE = 2 << 20, COMPARED = 1 << 16 };
#ifndef MADV_COLLAPSE		/* Linux 6.1 */
# define MADV_COLLAPSE 25
#endif
#define HALF (4 * GIB + 2 * MIB)
#define LARGE (4 * GIB + 4097)
#define LESS (2 * GIB + 4097)

/* Where blocks begin and end there is memory of its own, all of it 4 MiB
 * or twice that: around p, p + HALF - LESS, p + HALF, p + 2 * HALF. */
#define OWN (4 * MIB)

/* Maps the piece of memory behind file over n bytes from p on. */
static bool map_again_and_again(unsigned char *p, size_t n, int file)
{
	for (size_t i = 0; i < n; i += PIECE)
		if (mmap(p + i, PIECE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
			return false;
	memset(p, 0, PIECE);
	(void)madvise(p, PIECE, MADV_COLLAPSE);	/* for speed alone */
	return true;
}

static bool map_half(unsigned char *p)
{
	int file = memfd_create("memroute-test", 0);
	bool mapped = file >= 0 && !ftruncate(file, PIECE) &&
		      map_again_and_again(p, HALF, file);

	close(file);
	return mapped;
}

static bool map_own(unsigned char *p, size_t n)
{
	return mmap(p, n, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	       MAP_FAILED;
}

static unsigned char *map_arena(void)
{
	const size_t size = 2 * HALF + PIECE;
	unsigned char *p, *all = mmap(NULL, size, PROT_NONE,
				      MAP_PRIVATE | MAP_ANONYMOUS |
				      MAP_NORESERVE, -1, 0);

	if (all == MAP_FAILED)
		return NULL;
	p = all + (PIECE - (uintptr_t)all % PIECE) % PIECE;
	if (map_half(p) && map_half(p + HALF) && map_own(p, OWN) &&
	    map_own(p + 2 * GIB, OWN) && map_own(p + HALF - OWN, 2 * OWN) &&
	    map_own(p + 2 * HALF - OWN, OWN))
		return p;
	munmap(all, size);
	return NULL;
}

static void fill_ends(unsigned char *p)
{
	cases_fill(p, OWN, 5, false);
	cases_fill(p + HALF - OWN, 2 * OWN, 6, false);
	cases_fill(p + 2 * HALF - OWN, OWN, 7, false);
}

/* Compares the first and last bytes, and what is beside the target. */
static const char *copy_ends(const struct row *row, unsigned char *to,
			     const unsigned char *from, size_t n)
{
	static unsigned char first[COMPARED], last[COMPARED], beside[2][64];
	const ptrdiff_t distance = to - from;

	memcpy(first, from, COMPARED);
	memcpy(last, from + n - COMPARED, COMPARED);
	memcpy(beside[0], to - 64, 64);
	memcpy(beside[1], to + n, 64);
	if (row->copy(to, from, n) != to)
		return cases_failure(row, "n = %zu: returned not dst", n);
	if (memcmp(to, first, COMPARED))
		return cases_failure(row, "n = %zu, dst = src %+td: wrong at "
				     "the beginning", n, distance);
	if (memcmp(to + n - COMPARED, last, COMPARED))
		return cases_failure(row, "n = %zu, dst = src %+td: wrong at "
				     "the end", n, distance);
	if (memcmp(beside[0], to - 64, 64) || memcmp(beside[1], to + n, 64))
		return cases_failure(row, "n = %zu, dst = src %+td: wrote "
				     "beside the target", n, distance);
	return NULL;
}

/* The arena stays for the next row: most of the time goes to page faults. */
const char *case_huge(const struct row *row, unsigned thin)
{
	static unsigned char *p;
	const char *failure = NULL;
	unsigned char *low;

	(void)thin;
	if (!p)
		p = map_arena();
	if (!p) {
		printf("skipped: %s: 2 and 4 GiB: no address space for twice "
		       "%zu bytes\n", row->name, HALF);
		return NULL;
	}
	low = p + 2 * MIB;
	fill_ends(p);
	if (memroute_state.thresholds.special != SIZE_MAX)
		return copy_ends(row, low + LARGE, low, LARGE);
	failure = copy_ends(row, p + HALF - LESS, p + 2 * HALF - MIB - LESS,
			    LESS);
	if (!failure)
		failure = copy_ends(row, low + LARGE - 4097, low, LARGE);
	if (!failure)
		failure = copy_ends(row, low, low + LARGE - 4097, LARGE);
	return failure;
}

#else

const char *case_huge(const struct row *row, unsigned thin)
{
	(void)thin;
	printf("skipped: %s: 2 and 4 GiB: addresses have 32 bits\n", row->name);
	return NULL;
}

#endif

/* Never returns: the copy faults, or a signal or status says what else. */
static void copy_too_much(const struct row *row, size_t n,
			  unsigned hangs_after)
{
	const size_t page = 4096;
	const struct rlimit none = { 0, 0 };
	const struct rlimit time = { hangs_after, hangs_after };
	unsigned char *p = mmap(NULL, 8 * page, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	if (p == MAP_FAILED ||
	    mprotect(p + page, page, PROT_READ | PROT_WRITE) ||
	    mprotect(p + 5 * page, page, PROT_READ | PROT_WRITE))
		_exit(2);
	setrlimit(RLIMIT_CPU, &time);	/* then SIGKILL, whatever the load */
	row->copy(p + page, p + 5 * page, n);
	_exit(0);
}

static const char *try_too_much(const struct row *row, size_t n,
				unsigned hangs_after)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		copy_too_much(row, n, hangs_after);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return cases_failure(row, "no child to try n = %zu in", n);
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV ||
				    WTERMSIG(status) == SIGBUS))
		return NULL;
	return cases_failure(row, "n = %#zx: %s", n,
			     !WIFSIGNALED(status) ? "returned" :
			     WTERMSIG(status) == SIGKILL ? "hangs" :
			     "died of another signal");
}

const char *case_impossible(const struct row *row, unsigned thin)
{
	static const size_t sizes[] = {
		SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1, SIZE_MAX / 2,
	};
	const char *failure = NULL;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && !failure;
	     i++)
		failure = try_too_much(row, sizes[i], thin > 1 ? 5 : 60);
	return failure;
}
