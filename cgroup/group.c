// SPDX-License-Identifier: GPL-2.0-only
/* group.c - cgroups of the second version, by their folders */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "group.h"

static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

static bool is_group(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

/* Returns where the hierarchy is mounted, or NULL. */
static const char *group_root(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (is_group(roots[i]))
			return roots[i];
	return NULL;
}

/**
 * group_own - find the cgroup of the calling process
 * @path: receives its folder
 * @size: of path
 *
 * Return: 0, or a negative error; -ENOENT: it has none.
 */
int group_own(char *path, unsigned int size)
{
	const char *root = group_root();
	char *line = NULL, *end;
	int err = -ENOENT;
	size_t room = 0;
	FILE *file;

	if (!root)
		return -ENOENT;
	file = fopen("/proc/self/cgroup", "re");
	if (!file)
		return -errno;
	while (err && getline(&line, &room, file) > 0) {
		if (strncmp(line, "0::", 3))
			continue;
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if ((unsigned int)snprintf(path, size, "%s%s", root,
					   strcmp(line + 3, "/") ? line + 3 : "") < size)
			err = 0;
	}
	free(line);
	fclose(file);
	return err;
}

/* The handle of a cgroup, which is its number */
union group_handle {
	struct file_handle handle;
	char room[sizeof(struct file_handle) + sizeof(uint64_t)];
};

#define HANDLE_TYPE	0xfe	/* FILEID_KERNFS */

/**
 * group_id - find the number by which the kernel knows a cgroup
 * @path: its folder
 * @id: receives the number
 *
 * Return: 0, or a negative error; -ENOTDIR: it is not a cgroup of the second version.
 */
int group_id(const char *path, uint64_t *id)
{
	union group_handle u = { .handle.handle_bytes = sizeof(*id) };
	int mount;

	if (access(path, F_OK))
		return -errno;
	if (!is_group(path))
		return -ENOTDIR;
	if (name_to_handle_at(AT_FDCWD, path, &u.handle, &mount, 0))
		return -errno;
	memcpy(id, u.handle.f_handle, sizeof(*id));
	return 0;
}

/**
 * group_exists - look for a cgroup
 * @id: its number
 *
 * Return: whether there is one; also true where that cannot be known.
 */
bool group_exists(uint64_t id)
{
	union group_handle u = { .handle = {
		.handle_bytes = sizeof(id), .handle_type = HANDLE_TYPE,
	} };
	const char *path = group_root();
	bool exists = true;
	int root, fd;

	root = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (root < 0)
		return true;
	memcpy(u.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(root, &u.handle, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		exists = errno != ESTALE && errno != ENOENT;
	else
		close(fd);
	close(root);
	return exists;
}

/* Opens a file of a cgroup. */
static int open_file(const char *path, const char *name, int flags)
{
	char file[PATH_MAX];
	int fd;

	snprintf(file, sizeof(file), "%s/%s", path, name);
	fd = open(file, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * group_join - move the calling process into a cgroup
 * @path: its folder
 *
 * Return: 0, or a negative error.
 */
int group_join(const char *path)
{
	int fd = open_file(path, "cgroup.procs", O_WRONLY), err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, "0", 1) != 1)
		err = -errno;
	close(fd);
	return err;
}

/**
 * group_wait_empty - wait until a cgroup has no process
 * @path: its folder
 *
 * Return: 0, or a negative error.
 */
int group_wait_empty(const char *path)
{
	int fd = open_file(path, "cgroup.events", O_RDONLY);
	struct pollfd event = { .fd = fd, .events = POLLPRI };
	char text[128];
	ssize_t n;

	if (fd < 0)
		return fd;
	for (;;) {
		n = pread(fd, text, sizeof(text) - 1, 0);
		if (n < 0) {
			close(fd);
			return -errno;
		}
		text[n] = '\0';
		if (strstr(text, "populated 0"))
			break;
		poll(&event, 1, -1);
	}
	close(fd);
	return 0;
}
