/* libc_choice.c - what libc itself has decided about copies.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_file.h"
#include "libc_choice.h"

/* key is without its "x86.cpu_features."; values are hexadecimal. */
static void take(const char *key, uint64_t value, struct libc_choice *choice)
{
	const struct {
		const char *key;
		uint64_t *value;
	} keys[] = {
		{ "non_temporal_threshold", &choice->non_temporal_threshold },
		{ "rep_movsb_threshold", &choice->rep_movsb_threshold },
		{ "rep_movsb_stop_threshold",
		  &choice->rep_movsb_stop_threshold },
		{ "shared_cache_size", &choice->shared_cache_size },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i].key) == 0)
			*keys[i].value = value;
}

bool libc_choice_parse(FILE *diagnostics, struct libc_choice *choice)
{
	static const char prefix[] = "x86.cpu_features.";
	char *line = NULL, *value;
	size_t size = 0;

	memset(choice, 0, sizeof(*choice));
	while (getline(&line, &size, diagnostics) > 0) {
		if (strncmp(line, prefix, sizeof(prefix) - 1) != 0)
			continue;
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = 0;
		take(line + sizeof(prefix) - 1, strtoull(value, NULL, 16),
		     choice);
	}
	free(line);
	return choice->non_temporal_threshold && choice->rep_movsb_threshold;
}

/* This program's own ld.so, in path; "" if there is none. */
static void own_loader(char path[PATH_MAX])
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct elf_file self;

	*path = 0;
	if (fd < 0)
		return;
	if (elf_file_read(fd, &self) == ELF_READ) {
		memcpy(path, self.interpreter, PATH_MAX);
		elf_file_release(&self);
	}
	close(fd);
}

bool libc_choice_ask(struct libc_choice *choice)
{
	char loader[PATH_MAX], *command;
	FILE *diagnostics;
	bool told;

	memset(choice, 0, sizeof(*choice));
	own_loader(loader);
	if (!*loader || strchr(loader, '\'') ||
	    asprintf(&command, "'%s' --list-diagnostics 2>/dev/null",
		     loader) < 0)
		return false;
	diagnostics = popen(command, "re");
	free(command);
	if (!diagnostics)
		return false;
	told = libc_choice_parse(diagnostics, choice);
	pclose(diagnostics);
	return told;
}

/* glibc takes rep movsb from the threshold to the stop threshold. The fixed
 * versions start at the non-temporal threshold, which is no use at all. */
static bool slow_rep_movsb(const struct cpu *cpu,
			   const struct libc_choice *choice)
{
	return cpu->vendor == VENDOR_AMD && cpu->family == 0x19 &&
	       cpu->features & CPU_ERMS && choice->rep_movsb_threshold &&
	       choice->rep_movsb_threshold < choice->rep_movsb_stop_threshold &&
	       choice->rep_movsb_threshold < choice->non_temporal_threshold;
}

static bool late_non_temporal(const struct cpu *cpu,
			      const struct libc_choice *choice)
{
	return cpu->l3 && choice->non_temporal_threshold > cpu->l3;
}

const struct slow_case slow_cases[SLOW_CASES] = {
	{ "glibc-bug-30994", slow_rep_movsb,
	  "glibc bug 30994: this libc copies with rep movsb from its "
	  "rep_movsb_threshold on, which on AMD family 19h is up to 20 times "
	  "slower than vectors where (destination - source) modulo 4096 is 1 "
	  "to 31. memroute does not use it here; without memroute, "
	  "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1073741824 helps." },
	{ "non-temporal-above-l3", late_non_temporal,
	  "This libc begins to bypass the cache only at its "
	  "non_temporal_threshold, which is more than the L3 that this CPU "
	  "shares: copies in between evict everything else. Without memroute, "
	  "GLIBC_TUNABLES=glibc.cpu.x86_non_temporal_threshold=SIZE helps." },
};
