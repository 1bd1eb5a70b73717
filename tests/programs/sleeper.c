/* sleeper.c - says that it is up and waits for the end of its input.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char block[100];

	memcpy(block, argv[0], (size_t)argc);
	if (write(1, "up\n", 3) != 3)
		return 1;
	while (read(0, block, sizeof(block)) > 0)
		;
	return 0;
}
