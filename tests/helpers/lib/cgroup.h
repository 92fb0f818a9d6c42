/* SPDX-License-Identifier: GPL-2.0-only */
/* cgroup.h - what a memory cgroup is charged */
#ifndef _CGROUP_H
#define _CGROUP_H

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline void cgroup_write(const char *dir, const char *name, const char *text)
{
	char path[200];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(1, "%s", path);
	close(fd);
}

/* Returns the bytes of sockets' buffers that are charged to a cgroup. */
static inline long cgroup_socket_bytes(const char *dir)
{
	char path[200], line[200];
	long bytes = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.stat", dir);
	f = fopen(path, "r");
	if (!f)
		err(1, "%s", path);
	while (bytes < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "sock %ld", &bytes);
	fclose(f);
	return bytes;
}

#endif /* _CGROUP_H */
