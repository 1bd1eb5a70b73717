/* unwind.c - from every instruction of every exported function the caller is
 * found by whoever unwinds: debuggers, profilers, C++ exceptions out of signal
 * handlers. Prints "right", or where it is not.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

typedef void *function(void *, const void *, size_t, size_t);

static const char *const names[] = {
	"memcpy", "memmove", "mempcpy", "__mempcpy", "bcopy", "wmemcpy",
	"wmemmove", "wmempcpy", "__memcpy_chk", "__memmove_chk",
	"__mempcpy_chk", "__wmemcpy_chk", "__wmemmove_chk", "__wmempcpy_chk",
};

static const char *name;
static int steps, lost;

/* The bounds of the section that call() has to itself. */
extern const char __start_caller[], __stop_caller[];

__attribute__((noinline, section("caller")))
static void call(function *f, void *dst, const void *src, size_t n)
{
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "cc",
			 "memory");
	f(dst, src, n, 4096);
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" : : : "cc",
			 "memory");
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found)
{
	const char *at = (const char *)_Unwind_GetIP(context);

	if (at > __start_caller && at < __stop_caller)
		*(int *)found = 1;
	return _URC_NO_REASON;
}

static void step(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	void *at = (void *)c->uc_mcontext.gregs[REG_RIP];
	int found = 0;
	Dl_info where;

	(void)number, (void)info;
	if (!dladdr(at, &where) || !strstr(where.dli_fname, "libmemroute"))
		return;
	steps++;
	_Unwind_Backtrace(look, &found);
	if (!found && !lost++)
		printf("%s: lost at %p in %s\n", name, at, where.dli_sname);
}

int main(void)
{
	static const size_t sizes[] = { 0, 1, 5, 20, 64, 65, 200 };
	static char dst[4096], src[4096];
	struct sigaction action = { .sa_sigaction = step,
				    .sa_flags = SA_SIGINFO };
	int found;

	_Unwind_Backtrace(look, &found);	/* binds what the handler calls */
	sigaction(SIGTRAP, &action, NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			name = names[i];
			call((function *)dlsym(RTLD_DEFAULT, name), dst, src,
			     sizes[k]);
		}
	if (steps < 200)
		printf("only %d steps inside the library\n", steps);
	else if (!lost)
		puts("right");
	return 0;
}
