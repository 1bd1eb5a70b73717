/* overflow.c - copy one element more than the object has room for, through
 * the checking function of that number.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <wchar.h>

void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);
wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);
wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t r);

int main(int argc, char **argv)
{
	static wchar_t to[64], from[64];
	int number = argc > 1 ? atoi(argv[1]) : -1;

	switch (number) {
	case 0: __memcpy_chk(to, from, 33, 32); break;
	case 1: __memmove_chk(to, from, 33, 32); break;
	case 2: __mempcpy_chk(to, from, 33, 32); break;
	case 3: __wmemcpy_chk(to, from, 9, 8); break;
	case 4: __wmemmove_chk(to, from, 9, 8); break;
	case 5: __wmempcpy_chk(to, from, 9, 8); break;
	}
	return 0;
}
