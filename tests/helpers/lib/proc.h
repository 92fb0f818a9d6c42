/* SPDX-License-Identifier: GPL-2.0-only */
/* proc.h - numbers from files of the kernel */
#ifndef _PROC_H
#define _PROC_H

#include <stdio.h>

#include "streams-test.h"

/**
 * number_in() - the number in the first line of a file that has it
 * @path: the file
 * @format: of the line, for sscanf(), with one %ld
 */
static inline long number_in(const char *path, const char *format)
{
	FILE *f = fopen(path, "r");
	char line[200];
	long n = -1;

	TRUE(f);
	while (n < 0 && fgets(line, sizeof(line), f))
		sscanf(line, format, &n);
	fclose(f);
	TRUE(n >= 0);
	return n;
}

/* Returns the bytes of memory that neither a task nor a cache uses. */
static inline long memory_free(void)
{
	return number_in("/proc/meminfo", "MemFree: %ld") * 1024;
}

#endif /* _PROC_H */
