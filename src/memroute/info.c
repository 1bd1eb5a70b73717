/* info.c - memroute info: what would be chosen on this machine, and why.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measure/text.h"
#include "command_line.h"
#include "commands.h"
#include "libc_choice.h"
#include "locate.h"
#include "machine.h"

struct info {
	char brand[49];
	struct dispatch dispatch;
	char library[PATH_MAX];		/* "" if it was not found */
	bool libc_tells;		/* choice is filled */
	struct libc_choice choice;
};

static const struct {
	uint32_t bit;
	const char *name;
} features[] = {
	{ CPU_AVX, "avx" }, { CPU_AVX2, "avx2" }, { CPU_AVX512, "avx512" },
	{ CPU_ERMS, "erms" }, { CPU_FSRM, "fsrm" }, { CPU_RTM, "rtm" },
	{ CPU_XGETBV1, "xgetbv1" },
};

enum { FEATURES = sizeof(features) / sizeof(features[0]) };

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void help(void)
{
	puts("Usage: memroute info [--json]\n"
	     "\n"
	     "Tells what memroute would choose for a program started now, with\n"
	     "the MEMROUTE of this environment: CPU, kernel, thresholds and the\n"
	     "reason for each; what libc would do without memroute; and known\n"
	     "slow cases of this libc on this CPU.\n"
	     "\n"
	     "  --json  the same for programs; sizes in bytes, null is never\n"
	     "  --help  this text");
}

static const char *kernel_name(const struct decision *decision)
{
	return decision->kernel ? decision->kernel->name : "libc";
}

/* "32 MiB", "2112 bytes", "never"; 0 is "unknown". */
static const char *size_text(uint64_t size, char text[32])
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
	size_t unit = 0;

	if (size == SIZE_MAX)
		return "never";
	if (!size)
		return "unknown";
	for (; size % 1024 == 0 && unit < 3; unit++)
		size /= 1024;
	snprintf(text, 32, "%llu %s", (unsigned long long)size, units[unit]);
	return text;
}

static void print_size(const char *key, uint64_t size, const char *reason)
{
	char text[32];

	printf("  %-25s %-12s %s\n", key, size_text(size, text), reason);
}

static void print_cpu(const struct info *info)
{
	const struct cpu *cpu = &info->dispatch.cpu;

	printf("CPU\n  %-25s %s (family %xh, model %xh, stepping %u)\n",
	       "model", info->brand, cpu->family, cpu->model, cpu->stepping);
	printf("  %-25s", "usable features");
	for (size_t i = 0; i < FEATURES; i++)
		if (cpu->features & features[i].bit)
			printf(" %s", features[i].name);
	putchar('\n');
	print_size("L1 data cache", cpu->l1d, "");
	print_size("L2 cache", cpu->l2, "");
	print_size("L3 cache", cpu->l3, "");
}

static void print_memroute(const struct info *info)
{
	const struct dispatch *dispatch = &info->dispatch;
	const struct decision *decision = &dispatch->decision;

	printf("memroute " PACKAGE_VERSION "\n");
	printf("  %-25s %s\n", "library",
	       *info->library ? info->library : "not found");
	printf("  %-25s %s\n", "MEMROUTE", dispatch->variable ?
	       dispatch->variable : "(not set)");
	printf("  %-25s %-12s %s\n", "kernel", kernel_name(decision),
	       decision->kernel_reason);
	print_size("non_temporal_threshold", decision->thresholds.non_temporal,
		   decision->non_temporal_reason);
	print_size("rep_movsb_threshold", decision->thresholds.rep_movsb,
		   decision->rep_movsb_reason);
}

static void print_libc(const struct info *info)
{
	const struct libc *libc = &info->dispatch.libc;
	const struct libc_choice *choice = &info->choice;

	printf("libc, without memroute\n");
	printf("  %-25s %s, version %s\n", "library",
	       libc->path ? libc->path : "not found",
	       libc->version ? libc->version : "unknown");
	if (!info->libc_tells) {
		printf("  its choice is not known: this ld.so has no "
		       "--list-diagnostics (glibc 2.33)\n");
		return;
	}
	print_size("non_temporal_threshold", choice->non_temporal_threshold,
		   "");
	print_size("rep_movsb_threshold", choice->rep_movsb_threshold,
		   info->dispatch.cpu.features & CPU_ERMS ? "" :
		   "not used: no ERMS");
	print_size("rep_movsb_stop_threshold",
		   choice->rep_movsb_stop_threshold, "");
	print_size("shared cache assumed", choice->shared_cache_size,
		   "");
}

static bool applies(const struct info *info, size_t i)
{
	return info->libc_tells &&
	       slow_cases[i].applies(&info->dispatch.cpu, &info->choice);
}

/* At most 78 columns, indented. */
static void print_wrapped(const char *text)
{
	enum { WIDTH = 76 };
	int n;

	for (; *text; text += n + strspn(text + n, " ")) {
		n = (int)strlen(text);
		if (n > WIDTH)
			for (n = WIDTH; n > 1 && text[n] != ' '; n--)
				;
		printf("  %.*s\n", n, text);
	}
}

static void print_slow_cases(const struct info *info)
{
	bool any = false;

	printf("Known slow cases of this libc on this CPU\n");
	for (size_t i = 0; i < SLOW_CASES; i++)
		if (applies(info, i)) {
			any = true;
			print_wrapped(slow_cases[i].text);
		}
	if (!any)
		printf("  none known%s\n", info->libc_tells ? "" :
		       ", but libc did not tell its choice");
}

/* Never, or not known, is null. */
static json_t *size_json(uint64_t size)
{
	return size && size != SIZE_MAX ? json_integer((json_int_t)size) :
	       json_null();
}

static json_t *cpu_json(const struct info *info)
{
	const struct cpu *cpu = &info->dispatch.cpu;
	json_t *list = json_array();

	for (size_t i = 0; i < FEATURES; i++)
		if (cpu->features & features[i].bit)
			json_array_append_new(list,
					      json_string(features[i].name));
	return json_pack("{s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o}",
			 "model_name", text_json(info->brand),
			 "family", (int)cpu->family, "model", (int)cpu->model,
			 "stepping", (int)cpu->stepping, "features", list,
			 "l1d", size_json(cpu->l1d), "l2", size_json(cpu->l2),
			 "l3", size_json(cpu->l3));
}

static json_t *memroute_json(const struct info *info)
{
	const struct decision *decision = &info->dispatch.decision;
	const char *variable = info->dispatch.variable;

	return json_pack("{s:s, s:o, s:o, s:s, s:s, s:o, s:s, s:o, s:s}",
		"version", PACKAGE_VERSION,
		"library", *info->library ? text_json(info->library) :
			   json_null(),
		"MEMROUTE", variable ? text_json(variable) :
			    json_null(),
		"kernel", kernel_name(decision),
		"kernel_reason", decision->kernel_reason,
		"non_temporal_threshold",
		size_json(decision->thresholds.non_temporal),
		"non_temporal_reason", decision->non_temporal_reason,
		"rep_movsb_threshold",
		size_json(decision->thresholds.rep_movsb),
		"rep_movsb_reason", decision->rep_movsb_reason);
}

static json_t *libc_json(const struct info *info)
{
	const struct libc *libc = &info->dispatch.libc;
	const struct libc_choice *choice = &info->choice;

	return json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o}",
		"path", libc->path, "version", libc->version,
		"non_temporal_threshold",
		size_json(choice->non_temporal_threshold),
		"rep_movsb_threshold", size_json(choice->rep_movsb_threshold),
		"rep_movsb_stop_threshold",
		size_json(choice->rep_movsb_stop_threshold),
		"shared_cache_size", size_json(choice->shared_cache_size));
}

static bool print_json(const struct info *info)
{
	json_t *slow = json_array(), *document;
	bool written;

	for (size_t i = 0; i < SLOW_CASES; i++)
		if (applies(info, i))
			json_array_append_new(slow, json_pack("{s:s, s:s}",
				"name", slow_cases[i].name,
				"text", slow_cases[i].text));
	document = json_pack("{s:o, s:o, s:o, s:o}", "cpu", cpu_json(info),
			     "memroute", memroute_json(info),
			     "libc", libc_json(info), "slow_cases", slow);
	if (!document)
		abort();
	written = machine_write_json(document, "-");
	json_decref(document);
	return written;
}

int command_info(int argc, char **argv)
{
	struct info info;
	bool json = false, found;
	int option;

	while ((option = next_option(argc, argv, options)) != -1) {
		if (option == 'h')
			return help(), 0;
		if (option == '?')
			return STATUS_USAGE;
		json = true;
	}
	if (refuse_arguments(argc, argv))
		return STATUS_USAGE;
	found = locate_library(info.library);
	if (!found)
		*info.library = 0;
	cpu_brand(info.brand);
	machine_decide(&info.dispatch);
	info.libc_tells = libc_choice_ask(&info.choice);
	if (json)
		return print_json(&info) && found ? 0 : STATUS_FAILED;
	print_cpu(&info);
	print_memroute(&info);
	print_libc(&info);
	print_slow_cases(&info);
	return found ? 0 : STATUS_FAILED;
}
