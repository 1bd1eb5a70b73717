/* competitor.c - who is measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../policy.h"
#include "competitor.h"
#include "complain.h"
#include "place.h"
#include "rte.h"
#include "settings.h"

struct competitor *competitors_add(struct competitors *list, const char *name,
				   enum competitor_kind kind, copy_fn *copy,
				   copy_fn *move)
{
	struct competitor *c = &list->all[list->count];

	if (list->count == COMPETITORS_MAX)
		fail_usage("%s: more than %d competitors", name,
			   COMPETITORS_MAX);
	if (competitors_by_name(list, name))
		fail_usage("two competitors are named '%s'", name);
	if (strlen(name) >= sizeof(c->name))
		fail_usage("'%s': a name has at most %zu characters", name,
			   sizeof(c->name) - 1);
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->kind = kind;
	c->copy = copy;
	c->move = move;
	c->thresholds = (struct thresholds){
		{ SIZE_MAX }, { SIZE_MAX }, { SIZE_MAX }, { 0 },
	};
	list->count++;
	return c;
}

const struct competitor *competitors_chosen(const struct competitors *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->all[i].chosen)
			return &list->all[i];
	return NULL;
}

const struct competitor *competitors_by_name(const struct competitors *list,
					     const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->all[i].name, name))
			return &list->all[i];
	return NULL;
}

/* What path names, and not what is preloaded in front of it. */
static void *load(const char *path, int flags)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);

	if (!library)
		fail_usage("cannot load %s: %s", path, dlerror());
	return library;
}

static copy_fn *symbol_of(void *library, const char *path, const char *symbol)
{
	copy_fn *function = (copy_fn *)dlsym(library, symbol);

	if (!function)
		fail_usage("%s has no function '%s'", path, symbol);
	return function;
}

static void add_libc(struct competitors *list)
{
	static const char name[] = "libc.so.6";
	void *libc = load(name, RTLD_NOLOAD);
	copy_fn *copy = symbol_of(libc, name, "memcpy");
	copy_fn *move = symbol_of(libc, name, "memmove");
	struct competitor *c;

	c = competitors_add(list, "libc", KIND_CALL, copy, move);
	snprintf(c->what, sizeof(c->what), "memcpy and memmove of %s", name);
	c = competitors_add(list, "A/A", KIND_CALL, copy, move);
	snprintf(c->what, sizeof(c->what),
		 "libc once more: what differs here is noise");
}

static void add_memroute(struct competitors *list,
			 const struct bench_settings *settings)
{
	char *found = settings->library ? NULL : place_library();
	const char *path = found ? found : settings->library;
	const char *variable = getenv("MEMROUTE");
	void *library = load(path, 0);
	struct competitor *c;

	c = competitors_add(list, "memroute", KIND_CALL,
			    symbol_of(library, path, "memcpy"),
			    symbol_of(library, path, "memmove"));
	snprintf(c->what, sizeof(c->what),
		 "exported memcpy and memmove of %s, MEMROUTE='%s'", path,
		 variable ? variable : "");
	free(found);
}

/* A name of its own as MEMROUTE has it, except for the kernel that auto
 * chooses: that one is measured as users get it. */
static void add_kernels(struct competitors *list)
{
	struct cpu_record record;
	struct options options;
	struct decision chosen, decision;
	struct competitor *c;
	struct cpu cpu;

	cpu_read(&record);
	cpu_decode(&record, &cpu);
	memset(&options, 0, sizeof(options));
	options.kernel = "auto";
	policy_choose(&cpu, &options, &chosen);
	for (size_t i = 0; i < memroute_kernel_count; i++) {
		const struct kernel *kernel = &memroute_kernels[i];

		if (!policy_allows(&cpu, kernel))
			continue;
		options.kernel = kernel == chosen.kernel ? "auto" :
				 kernel->name;
		policy_choose(&cpu, &options, &decision);
		c = competitors_add(list, kernel->name, KIND_CALL, kernel->copy,
				    kernel->copy);
		c->thresholds = decision.thresholds;
		c->chosen = kernel == chosen.kernel;
		snprintf(c->what, sizeof(c->what),
			 "kernel, bound directly, thresholds of MEMROUTE=%s",
			 options.kernel);
	}
}

__attribute__((noinline))
static void *copy_rep_movsb(void *dst, const void *src, size_t n)
{
	void *d = dst;

	__asm__ volatile("rep movsb" : "+D" (d), "+S" (src), "+c" (n)
			 :: "memory");
	return dst;
}

static void add_others(struct competitors *list)
{
	struct competitor *c;

	/* Of constant sizes alone, where the batch is compiled with them. */
	c = competitors_add(list, "inline", KIND_INLINE, NULL, NULL);
	snprintf(c->what, sizeof(c->what), "%s",
		 "memcpy of a constant size as the compiler expands it");
	c = competitors_add(list, "rep_movsb", KIND_CALL, copy_rep_movsb, NULL);
	snprintf(c->what, sizeof(c->what), "%s", "the bare instruction");
	for (size_t i = 0; i < rte_copy_count; i++) {
		const struct rte_copy *rte = &rte_copies[i];

		if (!rte_can_run(rte))
			continue;
		c = competitors_add(list, rte->name, rte->aligned ?
				    KIND_ALIGNED : KIND_CALL, rte->copy, NULL);
		snprintf(c->what, sizeof(c->what),
			 "rte_memcpy of the headers of %s, compiled with %s",
			 rte_version_text, rte->flags);
	}
}

/* NAME=FILE[:SYMBOL] */
static void add_peer(struct competitors *list, const char *text)
{
	char *copy = strdup(text), *file = strchr(copy, '='), *symbol;
	struct competitor *c;
	copy_fn *function, *move;
	void *library;

	if (!file || file == copy || !file[1])
		fail_usage("--peer '%s' is not NAME=FILE or NAME=FILE:SYMBOL",
			   text);
	*file++ = '\0';
	symbol = strrchr(file, ':');
	if (symbol)
		*symbol++ = '\0';
	library = load(file, 0);
	function = symbol_of(library, file, symbol ? symbol : "memcpy");
	move = symbol ? NULL : (copy_fn *)dlsym(library, "memmove");
	c = competitors_add(list, copy, KIND_CALL, function, move);
	snprintf(c->what, sizeof(c->what), "%s of %s",
		 symbol ? symbol : "memcpy", file);
	free(copy);
}

/* Every size with short paths of its own, and some with loops. */
static void check_copies(const struct competitor *c)
{
	enum { LARGEST = 20000, GUARD = 64 };
	static unsigned char src[LARGEST], dst[LARGEST + 2 * GUARD];

	competitor_bind(c, false);
	for (size_t i = 0; i < LARGEST; i++)
		src[i] = (unsigned char)(i * 7 + i / 251);
	for (size_t n = 0; n <= LARGEST; n += n < 600 ? 1 : 1213) {
		memset(dst, 0xee, sizeof(dst));
		bench_call(dst + GUARD, src, n);
		if (memcmp(dst + GUARD, src, n) || dst[GUARD - 1] != 0xee ||
		    dst[GUARD + n] != 0xee)
			fail("%s (%s) copies %zu bytes wrongly", c->name,
			     c->what, n);
	}
}

/* In a process of its own: what is no copy function may do anything. */
static void check(const struct competitor *c)
{
	pid_t child;
	int status;

	if (c->kind != KIND_CALL)
		return;
	child = fork();
	if (child < 0)
		fail("cannot start another process: %s", strerror(errno));
	if (!child) {
		check_copies(c);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		fail("the check of %s is gone: %s", c->name, strerror(errno));
	if (WIFSIGNALED(status))
		fail("%s (%s) ends its process: %s", c->name, c->what,
		     strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		exit(STATUS_FAILED);
}

static void complain_of_choice(const struct competitors *list,
			       const char *name)
{
	char allowed[COMPETITORS_MAX * 26] = "";

	for (size_t i = CONTROL + 1; i < list->count; i++) {
		strcat(allowed, " ");
		strcat(allowed, list->all[i].name);
	}
	fail_usage("no competitor '%s' on this machine; allowed:%s", name,
		   allowed);
}

static void choose(struct competitors *list, const char *names)
{
	bool wanted[COMPETITORS_MAX] = { [REFERENCE] = true, [CONTROL] = true };
	char *copy = strdup(names), *rest = copy, *name;
	size_t kept = 0;

	while ((name = strsep(&rest, ","))) {
		const struct competitor *c = competitors_by_name(list, name);

		if (!c)
			complain_of_choice(list, name);
		else
			wanted[c - list->all] = true;
	}
	for (size_t i = 0; i < list->count; i++)
		if (wanted[i])
			list->all[kept++] = list->all[i];
	list->count = kept;
	free(copy);
}

void competitors_find(struct competitors *list,
		      const struct bench_settings *settings)
{
	list->count = 0;
	add_libc(list);
	add_memroute(list, settings);
	add_kernels(list);
	add_others(list);
	for (size_t i = 0; i < settings->peer_count; i++)
		add_peer(list, settings->peers[i]);
	for (size_t i = 0; i < list->count; i++)
		check(&list->all[i]);
	if (settings->competitors)
		choose(list, settings->competitors);
}
