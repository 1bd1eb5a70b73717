/* trace.c - which memory a kernel touches, as valgrind's lackey sees it.
 *
 * trace run LIST        copies between blocks and lists the calls in LIST;
 *                       each stands between two stores to a marker
 * trace check LIST LOG  reads what lackey wrote of that run: loads must come
 *                       from the source, stores go to the destination
 *
 * Exit status 0, 1 for an access that is wrong, 2 for bad usage.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { BLOCK = 32 * 1024, NEAR_STACK = 4096 };

static volatile uint64_t marker;
static _Alignas(4096) unsigned char source[BLOCK], target[BLOCK];

/* Addresses and a size as LIST has them. */
struct call {
	uint64_t dst, src, n, stack;
	char name[64];
};

__attribute__((noinline))
static void marked(copy_fn *copy, unsigned char *dst, const unsigned char *src,
		   size_t n)
{
	marker = 1;
	copy(dst, src, n);
	marker = 2;
}

static void one_call(FILE *list, const struct row *row, size_t n,
		     const char *set)
{
	unsigned char *dst = target + n * 7 % 64, *src = source + n * 11 % 64;

	if (n % 5 == 0)
		dst = target, src = source;
	fprintf(list, "%" PRIxPTR " %" PRIxPTR " %zx %" PRIxPTR " %s, %s\n",
		(uintptr_t)dst, (uintptr_t)src, n,
		(uintptr_t)__builtin_frame_address(0), row->name, set);
	marked(row->copy, dst, src, n);
}

/* lackey writes a line for each access: rep movsb makes many. */
static void large_sizes(FILE *list, const struct row *row)
{
	static const unsigned short sizes[] = { 1023, 1024, 1100, 2048 };
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);

	for (int s = 0; s < THRESHOLD_SETS; s++) {
		rows_set_thresholds(&threshold_sets[s]);
		for (size_t i = 0; i < count; i++)
			one_call(list, row, sizes[i], threshold_sets[s].name);
		if (threshold_sets[s].rep_movsb == SIZE_MAX)
			one_call(list, row, 25000, threshold_sets[s].name);
	}
	rows_set_thresholds(&threshold_sets[0]);
}

/* Above the limit a whole kernel is what its other row is. */
static void all_sizes(FILE *list, size_t i)
{
	const struct row *row = &rows[i];
	bool twice = i + 1 < row_count && rows[i + 1].from && !row->from;
	size_t max = twice ? rows[i + 1].from : 600;

	for (size_t n = row->from; n <= max; n++)
		one_call(list, row, n, "no thresholds");
	if (!twice)
		large_sizes(list, row);
}

static int run(const char *path)
{
	FILE *list = fopen(path, "w");
	size_t count = rows_find();

	if (!list) {
		perror(path);
		return 2;
	}
	memset(source, 1, BLOCK);
	fprintf(list, "%" PRIxPTR " %" PRIxPTR " %zx\n", (uintptr_t)&marker,
		(uintptr_t)&memroute_state, sizeof(memroute_state));
	for (size_t i = 0; i < count; i++)
		if (rows[i].ours)
			all_sizes(list, i);
	return fclose(list) ? 2 : 0;
}

static bool next_call(FILE *list, struct call *call)
{
	return fscanf(list, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		      " %63[^\n]", &call->dst, &call->src, &call->n,
		      &call->stack, call->name) == 5;
}

static bool within(uint64_t p, uint64_t size, uint64_t start, uint64_t n)
{
	return p - start < n && size <= n - (p - start);
}

/* True if that access has no place in the call. */
static bool wrong(const struct call *call, char kind, uint64_t p,
		  uint64_t size, const uint64_t state[2])
{
	/* the return address, and the red zone that copy_small.h uses */
	if (within(p, size, call->stack - NEAR_STACK, NEAR_STACK))
		return false;
	if (kind == 'L')
		return !within(p, size, call->src, call->n) &&
		       !within(p, size, state[0], state[1]);
	return kind != 'S' || !within(p, size, call->dst, call->n);
}

static void complain(const struct call *call, char kind, uint64_t p,
		     uint64_t size)
{
	printf("%s, n = %" PRIu64 ": %s of %" PRIu64 " bytes at src %+" PRId64
	       ", dst %+" PRId64 "\n", call->name, call->n,
	       kind == 'L' ? "load" : kind == 'S' ? "store" :
	       "load and store", size, (int64_t)(p - call->src),
	       (int64_t)(p - call->dst));
}

/* One line for each access that is wrong; their number, or -1 if the log and
 * the list do not go together. */
static long check_log(FILE *list, FILE *log)
{
	uint64_t mark, state[2], p, size, loads = 0;
	struct call call = { .n = 0 };
	bool inside = false;
	char line[200], kind;
	long bad = 0;

	if (fscanf(list, "%" SCNx64 " %" SCNx64 " %" SCNx64, &mark, &state[0],
		   &state[1]) != 3)
		return -1;
	while (fgets(line, sizeof(line), log)) {
		if (sscanf(line, " %c %" SCNx64 ",%" SCNu64, &kind, &p,
			   &size) != 3 || line[0] != ' ')
			continue;
		if (p == mark) {
			if (!inside && !next_call(list, &call))
				return -1;
			inside = !inside;
		} else if (inside) {
			loads += kind == 'L';
			if (wrong(&call, kind, p, size, state) && ++bad < 20)
				complain(&call, kind, p, size);
		}
	}
	return inside || next_call(list, &call) || !loads ? -1 : bad;
}

static int check(const char *list_path, const char *log_path)
{
	FILE *list = fopen(list_path, "r"), *log = fopen(log_path, "r");
	long bad;

	if (!list || !log) {
		perror(list ? log_path : list_path);
		return 2;
	}
	bad = check_log(list, log);
	fclose(list);
	fclose(log);
	if (bad < 0) {
		printf("the log does not show the calls of the list\n");
		return 1;
	}
	printf("%ld wrong accesses\n", bad);
	return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "run"))
		return run(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "check"))
		return check(argv[2], argv[3]);
	fprintf(stderr, "usage: trace run LIST | trace check LIST LOG\n");
	return 2;
}
