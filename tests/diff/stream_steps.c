// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream_steps.c - sending and receiving on connections
 *
 * TCP does not promise when a byte that fills a buffer or a window arrives: at most
 * UNREAD bytes wait in a direction, which fit into each.
 */
#include "stream_steps.h"
#include "data.h"
#include "fail.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "socket_steps.h"
#include "step.h"
#include "../helpers/lib/waits.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define UNREAD		20000
#define UNSEEN		100	/* bytes of a message, when its receiver is not looked at */
#define FILE_SIZE	32768
#define ROOM_MAX	40000

#ifndef SO_PEEK_OFF
#define SO_PEEK_OFF	42
#endif

static const unsigned int sizes[] = {
	0, 1, 1, 10, 10, 50, 100, 300, 500, 1000, 1448, 2000, 4000, 4096, 5000, 8192, 16000,
};

static const unsigned int rooms[] = {
	0, 1, 5, 10, 100, 300, 1000, 2000, 4096, 8192, 20000, ROOM_MAX,
};

static const int send_flags[] = {
	0, 0, 0, 0, MSG_NOSIGNAL, MSG_DONTWAIT, MSG_CONFIRM, MSG_DONTROUTE, MSG_EOR,
	MSG_ZEROCOPY, MSG_OOB, MSG_NOSIGNAL | MSG_OOB,
};

static const int receive_flags[] = {
	0, 0, 0, MSG_DONTWAIT, MSG_DONTWAIT, MSG_PEEK, MSG_PEEK, MSG_TRUNC, MSG_TRUNC | MSG_PEEK,
	MSG_WAITALL, MSG_WAITALL | MSG_PEEK, MSG_OOB, MSG_OOB | MSG_PEEK, MSG_ERRQUEUE,
	MSG_NOSIGNAL,
};

/* A call with SO_PEEK_OFF, or for all that was asked, waits though something is there. */
static bool may_receive(unsigned int slot, int *flags)
{
	if (*flags & (MSG_PEEK | MSG_WAITALL))
		*flags |= MSG_DONTWAIT;
	return *flags & (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB) ||
	       !would_sleep(slot_fd(slot), POLLIN);
}

/* Returns whether a slot may send urgent data (tests/diff/known: urgent-twice). */
static bool may_send_urgent(unsigned int slot, int flags)
{
	bool *urgent = &shared->urgent[slots[slot].object];

	if (!(flags & MSG_OOB))
		return true;
	if (*urgent) {
		put(RESULT, "not made: urgent-twice");
		return false;
	}
	*urgent = true;
	return true;
}

/* Returns a slot with the other end of a connection, or SLOTS. */
static unsigned int slot_peer(unsigned int slot)
{
	unsigned int peer = slots[slot].object ^ 1, i;

	for (i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 && slots[i].object == peer)
			break;
	return i;
}

/* Returns whether bytes sent by a slot would fit. */
static bool may_send(unsigned int slot, size_t len)
{
	unsigned int i = slot_peer(slot);
	int unread = 0;

	if (i < SLOTS ? !ioctl(slots[i].fd, FIONREAD, &unread) && unread < UNREAD :
			len <= UNSEEN)
		return true;
	put(RESULT, "not made: no room");
	return false;
}

static void play_send(const struct step *s)
{
	size_t len = PICK(sizes, s->r[3]);
	int flags = PICK(send_flags, s->r[2]);
	void *data = s->r[4] % 32 ? data_out : (void *)16;

	data_fill(s, len);
	put(CALL, "send(slot %u, %zu bytes%s, %#x)", s->slot, len,
	    data == data_out ? "" : " at a bad address", flags);
	if (may_send(s->slot, len) && may_send_urgent(s->slot, flags))
		put_result(NULL, send(slot_fd(s->slot), data, len, flags));
}

static void play_write(const struct step *s)
{
	write_parts(s, PICK(sizes, s->r[3]), may_send);
}

static void play_sendmsg(const struct step *s)
{
	int flags = PICK(send_flags, s->r[2]);
	size_t len = PICK(sizes, s->r[3]);
	struct iovec iov[3];
	struct msghdr msg = {
		.msg_iov = iov, .msg_iovlen = data_vector(iov, s->r[5] % 3 + 1, data_out, len),
	};
	bool bad = msg.msg_iovlen > 1 && s->r[6] % 8 == 0;

	data_fill(s, len);
	put(CALL, "sendmsg(slot %u, %zu bytes in %zu%s, %#x)", s->slot, len, msg.msg_iovlen,
	    bad ? ", the second bad" : "", flags);
	if (bad && iov[0].iov_len) {
		put(RESULT, "not made: bad-part");
		return;
	}
	if (bad)
		iov[1].iov_base = (void *)16;
	if (may_send(s->slot, len) && may_send_urgent(s->slot, flags))
		put_result(NULL, sendmsg(slot_fd(s->slot), &msg, flags));
}

static void play_receive(const struct step *s)
{
	size_t len = PICK(rooms, s->r[0]);
	int flags = PICK(receive_flags, s->r[1]);
	void *data = s->r[2] % 32 ? data_in : (void *)16;
	bool dropped = flags & MSG_TRUNC;
	long ret;

	put(CALL, "recv(slot %u, %zu bytes%s, %#x)", s->slot, len,
	    data == data_in ? "" : " at a bad address", flags);
	put(CONTEXT, flags & MSG_PEEK ? " peek" : "");
	if (!may_receive(s->slot, &flags))
		return;
	ret = recv(slot_fd(s->slot), data, len, flags);
	put_result(NULL, ret);
	if (ret >= 0 && data == data_in && !dropped)
		put_data(data_in, least(ret, len));
}

static void play_read(const struct step *s)
{
	read_room(s, PICK(rooms, s->r[0]));
}

static void play_recvmsg(const struct step *s)
{
	size_t len = PICK(rooms, s->r[0]);
	int flags = PICK(receive_flags, s->r[1]);
	char control[128] __attribute__((__aligned__(8)));
	struct sockaddr_storage name;
	struct iovec iov[3];
	struct msghdr msg = {
		.msg_iov = iov, .msg_iovlen = data_vector(iov, s->r[5] % 3 + 1, data_in, len),
		.msg_name = &name, .msg_namelen = sizeof(name),
		.msg_control = control, .msg_controllen = s->r[3] % 2 ? sizeof(control) : 0,
	};
	const struct cmsghdr *cmsg;
	bool dropped = flags & MSG_TRUNC;
	long ret;

	put(CALL, "recvmsg(slot %u, %zu bytes in %zu, control %zu, %#x)", s->slot, len,
	    msg.msg_iovlen, msg.msg_controllen, flags);
	put(CONTEXT, flags & MSG_PEEK ? " peek" : "");
	if (!may_receive(s->slot, &flags))
		return;
	ret = recvmsg(slot_fd(s->slot), &msg, flags);
	put_result(NULL, ret);
	if (ret < 0)
		return;
	if (!dropped)
		put_data(data_in, least(ret, len));
	put(RESULT, " flags %#x name %u", msg.msg_flags, msg.msg_namelen);
	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg; cmsg = CMSG_NXTHDR(&msg, (struct cmsghdr *)cmsg))
		put(RESULT, " control %d %d", cmsg->cmsg_level, cmsg->cmsg_type);
}

/* Returns the value of an option that is a number, or 0. */
static int option_of(int fd, int level, int name)
{
	socklen_t len = sizeof(int);
	int value = 0;

	getsockopt(fd, level, name, &value, &len);
	return value;
}

/* On STREAMS a call may peek at less than it reads, but at the same bytes. */
static void play_peek_and_read(const struct step *s)
{
	static char peeked[ROOM_MAX];
	size_t len = PICK(rooms, s->r[0]);
	int fd = slot_fd(s->slot);
	long seen, ret;

	put(CALL, "recv(slot %u, %zu bytes) after a look", s->slot, len);
	if (option_of(fd, SOL_SOCKET, SO_PEEK_OFF) > 0) {
		put(RESULT, "not made: looks elsewhere");
		return;
	}
	if (would_sleep(fd, POLLIN))
		return;
	seen = recv(fd, peeked, len, MSG_PEEK | MSG_DONTWAIT);
	ret = recv(fd, data_in, len, MSG_DONTWAIT);
	put_result(NULL, ret);
	if (ret <= 0)
		return;
	put_data(data_in, ret);
	put(RESULT, seen <= 0 ? " unseen" :
	    memcmp(peeked, data_in, least(seen, ret)) ? " not as seen" : " as seen");
}

/* A receiver that waits in a thread of its own, and what its call returned */
struct receiver {
	int fd;
	size_t room;
	long ret;
	int error;
	atomic_int tid;
	atomic_bool done;
};

static void *receive_waiting(void *arg)
{
	struct receiver *r = arg;

	r->tid = syscall(SYS_gettid);
	r->ret = recv(r->fd, data_in, r->room, 0);
	r->error = errno;
	r->done = true;
	return NULL;
}

/* Returns whether a receiver waits until its peer has sent a byte, which it may at once. */
static bool may_await(int fd, int peer)
{
	struct pollfd p[2] = {
		{ .fd = fd, .events = POLLIN | POLLRDHUP }, { .fd = peer, .events = POLLOUT },
	};
	struct timeval timeout = {};
	socklen_t len = sizeof(timeout);

	if (peer < 0 || poll(p, 2, 0) != 1 || p[1].revents != POLLOUT)
		return false;
	getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, &len);
	return !timeout.tv_sec && !timeout.tv_usec &&
	       option_of(fd, SOL_SOCKET, SO_RCVLOWAT) == 1 &&
	       !option_of(peer, IPPROTO_TCP, TCP_CORK);
}

/* A receiver that is not woken hangs, which the limit of the sequence finds. */
static void play_await(const struct step *s)
{
	struct receiver r = { .fd = slot_fd(s->slot), .room = 1 + s->r[1] % (2 * UNSEEN) };
	unsigned int from = slot_peer(s->slot);
	size_t len = 1 + s->r[0] % UNSEEN;
	pthread_t thread;
	long sent;

	put(CALL, "recv(slot %u, %zu bytes) waits for %zu bytes of its peer", s->slot, r.room, len);
	if (from == SLOTS || !may_await(r.fd, slots[from].fd)) {
		put(RESULT, "not made: no wait");
		return;
	}
	data_fill(s, len);
	if (pthread_create(&thread, NULL, receive_waiting, &r))
		broken("thread");
	while (!r.done && !(r.tid && thread_sleeps(r.tid)))
		usleep(100);
	sent = send(slots[from].fd, data_out, len, MSG_NOSIGNAL);
	put_result("sent", sent);
	if (sent < 0)
		pthread_cancel(thread);
	pthread_join(thread, NULL);
	if (!r.done)
		return;
	errno = r.error;
	put(RESULT, " received ");
	put_result(NULL, r.ret);
	if (r.ret > 0)
		put_data(data_in, r.ret);
}

/* A native pipe, which is empty between steps, and a file of the same bytes in all. */
static int through[2] = { -1, -1 }, file;

static void others(void)
{
	size_t i;

	if (through[0] >= 0)
		return;
	if (syscall(SYS_pipe2, through, O_NONBLOCK))
		broken("native pipe");
	through[0] = fd_away(through[0]);
	through[1] = fd_away(through[1]);
	file = fd_away(memfd_create("file", 0));
	for (i = 0; i < FILE_SIZE; i++)
		data_in[i] = i * 7 + (i >> 8);
	if (write(file, data_in, FILE_SIZE) != FILE_SIZE)
		broken("file");
}

static void play_splice_from(const struct step *s)
{
	size_t len = PICK(sizes, s->r[0]);
	long ret;

	others();
	put(CALL, "splice(%zu bytes of slot %u)", len, s->slot);
	if (would_sleep(slot_fd(s->slot), POLLIN))
		return;
	ret = splice(slot_fd(s->slot), NULL, through[1], NULL, len, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	if (ret <= 0)
		return;
	ret = read(through[0], data_in, DATA_MAX);
	put_result("read", ret);
	put_data(data_in, ret);
}

static void play_splice_to(const struct step *s)
{
	size_t len = least(PICK(sizes, s->r[0]), 16000);
	long ret;

	others();
	put(CALL, "splice(%zu bytes to slot %u)", len, s->slot);
	if (!may_send(s->slot, len))
		return;
	data_fill(s, len);
	if (len && write(through[1], data_out, len) != (ssize_t)len)
		broken("native write");
	ret = splice(through[0], NULL, slot_fd(s->slot), NULL, len, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	put_result("left", len ? read(through[0], data_in, DATA_MAX) : 0);
}

static void play_sendfile(const struct step *s)
{
	size_t len = PICK(sizes, s->r[0]);
	off_t at = s->r[1] % 4 * 5000;

	others();
	put(CALL, "sendfile(%zu bytes at %ld to slot %u)", len, (long)at, s->slot);
	if (may_send(s->slot, len))
		put_result(NULL, sendfile(slot_fd(s->slot), file, &at, len));
}

const struct call stream_calls[] = {
	{ "send", 120, play_send },
	{ "write", 60, play_write },
	{ "sendmsg", 50, play_sendmsg },
	{ "receive", 100, play_receive },
	{ "read", 60, play_read },
	{ "recvmsg", 60, play_recvmsg },
	{ "peekandread", 30, play_peek_and_read },
	{ "await", 30, play_await },
	{ "splicefrom", 20, play_splice_from },
	{ "spliceto", 20, play_splice_to },
	{ "sendfile", 20, play_sendfile },
	{}
};
