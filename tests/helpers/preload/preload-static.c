// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-static.c - a statically linked program: counts the bytes it reads
 *
 * No preload reaches it, so its standard input shows that descriptors made
 * under the preload are real.
 */
#include <stdio.h>

int main(void)
{
	char buf[4096];
	unsigned long sum = 0;
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), stdin)))
		sum += n;
	printf("%lu bytes\n", sum);
	return ferror(stdin) ? 1 : 0;
}
