// SPDX-License-Identifier: GPL-2.0-only
/* pipe_steps.c - making, reading and writing pipes */
#include "pipe_steps.h"
#include "child.h"
#include "data.h"
#include "descriptor_steps.h"
#include "epoll.h"
#include "line.h"
#include "room.h"
#include "sequence.h"
#include "signals.h"
#include "slots.h"
#include "splice_steps.h"
#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MANY	1025	/* parts of a vector: one more than there may be */

static const unsigned int sizes[] = {
	1, 1, 7, 100, 100, 512, 1000, 4095, 4096, 4096, 4096, 4097, 8192, 8192,
	12288, 20000, 32768, 61440, 65535, 65536, 65536, 65537, 70000, 131072, 0, 10,
};

static void play_pipe2(const struct step *s)
{
	static const int flags[] = {
		O_NONBLOCK, O_NONBLOCK, O_NONBLOCK, O_NONBLOCK | O_CLOEXEC, O_NONBLOCK,
		O_NONBLOCK | O_DIRECT, O_NONBLOCK, 0, O_CLOEXEC, O_DIRECT, O_NONBLOCK,
		O_NONBLOCK | O_APPEND, 0x40000000,
	};
	int fds[2] = { -1, -1 }, flag = PICK(flags, s->r[0]);
	unsigned int slot = s->number ? s->r[2] % PIPE_PAIRS * 2 : 0;
	bool bad = s->r[1] % 32 == 0;
	int ret;

	put(CALL, "pipe2(slots %u, %u, %#o)%s", slot, slot + 1, flag,
	    bad ? " at a bad address" : "");
	/* A child or a copy may have the pipe that the slots are of. */
	if (shared->pid != getpid()) {
		put(RESULT, "not made: by the parent only");
		return;
	}
	for (ret = 0; ret < SLOTS; ret++)
		if (slots[ret].fd >= 0 && slots[ret].object == slot)
			break;
	if (ret < SLOTS || child_is_there()) {
		put(RESULT, "not made: slots %u, %u are in use", slot, slot + 1);
		return;
	}
	ret = pipe2(bad ? (int *)16 : fds, flag);
	put_result(NULL, ret);
	if (ret)
		return;
	put(RESULT, " %d %d", fds[0] - first_fd, fds[1] - first_fd);
	shared->room[slot] = (struct room){};
	shared->async[slot] = 0;
	epoll_forget(slot);
	slot_fill(slot, fds[0], slot);
	slot_fill(slot + 1, fds[1], slot);
}

/*
 * A native pipe is left with an empty page by a write of a bad buffer, if it
 * took one for it (tests/diff/known: empty-page). That is read away at once,
 * which can be done where nothing else is in the pipe. The read signals writers
 * of a native pipe, and only the receiver of the signals can tell them from the
 * write's: that is the parent.
 */
static bool may_write_badly(unsigned int slot, size_t len)
{
	struct room room = *room_of(slot);
	unsigned int pages = room.pages;

	room_write(&room, len, false);
	if (pages && room.pages == pages)
		return true;
	if (!pages && slot_reader(slots[slot].object) >= 0 &&
	    (shared->pid == getpid() || !(shared->async[slots[slot].object] & ASYNC_WRITER)))
		return true;
	put(RESULT, "not made: empty-page");
	return false;
}

static bool is_writable(int flags)
{
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void wrote_badly(unsigned int slot)
{
	int reader = slot_reader(slots[slot].object);
	char byte;

	if (!is_writable(fcntl(slot_fd(slot), F_GETFL)) || reader < 0 ||
	    room_of(slot)->pages)
		return;
	signals_collect();
	put_result("left", read(reader, &byte, 1));
	signals_discard();
}

/* Tells whether a write is to be made; if not, the step's line gives the reason. */
static bool may_write(unsigned int slot, size_t len, bool bad)
{
	struct pollfd p = { .fd = slot_fd(slot), .events = POLLOUT };
	int flags = fcntl(p.fd, F_GETFL);
	struct room room = *room_of(slot);
	long native, streams;

	if (!is_writable(flags))
		return true;
	if (flags & O_DIRECT) {
		put(CONTEXT, " packet");
		room_packet(&room);
		/* The bytes become messages even if it fails. */
		if (!room_alike(&room)) {
			put(RESULT, "not made: room");
			return false;
		}
	}
	put_async(slot);
	if ((!quiet || !(flags & O_NONBLOCK)) && poll(&p, 1, 0) && p.revents & POLLERR) {
		put(CONTEXT, " noreader");
		return true;
	}
	if (bad) {
		put(CONTEXT, " bad");
		if (!may_write_badly(slot, len))
			return false;
	}
	if (flags & O_DIRECT && room_joins(&room, len)) {
		put(RESULT, "not made: joins");
		return false;
	}
	streams = room_write_streams(&room, len);
	native = room_write(&room, len, flags & O_DIRECT);
	if (!(flags & O_NONBLOCK) && (native < (long)len || streams < (long)len)) {
		put(RESULT, "not made: would sleep");
		return false;
	}
	if (native != streams || !room_alike(&room)) {
		put(RESULT, "not made: room");
		return false;
	}
	if (!bad && native < (long)len)
		put(CONTEXT, native ? " part" : " full");
	return true;
}

static void wrote(unsigned int slot, long ret)
{
	int error = errno, flags = fcntl(slot_fd(slot), F_GETFL);
	bool packet = flags >= 0 && flags & O_DIRECT;

	if (packet)
		room_packet(room_of(slot));
	if (ret > 0)
		room_write(room_of(slot), ret, packet);
	else if (ret < 0 && (error == EAGAIN || error == EFAULT))
		shared->refused.pipe[slots[slot].object] = true;
	errno = error;
}

static void play_write(const struct step *s)
{
	unsigned int slot = slot_end(s, 1);
	size_t len = PICK(sizes, s->r[0]);
	bool bad = s->r[1] % 24 == 0;
	long ret;

	put(CALL, "write(slot %u, %zu bytes%s)", slot, len, bad ? " at a bad address" : "");
	if (!may_write(slot, len, bad))
		return;
	data_fill(s, len);
	ret = write(slot_fd(slot), bad ? (void *)16 : data_out, len);
	wrote(slot, ret);
	put_result(NULL, ret);
	if (bad)
		wrote_badly(slot);
}

/* Makes a vector of several pieces; one of them may be bad, empty or too many. */
static int vector(const struct step *s, struct iovec *iov, char *data, size_t len)
{
	static const int counts[] = { 1, 2, 2, 3, 3, 0, 3, 2 };
	int n = s->r[2] % 32 == 0 ? MANY : PICK(counts, s->r[1]);

	data_vector(iov, n, data, len);
	if (s->r[2] % 32 == 1)
		iov[0].iov_base = (void *)16;
	if (s->r[2] % 64 == 2)
		iov[0].iov_len = -1;
	return n;
}

static size_t vector_length(const struct iovec *iov, int n)
{
	size_t len = 0;
	int i;

	for (i = 0; i < n && i < 3; i++)
		len += iov[i].iov_len;
	return len;
}

static void play_writev(const struct step *s)
{
	unsigned int slot = slot_end(s, 1);
	size_t len = PICK(sizes, s->r[0]);
	static struct iovec iov[MANY];
	int n = vector(s, iov, data_out, len);
	bool bad;
	long ret;

	put(CALL, "writev(slot %u, %zu bytes in %d, first %ld%s)", slot, len, n,
	    (long)iov[0].iov_len, iov[0].iov_base == data_out ? "" : " bad");
	bad = iov[0].iov_base != data_out;
	if (!may_write(slot, n > 3 ? 0 : vector_length(iov, n), bad))
		return;
	data_fill(s, len);
	ret = writev(slot_fd(slot), iov, n);
	wrote(slot, ret);
	put_result(NULL, ret);
	if (bad)
		wrote_badly(slot);
}

static bool may_read(unsigned int slot, size_t len, bool bad)
{
	int fd = slot_fd(slot), flags = fcntl(fd, F_GETFL);
	struct room room = *room_of(slot);
	bool full;

	if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY)
		return true;
	put_async(slot);
	if (len && would_sleep(fd, POLLIN))
		return false;
	full = room.pages == COUNT(room.page);
	room_read(&room, len);
	if (full && room.pages < COUNT(room.page))
		put(CONTEXT, " room");
	if (bad)
		put(CONTEXT, " bad");
	if (room_alike(&room))
		return true;
	put(RESULT, "not made: room");
	return false;
}

static void was_read(unsigned int slot, size_t len, long ret)
{
	if (ret > 0)
		room_read(room_of(slot), len);
}

static void play_read(const struct step *s)
{
	unsigned int slot = slot_end(s, 0);
	size_t len = PICK(sizes, s->r[0]);
	bool bad = s->r[1] % 24 == 0;
	long ret;

	put(CALL, "read(slot %u, %zu bytes%s)", slot, len, bad ? " at a bad address" : "");
	if (!may_read(slot, len, bad))
		return;
	ret = read(slot_fd(slot), bad ? (void *)16 : data_in, len);
	put_result(NULL, ret);
	was_read(slot, len, ret);
	put_data(data_in, ret);
}

static void play_readv(const struct step *s)
{
	unsigned int slot = slot_end(s, 0);
	size_t len = PICK(sizes, s->r[0]);
	static struct iovec iov[MANY];
	int n = vector(s, iov, data_in, len);
	long ret;

	put(CALL, "readv(slot %u, %zu bytes in %d, first %ld%s)", slot, len, n,
	    (long)iov[0].iov_len, iov[0].iov_base == data_in ? "" : " bad");
	if (!may_read(slot, n > 3 ? 0 : vector_length(iov, n), iov[0].iov_base != data_in))
		return;
	ret = readv(slot_fd(slot), iov, n);
	put_result(NULL, ret);
	was_read(slot, vector_length(iov, n), ret);
	put_data(data_in, ret);
}

static void play_preadv2(const struct step *s)
{
	static const int flags[] = { RWF_NOWAIT, RWF_HIPRI, RWF_SYNC, RWF_APPEND, 0x1000 };
	struct iovec iov = { data_in, PICK(sizes, s->r[0]) };
	int flag = PICK(flags, s->r[1]);
	unsigned int slot = slot_end(s, 0);
	long ret;

	put(CALL, "preadv2(slot %u, %zu bytes, %#x)", slot, iov.iov_len, flag);
	if (!may_read(slot, iov.iov_len, false))
		return;
	ret = preadv2(slot_fd(slot), &iov, 1, -1, flag);
	put_result(NULL, ret);
	was_read(slot, iov.iov_len, ret);
	put_data(data_in, ret);
}

/* A pipe is not a socket. */
static void play_socket_call(const struct step *s)
{
	struct iovec iov = { data_in, 10 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int fd = slot_fd(s->slot), value = 0;
	socklen_t len = sizeof(value);

	put(CALL, "socket call %u(slot %u)", s->r[0] % 6, s->slot);
	switch (s->r[0] % 6) {
	case 0:
		put_result("send", send(fd, data_out, 10, MSG_DONTWAIT));
		break;
	case 1:
		put_result("recvmsg", recvmsg(fd, &msg, MSG_DONTWAIT));
		break;
	case 2:
		put_result("getsockopt", getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &len));
		break;
	case 3:
		put_result("shutdown", shutdown(fd, SHUT_WR));
		break;
	case 4:
		put_result("getsockname", getsockname(fd, (void *)data_in, &len));
		break;
	default:
		put_result("listen", listen(fd, 1));
	}
}

const struct call pipe_calls[] = {
	{ "pipe2", 40, play_pipe2 },
	{ "write", 130, play_write },
	{ "writev", 60, play_writev },
	{ "read", 130, play_read },
	{ "readv", 60, play_readv },
	{ "preadv2", 10, play_preadv2 },
	{ "socketcall", 8, play_socket_call },
	{}
};

static const struct call *const calls[] = {
	pipe_calls, splice_calls, descriptor_calls, epoll_calls, NULL,
};

static const struct opening openings[] = { { "pipe2", 0 }, {} };

const struct kind pipe_kind = {
	.name = "pipe",
	.begin = room_begin,
	.calls = calls,
	.openings = openings,
	.slots = 2 * PIPE_PAIRS,
};
