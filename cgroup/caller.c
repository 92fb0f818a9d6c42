// SPDX-License-Identifier: GPL-2.0-only
/*
 * caller.c - the task that a call was announced of
 *
 * A task is looked at by its folder in /proc, or by its number. The answers by number are
 * true if the announcement is valid afterwards: the task, which waits for its result, had the
 * number all the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/capability.h>

#include "caller.h"

/* The highest numbers of descriptors that are looked at for free ones */
#define LOOKED_AT	64

/* The rights that a program may use, in two halves */
struct rights {
	struct __user_cap_data_struct half[_LINUX_CAPABILITY_U32S_3];
};

/* The supervisor's own */
static struct {
	int proc;
	uid_t uid;
	gid_t gid;
	struct rights rights;
	struct stat user;
	struct stat net;
} own;

static bool read_rights(pid_t pid, struct rights *rights)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
		.pid = pid,
	};

	return !syscall(SYS_capget, &header, rights->half);
}

/**
 * caller_begin - learn the rights that callers must have
 *
 * Return: 0, or a negative error; -ENOENT: the folder /proc is that of other processes.
 */
int caller_begin(void)
{
	char self[16], number[16];
	ssize_t len;

	own.proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (own.proc < 0)
		return -errno;
	len = readlinkat(own.proc, "self", self, sizeof(self) - 1);
	snprintf(number, sizeof(number), "%d", getpid());
	if (len < 0)
		return -errno;
	self[len] = '\0';
	if (atoi(self) != getpid())
		return -ENOENT;
	own.uid = geteuid();
	own.gid = getegid();
	if (!read_rights(0, &own.rights) || fstatat(own.proc, "self/ns/user", &own.user, 0) ||
	    fstatat(own.proc, "self/ns/net", &own.net, 0))
		return -errno;
	return 0;
}

/**
 * caller_open - find a task
 * @caller: receives it
 * @pid: its number; 0: it has none here
 *
 * Return: whether it is there.
 */
bool caller_open(struct caller *caller, pid_t pid)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", pid);
	caller->pid = pid;
	caller->dir = pid ? openat(own.proc, number, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	return caller->dir >= 0;
}

/**
 * caller_close - forget a task
 * @caller: the task
 */
void caller_close(const struct caller *caller)
{
	close(caller->dir);
}

static bool is_same_file(const struct caller *caller, const char *name, const struct stat *file)
{
	struct stat theirs;

	return !fstatat(caller->dir, name, &theirs, 0) && theirs.st_ino == file->st_ino &&
	       theirs.st_dev == file->st_dev;
}

/**
 * caller_has_our_rights - are a task's rights those of this process?
 * @caller: the task
 *
 * Pipes and sockets of this process are made with its own rights, and count as its user's.
 *
 * Return: whether user, group, capabilities and user namespace are the same.
 */
bool caller_has_our_rights(const struct caller *caller)
{
	struct rights rights;
	struct stat folder;
	unsigned int i;

	/* The folder belongs to the effective user and group, whatever the program is. */
	if (fstat(caller->dir, &folder) || folder.st_uid != own.uid || folder.st_gid != own.gid)
		return false;
	if (!read_rights(caller->pid, &rights))
		return false;
	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		if (rights.half[i].effective != own.rights.half[i].effective)
			return false;
	return is_same_file(caller, "ns/user", &own.user);
}

/**
 * caller_has_our_network - is a task in the network namespace of this process?
 * @caller: the task
 *
 * Return: whether it is.
 */
bool caller_has_our_network(const struct caller *caller)
{
	return is_same_file(caller, "ns/net", &own.net);
}

static bool is_free(const struct caller *caller, unsigned int fd)
{
	char name[24], file[1];

	snprintf(name, sizeof(name), "fd/%u", fd);
	return readlinkat(caller->dir, name, file, sizeof(file)) < 0 && errno == ENOENT;
}

/**
 * caller_has_room - does a task have room for descriptors?
 * @caller: the task
 * @count: how many
 *
 * The highest numbers below the limit are looked at, which hardly any program uses. Another
 * thread may use them until they are needed here.
 *
 * Return: whether that many are free.
 */
bool caller_has_room(const struct caller *caller, unsigned int count)
{
	struct rlimit limit;
	unsigned int i;

	if (prlimit(caller->pid, RLIMIT_NOFILE, NULL, &limit))
		return false;
	if (limit.rlim_cur > INT_MAX)
		limit.rlim_cur = INT_MAX;
	for (i = 0; count && i < LOOKED_AT && i < limit.rlim_cur; i++)
		if (is_free(caller, limit.rlim_cur - 1 - i))
			count--;
	return !count;
}

/**
 * caller_peek - read memory of a task
 * @caller: the task
 * @address: where
 * @to: receives the bytes
 * @len: how many
 *
 * Return: whether all could be read.
 */
bool caller_peek(const struct caller *caller, uint64_t address, void *to, size_t len)
{
	struct iovec ours = { to, len }, theirs = { (void *)address, len };

	return process_vm_readv(caller->pid, &ours, 1, &theirs, 1, 0) == (ssize_t)len;
}

/**
 * caller_poke - write memory of a task
 * @caller: the task
 * @address: where
 * @from: the bytes
 * @len: how many
 *
 * The caller of this function has just seen that the task waits. It is the wrong task if,
 * until the next system call, it was killed and all other numbers were used up: the kernel
 * has no such call by descriptor that respects memory which the task may only read.
 *
 * Return: whether all could be written.
 */
bool caller_poke(const struct caller *caller, uint64_t address, const void *from, size_t len)
{
	struct iovec ours = { (void *)from, len }, theirs = { (void *)address, len };

	return process_vm_writev(caller->pid, &ours, 1, &theirs, 1, 0) == (ssize_t)len;
}
