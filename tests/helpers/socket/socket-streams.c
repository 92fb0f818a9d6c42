// SPDX-License-Identifier: GPL-2.0-only
/* socket-streams.c - STREAMS sockets as streams: modules, messages, primitives */
#include "missing.h"
#include "socket-streams.h"

#include <linux/bpf.h>
#include <sys/bufmod.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timod.h>

/* Tests I_LIST, I_LOOK, I_FIND, I_PUSH and I_POP, and their errors. */
static void run_modules(void)
{
	struct sockaddr_in a_name, b_name;
	int a = bound(&a_name), b = bound(&b_name), i;
	char name[32];

	/* A datagram that arrived before the socket was a stream is received first. */
	IS(send_to(b, "one", 3, &a_name), 3);
	IS(send_to(b, "two", 3, &a_name), 3);
	IS(isastream(a), 1);
	lists(a, "sockmod udp ");
	IS(ioctl(a, I_LOOK, name), 0);
	IS(strcmp(name, "sockmod"), 0);
	IS(ioctl(a, I_FIND, "sockmod"), 1);
	IS(ioctl(a, I_FIND, "nullmod"), 0);
	FAILS(ioctl(a, I_POP, 0), EINVAL);
	FAILS(ioctl(a, I_PUSH, "no-such-module"), EINVAL);
	FAILS(ioctl(a, I_PUSH, "sockmod"), EINVAL);
	FAILS(ioctl(a, I_PUSH, BAD_POINTER), EFAULT);
	FAILS(ioctl(a, I_LOOK, BAD_POINTER), EFAULT);
	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	IS(ioctl(a, I_PUSH, "pipemod"), 0);
	lists(a, "pipemod nullmod sockmod udp ");
	IS(ioctl(a, I_LOOK, name), 0);
	IS(strcmp(name, "pipemod"), 0);
	IS(ioctl(a, I_FIND, "nullmod"), 1);
	IS(send_to(b, "three", 5, &a_name), 5);
	RECEIVES(a, "one", b_name);
	RECEIVES(a, "two", b_name);
	RECEIVES(a, "three", b_name);
	IS(send_to(a, "back", 4, &b_name), 4);
	RECEIVES(b, "back", a_name);
	IS(ioctl(a, I_POP, 0), 0);
	IS(ioctl(a, I_POP, 0), 0);
	FAILS(ioctl(a, I_POP, 0), EINVAL);
	lists(a, "sockmod udp ");
	for (i = 0; ioctl(a, I_PUSH, "nullmod") == 0; i++)
		TRUE(i < 100);
	FAILS(ioctl(a, I_PUSH, "nullmod"), EINVAL);
	TRUE(i >= 8);
	IS(send_to(b, "far up", 6, &a_name), 6);
	RECEIVES(a, "far up", b_name);
	/*
	 * A socket is neither a pipe nor a multiplexor, and cannot be linked
	 * below one.
	 */
	FAILS(ioctl(a, I_SENDFD, b), EINVAL);
	FAILS(ioctl(a, I_RECVFD, buf), EINVAL);
	FAILS(ioctl(a, I_LINK, b), EINVAL);
	FAILS(ioctl(a, I_UNLINK, MUXID_ALL), EINVAL);
	/* Ioctls that no module knows fail on sockets too. */
	FAILS(ioctl(a, 0x5390, buf), ENOTTY);
	IS(isatty(a), 0);
	close(a);
	close(b);
}

/* I_STR sends commands that a module answers, and one that no module knows. */
static void run_str(void)
{
	struct sockaddr_in a_name, b_name;
	int a = bound(&a_name), b = bound(&b_name);
	unsigned int number = 0;
	struct strioctl ic = { .ic_cmd = SBIOCGCHUNK, .ic_len = sizeof(number),
			       .ic_dp = (char *)&number };
	struct T_info_ack info = { .PRIM_type = T_INFO_REQ };

	FAILS(ioctl(a, I_STR, &ic), EINVAL);
	IS(ioctl(a, I_PUSH, "bufmod"), 0);
	IS(ioctl(a, I_STR, &ic), 0);
	IS(ic.ic_len, sizeof(number));
	IS(number, SB_DFLT_CHUNK);
	ic.ic_cmd = SBIOCSFLAGS;
	number = SB_NO_PROTO_CVT;
	IS(ioctl(a, I_STR, &ic), 0);
	IS(send_to(b, "through bufmod", 14, &a_name), 14);
	RECEIVES(a, "through bufmod", b_name);
	IS(ioctl(a, I_POP, 0), 0);
	/* timod's ioctls become primitives, which the provider answers. */
	IS(ioctl(a, I_PUSH, "timod"), 0);
	ic = (struct strioctl){ .ic_cmd = TI_GETINFO, .ic_dp = (char *)&info,
				.ic_len = sizeof(struct T_info_req) };
	memcpy(in.ctl, &info, sizeof(info));
	ic.ic_dp = in.ctl;
	IS(ioctl(a, I_STR, &ic), 0);
	IS(in.prim.type, T_INFO_ACK);
	IS(in.prim.info_ack.SERV_type, T_CLTS);
	IS(in.prim.info_ack.CURRENT_state, TS_IDLE);
	close(a);
	close(b);
}

/* Two sockets: b sends to a. */
struct two {
	int a, b;
	struct sockaddr_in a_name, b_name;
};

/* getmsg() sees primitives, and I_PEEK and I_NREAD show them. */
static void getmsg_whole(const struct two *t)
{
	int a = t->a, b = t->b, n = -1, flags = 0;
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = 4, .buf = in.data };
	struct strpeek peek = { .ctlbuf = c, .databuf = d };
	struct sockaddr_in from;

	test_nonblock(a, true);
	FAILS(getmsg(a, &c, &d, &flags), EAGAIN);
	test_nonblock(a, false);
	IS(ioctl(a, I_PEEK, &peek), 0);
	IS(ioctl(a, I_NREAD, &n), 0);
	IS(send_to(b, "hello", 5, &t->a_name), 5);
	IS(send_to(b, "", 0, &t->a_name), 0);
	IS(send_to(b, "last", 4, &t->a_name), 4);
	UNTIL(ioctl(a, I_NREAD, &n) == 3);
	IS(n, 5);
	IS(ioctl(a, FIONREAD, &n), 0);
	IS(n, 5);
	/* I_PEEK leaves the datagram for a receiver. */
	IS(ioctl(a, I_PEEK, &peek), 1);
	IS(peek.databuf.len, 4);
	IS(receive(a, MSG_PEEK, &from), 5);
	IS(from.sin_port, t->b_name.sin_port);
	receive_prim(a, T_UNITDATA_IND);
	IS(in.hipri, 0);
	IS(in.data_len, 5);
	IS(memcmp(in.data, "hello", 5), 0);
	IS(in.prim.unitdata_ind.SRC_length, sizeof(t->b_name));
	IS(in.prim.unitdata_ind.OPT_length, 0);
	IS(memcmp(in.ctl + in.prim.unitdata_ind.SRC_offset, &t->b_name,
		  sizeof(t->b_name)), 0);
	receive_prim(a, T_UNITDATA_IND);
	IS(in.data_len, 0);
}

/*
 * A getmsg() of one part leaves the other: the data, as a datagram without a
 * name.
 */
static void getmsg_parts(const struct two *t)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = -1, .buf = in.data };
	int a = t->a, b = t->b, n, flags = 0;
	struct sockaddr_in from;

	IS(getmsg(a, &c, &d, &flags), MOREDATA);
	IS(receive(a, MSG_PEEK, &from), 4);
	IS(receive(a, 0, &from), 4);
	IS(memcmp(buf, "last", 4), 0);
	IS(from.sin_port, 0);
	/*
	 * A getmsg() of a part of the name leaves a datagram, which is received
	 * next.
	 */
	IS(send_to(b, "first", 5, &t->a_name), 5);
	IS(send_to(b, "second", 6, &t->a_name), 6);
	c.maxlen = 4;
	d.maxlen = -1;
	IS(getmsg(a, &c, &d, &flags), MORECTL | MOREDATA);
	IS(in.prim.type, T_UNITDATA_IND);
	IS(polled(a) & (POLLIN | POLLRDBAND), POLLIN);
	IS(ioctl(a, FIONREAD, &n), 0);
	IS(n, 5);
	RECEIVES(a, "first", t->b_name);
	RECEIVES(a, "second", t->b_name);
	c.maxlen = sizeof(in.ctl);
	/* A datagram of the largest size has parts of both kinds. */
	memset(buf, 'x', 65507);
	IS(send_to(b, buf, 65507, &t->a_name), 65507);
	d.maxlen = 7;
	IS(getmsg(a, &c, &d, &flags), MOREDATA);
	d.maxlen = 60000;
	IS(getmsg(a, &c, &d, &flags), MOREDATA);
	IS(c.len, -1);
	IS(d.len, 60000);
	IS(ioctl(a, FIONREAD, &n), 0);
	IS(n, 5500);
	IS(receive(a, 0, &from), 5500);
	FAILS(receive(a, MSG_DONTWAIT, &from), EAGAIN);
}

/* I_FLUSH drops waiting datagrams. */
static void getmsg_flush(const struct two *t)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = 60000, .buf = in.data };
	struct strpeek peek = { .ctlbuf = c, .databuf = d };
	int a = t->a, b = t->b, n;
	struct sockaddr_in from;

	IS(send_to(b, "gone", 4, &t->a_name), 4);
	IS(send_to(b, "gone", 4, &t->a_name), 4);
	UNTIL(ioctl(a, I_NREAD, &n) == 2);
	IS(ioctl(a, I_FLUSH, FLUSHR), 0);
	IS(ioctl(a, I_NREAD, &n), 0);
	FAILS(receive(a, MSG_DONTWAIT, &from), EAGAIN);
	/*
	 * A datagram that I_PEEK has shown is dropped too, and only those of
	 * the given band.
	 */
	IS(send_to(b, "gone", 4, &t->a_name), 4);
	UNTIL(ioctl(a, I_PEEK, &peek) == 1);
	IS(ioctl(a, I_FLUSH, FLUSHRW), 0);
	IS(ioctl(a, FIONREAD, &n), 0);
	IS(n, 0);
	IS(polled(a) & POLLIN, 0);
	IS(send_to(b, "stays", 5, &t->a_name), 5);
	IS(ioctl(a, I_FLUSHBAND, &(struct bandinfo){ 1, FLUSHR }), 0);
	RECEIVES(a, "stays", t->b_name);
	FAILS(ioctl(a, I_FLUSH, 0), EINVAL);
}

/* Calls that look at bands see datagrams in the lowest one. */
static void getmsg_bands(const struct two *t)
{
	int a = t->a, b = t->b, n;

	IS(ioctl(a, I_CKBAND, 0), 0);
	FAILS(ioctl(a, I_GETBAND, &n), ENODATA);
	IS(send_to(b, "band", 4, &t->a_name), 4);
	UNTIL(ioctl(a, I_CKBAND, 0) == 1);
	IS(ioctl(a, I_CKBAND, 1), 0);
	FAILS(ioctl(a, I_CKBAND, 256), EINVAL);
	IS(ioctl(a, I_GETBAND, &n), 0);
	IS(n, 0);
	IS(ioctl(a, I_ATMARK, ANYMARK), 0);
	RECEIVES(a, "band", t->b_name);
	FAILS(ioctl(a, STRIO_GETMSG, BAD_POINTER), EFAULT);
	FAILS(ioctl(a, I_NREAD, BAD_POINTER), EFAULT);
}

static void run_getmsg(void)
{
	struct two t;

	t.a = bound(&t.a_name);
	t.b = bound(&t.b_name);
	getmsg_whole(&t);
	getmsg_parts(&t);
	getmsg_flush(&t);
	getmsg_bands(&t);
	close(t.a);
	close(t.b);
}

/* A primitive runs without privileges, even if root sends it. */
static void putmsg_unprivileged(int a)
{
	struct sockaddr_in low = { .sin_family = AF_INET, .sin_port = htons(7) };

	IS(state_of(a), TS_UNBND);
	out.prim.bind_req = (struct T_bind_req){ .PRIM_type = T_BIND_REQ,
		.ADDR_length = sizeof(low),
		.ADDR_offset = sizeof(out.prim.bind_req) };
	memcpy(out.bytes + sizeof(out.prim.bind_req), &low, sizeof(low));
	IS(send_prim(a, sizeof(out.prim.bind_req) + sizeof(low), NULL, 0, 0), 0);
	receive_error(a, T_BIND_REQ, TACCES, 0);
}

/*
 * The datagrams arrive at native sockets. The socket gets a port, as with
 * sendto().
 */
static struct sockaddr_in putmsg_datagrams(int a, int native, const struct sockaddr_in *to)
{
	struct sockaddr_in a_name;

	IS(unitdata_req(a, to, "by putmsg", 9), 0);
	IS(state_of(a), TS_IDLE);
	a_name = name_of(a);
	a_name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	RECEIVES(native, "by putmsg", a_name);
	IS(unitdata_req(a, to, "", 0), 0);
	RECEIVES(native, "", a_name);
	IS(send_to(native, "back", 4, &a_name), 4);
	receive_prim(a, T_UNITDATA_IND);
	IS(in.data_len, 4);
	return a_name;
}

/* A datagram that cannot be sent is returned as an error. */
static void putmsg_errors(int a, int native, const struct sockaddr_in *to,
			  const struct sockaddr_in *a_name)
{
	struct sockaddr_in bad;

	bad = *to;
	bad.sin_port = 0;
	IS(unitdata_req(a, &bad, "x", 1), 0);
	receive_prim(a, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, EINVAL);
	bad = *to;
	bad.sin_addr.s_addr = htonl(INADDR_LOOPBACK | 0xffffff);
	IS(unitdata_req(a, &bad, "x", 1), 0);
	receive_prim(a, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, EACCES);
	/* The error does not block a receiver, and does not wake it. */
	IS(unitdata_req(a, &bad, "x", 1), 0);
	IS(poll(&(struct pollfd){ .fd = a, .events = POLLRDBAND }, 1, WAIT_MS), 1);
	IS(polled(a) & (POLLIN | POLLRDNORM | POLLPRI), 0);
	FAILS(recv(a, buf, 1, MSG_DONTWAIT), EAGAIN);
	IS(send_to(native, "behind", 6, a_name), 6);
	RECEIVES(a, "behind", *to);
	receive_prim(a, T_UDERROR_IND);
	/*
	 * An error behind an answer is reported as well, and again after the
	 * answer was read.
	 */
	IS(unitdata_req(a, &bad, "x", 1), 0);
	out.prim.type = T_INFO_REQ;
	IS(send_prim(a, sizeof(out.prim.type), NULL, 0, RS_HIPRI), 0);
	UNTIL((polled(a) & (POLLPRI | POLLRDBAND)) == (POLLPRI | POLLRDBAND));
	receive_ack(a, T_INFO_ACK);
	IS(polled(a) & (POLLPRI | POLLRDBAND), POLLRDBAND);
	receive_prim(a, T_UDERROR_IND);
}

/*
 * Tests the socket's own address, primitives that are not for datagrams, and a
 * bind.
 */
static void putmsg_others(int a, const struct sockaddr_in *a_name)
{
	out.prim.type = T_ADDR_REQ;
	IS(send_prim(a, sizeof(out.prim.type), NULL, 0, 0), 0);
	receive_prim(a, T_ADDR_ACK);
	IS(((struct sockaddr_in *)(in.ctl + in.prim.addr_ack.LOCADDR_offset))->sin_port,
	   a_name->sin_port);
	out.prim.conn_req = (struct T_conn_req){ T_CONN_REQ };
	IS(send_prim(a, sizeof(out.prim.conn_req), NULL, 0, 0), 0);
	receive_error(a, T_CONN_REQ, TNOTSUPPORT, 0);
	/* A bind by primitives binds the socket. */
	out.prim.bind_req = (struct T_bind_req){ .PRIM_type = T_BIND_REQ };
	IS(send_prim(a, sizeof(out.prim.bind_req), NULL, 0, 0), 0);
	receive_error(a, T_BIND_REQ, TOUTSTATE, 0);
	out.prim.type = T_UNBIND_REQ;
	IS(send_prim(a, sizeof(out.prim.type), NULL, 0, 0), 0);
	receive_ok(a, T_UNBIND_REQ);
	IS(name_of(a).sin_port, 0);
	out.prim.bind_req = (struct T_bind_req){ .PRIM_type = T_BIND_REQ };
	IS(send_prim(a, sizeof(out.prim.bind_req), NULL, 0, 0), 0);
	receive_prim(a, T_BIND_ACK);
	TRUE(name_of(a).sin_port != 0);
}

/* putmsg() sends datagrams to native sockets; other primitives are answered. */
static void run_putmsg(void)
{
	int native = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), a = sock();
	struct sockaddr_in a_name, to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	IS(bind(native, (struct sockaddr *)&to, sizeof(to)), 0);
	to = name_of(native);
	putmsg_unprivileged(a);
	a_name = putmsg_datagrams(a, native, &to);
	putmsg_errors(a, native, &to, &a_name);
	putmsg_others(a, &a_name);
	/*
	 * A message that is not a primitive ends the stream, and so the
	 * socket's calls.
	 */
	IS(send_prim(a, 2, NULL, 0, 0), 0);
	UNTIL(polled(a) & POLLERR);
	FAILS(send_to(a, "x", 1, &to), EPROTO);
	FAILS(recv(a, buf, 1, 0), EPROTO);
	IS(polled(a), POLLERR);
	close(a);
	close(native);
}

static void ask_capability(int fd)
{
	out.prim.capability_req = (struct T_capability_req){
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_INFO,
	};
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, 0), 0);
}

/* Unread answers do not block datagrams, and their number is limited. */
static void run_unread(void)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct sockaddr_in a_name, b_name;
	int a = bound(&a_name), b = bound(&b_name), size = 8192, flags, i;

	/*
	 * The water marks of a device's stream head are adapted to these
	 * options.
	 */
	IS(setsockopt(a, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)), 0);
	out.prim.optmgmt_req = (struct T_optmgmt_req){
		.PRIM_type = T_OPTMGMT_REQ, .MGMT_flags = T_CURRENT };
	IS(send_prim(a, sizeof(out.prim.optmgmt_req), NULL, 0, 0), 0);
	flags = 0;
	IS(getmsg(a, &c, NULL, &flags) >= 0, 1);
	for (i = 0; i < 600; i++)
		ask_capability(a);
	for (i = 0; i < 1000; i++) {
		IS(send_to(b, "passes", 6, &a_name), 6);
		RECEIVES(a, "passes", b_name);
	}
	/* The answer that had no room comes first. */
	receive_prim(a, T_CAPABILITY_ACK);
	IS(in.hipri, 1);
	test_nonblock(a, true);
	flags = 0;
	for (i = 0; polled(a) & POLLRDBAND; i++) {
		flags = 0;
		IS(getmsg(a, &c, NULL, &flags), 0);
		IS(in.prim.type, T_CAPABILITY_ACK);
	}
	flags = 0;
	FAILS(getmsg(a, &c, NULL, &flags), EAGAIN);
	printf("%d answers kept\n", i);
	TRUE(i > 100 && i < 600);
	close(a);
	close(b);
}

static void *send_later(void *arg)
{
	struct sockaddr_in *to = arg;
	int fd = sock();

	UNTIL(thread_sleeps(getpid()));
	IS(send_to(fd, "late", 4, to), 4);
	close(fd);
	return NULL;
}

static void on_signal(int sig)
{
}

/*
 * All calls that wait are tested: receive calls, poll(), getmsg(); timeouts and
 * signals.
 */
static void run_waiting(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct timeval tv = { .tv_usec = 100000 };
	struct sockaddr_in a_name, from;
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = 4, .buf = in.data };
	int a = bound(&a_name), flags = 0;
	pthread_t thread;

	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	FAILS(receive(a, MSG_DONTWAIT, &from), EAGAIN);
	IS(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	FAILS(receive(a, 0, &from), EAGAIN);
	tv.tv_sec = WAIT_SECONDS;
	IS(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	pthread_create(&thread, NULL, send_later, &a_name);
	IS(receive(a, 0, &from), 4);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, send_later, &a_name);
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(in.prim.type, T_UNITDATA_IND);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, send_later, &a_name);
	IS(poll(&(struct pollfd){ .fd = a, .events = POLLIN }, 1, WAIT_LIMIT_MS), 1);
	IS(receive(a, MSG_DONTWAIT, &from), 4);
	pthread_join(thread, NULL);
	FAILS(INTERRUPTED(getmsg(a, &c, &d, &flags)), EINTR);
	FAILS(INTERRUPTED(receive(a, 0, &from)), EINTR);
	/* S_INPUT is signalled, through the socket's own queue. */
	sigaction(SIGPOLL, &sa, NULL);
	IS(ioctl(a, I_SETSIG, S_INPUT), 0);
	pthread_create(&thread, NULL, send_later, &a_name);
	FAILS(poll(NULL, 0, WAIT_LIMIT_MS), EINTR);
	pthread_join(thread, NULL);
	IS(receive(a, MSG_DONTWAIT, &from), 4);
	IS(ioctl(a, I_SETSIG, 0), 0);
	/* After shutdown() calls no longer wait. */
	FAILS(shutdown(a, SHUT_RD), ENOTCONN);
	IS(connect(a, (struct sockaddr *)&a_name, sizeof(a_name)), 0);
	IS(shutdown(a, SHUT_RD), 0);
	IS(receive(a, 0, &from), 0);
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(c.len, 0);
	IS(d.len, 0);
	test_nonblock(a, true);
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(c.len, 0);
	FAILS(receive(a, 0, &from), EAGAIN);
	close(a);
}

static void *receive_one(void *arg)
{
	char data[8];

	IS(recv(*(int *)arg, data, sizeof(data), 0), 4);
	return NULL;
}

/*
 * A receiver asleep since before the socket was a stream still gets the
 * datagram when another task looks.
 */
static void run_asleep(void)
{
	struct sockaddr_in name;
	struct strpeek peek = { .databuf.maxlen = sizeof(in.data),
				.databuf.buf = in.data };
	int i, a, n, seen = 0;
	pthread_t thread;

	for (i = 0; i < 30; i++) {
		a = bound(&name);
		thread = thread_asleep(receive_one, &a);
		IS(ioctl(a, I_LIST, NULL), 2);
		IS(send_to(a, "data", 4, &name), 4);
		n = ioctl(a, I_PEEK, &peek);
		TRUE(n == 0 || (n == 1 && peek.databuf.len == 4));
		seen += n;
		pthread_join(thread, NULL);
		IS(ioctl_int(a, FIONREAD), 0);
		IS(ioctl(a, I_PEEK, &peek), 0);
		close(a);
	}
	printf("%d of %d were seen before they were received\n", seen, i);
}

/* SO_PEEK_OFF is used on datagrams that other calls peek at and take, too. */
static void run_offset(void)
{
	struct timeval tv = { .tv_usec = 100000 };
	struct strpeek peek = { .ctlbuf.maxlen = -1, .databuf.maxlen = -1 };
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	int off = 0, flags = 0, n;
	struct sockaddr_in a_name, from;
	int a = bound(&a_name);
	pthread_t thread;

	IS(ioctl(a, I_LIST, NULL), 2);
	IS(setsockopt(a, SOL_SOCKET, SO_PEEK_OFF, &off, sizeof(off)), 0);
	IS(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	/* I_PEEK at an empty datagram does not count as MSG_PEEK. */
	IS(send_to(a, "", 0, &a_name), 0);
	UNTIL(ioctl(a, I_NREAD, &n) == 1);
	IS(ioctl(a, I_PEEK, &peek), 1);
	IS(receive(a, MSG_PEEK, &from), 0);
	RECEIVES(a, "", a_name);
	/*
	 * Beyond the last datagram the call waits, and no longer than
	 * SO_RCVTIMEO.
	 */
	IS(send_to(a, "four", 4, &a_name), 4);
	IS(receive(a, MSG_PEEK, &from), 4);
	FAILS(receive(a, MSG_PEEK, &from), EAGAIN);
	pthread_create(&thread, NULL, send_later, &a_name);
	tv.tv_sec = WAIT_SECONDS;
	IS(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	IS(receive(a, MSG_PEEK, &from), 4);
	IS(memcmp(buf, "late", 4), 0);
	pthread_join(thread, NULL);
	FAILS(INTERRUPTED(receive(a, MSG_PEEK, &from)), EINTR);
	/* A datagram that getmsg() takes no longer counts for the offset. */
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(memcmp(in.data, "late", 4), 0);
	IS(send_to(a, "x", 1, &a_name), 1);
	IS(receive(a, MSG_PEEK, &from), 1);
	RECEIVES(a, "x", a_name);
	close(a);
}

/* Receives a datagram into memory that is not provided. */
static struct {
	int fd;
	struct missing data;
} stuck;

static void *stuck_getmsg(void *arg)
{
	struct strbuf d = { .maxlen = 4, .buf = stuck.data.page };
	int flags = 0;

	IS(getmsg(stuck.fd, NULL, &d, &flags), MORECTL);
	IS(d.len, 4);
	return NULL;
}

/* A receive call is not held up by a getmsg() that is. */
static void run_stuck(void)
{
	struct sockaddr_in name, from;
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct strpeek peek = { .ctlbuf.maxlen = -1, .databuf.maxlen = -1 };
	int edge = epoll_create1(0), waiting;
	sigset_t poll_signal;
	pthread_t thread;

	sigemptyset(&poll_signal);
	sigaddset(&poll_signal, SIGPOLL);
	pthread_sigmask(SIG_BLOCK, &poll_signal, NULL);
	stuck.data = missing_page();
	stuck.fd = bound(&name);
	IS(epoll_ctl(edge, EPOLL_CTL_ADD, stuck.fd, &event), 0);
	IS(send_to(stuck.fd, "data", 4, &name), 4);
	pthread_create(&thread, NULL, stuck_getmsg, NULL);
	missing_await(&stuck.data);
	IS(send_to(stuck.fd, "behind", 6, &name), 6);
	UNTIL(ioctl(stuck.fd, I_NREAD, &waiting) == 2);
	/*
	 * A receiver that finds the datagram with another task is notified of
	 * the next state.
	 */
	IS(ioctl(stuck.fd, I_SETSIG, S_INPUT), 0);
	FAILS(receive(stuck.fd, MSG_DONTWAIT, &from), EAGAIN);
	FAILS(INTERRUPTED(receive(stuck.fd, 0, &from)), EINTR);
	/* I_PEEK does not report that there is no datagram either. */
	FAILS(INTERRUPTED(ioctl(stuck.fd, I_PEEK, &peek)), EINTR);
	test_nonblock(stuck.fd, true);
	FAILS(ioctl(stuck.fd, I_PEEK, &peek), EAGAIN);
	test_nonblock(stuck.fd, false);
	/*
	 * The poller is notified when the datagram is available, though none
	 * has arrived since.
	 */
	while (epoll_wait(edge, &event, 1, 0) > 0)
		;
	missing_bring(&stuck.data);
	IS(epoll_wait(edge, &event, 1, WAIT_LIMIT_MS), 1);
	IS(sigtimedwait(&poll_signal, NULL, &(struct timespec){ .tv_sec = WAIT_SECONDS }),
	   SIGPOLL);
	pthread_join(thread, NULL);
	IS(ioctl(stuck.fd, I_PEEK, &peek), 1);
	IS(send_to(stuck.fd, "more", 4, &name), 4);
	/* The rest of the datagram has its name; the data is lost. */
	RECEIVES(stuck.fd, "", name);
	RECEIVES(stuck.fd, "behind", name);
	RECEIVES(stuck.fd, "more", name);
	close(edge);
	close(stuck.fd);
	close(stuck.data.fd);
}

static void is_no_stream(int fd)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .len = 4, .buf = in.ctl };
	int n, flags = 0;

	TRUE(fd >= 0);
	IS(isastream(fd), 0);
	FAILS(ioctl(fd, I_PUSH, "nullmod"), ENOTTY);
	FAILS(ioctl(fd, I_LIST, NULL), ENOTTY);
	FAILS(ioctl(fd, I_NREAD, &n), ENOTTY);
	FAILS(getmsg(fd, &c, NULL, &flags), ENOSTR);
	c.len = 4;
	FAILS(putmsg(fd, &c, NULL, 0), ENOSTR);
	close(fd);
}

static int map_put(int map, int key, int fd)
{
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&fd,
	};

	return syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

static struct sockaddr_in6 name6_of(int fd)
{
	struct sockaddr_in6 sin6 = {};
	socklen_t len = sizeof(sin6);

	IS(getsockname(fd, (struct sockaddr *)&sin6, &len), 0);
	return sin6;
}

/* Returns a socket of AF_INET6, bound to a free port of the loopback address. */
static int bound6(struct sockaddr_in6 *sin6)
{
	int fd = socket(AF_INET6, SOCK_DGRAM, IPPROTO_STREAMS);

	*sin6 = (struct sockaddr_in6){ .sin6_family = AF_INET6,
				       .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	IS(bind(fd, (struct sockaddr *)sin6, sizeof(*sin6)), 0);
	*sin6 = name6_of(fd);
	return fd;
}

static void send_to6(int fd, const char *text, const struct sockaddr_in6 *to)
{
	IS(sendto(fd, text, strlen(text), 0, (const struct sockaddr *)to, sizeof(*to)),
	   strlen(text));
}

/* Receives a datagram, whose sender is that one. */
static void receives6(int fd, const char *text, const struct sockaddr_in6 *sender)
{
	struct sockaddr_in6 from = {};
	socklen_t len = sizeof(from);

	IS(recvfrom(fd, buf, sizeof(buf), 0, (struct sockaddr *)&from, &len), strlen(text));
	IS(memcmp(buf, text, strlen(text)), 0);
	IS(len, sizeof(from));
	IS(memcmp(&from, sender, sizeof(from)), 0);
}

/* Primitives of a stream of AF_INET6 have its addresses. */
static void inet6_messages(int a, const struct sockaddr_in6 *a_name, int b,
			   const struct sockaddr_in6 *b_name)
{
	struct strbuf d = { .len = 4, .buf = (char *)"data" };

	send_to6(b, "wHOLE", a_name);
	receive_prim(a, T_UNITDATA_IND);
	IS(in.prim.unitdata_ind.SRC_length, sizeof(*b_name));
	IS(memcmp(in.ctl + in.prim.unitdata_ind.SRC_offset, b_name, sizeof(*b_name)), 0);
	IS(in.data_len, 5);
	IS(memcmp(in.data, "Whole", 5), 0);
	IS(put_unitdata_req(a, b_name, sizeof(*b_name), NULL, 0, "put", 3), 0);
	receives6(b, "PUT", a_name);
	put_simple(a, T_ADDR_REQ);
	receive_prim(a, T_ADDR_ACK);
	IS(in.prim.addr_ack.LOCADDR_length, sizeof(*a_name));
	IS(memcmp(in.ctl + in.prim.addr_ack.LOCADDR_offset, a_name, sizeof(*a_name)), 0);
	/* An address of IPv4 is not one of this provider's. */
	IS(put_unitdata_req(a, b_name, sizeof(struct sockaddr_in), NULL, 0, "bad", 3), 0);
	receive_prim(a, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, EINVAL);
	/* Data has no destination. */
	IS(putmsg(a, NULL, &d, 0), 0);
	UNTIL(polled(a) & POLLERR);
	FAILS(recv(a, buf, 1, MSG_DONTWAIT), EPROTO);
}

/* Datagram sockets of AF_INET6 are streams as those of AF_INET are. */
static void run_inet6(void)
{
	struct sockaddr_in6 a_name, b_name;
	int a = bound6(&a_name), b = bound6(&b_name), inet = AF_INET;
	pthread_t thread;

	IS(isastream(a), 1);
	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	IS(ioctl(a, I_PUSH, "flipmod"), 0);
	lists(a, "flipmod nullmod sockmod udp ");
	send_to6(a, "Request", &b_name);
	receives6(b, "rEQUEST", &a_name);
	send_to6(b, "aNSWER", &a_name);
	receives6(a, "Answer", &b_name);
	/* A connected socket, without a name. */
	IS(connect(a, (struct sockaddr *)&b_name, sizeof(b_name)), 0);
	IS(send(a, "one, ", 5, MSG_MORE), 5);
	IS(send(a, "two", 3, 0), 3);
	receives6(b, "ONE, TWO", &a_name);
	/* The stream is of this family, and errors would not pass it. */
	FAILS(setsockopt(a, IPPROTO_IPV6, IPV6_ADDRFORM, &inet, sizeof(inet)), EOPNOTSUPP);
	FAILS(switched(a, IPPROTO_IPV6, IPV6_RECVERR, 1), EOPNOTSUPP);
	FAILS(switched(a, IPPROTO_UDP, UDP_GRO, 1), EOPNOTSUPP);
	IS(switched(a, IPPROTO_IPV6, IPV6_RECVERR, 0), 0);
	inet6_messages(a, &a_name, b, &b_name);
	close(a);
	/* A receiver asleep since before the socket was a stream gets what passes it. */
	thread = thread_asleep(receive_one, &b);
	a = bound6(&a_name);
	IS(ioctl(b, I_PUSH, "flipmod"), 0);
	send_to6(a, "late", &b_name);
	IS(pthread_join(thread, NULL), 0);
	close(a);
	close(b);
}

/* These sockets are not streams, or cannot become one. */
static void run_refused(void)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_SOCKMAP,
		.key_size = 4, .value_size = 4, .max_entries = 4 };
	int a, b, map, inet = AF_INET, on = 1;
	struct sockaddr_in a_name, b_name;
	struct sockaddr_in6 mapped = { .sin6_family = AF_INET6 };

	a = socket(AF_INET6, SOCK_DGRAM, IPPROTO_STREAMS);
	IS(setsockopt(a, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof(on)), 0);
	is_no_stream(a);
	/*
	 * The kernel queues the datagrams of a socket that once was of
	 * AF_INET6.
	 */
	a = bound(&a_name);
	b = socket(AF_INET6, SOCK_DGRAM, IPPROTO_STREAMS);
	mapped.sin6_port = a_name.sin_port;
	mapped.sin6_addr.s6_addr[10] = 0xff;
	mapped.sin6_addr.s6_addr[11] = 0xff;
	memcpy(&mapped.sin6_addr.s6_addr[12], &a_name.sin_addr, 4);
	IS(connect(b, (struct sockaddr *)&mapped, sizeof(mapped)), 0);
	IS(setsockopt(b, IPPROTO_IPV6, IPV6_ADDRFORM, &inet, sizeof(inet)), 0);
	IS(isastream(b), 0);
	FAILS(ioctl(b, I_PUSH, "nullmod"), ENOTTY);
	IS(send(b, "still", 5, 0), 5);
	IS(recv(a, buf, sizeof(buf), 0), 5);
	close(b);
	/*
	 * A stream cannot be put into a BPF map, and a socket in one cannot
	 * become a stream.
	 */
	b = bound(&b_name);
	map = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	TRUE(map >= 0);
	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	FAILS(map_put(map, 0, a), EOPNOTSUPP);
	IS(send_to(b, "on", 2, &a_name), 2);
	RECEIVES(a, "on", b_name);
	IS(map_put(map, 1, b), 0);
	FAILS(ioctl(b, I_PUSH, "nullmod"), ENOTTY);
	IS(isastream(b), 0);
	/* Options set on the stream stay in force on the socket. */
	IS(setsockopt(b, IPPROTO_IP, IP_RECVERR, &on, sizeof(on)), 0);
	close(map);
	close(a);
	IS(isastream(b), 0);
	IS(send_to(b, "to no one", 9, &a_name), 9);
	while (!(polled(b) & POLLERR))
		usleep(1000);
	IS(receive(b, MSG_ERRQUEUE, &b_name), 9);
	close(b);
}

/* dup() and fork() share the stream; the last close of a file ends it. */
static void run_sharing(void)
{
	struct sockaddr_in a_name, b_name;
	int a = bound(&a_name), b = bound(&b_name), c;

	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	c = dup(a);
	lists(c, "nullmod sockmod udp ");
	close(a);
	IS(send_to(b, "to the dup", 10, &a_name), 10);
	RECEIVES(c, "to the dup", b_name);
	if (!fork()) {
		IS(ioctl(c, I_PUSH, "pipemod"), 0);
		_exit(0);
	}
	IS(wait(NULL) > 0, 1);
	lists(c, "pipemod nullmod sockmod udp ");
	IS(send_to(b, "after", 5, &a_name), 5);
	RECEIVES(c, "after", b_name);
	close(c);
	/* The port is free again. */
	c = sock();
	IS(bind(c, (struct sockaddr *)&a_name, sizeof(a_name)), 0);
	close(c);
	/*
	 * All datagrams are freed with the socket: unread, unsent, or held in a
	 * module.
	 */
	a = bound(&a_name);
	IS(ioctl(a, I_PUSH, "bufmod"), 0);
	IS(send_to(b, "held", 4, &a_name), 4);
	close(a);
	close(b);
}

/* Modules stay pushed, for a test that looks from outside, until standard input ends. */
static void run_hold(void)
{
	struct sockaddr_in name;
	int fd = bound(&name);
	char c;

	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	puts("held");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
}

static const struct test_case cases[] = {
	{ "modules", run_modules },
	{ "str", run_str },
	{ "getmsg", run_getmsg },
	{ "putmsg", run_putmsg },
	{ "unread", run_unread },
	{ "waiting", run_waiting },
	{ "asleep", run_asleep },
	{ "offset", run_offset },
	{ "stuck", run_stuck },
	{ "inet6", run_inet6 },
	{ "refused", run_refused },
	{ "sharing", run_sharing },
	{ "hold", run_hold },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
