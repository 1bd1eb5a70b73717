/* heap.c - copy on the heap, rightly, or wrongly in the way of the mode.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	volatile size_t n = 100;
	char *from = calloc(n, 1), *to = malloc(n);

	from[n - 1] = 7;
	if (!strcmp(mode, "overlap"))
		memcpy(from + 1, from, n / 2);
	if (!strcmp(mode, "beyond"))
		memcpy(to, from, n + 1);
	memcpy(to, from, n);
	memmove(from, from + 1, n - 1);
	puts(to[n - 1] == 7 && from[n - 2] == 7 ? "right" : "wrong");
	free(from);
	if (!strcmp(mode, "freed"))
		memcpy(to, from, n);
	free(to);
	return 0;
}
