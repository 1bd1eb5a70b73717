/* cases_machine.c - what a copy leaves behind in the processor, and which
 * instructions it took.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "cases.h"
#include "cpu.h"

#if defined(__x86_64__) && defined(__LP64__)

/* call.S knows the offsets. */
struct machine {
	uint64_t flags_before;
	uint64_t has_xgetbv1;
	uint64_t saved[6];		/* rbx rbp r12 r13 r14 r15 */
	uint64_t flags;
	uint64_t upper;			/* xgetbv(1) */
	uint32_t mxcsr_before, mxcsr;
	uint32_t control_before;
	uint32_t x87[7];		/* fnstenv: control, status, tag, ... */
};

void *tests_call(copy_fn *copy, void *dst, const void *src, size_t n,
		 struct machine *machine) __attribute__((visibility("hidden")));
uint64_t tests_upper_in_use(int dirty) __attribute__((visibility("hidden")));

#define FLAG_TRAP 0x100u
#define FLAG_DIRECTION 0x400u
#define FLAGS_USUAL 0x202u
#define MXCSR_ODD 0x3fa0u	/* rounding down, some exceptions recorded */
#define CONTROL_ODD 0x0a7fu	/* rounding up, double precision */
#define UPPER_YMM 0x04u
#define UPPER_ZMM 0x40u		/* of registers 0-15 */

enum { ARENA = 640 * 1024, FAR = 320 * 1024 };

static _Alignas(4096) unsigned char arena[ARENA + FAR];

/* True if xgetbv(1) can tell; said aloud, once, where not. */
static bool upper_state_shows(void)
{
	static int known = -1;
	struct cpu_record record;
	struct cpu cpu;

	if (known >= 0)
		return known;
	cpu_read(&record);
	cpu_decode(&record, &cpu);
	known = cpu.features & CPU_XGETBV1 && cpu.features & CPU_AVX &&
		tests_upper_in_use(1) & UPPER_YMM &&
		!(tests_upper_in_use(0) & UPPER_YMM);
	if (!known)
		printf("skipped: upper vector state: xgetbv(1) does not tell "
		       "it here\n");
	return known;
}

static void prepare(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	m->flags_before = FLAGS_USUAL;
	m->mxcsr_before = MXCSR_ODD;
	m->control_before = CONTROL_ODD;
	for (unsigned i = 0; i < 6; i++)
		m->saved[i] = 0x0123456789abcdefULL * (2 * i + 3);
}

static const char *what_changed(const struct machine *m)
{
	static const char *const names[] = { "rbx", "rbp", "r12", "r13",
					     "r14", "r15" };

	for (unsigned i = 0; i < 6; i++)
		if (m->saved[i] != 0x0123456789abcdefULL * (2 * i + 3))
			return names[i];
	if (m->flags & FLAG_DIRECTION)
		return "the direction flag";
	if (m->mxcsr != MXCSR_ODD)
		return "MXCSR";
	if ((m->x87[0] & 0xffff) != CONTROL_ODD)
		return "the x87 control word";
	if ((m->x87[2] & 0xffff) != 0xffff)
		return "the x87 tags (an MMX register in use)";
	if (m->upper & (UPPER_YMM | UPPER_ZMM))
		return "upper vector halves (no vzeroupper)";
	return NULL;
}

static const char *call_and_look(const struct row *row, size_t d, size_t s,
				 size_t n)
{
	const int error = 12345;
	const char *changed;
	struct machine m;
	void *result;

	prepare(&m);
	m.has_xgetbv1 = upper_state_shows();
	errno = error;
	result = tests_call(row->copy, arena + d, arena + s, n, &m);
	changed = errno != error ? "errno" : what_changed(&m);
	if (changed)
		return cases_failure(row, "n = %zu, dst = src %+td: changed %s",
				     n, (ptrdiff_t)d - (ptrdiff_t)s, changed);
	if (result != arena + d)
		return cases_failure(row, "n = %zu: returned not dst", n);
	return NULL;
}

const char *case_registers(const struct row *row, unsigned thin)
{
	static const size_t blocks[][2] = {	/* dst, src */
		{ FAR + 1, 0 }, { FAR, 0 }, { 0, FAR + 2048 }, { 0, 40 },
		{ 40, 0 },
	};
	const size_t count = sizeof(blocks) / sizeof(blocks[0]);
	const char *failure = NULL;
	size_t n = row->from;

	(void)thin;
	cases_fill(arena, ARENA, 4, true);
	do {
		for (size_t i = 0; i < count && !failure; i++)
			failure = call_and_look(row, blocks[i][0],
						blocks[i][1], n);
		n = cases_next_size(n, 1100, FAR - 4096);
	} while (n && !failure);
	return failure;
}

/* What single steps showed. */
static struct {
	size_t rep_movsb, std, steps;
	size_t longest;			/* rep movsb, bytes */
	size_t streamed;		/* bytes */
	bool far;			/* the probe was soon written */
	bool unfenced;			/* streamed since the last fence */
	bool vex, evex;			/* what only AVX, AVX-512 has */
} seen;

/* Called after each step, if set. */
static void (*between_steps)(void);

/* A byte of the target behind the first of several streams, and what it was. */
static const unsigned char *probe;
static unsigned char unwritten;

/* Bytes from one stream to the next, and in a rep movsb: copy_template.h. */
enum { STREAM_DISTANCE = 65 * 1024, REP_MOVSB_PIECE = 2 * 1024 * 1024 };

/* Bytes that the non-temporal store at code writes; 0 if it is none. */
static size_t stream_width(const uint8_t *code)
{
	if (code[0] == 0x66) {				/* movntdq */
		code += (code[1] & 0xf0) == 0x40 ? 2 : 1;
		return code[0] == 0x0f && code[1] == 0xe7 ? 16 : 0;
	}
	if (code[0] == 0xc5 && code[2] == 0xe7)		/* vmovntdq */
		return code[1] & 4 ? 32 : 16;
	if (code[0] == 0xc4 && code[3] == 0xe7)
		return code[2] & 4 ? 32 : 16;
	if (code[0] == 0x62 && code[4] == 0xe7)
		return (size_t)16 << (code[3] >> 5 & 3);
	return 0;
}

static void look_at(const uint8_t *code)
{
	size_t width = stream_width(code);

	seen.steps++;
	seen.streamed += width;
	if (width)
		seen.unfenced = true;
	if (probe && seen.streamed <= STREAM_DISTANCE / 2)
		seen.far = *probe != unwritten;
	if (code[0] == 0x0f && code[1] == 0xae && (code[2] | 8) == 0xf8)
		seen.unfenced = false;			/* sfence, mfence */
	seen.std += code[0] == 0xfd;
	seen.vex |= code[0] == 0xc5 || code[0] == 0xc4;
	seen.evex |= code[0] == 0x62;
}

/* Length of the rep movsb at code; 0 if it is none. */
static unsigned rep_movsb_length(const uint8_t *code)
{
	unsigned rex = (code[1] & 0xf0) == 0x40;

	return code[0] == 0xf3 && code[1 + rex] == 0xa4 ? 2 + rex : 0;
}

/* Does it in one step: it would trap for each byte. */
static void do_rep_movsb(greg_t *registers, unsigned length)
{
	unsigned char *d = (unsigned char *)registers[REG_RDI];
	const unsigned char *s = (const unsigned char *)registers[REG_RSI];
	size_t n = (size_t)registers[REG_RCX];

	for (size_t i = 0; i < n; i++)
		d[i] = s[i];
	registers[REG_RDI] += (greg_t)n;
	registers[REG_RSI] += (greg_t)n;
	registers[REG_RCX] = 0;
	registers[REG_RIP] += length;
	seen.rep_movsb++;
	seen.longest = n > seen.longest ? n : seen.longest;
}

static void on_step(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)registers[REG_RIP];
	unsigned length = rep_movsb_length(code);

	(void)number;
	(void)info;
	look_at(code);
	if (length)
		do_rep_movsb(registers, length);
	if (between_steps)
		between_steps();
}

static void step(copy_fn *copy, void *dst, const void *src, size_t n)
{
	struct sigaction action = { .sa_sigaction = on_step,
				    .sa_flags = SA_SIGINFO }, before;
	struct machine m;

	prepare(&m);
	m.flags_before |= FLAG_TRAP;
	memset(&seen, 0, sizeof(seen));
	sigaction(SIGTRAP, &action, &before);
	tests_call(copy, dst, src, n, &m);
	sigaction(SIGTRAP, &before, NULL);
}

enum path { ORDINARY, STREAMS, REP_MOVSB };

/*
 * What state.h and libmemroute(7) say of the thresholds. rep movsb is slow
 * where dst is 1..63 above src mod 4096 (glibc bug 30994: 1..31 on AMD
 * family 19h) or 0..63 mod 4 GiB (bug 27130).
 */
static enum path expected(uintptr_t distance, size_t n)
{
	const struct thresholds *t = &memroute_state.thresholds;
	bool crawls = (uint32_t)distance == 0 ||
		      (distance % 4096 >= 1 && distance % 4096 <= 63);

	if (distance < n || -distance < n)
		return ORDINARY;
	if (n >= t->non_temporal)
		return STREAMS;
	return n >= t->rep_movsb && !crawls ? REP_MOVSB : ORDINARY;
}

static const char *wrong_path(const struct row *row, enum path want, size_t n)
{
	if (seen.vex && !(row->needs & (CPU_AVX2 | CPU_AVX512)))
		return "by an instruction of AVX";
	if (seen.evex && !(row->needs & CPU_AVX512))
		return "by an instruction of AVX-512";
	if (seen.std)
		return "std: backward string instructions crawl";
	if (seen.unfenced)
		return "no sfence after non-temporal stores";
	if (seen.streamed > n)
		return "non-temporal stores outside the block";
	if (want == STREAMS && seen.streamed + 1024 < n)
		return "not by non-temporal stores, or too few";
	if (want == REP_MOVSB && !seen.rep_movsb)
		return "not by rep movsb";
	if (want != STREAMS && seen.streamed)
		return "by non-temporal stores";
	if (want != REP_MOVSB && seen.rep_movsb)
		return "by rep movsb";
	if (seen.longest > REP_MOVSB_PIECE)
		return "by too long a rep movsb";
	if (probe && seen.far == !!memroute_state.thresholds.one_stream)
		return seen.far ? "by several streams" : "by one stream";
	if (seen.steps < 5)
		return "single steps do not work";
	return NULL;
}

static const char *step_and_look(const struct row *row, unsigned char *dst,
				 const unsigned char *src, size_t n)
{
	uintptr_t distance = (uintptr_t)dst - (uintptr_t)src;
	const char *wrong;

	step(row->copy, dst, src, n);
	wrong = wrong_path(row, expected(distance, n), n);
	if (!wrong)
		return NULL;
	return cases_failure(row, "n = %zu, dst = src + %#tx: %s", n,
			     (ptrdiff_t)distance, wrong);
}

/* Every relation of dst to src that decides about the path; the ones at
 * borders first, for when time is short. */
static const char *step_distances(const struct row *row, size_t n,
				  unsigned thin)
{
	const ptrdiff_t m = (ptrdiff_t)n, distances[] = {
		m - 1, m, 1 - m, -m, FAR, FAR + 1, FAR + 63, FAR + 64,
		FAR + 31, FAR + 32, FAR + 62, FAR + 65, FAR + 2048, FAR + 4032,
		FAR + 4095, 0, 1, m + 1, m + 4096, -1, -m - 1, -(m + 4096),
		-FAR, -FAR + 1, -FAR + 63, -FAR + 64,
	};
	const size_t count = thin > 1 ? 8 :
			     sizeof(distances) / sizeof(distances[0]);
	const char *failure = NULL;

	for (size_t i = 0; i < count && !failure; i++) {
		ptrdiff_t up = distances[i] > 0 ? distances[i] : 0;
		ptrdiff_t down = distances[i] < 0 ? -distances[i] : 0;

		failure = step_and_look(row, arena + 5 + up, arena + 5 + down,
					n);
	}
	return failure;
}

/* Blocks 4 GiB apart, in an address space of their own. */
static const char *step_4_gib_apart(const struct row *row)
{
	const size_t apart = (size_t)1 << 32, block = 16384;
	const char *failure = NULL;
	unsigned char *p = mmap(NULL, apart + block, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				-1, 0);

	if (p == MAP_FAILED ||
	    mprotect(p, block, PROT_READ | PROT_WRITE) ||
	    mprotect(p + apart, block, PROT_READ | PROT_WRITE)) {
		printf("skipped: blocks 4 GiB apart: no address space\n");
		return NULL;
	}
	for (size_t i = 0; i <= 64 && !failure; i += 64) {
		failure = step_and_look(row, p + apart + i, p, 2050);
		if (!failure)
			failure = step_and_look(row, p + i, p + apart, 2050);
	}
	munmap(p, apart + block);
	return failure;
}

/* Each class, with and without overlap. */
static const char *step_small(const struct row *row)
{
	const char *failure = NULL;

	for (size_t n = row->from; n < 1024 && !failure; n += 1 + n / 4) {
		failure = step_and_look(row, arena + FAR + 7, arena, n);
		if (!failure)
			failure = step_and_look(row, arena + 7, arena, n);
		if (!failure)
			failure = step_and_look(row, arena, arena + 64, n);
	}
	return failure;
}

/* As many bytes as several streams need to begin. */
static const char *step_streams(const struct row *row)
{
	const size_t n = 4 * STREAM_DISTANCE + 4500, at = STREAM_DISTANCE + 100;
	unsigned char *dst = arena + FAR + 1024;
	const char *failure;

	if (expected(FAR + 1024, n) != STREAMS)
		return NULL;
	probe = dst + at;
	unwritten = dst[at] = (unsigned char)~arena[at];
	failure = step_and_look(row, dst, arena, n);
	probe = NULL;
	return failure;
}

/* More bytes than one rep movsb is to move. */
static const char *step_pieces(const struct row *row)
{
	enum { APART = 3 << 20 };
	static unsigned char from[2 * APART];
	unsigned char *to = from + APART;
	const size_t n = REP_MOVSB_PIECE + 4097;
	const char *failure;

	if (expected(APART, n) != REP_MOVSB)
		return NULL;
	cases_fill(from, n, 8, false);
	memset(to, 0, n + 1);
	failure = step_and_look(row, to + 64, from, n);
	if (!failure && (memcmp(to + 64, from, n) || to[64 + n]))
		failure = cases_failure(row, "n = %zu: wrong bytes", n);
	return failure;
}

/* A step costs up to 10 us: every distance for two sizes only. */
const char *case_paths(const struct row *row, unsigned thin)
{
	static const size_t sizes[] = {
		1023, 1024, 2047, 2048,
	};
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);
	const char *failure = NULL;

	if (!row->ours)
		return NULL;
	for (size_t i = 0; i < count && !failure; i++)
		failure = step_and_look(row, arena + FAR + 1024, arena,
					sizes[i]);
	if (!failure)
		failure = step_streams(row);
	if (!failure)
		failure = step_pieces(row);
	if (!failure)
		failure = step_distances(row, 1025, thin);
	if (!failure && thin == 1)
		failure = step_distances(row, 2049, thin);
	if (!failure)
		failure = step_small(row);
	return failure ? failure : step_4_gib_apart(row);
}

/*
 * Tearing as one instruction after the other shows it: the source is another
 * one after every step, and a word of the target must be of one of them.
 */
static struct {
	_Alignas(64) uint64_t from[48], to[48];
	bool torn;
} words;

static bool one_byte(uint64_t word)
{
	return word == (word & 0xff) * 0x0101010101010101ULL;
}

static void change_and_compare(void)
{
	const uint64_t word = (seen.steps % 127 + 1) * 0x0101010101010101ULL;

	for (size_t i = 0; i < 48; i++) {
		((volatile uint64_t *)words.from)[i] = word;
		words.torn |= !one_byte(((volatile uint64_t *)words.to)[i]);
	}
}

const char *case_words(const struct row *row, unsigned thin)
{
	static const unsigned char offsets[][2] = {	/* dst, src */
		{ 1, 0 }, { 0, 0 }, { 7, 5 }, { 3, 14 },
	};
	const size_t count = thin > 1 ? 1 :
			     sizeof(offsets) / sizeof(offsets[0]);

	memset(&words, 0, sizeof(words));
	between_steps = change_and_compare;
	for (size_t n = 8; n <= 256; n += 8)
		for (size_t i = 0; i < count && n >= row->from; i++) {
			step(row->copy, words.to + offsets[i][0],
			     words.from + offsets[i][1], n);
			change_and_compare();
			if (words.torn)
				break;
		}
	between_steps = NULL;
	return !words.torn ? NULL :
	       cases_failure(row, "tears a word of 8 bytes");
}

#else

const char *case_registers(const struct row *row, unsigned thin)
{
	(void)thin;
	printf("skipped: %s: registers: only on x86-64\n", row->name);
	return NULL;
}

const char *case_paths(const struct row *row, unsigned thin)
{
	(void)thin;
	printf("skipped: %s: single steps: only on x86-64\n", row->name);
	return NULL;
}

const char *case_words(const struct row *row, unsigned thin)
{
	return case_paths(row, thin);
}

#endif
