// SPDX-License-Identifier: LGPL-2.1-or-later
/* strsock-beside.c - files of the build tree that the launcher lies in */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "strsock-beside.h"

/**
 * beside - find a file of the build tree that this program lies in, if it lies in one
 * @path: receives the file's path
 * @size: of path
 * @file: from the tree's root
 *
 * Return: whether there is such a file, and it can be read.
 */
bool beside(char *path, size_t size, const char *file)
{
	char exe[PATH_MAX];
	ssize_t len;
	char *slash;
	int i, n;

	len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (len <= 0)
		return false;
	exe[len] = '\0';
	for (i = 0; i < 2; i++) {	/* the file's name, and its directory's */
		slash = strrchr(exe, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	n = snprintf(path, size, "%s/%s", exe, file);
	return n > 0 && (size_t)n < size && !access(path, R_OK);
}
