// SPDX-License-Identifier: GPL-2.0-only
/* descriptor_steps.c - calls for any descriptor */
#include "descriptor_steps.h"
#include "child.h"
#include "data.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "step.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <termios.h>
#include <linux/fs.h>
#include <unistd.h>

static void put_new_fd(const struct step *s, int fd)
{
	put_result(NULL, fd < 0 ? fd : fd - first_fd);
	slot_fill(s->other, fd, slots[s->slot].object);
}

static void play_close(const struct step *s)
{
	put(CALL, "close(slot %u)", s->slot);
	put_result(NULL, close(slot_fd(s->slot)));
	slots[s->slot].fd = -1;
}

static void play_dup(const struct step *s)
{
	bool counted = s->r[0] % 2;

	put(CALL, counted ? "F_DUPFD(slot %u, 20) to slot %u" : "dup(slot %u) to slot %u",
	    s->slot, s->other);
	if (slot_taken(s->other))
		return;
	put_new_fd(s, counted ? fcntl(slot_fd(s->slot), F_DUPFD_CLOEXEC, first_fd + 20) :
			       dup(slot_fd(s->slot)));
}

/* Onto another slot's descriptor, which that closes; or onto itself. */
static void play_dup3(const struct step *s)
{
	static const int flags[] = { 0, 0, O_CLOEXEC, O_NONBLOCK };
	int to, flag = PICK(flags, s->r[0]);
	int other = s->r[1] % 8 ? s->other : s->slot;
	bool two = s->r[2] % 2;

	put(CALL, two ? "dup2(slot %u, slot %u)" : "dup3(slot %u, slot %u, %#x)",
	    s->slot, other, flag);
	to = slot_fd(other);
	if (to < 0)
		to = s->r[3] % 8 ? first_fd + 40 + other : -1;
	to = two ? dup2(slot_fd(s->slot), to) : dup3(slot_fd(s->slot), to, flag);
	put_result(NULL, to < 0 ? to : to - first_fd);
	slot_fill(other, to, slots[s->slot].object);
}

static void play_flags(const struct step *s)
{
	static const int flags[] = {
		O_NONBLOCK, O_NONBLOCK, O_NONBLOCK, O_NONBLOCK | O_ASYNC,
		O_NONBLOCK | O_ASYNC, O_NONBLOCK | O_DIRECT, O_NONBLOCK | O_APPEND, 0,
		O_NONBLOCK | O_ASYNC | O_DIRECT, O_NONBLOCK | O_NOATIME, 077777777,
	};
	int flag = PICK(flags, s->r[0]), fd = slot_fd(s->slot);

	if (s->r[1] % 3 == 0) {
		put(CALL, "F_GETFL(slot %u)", s->slot);
		put_result(NULL, fcntl(fd, F_GETFL));
		return;
	}
	/* SIGIO is for the parent, because its signals are collected. */
	if (flag & O_ASYNC && s->r[2] % 8)
		fcntl(fd, F_SETOWN, shared->pid);
	put(CALL, "F_SETFL(slot %u, %#o)", s->slot, flag);
	put_result(NULL, fcntl(fd, F_SETFL, flag));
	put_result("F_GETFL", fcntl(fd, F_GETFL));
	slot_async(s->slot);
}

static void play_owner(const struct step *s)
{
	int fd = slot_fd(s->slot);

	switch (s->r[0] % 6) {
	case 0:
		put(CALL, "F_SETOWN(slot %u)", s->slot);
		put_result(NULL, fcntl(fd, F_SETOWN, s->r[1] % 4 ? shared->pid : 0));
		break;
	case 1:
		put(CALL, "F_GETOWN(slot %u)", s->slot);
		put_result(NULL, fcntl(fd, F_GETOWN) == shared->pid);
		break;
	case 2:
		put(CALL, "F_GETSIG(slot %u)", s->slot);
		put_result(NULL, fcntl(fd, F_GETSIG));
		break;
	default:
		put(CALL, "F_SETSIG(slot %u, %u)", s->slot, s->r[1] % 5);
		put_result(NULL, fcntl(fd, F_SETSIG,
				       s->r[1] % 5 ? (int)(SIGRTMIN + s->r[1] % 5 - 1) : 0));
	}
}

static void play_fcntl(const struct step *s)
{
	static const struct {
		int command;
		long arg;
		const char *name;
	} all[] = {
		{ F_GETFD, 0, "F_GETFD" }, { F_SETFD, 1, "F_SETFD, 1" },
		{ F_SETFD, 0, "F_SETFD, 0" }, { F_SETLEASE, F_RDLCK, "F_SETLEASE" },
		{ F_GETLEASE, 0, "F_GETLEASE" }, { F_NOTIFY, DN_ACCESS, "F_NOTIFY" },
		{ F_ADD_SEALS, F_SEAL_WRITE, "F_ADD_SEALS" }, { F_GET_SEALS, 0, "F_GET_SEALS" },
		{ F_GETLK, 0, "F_GETLK, NULL" }, { F_DUPFD, -1, "F_DUPFD, -1" },
		{ 999, 0, "999" },
	};
	unsigned int i = s->r[0] % COUNT(all);

	put(CALL, "fcntl(slot %u, %s)", s->slot, all[i].name);
	put_result(NULL, fcntl(slot_fd(s->slot), all[i].command, all[i].arg));
}

static void play_ioctl(const struct step *s)
{
	static const struct {
		unsigned long command;
		const char *name;
	} all[] = {
		{ FIONREAD, "FIONREAD" }, { FIONREAD, "FIONREAD" }, { FIOASYNC, "FIOASYNC" },
		{ FIONBIO, "FIONBIO" }, { FIOQSIZE, "FIOQSIZE" }, { TCGETS, "TCGETS" },
		{ TIOCGWINSZ, "TIOCGWINSZ" }, { TIOCOUTQ, "TIOCOUTQ" },
		{ FIGETBSZ, "FIGETBSZ" }, { FS_IOC_GETFLAGS, "FS_IOC_GETFLAGS" },
		{ FIOCLEX, "FIOCLEX" }, { FIONCLEX, "FIONCLEX" },
		{ 0x12345678, "0x12345678" },
	};
	unsigned int i = s->r[0] % COUNT(all);
	bool bad = s->r[1] % 16 == 0;
	int value[16] = { all[i].command == FIONBIO ? s->r[2] % 4 != 0 : s->r[2] % 2 };

	put(CALL, "ioctl(slot %u, %s, %d%s)", s->slot, all[i].name, value[0],
	    bad ? " at a bad address" : "");
	put_result(NULL, ioctl(slot_fd(s->slot), all[i].command, bad ? (int *)16 : value));
	put(RESULT, " %d", value[0]);
	slot_async(s->slot);
}

/* Sizes, numbers and times of i-nodes are each one's own. */
static void play_fstat(const struct step *s)
{
	struct stat st;
	int ret = fstat(slot_fd(s->slot), &st);

	put(CALL, "fstat(slot %u)", s->slot);
	put_result(NULL, ret);
	if (!ret)
		put(RESULT, " mode %o links %lu owner %d size %ld block %ld blocks %ld",
		    st.st_mode, (long)st.st_nlink, st.st_uid == geteuid(),
		    (long)st.st_size, (long)st.st_blksize, (long)st.st_blocks);
}

/* Operations that neither pipes nor sockets support. */
static void play_not_for_it(const struct step *s)
{
	int fd = slot_fd(s->slot);
	void *map;

	switch (s->r[0] % 12) {
	case 0:
		put(CALL, "lseek(slot %u)", s->slot);
		put_result(NULL, lseek(fd, s->r[1] % 2, s->r[1] % 5));
		break;
	case 1:
		put(CALL, "ftruncate(slot %u)", s->slot);
		put_result(NULL, ftruncate(fd, s->r[1] % 2));
		break;
	case 2:
		put(CALL, "pread(slot %u)", s->slot);
		put_result(NULL, pread(fd, data_in, 10, 0));
		break;
	case 3:
		put(CALL, "pwrite(slot %u)", s->slot);
		put_result(NULL, pwrite(fd, data_out, 10, 0));
		break;
	case 4:
		put(CALL, "%s(slot %u)", s->r[1] % 2 ? "fsync" : "fdatasync", s->slot);
		put_result(NULL, s->r[1] % 2 ? fsync(fd) : fdatasync(fd));
		break;
	case 5:
		put(CALL, "fallocate(slot %u)", s->slot);
		put_result(NULL, fallocate(fd, 0, 0, 10));
		break;
	case 6:
		put(CALL, "posix_fadvise(slot %u)", s->slot);
		put_result(NULL, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
		break;
	case 7:
		put(CALL, "mmap(slot %u)", s->slot);
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		put_result(NULL, map == MAP_FAILED ? -1 : 0);
		break;
	case 8:
		put(CALL, "getdents(slot %u)", s->slot);
		put_result(NULL, getdents64(fd, data_in, 100));
		break;
	case 9:
		put(CALL, "fchdir(slot %u)", s->slot);
		put_result(NULL, fchdir(fd));
		break;
	case 10:
		put(CALL, "sync_file_range(slot %u)", s->slot);
		put_result(NULL, sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
		break;
	default:
		put(CALL, "flock(slot %u)", s->slot);
		put_result(NULL, flock(fd, LOCK_SH | LOCK_NB));
		put_result("unlock", flock(fd, LOCK_UN));
	}
}

static void play_reopen(const struct step *s)
{
	static const int flags[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_RDONLY | O_CLOEXEC, O_WRONLY | O_DIRECT,
		O_WRONLY | O_APPEND, O_RDONLY | O_TRUNC, O_RDONLY | O_DIRECTORY, O_PATH,
	};
	int fd, flag = PICK(flags, s->r[0]) | O_NONBLOCK;
	char path[40];

	put(CALL, "open(/proc/self/fd/ of slot %u, %#o) to slot %u", s->slot, flag, s->other);
	if (slot_taken(s->other))
		return;
	put_async(s->slot);
	sprintf(path, "/proc/self/fd/%d", slot_fd(s->slot));
	fd = open(path, flag);
	/* The others fail before they reach the pipe. */
	if (fd < 0 && errno == EINVAL)
		shared->opened.pipe[slots[s->slot].object] = true;
	put_new_fd(s, fd);
}

static void play_fork(const struct step *s)
{
	put(CALL, "fork()");
	if (s->child || child_is_there()) {
		put(RESULT, "not made: there is a child");
		return;
	}
	child_start();
	put_result(NULL, 0);
}

static void play_wait(const struct step *s)
{
	put(CALL, "the child ends");
	if (s->child) {
		put(RESULT, "not made: this is it");
		return;
	}
	put_result(NULL, child_is_there());
	child_end();
}

const struct call descriptor_calls[] = {
	{ "close", 16, play_close },
	{ "dup", 30, play_dup },
	{ "dup3", 12, play_dup3 },
	{ "flags", 50, play_flags },
	{ "owner", 15, play_owner },
	{ "fcntl", 15, play_fcntl },
	{ "ioctl", 30, play_ioctl },
	{ "fstat", 10, play_fstat },
	{ "notforit", 20, play_not_for_it },
	{ "reopen", 30, play_reopen },
	{ "fork", 12, play_fork },
	{ "wait", 12, play_wait },
	{}
};
