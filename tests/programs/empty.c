/* empty.c - a library that does nothing, with the segments of one that does:
 * what ld.so does for it, it does for every library. ALIGNMENT is that of the
 * data, in bytes.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <unistd.h>

const char text[] = "read-only data";
const char *const relocated[] = { text, text };
char data[ALIGNMENT] __attribute__((aligned(ALIGNMENT))) = "writable data";

pid_t call(void)
{
	return getpid();
}
