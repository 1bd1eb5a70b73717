/* preload.c - lists in the environment: LD_PRELOAD and MEMROUTE.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/kernels.h"
#include "preload.h"

#define PRELOAD_SEPARATORS " :"
#define LIBRARY_NAME "libmemroute.so"

/* The list with another item at its end; list is freed. */
static char *append(char *list, const char *item, size_t n, char separator)
{
	char *longer;

	if (asprintf(&longer, "%s%.*s%.*s", list, *list ? 1 : 0, &separator,
		     (int)n, item) < 0)
		abort();
	free(list);
	return longer;
}

static char *empty(void)
{
	char *list = strdup("");

	if (!list)
		abort();
	return list;
}

/* The next item of *list, which moves behind it; its length is *n. NULL at
 * the end. */
static const char *next_item(const char **list, const char *separators,
			     size_t *n)
{
	const char *item = *list + strspn(*list, separators);

	*n = strcspn(item, separators);
	*list = item + *n;
	return *n ? item : NULL;
}

static bool item_is(const char *item, size_t n, const char *word)
{
	return strlen(word) == n && strncmp(item, word, n) == 0;
}

static bool has_item(const char *list, const char *separators,
		     const char *word)
{
	const char *item;
	size_t n;

	while (list && (item = next_item(&list, separators, &n)))
		if (item_is(item, n, word))
			return true;
	return false;
}

bool preload_can_hold(const char *path)
{
	return !strpbrk(path, PRELOAD_SEPARATORS);
}

char *preload_add(const char *list, const char *library, const char *first)
{
	char *result = empty();
	const char *item, *rest = list;
	size_t n;

	if (first)
		result = append(result, first, strlen(first), ':');
	while (rest && (item = next_item(&rest, PRELOAD_SEPARATORS, &n)))
		if (!first || !item_is(item, n, first))
			result = append(result, item, n, ':');
	if (!has_item(list, PRELOAD_SEPARATORS, library))
		result = append(result, library, strlen(library), ':');
	return result;
}

static bool is_memroute(const char *item, size_t n)
{
	size_t name = sizeof(LIBRARY_NAME) - 1;

	return n >= name && item_is(item + n - name, name, LIBRARY_NAME) &&
	       (n == name || item[n - name - 1] == '/');
}

char *preload_without_memroute(const char *list)
{
	char *result = empty();
	const char *item;
	size_t n;

	while (list && (item = next_item(&list, PRELOAD_SEPARATORS, &n)))
		if (!is_memroute(item, n))
			result = append(result, item, n, ':');
	return result;
}

static bool is_kernel(const char *item, size_t n)
{
	if (item_is(item, n, "auto") || item_is(item, n, "libc"))
		return true;
	for (size_t i = 0; i < memroute_kernel_count; i++)
		if (item_is(item, n, memroute_kernels[i].name))
			return true;
	return false;
}

char *memroute_with(const char *value, const char *kernel, bool verbose)
{
	char *result = empty();
	const char *item, *rest = value;
	size_t n;

	if (kernel)
		result = append(result, kernel, strlen(kernel), ',');
	while (rest && (item = next_item(&rest, ",", &n)))
		if (!kernel || !is_kernel(item, n))
			result = append(result, item, n, ',');
	if (verbose && !has_item(value, ",", "verbose"))
		result = append(result, "verbose", strlen("verbose"), ',');
	return result;
}
