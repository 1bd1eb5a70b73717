/* closed.c - a program without stderr, whose next file gets that number.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int file = open("closed.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	return file != 2 || write(file, "mine\n", 5) != 5;
}
