/* SPDX-License-Identifier: GPL-2.0-only */
/* streams-open.h - how many streams there are, for tests that look for leaks */
#ifndef STREAMS_OPEN_H
#define STREAMS_OPEN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "waits.h"

/* Returns the lines of /proc/streams/open, those of other processes too. */
__attribute__((unused))
static long streams_open(void)
{
	FILE *file = fopen("/proc/streams/open", "r");
	long lines = 0;
	int c;

	if (!file) {
		perror("/proc/streams/open");
		exit(1);
	}
	while ((c = getc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	return lines;
}

/*
 * Returns whether the number of streams falls to that in time: files are closed
 * a little later.
 */
__attribute__((unused))
static bool streams_open_falls_to(long wanted)
{
	UNTIL(streams_open() <= wanted);
	return true;
}

#endif /* STREAMS_OPEN_H */
