/* guard.c - copy at the edges of memory that does not exist, and check.
 *
 * usage: guard [LARGEST]
 *
 * Calls memmove and memcpy as any program does, so what it tests is what is
 * preloaded. Needs nothing but a C library, any C library. Prints one line;
 * status 0 if every byte was right.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <cpuid.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALL_SIZES 984		/* up to here every size: 15 vectors and more */
#define LARGEST_OVERLAP 8192	/* the loops have no larger case */
#define AROUND 80		/* bytes checked on either side of a block */
#define DEFAULT_LARGEST 600000	/* two rounds of non-temporal streams */
#define CANARY 0xee

typedef void *copy_fn(void *dst, const void *src, size_t n);

/* Volatile, so that no compiler copies in place of the function. */
static copy_fn *const volatile functions[] = { memmove, memcpy };
static const char *const names[] = { "memmove", "memcpy" };

/* Accessible memory between two pages that are not. */
struct arena {
	uint8_t *first, *end;
};

/* The copy that is being made, for the messages. */
static struct {
	const char *function;
	size_t n;
	uint8_t *dst;
	const uint8_t *src;
} current;

static unsigned long copies;
static bool knows_upper;	/* the CPU tells which registers are in use */

static void say_copy(const char *what)
{
	/* dprintf in a handler: the fault comes from a copy, never stdio. */
	dprintf(2, "guard: %s(%p, %p, %zu): %s\n", current.function,
		(void *)current.dst, (const void *)current.src, current.n,
		what);
}

static void on_fault(int signal)
{
	say_copy(signal == SIGILL ? "illegal instruction" :
		 "touched what is outside");
	_exit(1);
}

static void fail(const char *what)
{
	say_copy(what);
	exit(1);
}

static struct arena make_arena(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct arena arena;
	uint8_t *map;

	bytes = (bytes + page - 1) / page * page;
	map = mmap(NULL, bytes + 2 * page, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED ||
	    mprotect(map + page, bytes, PROT_READ | PROT_WRITE)) {
		perror("guard: mmap");
		exit(1);
	}
	arena.first = map + page;
	arena.end = arena.first + bytes;
	return arena;
}

/* Never CANARY, and with no period that a vector could hide behind. */
static uint8_t pattern(size_t i)
{
	return (uint8_t)((i * 151 + (i >> 7)) % 233);
}

static void fill(const struct arena *arena)
{
	for (uint8_t *p = arena->first; p < arena->end; p++)
		*p = pattern((size_t)(p - arena->first));
}

/* The xgetbv of the state in use: bit 2 is the upper halves of ymm 0-15. */
static uint32_t state_in_use(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
	return low;
}

/* Not every CPU, and no emulator but Bochs, keeps account of that state. */
static bool upper_is_known(void)
{
	uint32_t a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) ||
	    !(c & bit_AVX))
		return false;
	if (!__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & 1u << 2))
		return false;
	__asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	if (!(a & 1u << 2))
		return false;
	__asm__ volatile(".byte 0xc5, 0xf8, 0x77" ::: "memory"); /* vzeroupper */
	return !(state_in_use() & 1u << 2);
}

static void check_state(void)
{
	uintptr_t flags;

	__asm__ volatile("pushf\n\tpop %0" : "=r"(flags));
	if (flags & 1u << 10)
		fail("left the direction flag set");
	if (knows_upper && state_in_use() & 1u << 2)
		fail("left upper vector halves in use");
}

static void copy(unsigned function, uint8_t *dst, const uint8_t *src, size_t n)
{
	void *result;

	current.function = names[function];
	current.n = n;
	current.dst = dst;
	current.src = src;
	copies++;
	result = functions[function](dst, src, n);
	check_state();
	if (result != dst)
		fail("did not return its first argument");
}

static uint8_t *lower_bound(const struct arena *arena, uint8_t *p)
{
	return p - arena->first > AROUND ? p - AROUND : arena->first;
}

static uint8_t *upper_bound(const struct arena *arena, uint8_t *p)
{
	return arena->end - p > AROUND ? p + AROUND : arena->end;
}

/* A copy from one arena, which holds the pattern, into another. */
static void copy_across(const struct arena *to, const struct arena *from,
			uint8_t *dst, const uint8_t *src, size_t n)
{
	uint8_t *low = lower_bound(to, dst), *high = upper_bound(to, dst + n);
	size_t start = (size_t)(src - from->first);

	for (uint8_t *p = low; p < high; p++)
		*p = CANARY;
	copy(copies & 1, dst, src, n);
	for (uint8_t *p = low; p < high; p++) {
		size_t i = (size_t)(p - dst);

		if (*p != (p >= dst && i < n ? pattern(start + i) : CANARY))
			fail(p >= dst && i < n ? "copied wrong bytes" :
			     "wrote beside the block");
	}
}

/* A copy inside one arena, which is left with the pattern again. */
static void copy_inside(const struct arena *arena, uint8_t *dst,
			const uint8_t *src, size_t n)
{
	uint8_t *low = lower_bound(arena, dst);
	uint8_t *high = upper_bound(arena, dst + n);
	size_t start = (size_t)(src - arena->first);

	copy(copies & 1, dst, src, n);
	for (uint8_t *p = low; p < high; p++) {
		size_t here = (size_t)(p - arena->first);
		size_t i = (size_t)(p - dst);

		if (*p != pattern(p >= dst && i < n ? start + i : here))
			fail(p >= dst && i < n ? "moved wrong bytes" :
			     "wrote beside the block");
		*p = pattern(here);
	}
}

static void copy_at_edges(const struct arena *a, const struct arena *b,
			  size_t n)
{
	uint8_t *dst[] = { a->first, a->end - n, a->first + n % 64 };
	uint8_t *src[] = { b->first, b->end - n, b->first + n % 59 };

	for (unsigned i = 0; i < 3; i++)
		for (unsigned j = 0; j < 3; j++)
			copy_across(a, b, dst[i], src[j], n);
}

/* Distances around the widths of vectors and of the loops, both ways, flush
 * with the beginning and with the end. */
static void copy_overlapping(const struct arena *arena, size_t n)
{
	static const size_t distances[] = {
		0, 1, 7, 8, 15, 17, 31, 32, 63, 65, 127, 129, 256, 511, 4096,
	};
	size_t count = sizeof(distances) / sizeof(distances[0]);

	for (size_t i = 0; i <= count; i++) {
		size_t distance = i < count ? distances[i] : n;

		if (distance > n)
			continue;
		copy_inside(arena, arena->first, arena->first + distance, n);
		copy_inside(arena, arena->first + distance, arena->first, n);
		copy_inside(arena, arena->end - n, arena->end - n - distance, n);
		copy_inside(arena, arena->end - n - distance, arena->end - n, n);
	}
}

/* Every alignment of either side against the other, for sizes of each class. */
static void copy_aligned(const struct arena *a, const struct arena *b)
{
	static const size_t sizes[] = { 5, 33, 65, 200, 320, 576, 1100 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t to = 0; to < 64; to++)
			for (size_t from = 0; from < 64; from += 1 + to % 5)
				copy_across(a, b, a->first + 64 + to,
					    b->first + from, sizes[i]);
}

int main(int argc, char **argv)
{
	size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : DEFAULT_LARGEST;
	struct arena a = make_arena(2 * largest + 2 * 4096);
	struct arena b = make_arena(largest + 4096);
	struct arena inside = make_arena(2 * largest + 2 * 4096);

	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	signal(SIGILL, on_fault);
	knows_upper = upper_is_known();
	fill(&b);
	fill(&inside);
	for (size_t n = 0; n <= largest; n += n < ALL_SIZES ? 1 : n / 8 + 1) {
		copy_at_edges(&a, &b, n);
		if (n <= LARGEST_OVERLAP && (n < 140 || n % 5 == 0))
			copy_overlapping(&inside, n);
	}
	copy_aligned(&a, &b);
	printf("guard: %lu copies right, upper halves %s\n", copies,
	       knows_upper ? "clean" : "not known");
	return 0;
}
