/* deepbind.c - as a library: copies. As a program (-DPROGRAM): opens that
 * library with RTLD_DEEPBIND, says that it is up, waits for the end of input.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#ifdef PROGRAM
int main(int argc, char **argv)
{
	char byte;

	if (argc < 2 || !dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) ||
	    write(1, "up\n", 3) != 3)
		return 1;
	return read(0, &byte, 1) != 0;
}
#else
void *deep_copy(void *dst, const void *src, size_t n)
{
	return memmove(dst, src, n);
}
#endif
