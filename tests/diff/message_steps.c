// SPDX-License-Identifier: GPL-2.0-only
/* message_steps.c - sending and receiving datagrams */
#include "message_steps.h"
#include "addresses.h"
#include "control.h"
#include "data.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "socket_steps.h"
#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/udp.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define HEADERS		42	/* of Ethernet, IP and UDP */
#define HEADERS6	62	/* of Ethernet, IPv6 and UDP */

/* Large ones take long, and are rare. */
static const unsigned int sizes[] = {
	0, 1, 1, 10, 10, 50, 100, 100, 300, 500, 1000, 1000, 1472, 1473, 2000, 4000,
	1, 10, 100, 200, 300, 400, 600, 800, 1200, 8000, 20000, 65507, 65508, 70000,
};

static const unsigned int rooms[] = {
	0, 1, 9, 10, 100, 300, 1000, 2000, 2000, 2000, 4000, 10000, 66000, 66000,
};

static const int send_flags[] = {
	0, 0, 0, 0, MSG_NOSIGNAL, MSG_DONTWAIT, MSG_DONTWAIT, MSG_CONFIRM, MSG_DONTROUTE,
	MSG_MORE, MSG_EOR, MSG_FASTOPEN, MSG_RST, MSG_ZEROCOPY,
};

static const int receive_flags[] = {
	0, 0, 0, MSG_DONTWAIT, MSG_DONTWAIT, MSG_PEEK, MSG_PEEK, MSG_TRUNC, MSG_TRUNC | MSG_PEEK,
	MSG_WAITALL, MSG_ERRQUEUE, MSG_ERRQUEUE, MSG_ERRQUEUE | MSG_PEEK, MSG_CMSG_CLOEXEC,
	MSG_NOSIGNAL, MSG_WAITFORONE,
};

/* MSG_PEEK with SO_PEEK_OFF waits though something is there. */
static bool may_receive(unsigned int slot, int *flags)
{
	if (*flags & MSG_PEEK)
		*flags |= MSG_DONTWAIT;
	return *flags & (MSG_DONTWAIT | MSG_ERRQUEUE) || !would_sleep(slot_fd(slot), POLLIN);
}

/*
 * After a datagram was corked with addresses, a native connected socket sends
 * the next ones to and from these addresses (tests/diff/known: cork-address).
 */
static bool corked_elsewhere(unsigned int slot, int flags)
{
	int fd = slot_fd(slot), cork = 0;
	struct address peer;
	socklen_t peer_len = sizeof(peer.bytes), len = sizeof(cork);

	if (getpeername(fd, &peer.any, &peer_len))
		return false;
	getsockopt(fd, IPPROTO_UDP, UDP_CORK, &cork, &len);
	if (!cork && !(flags & MSG_MORE))
		return false;
	put(RESULT, "not made: cork-address");
	return true;
}

static void play_send(const struct step *s)
{
	size_t len = PICK(sizes, s->r[3]);
	int fd = slot_fd(s->slot), flags = PICK(send_flags, s->r[2]);
	void *data = s->r[4] % 32 ? data_out : (void *)16;
	struct address a;

	data_fill(s, len);
	put(CALL, "send(slot %u, %zu bytes%s, %#x", s->slot, len,
	    data == data_out ? "" : " at a bad address", flags);
	if (s->r[5] % 2) {
		put(CALL, ")");
		put_result(NULL, send(fd, data, len, flags));
	} else {
		address_choose(&a, s->r, false);
		put(CALL, ")");
		if (corked_elsewhere(s->slot, flags))
			return;
		put_result(NULL, sendto(fd, data, len, flags, a.at, a.len));
	}
	port_learn(s->slot);
}

static void play_write(const struct step *s)
{
	write_parts(s, PICK(sizes, s->r[3]), NULL);
	port_learn(s->slot);
}

static void play_sendmsg(const struct step *s)
{
	int flags = PICK(send_flags, s->r[2]);
	size_t len = PICK(sizes, s->r[3]);
	struct iovec iov[3];
	struct msghdr msg = {
		.msg_iov = iov, .msg_iovlen = data_vector(iov, s->r[5] % 3 + 1, data_out, len),
	};
	struct address a;

	data_fill(s, len);
	put(CALL, "sendmsg(slot %u, %zu bytes in %zu, %#x", s->slot, len, msg.msg_iovlen, flags);
	if (s->r[6] % 3) {
		address_choose(&a, s->r, false);
		msg.msg_name = (void *)a.at;
		msg.msg_namelen = a.len;
	}
	if (s->r[6] % 2)
		control_choose(&msg, s->r[7]);
	if (s->r[4] % 64 == 0) {
		msg.msg_iovlen = 2000;
		put(CALL, ", 2000 parts");
	}
	put(CALL, ")");
	if ((msg.msg_name || msg.msg_controllen) && corked_elsewhere(s->slot, flags))
		return;
	put_result(NULL, sendmsg(slot_fd(s->slot), &msg, flags));
	port_learn(s->slot);
}

static void play_sendmmsg(const struct step *s)
{
	struct iovec iov[3];
	struct mmsghdr msgs[3] = {};
	struct address a;
	int i, n = s->r[6] % 16 ? 3 : 0, ret;

	data_fill(s, 3000);
	put(CALL, "sendmmsg(slot %u, %d", s->slot, n);
	address_choose(&a, s->r, false);
	for (i = 0; i < 3; i++) {
		iov[i] = (struct iovec){ data_out, PICK(sizes, s->r[i + 2]) };
		if (iov[i].iov_len > 3000)
			iov[i].iov_len = i == 1 ? 70000 : 3000;
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
		if (s->r[6] >> 8 & 1) {
			msgs[i].msg_hdr.msg_name = (void *)a.at;
			msgs[i].msg_hdr.msg_namelen = a.len;
		}
		put(CALL, ", %zu bytes", iov[i].iov_len);
	}
	put(CALL, s->r[6] >> 8 & 1 ? ")" : ", no address)");
	if (msgs[0].msg_hdr.msg_name && corked_elsewhere(s->slot, 0))
		return;
	ret = sendmmsg(slot_fd(s->slot), msgs, n, MSG_DONTWAIT);
	put_result(NULL, ret);
	for (i = 0; i < ret; i++)
		put(RESULT, " %u", msgs[i].msg_len);
	port_learn(s->slot);
}

/*
 * An entry of the error queue may begin with the headers that it was sent with
 * (SO_TIMESTAMPING); their ports and checksums differ from run to run.
 */
static void put_received(size_t len, int flags)
{
	size_t headers = kind->family == AF_INET ? HEADERS : HEADERS6;

	headers = flags & MSG_ERRQUEUE ? least(len, headers) : 0;
	put_data(data_in + headers, len - headers);
}

static void play_receive(const struct step *s)
{
	size_t len = PICK(rooms, s->r[0]);
	int flags = PICK(receive_flags, s->r[1]);
	void *data = s->r[2] % 32 ? data_in : (void *)16;
	bool from = s->r[3] % 2;
	struct address a = {};
	socklen_t namelen = address_length();
	long ret;

	put(CALL, "%s(slot %u, %zu bytes%s, %#x)", from ? "recvfrom" : "recv", s->slot, len,
	    data == data_in ? "" : " at a bad address", flags);
	if (!may_receive(s->slot, &flags))
		return;
	ret = from ? recvfrom(slot_fd(s->slot), data, len, flags, &a.any, &namelen) :
		     recv(slot_fd(s->slot), data, len, flags);
	put_result(NULL, ret);
	if (ret >= 0 && data == data_in)
		put_received(least(ret, len), flags);
	if (ret >= 0 && from) {
		put(RESULT, " from ");
		address_put(RESULT, &a, namelen);
	}
}

static void play_read(const struct step *s)
{
	read_room(s, PICK(rooms, s->r[0]));
}

static void play_recvmsg(const struct step *s)
{
	static const size_t controls[] = { 512, 512, 512, 512, 0, 20, 30, 3 };
	const socklen_t names[] = {
		address_length(), address_length(), address_length(), 0, 4, 100,
	};
	size_t len = PICK(rooms, s->r[0]);
	int flags = PICK(receive_flags, s->r[1]);
	struct address name = {};
	char control[512] __attribute__((aligned(8))) = {};
	struct iovec iov[3];
	struct msghdr msg = {
		.msg_iov = iov, .msg_iovlen = data_vector(iov, s->r[5] % 3 + 1, data_in, len),
		.msg_name = name.bytes, .msg_namelen = PICK(names, s->r[2]),
		.msg_control = control, .msg_controllen = PICK(controls, s->r[3]),
	};
	bool whole = msg.msg_namelen >= address_length();
	long ret;

	put(CALL, "recvmsg(slot %u, %zu bytes in %zu, name %u, control %zu, %#x)", s->slot, len,
	    msg.msg_iovlen, msg.msg_namelen, msg.msg_controllen, flags);
	if (!may_receive(s->slot, &flags))
		return;
	ret = recvmsg(slot_fd(s->slot), &msg, flags);
	put_result(NULL, ret);
	if (ret < 0)
		return;
	put_received(least(ret, len), flags);
	put(RESULT, " flags %#x from ", msg.msg_flags);
	address_put(RESULT, &name, whole ? msg.msg_namelen : 0);
	control_put(&msg);
}

static void play_recvmmsg(const struct step *s)
{
	struct iovec iov[3];
	struct mmsghdr msgs[3] = {};
	int i, ret, flags = MSG_DONTWAIT | (s->r[1] % 4 ? 0 : MSG_PEEK | MSG_TRUNC);

	put(CALL, "recvmmsg(slot %u, %#x", s->slot, flags);
	for (i = 0; i < 3; i++) {
		iov[i].iov_base = data_in + i * 5000;
		iov[i].iov_len = least(PICK(rooms, s->r[i + 2]), 5000);
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
		put(CALL, ", %zu bytes", iov[i].iov_len);
	}
	put(CALL, ")");
	ret = recvmmsg(slot_fd(s->slot), msgs, 3, flags, NULL);
	put_result(NULL, ret);
	for (i = 0; i < ret; i++) {
		put(RESULT, " %u flags %#x", msgs[i].msg_len, msgs[i].msg_hdr.msg_flags);
		put_data(data_in + i * 5000, least(msgs[i].msg_len, iov[i].iov_len));
	}
}

const struct call message_calls[] = {
	{ "send", 140, play_send },
	{ "write", 50, play_write },
	{ "sendmsg", 60, play_sendmsg },
	{ "sendmmsg", 15, play_sendmmsg },
	{ "receive", 90, play_receive },
	{ "read", 30, play_read },
	{ "recvmsg", 90, play_recvmsg },
	{ "recvmmsg", 15, play_recvmmsg },
	{}
};
