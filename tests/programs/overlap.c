/* overlap.c - a memcpy of blocks that overlap, for a sanitizer to find.
 * Without an argument it copies nothing and exits with 3.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;
	char *block = calloc(100, 1);

	(void)argv;
	if (!block)
		return 1;
	if (argc > 1)
		copy(block + 1, block, 50);
	free(block);
	return 3;
}
