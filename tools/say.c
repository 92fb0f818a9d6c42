// SPDX-License-Identifier: LGPL-2.1-or-later
/* say.c - messages of strsock, and of the program that it executes */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "say.h"

/**
 * say - write a line to standard error, after the name of strsock
 * @format: as for printf()
 */
void say(const char *format, ...)
{
	va_list args;
	char line[2 * PATH_MAX];

	/*
	 * The line is written by one call, so that it stays whole beside the output of other
	 * processes.
	 */
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "strsock: %s\n", line);
}
