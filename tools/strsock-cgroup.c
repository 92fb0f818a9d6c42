// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strsock-cgroup.c - find the program that puts the sockets of a cgroup on STREAMS
 *
 * That program has libbpf. This launcher is static, and has not.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "strsock-cgroup.h"

#ifndef PKGLIBEXECDIR
#error "PKGLIBEXECDIR is the directory of strsock-cgroup"
#endif

#define PROGRAM	"strsock-cgroup"

/**
 * cgroup_program - find the program
 *
 * A launcher in a build tree has that of the tree.
 *
 * Return: its path, or NULL.
 */
const char *cgroup_program(void)
{
	static char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - sizeof("/cgroup/" PROGRAM));
	char *slash;
	int i;

	for (i = 0; i < 2 && len > 0; i++) {	/* the file's name, and its directory's */
		path[len] = '\0';
		slash = strrchr(path, '/');
		len = slash ? slash - path : 0;
	}
	if (len > 0) {
		strcpy(path + len, "/cgroup/" PROGRAM);
		if (!access(path, X_OK))
			return path;
	}
	strcpy(path, PKGLIBEXECDIR "/" PROGRAM);
	return access(path, X_OK) ? NULL : path;
}
