/* check_interpose.c - the exported functions of the built library.
 *
 * The program starts itself again for each value of MEMROUTE that changes
 * how they work, opens the library, and calls it by name.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <wchar.h>

#include "cases.h"
#include "redirect.h"
#include "state.h"
#include "suite.h"

typedef void *checked_fn(void *, const void *, size_t, size_t);
typedef void bcopy_fn(const void *, void *, size_t);

static void *library;

static void *symbol(const char *name)
{
	void *function = dlsym(library, name);

	ck_assert_msg(function != NULL, "%s is not exported", name);
	return function;
}

/* What the exported functions have in common, as one type. */
enum unit { BYTES = 1, WIDE = sizeof(wchar_t) };

static const struct {
	const char *name;
	bool checked, after;		/* returns the end of what it wrote */
	enum unit unit;
} functions[] = {
	{ "memcpy", false, false, BYTES },
	{ "memmove", false, false, BYTES },
	{ "mempcpy", false, true, BYTES },
	{ "__mempcpy", false, true, BYTES },
	{ "wmemcpy", false, false, WIDE },
	{ "wmemmove", false, false, WIDE },
	{ "wmempcpy", false, true, WIDE },
	{ "__memcpy_chk", true, false, BYTES },
	{ "__memmove_chk", true, false, BYTES },
	{ "__mempcpy_chk", true, true, BYTES },
	{ "__wmemcpy_chk", true, false, WIDE },
	{ "__wmemmove_chk", true, false, WIDE },
	{ "__wmempcpy_chk", true, true, WIDE },
};
#define FUNCTIONS ((int)(sizeof(functions) / sizeof(functions[0])))

static void *call(int i, void *dst, const void *src, size_t n, size_t room)
{
	void *function = symbol(functions[i].name);

	if (functions[i].checked)
		return ((checked_fn *)function)(dst, src, n, room);
	return ((copy_fn *)function)(dst, src, n);
}

/* Every function, every overlap, at sizes around each border. */
START_TEST(test_moves_by_any_distance)
{
	enum { N = 700, ROOM = 3 * N * WIDE };
	static _Alignas(16) unsigned char before[ROOM], now[ROOM], want[ROOM];
	const size_t unit = functions[_i].unit;

	cases_fill(before, ROOM, 8, false);
	for (size_t n = 0; n <= N; n += n < 280 ? 1 : 61)
		for (size_t d = N - n; d <= N + n; d += 1 + n / 4) {
			unsigned char *to = now + d * unit;

			memcpy(now, before, ROOM);
			memcpy(want, before, ROOM);
			memcpy(want + d * unit, before + N * unit, n * unit);
			ck_assert_ptr_eq(call(_i, to, now + N * unit, n, n),
					 to + (functions[_i].after ?
					       n * unit : 0));
			ck_assert_msg(!memcmp(now, want, ROOM),
				      "%s: n = %zu, dst = src %+td",
				      functions[_i].name, n,
				      (ptrdiff_t)d - N);
		}
}
END_TEST

START_TEST(test_bcopy_takes_the_source_first)
{
	bcopy_fn *copy = (bcopy_fn *)symbol("bcopy");
	char text[] = "0123456789abcdef";

	copy(text, text + 6, 10);
	ck_assert_str_eq(text, "0123450123456789");
	copy(text + 6, text, 10);
	ck_assert_str_eq(text, "0123456789456789");
}
END_TEST

/* n * sizeof(wchar_t) wraps, as in libc: SIZE_MAX / 4 + 1 is nothing. */
START_TEST(test_wide_sizes_wrap)
{
	const size_t n = SIZE_MAX / sizeof(wchar_t) + 2;	/* 1 */
	wchar_t from[3] = { 11, 22, 33 }, to[3] = { 0, 0, 0 };

	if (functions[_i].unit != WIDE)
		return;
	call(_i, to, from, n, SIZE_MAX);
	ck_assert_int_eq(to[0], 11);
	ck_assert_int_eq(to[1], 0);
	call(_i, to, from, n - 1, SIZE_MAX);
	ck_assert_int_eq(to[0], 11);
}
END_TEST

/* In a child: its stderr, and how it ended. */
static int status_of_overflow(int i, size_t n, size_t room, const char **said)
{
	static char from[4096], to[4096];
	const struct rlimit none = { 0, 0 };
	int status = 0;
	pid_t child;

	catch_begin();
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		call(i, to, from, n, room);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	*said = catch_end();
	return status;
}

static void assert_aborts(int i, size_t n, size_t room)
{
	const char *said;
	int status = status_of_overflow(i, n, room, &said);

	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
		      "%s: n = %zu into %zu: status %#x", functions[i].name, n,
		      room, status);
	ck_assert_msg(strstr(said, "*** buffer overflow detected ***"),
		      "%s: said '%s'", functions[i].name, said);
}

START_TEST(test_checks_abort_as_libc_does)
{
	const char *said;

	if (!functions[_i].checked)
		return;
	assert_aborts(_i, 1, 0);
	assert_aborts(_i, 100, 99);
	assert_aborts(_i, 1000, 999);
	assert_aborts(_i, SIZE_MAX, 4096);
	assert_aborts(_i, SIZE_MAX / sizeof(wchar_t) + 2, 4096);
	ck_assert_int_eq(status_of_overflow(_i, 100, 100, &said), 0);
	ck_assert_str_eq(said, "");
	ck_assert_int_eq(status_of_overflow(_i, 0, 0, &said), 0);
	ck_assert_int_eq(status_of_overflow(_i, 1000, SIZE_MAX, &said), 0);
}
END_TEST

/* The cases of check_kernels, through the entry with its small sizes. */
static case_fn *const entry_cases[] = {
	case_alignments, case_sizes, case_overlaps, case_guards, case_nothing,
	case_registers, case_tearing, case_handover, case_impossible,
};
#define CASES ((int)(sizeof(entry_cases) / sizeof(entry_cases[0])))

START_TEST(test_entry_copies_like_a_kernel)
{
	struct row row = { .name = "exported memmove" };
	const char *failure;

	row.copy = (copy_fn *)symbol("memmove");
	failure = entry_cases[_i](&row, 3);
	ck_assert_msg(!failure, "%s", failure);
}
END_TEST

/* The state of the library, writable. */
static struct memroute_state *writable_state(void)
{
	struct link_map *map;
	const ElfW(Ehdr) *header;
	const ElfW(Phdr) *segment;
	struct memroute_state *state = NULL;
	uintptr_t start;

	ck_assert(!dlinfo(library, RTLD_DI_LINKMAP, &map));
	header = (const ElfW(Ehdr) *)map->l_addr;
	segment = (const ElfW(Phdr) *)(map->l_addr + header->e_phoff);
	for (int i = 0; i < header->e_phnum && !state; i++, segment++) {
		char *at = (char *)map->l_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
			continue;
		state = memmem(at, segment->p_memsz, "memroute", 8);
	}
	ck_assert_ptr_nonnull(state);
	state = (struct memroute_state *)((char *)state -
		offsetof(struct memroute_state, magic));
	start = (uintptr_t)state & -(uintptr_t)4096;
	ck_assert(!mprotect((void *)start, (uintptr_t)(state + 1) - start,
			    PROT_READ | PROT_WRITE));
	return state;
}

static size_t seen;

static void *see(void *dst, const void *src, size_t n)
{
	(void)src;
	seen = n;
	return dst;
}

/* Up to the limit an exported function copies itself, with MEMROUTE=libc
 * nothing at all; the rest is the slot's. */
START_TEST(test_slot_gets_what_is_above_the_limit)
{
	struct memroute_state *state = writable_state();
	const size_t unit = functions[_i].unit;
	char dst[1024], src[1024] = { 0 };

	if (!strcmp(getenv("MEMROUTE"), "libc"))
		ck_assert_str_eq(state->kernel, "libc");
	ck_assert_uint_eq(state->limit, ENTRY_LIMIT && strcmp(state->kernel,
			  "libc") ? ENTRY_LIMIT : 0);
	state->slot = see;
	/* where a limit of 0 is tested for, nothing is not above it */
	for (size_t n = !WITH_REDIRECT; n * unit <= sizeof(dst); n++) {
		char *result;

		seen = SIZE_MAX;
		result = call(_i, dst, src, n, sizeof(dst));
		ck_assert_uint_eq(seen, n * unit > state->limit || !state->limit
				  ? n * unit : SIZE_MAX);
		ck_assert_ptr_eq(result,
				 dst + (functions[_i].after ? n * unit : 0));
	}
}
END_TEST

static const char *const values[] = {
	"", "libc", "sse2", "avx2", "avx512", "erms",
	"non_temporal_threshold=1024", "rep_movsb_threshold=1024",
};

/* Never returns. */
static void start_again(const char *self, const char *value)
{
	setenv("MEMROUTE", value, 1);
	execl(self, self, value, (char *)NULL);
	perror(self);
	_exit(2);
}

static int run_each(const char *self)
{
	const size_t count = sizeof(values) / sizeof(values[0]);
	int status, failed = 0;
	pid_t child;

	for (size_t i = 0; i < count; i++) {
		printf("MEMROUTE=%s\n", values[i]);
		fflush(stdout);
		child = fork();
		if (!child)
			start_again(self, values[i]);
		if (waitpid(child, &status, 0) != child || status)
			failed++;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static Suite *interpose_suite(void)
{
	Suite *suite = suite_create("interpose");
	TCase *tc = tcase_create("interpose");

	tcase_set_timeout(tc, 600);	/* only against hanging */
	tcase_add_loop_test(tc, test_moves_by_any_distance, 0, FUNCTIONS);
	tcase_add_test(tc, test_bcopy_takes_the_source_first);
	tcase_add_loop_test(tc, test_wide_sizes_wrap, 0, FUNCTIONS);
	tcase_add_loop_test(tc, test_checks_abort_as_libc_does, 0, FUNCTIONS);
	tcase_add_loop_test(tc, test_entry_copies_like_a_kernel, 0, CASES);
	tcase_add_loop_test(tc, test_slot_gets_what_is_above_the_limit, 0,
			    FUNCTIONS);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(int argc, char **argv)
{
	const char *path = getenv("LIBRARY");

	if (!path)
		path = LIBRARY;
	if (argc == 1)
		return run_each(argv[0]);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "check_interpose: %s\n", dlerror());
		return EXIT_FAILURE;
	}
	return suite_run(interpose_suite());
}
