/* dispatch.c - who fills the slot, and when.
 *
 * The exported functions test a slot that is zero in the file: zero means
 * the baseline, so a copy is right even before this library is relocated.
 * Where ifunc exists, the resolver of a hidden one fills the slot while ld.so
 * relocates us, just before it makes the page read-only; nobody calls that
 * ifunc. An exported ifunc would be simpler and is what breaks others: see
 * libmemroute(7). Elsewhere a constructor fills the slot and seals its page.
 *
 * What the resolver may rely on: our own relocations, libc's, and no more.
 * No PLT (-fno-plt), no environ, no getenv, and no call by name at all: see
 * libc.c.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <sys/mman.h>

#include "compiler.h"
#include "dispatch.h"
#include "redirect.h"
#include "report.h"
#include "text.h"

/* Tools want to show more than a decision takes. */
#ifdef STATE_SEALED
# define READ_CPU cpu_read_essentials
#else
# define READ_CPU cpu_read
#endif

BARE static void complain_of_kernel(const struct cpu *cpu, const char *name)
{
	struct report line;

	report_begin(&line);
	report_text(&line, "MEMROUTE: '");
	report_text(&line, name);
	report_text(&line, "' ignored: not on this CPU and OS; allowed: auto libc");
	for (size_t i = 0; i < memroute_kernel_count; i++) {
		if (!policy_allows(cpu, &memroute_kernels[i]))
			continue;
		report_text(&line, " ");
		report_text(&line, memroute_kernels[i].name);
	}
	report_end(&line);
}

BARE static void complain_of_libc(const char *why)
{
	struct report line;

	report_begin(&line);
	report_text(&line, "MEMROUTE: 'libc");
	report_text(&line, why);
	report_end(&line);
}

/* Decides by what the options say; false if that cannot be honoured. */
BARE static bool choose(struct dispatch *dispatch)
{
	policy_choose(&dispatch->cpu, &dispatch->options, &dispatch->decision);
	if (dispatch->decision.kernel)
		return !dispatch->decision.refused;
	libc_find(&dispatch->libc);
	return dispatch->libc.memmove;
}

BARE static void complain(const struct dispatch *dispatch)
{
	if (dispatch->decision.kernel)
		complain_of_kernel(&dispatch->cpu, dispatch->decision.refused);
	else
		complain_of_libc("' ignored: this C library shows no memmove "
				 "of its own; allowed: auto or a kernel");
}

BARE void dispatch_decide(struct dispatch *dispatch,
			  const char *const *environment)
{
	struct cpu_record record;

	READ_CPU(&record);
	cpu_decode(&record, &dispatch->cpu);
	options_default(&dispatch->options);
	dispatch->variable = options_find(environment);
	if (dispatch->variable)
		options_parse(dispatch->variable, &dispatch->options);

	dispatch->libc.path = dispatch->libc.version = NULL;
	dispatch->libc.memmove = NULL;
	if (!choose(dispatch)) {
		/* Silence where nobody asked: only configure named it. */
		if (dispatch->options.kernel_given)
			complain(dispatch);
		dispatch->options.kernel = MEMROUTE_DEFAULT_KERNEL;
		if (!choose(dispatch)) {
			dispatch->options.kernel = "auto";
			choose(dispatch);
		}
	}
	if (dispatch->options.verbose && !dispatch->libc.path)
		libc_find(&dispatch->libc);
}

BARE void dispatch_fill(const struct dispatch *dispatch)
{
	const struct decision *decision = &dispatch->decision;
	const struct kernel *kernel = decision->kernel;
	struct memroute_state *state = &memroute_state;

	state->thresholds.non_temporal = decision->thresholds.non_temporal;
	state->thresholds.rep_movsb = decision->thresholds.rep_movsb;
	state->thresholds.special = decision->thresholds.special;
	state->thresholds.one_stream = decision->thresholds.one_stream;
	state->slot = kernel ? kernel->copy_above : dispatch->libc.memmove;
	state->limit = kernel ? ENTRY_LIMIT : 0;
	state->libc_memmove = dispatch->libc.memmove;
	state->reason = decision->kernel_reason;
	text_copy(state->kernel, sizeof(state->kernel),
		  kernel ? kernel->name : "libc");
}

#ifdef STATE_SEALED	/* the library; tests and tools stop here */

BARE static void say(const char *key, const char *value)
{
	struct report line;

	report_begin(&line);
	report_text(&line, key);
	report_text(&line, "=");
	report_text(&line, value);
	report_end(&line);
}

BARE static void say_threshold(const char *key, size_t value,
			       const char *reason)
{
	struct report line;

	report_begin(&line);
	report_text(&line, key);
	report_text(&line, "=");
	if (value == SIZE_MAX)
		report_text(&line, "never");
	else
		report_number(&line, value);
	report_text(&line, " (");
	report_text(&line, reason);
	report_text(&line, ")");
	report_end(&line);
}

BARE static void say_libc(const struct libc *libc)
{
	struct report line;

	report_begin(&line);
	report_text(&line, "libc=");
	report_text(&line, libc->path ? libc->path : "not found");
	report_text(&line, " version=");
	report_text(&line, libc->version ? libc->version : "unknown");
	report_text(&line, " memmove=");
	report_address(&line, (const void *)libc->memmove);
	report_end(&line);
}

BARE static void be_verbose(const struct dispatch *dispatch)
{
	const struct decision *decision = &dispatch->decision;
	char brand[49];

	cpu_brand(brand);
	say("version", PACKAGE_VERSION);
	say("cpu", brand);
	say("kernel", memroute_state.kernel);
	say("reason", decision->kernel_reason);
	say_threshold("non_temporal_threshold",
		      decision->thresholds.non_temporal,
		      decision->non_temporal_reason);
	say_threshold("rep_movsb_threshold", decision->thresholds.rep_movsb,
		      decision->rep_movsb_reason);
	say_libc(&dispatch->libc);
	say("override", dispatch->variable);
}

#if WITH_REDIRECT

/* Sends small copies too through the slot, or else takes a kernel. */
BARE static void redirect(struct dispatch *dispatch)
{
	const char *why_not = redirect_entries();

	if (!why_not)
		return;
	/* As above: silence where nobody asked. */
	if (dispatch->options.kernel_given || dispatch->options.verbose)
		complain_of_libc(why_not);
	dispatch->options.kernel = "auto";
	choose(dispatch);
	dispatch_fill(dispatch);
}

#endif

/* Idempotent: a filled slot stays as it is. */
BARE static void dispatch_once(const char *const *environment)
{
	struct dispatch dispatch;

	if (memroute_state.slot)
		return;
	/* Set-user-ID and the like: whoever runs it has no say. */
	if (libc_is_secure())
		environment = NULL;
	dispatch_decide(&dispatch, environment);
	dispatch_fill(&dispatch);
#if WITH_REDIRECT
	if (!dispatch.decision.kernel)
		redirect(&dispatch);
#endif
	if (dispatch.options.verbose)
		be_verbose(&dispatch);
}

#if WITH_IFUNC

__attribute__((used)) BARE	/* clang does not see the ifunc's reference */
static copy_fn *resolve(void)
{
	dispatch_once(libc_start(__builtin_return_address(0)));
	return memroute_state.slot;
}

__attribute__((visibility("hidden"), ifunc("resolve")))
copy_fn memroute_resolved;

/* Its IRELATIVE relocation makes ld.so call resolve(). Without used and
 * retain, LTO and --gc-sections drop it in silence. */
#if defined(__has_attribute)
# if __has_attribute(retain)
__attribute__((retain))
# endif
#endif
__attribute__((used))
static copy_fn *const anchor = memroute_resolved;

#else

extern char **environ;

__attribute__((constructor(101))) BARE
static void construct(void)
{
	int saved = errno;

	dispatch_once((const char *const *)environ);
	/* The state fills its pages; a failure leaves them writable, no more. */
	mprotect(&memroute_state, sizeof(memroute_state), PROT_READ);
	errno = saved;
}

#endif
#endif /* STATE_SEALED */
