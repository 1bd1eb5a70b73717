/* overflow.c - calls __memcpy_chk with more than there is room for. The
 * function is looked up, since not every libc has it to link with.
 * SPDX-License-Identifier: BSD-3-Clause */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef void *checked_fn(void *dst, const void *src, size_t n, size_t room);

int main(void)
{
	checked_fn *checked;
	char to[16], from[16] = "";

	*(void **)&checked = dlsym(RTLD_DEFAULT, "__memcpy_chk");
	if (!checked)
		return 2;
	if (checked(to, from, sizeof(to), sizeof(to)) != to)
		return 3;
	checked(to, from, sizeof(to), sizeof(to) - 1);
	return 0;
}
