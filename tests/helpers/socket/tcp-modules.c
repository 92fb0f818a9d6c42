// SPDX-License-Identifier: GPL-2.0-only
/* tcp-modules.c - STREAMS sockets of TCP as streams: modules, messages, primitives */
#include "missing.h"
#include "socket-streams.h"

#include <netinet/tcp.h>
#include <stdatomic.h>
#include <sys/epoll.h>

#define MANY		300000

static int family = AF_INET;
static int reader;

static int tcp_sock(int flags)
{
	int fd = socket(family, SOCK_STREAM | flags, IPPROTO_STREAMS);

	TRUE(fd >= 0);
	return fd;
}

struct at {
	struct sockaddr_storage name;
	socklen_t len;
};

static struct at at_of(int fd)
{
	struct at at = { .len = sizeof(at.name) };

	IS(getsockname(fd, (struct sockaddr *)&at.name, &at.len), 0);
	return at;
}

/* Returns a socket that listens on a free port of this host, and its address. */
static int listening(struct at *at)
{
	struct sockaddr_in in4 = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int fd = tcp_sock(0);

	if (family == AF_INET)
		IS(bind(fd, (struct sockaddr *)&in4, sizeof(in4)), 0);
	else
		IS(bind(fd, (struct sockaddr *)&in6, sizeof(in6)), 0);
	IS(listen(fd, 10), 0);
	*at = at_of(fd);
	return fd;
}

static int connect_at(int fd, const struct at *at)
{
	return connect(fd, (const struct sockaddr *)&at->name, at->len);
}

/* Makes a connection: [1] was accepted. */
static void connection(int fds[2])
{
	struct at at;
	int l = listening(&at);

	fds[0] = tcp_sock(0);
	IS(connect_at(fds[0], &at), 0);
	fds[1] = accept(l, NULL, NULL);
	TRUE(fds[1] >= 0);
	close(l);
}

static void push(int fd, const char *name)
{
	IS(ioctl(fd, I_PUSH, name), 0);
}

static void sends(int fd, const char *text)
{
	IS(send(fd, text, strlen(text), 0), strlen(text));
}

static void receives(int fd, const char *text)
{
	memset(buf, 0, 100);
	IS(recv(fd, buf, strlen(text), MSG_WAITALL), strlen(text));
	if (memcmp(buf, text, strlen(text)))
		test_fail(__FILE__, __LINE__, "received \"%s\", not \"%s\"", buf, text);
	test_checks++;
}

/* Pushes, lists and pops modules in each state of a socket. */
static void push_and_pop(int fd)
{
	char name[32];

	IS(isastream(fd), 1);
	lists(fd, "sockmod tcp ");
	push(fd, "nullmod");
	push(fd, "flipmod");
	lists(fd, "flipmod nullmod sockmod tcp ");
	IS(ioctl(fd, I_LOOK, name), 0);
	IS(strcmp(name, "flipmod"), 0);
	IS(ioctl(fd, I_FIND, "nullmod"), 1);
	IS(ioctl(fd, I_POP, 0), 0);
	IS(ioctl(fd, I_POP, 0), 0);
	FAILS(ioctl(fd, I_POP, 0), EINVAL);
	FAILS(ioctl(fd, I_PUSH, "no-such-module"), EINVAL);
	FAILS(ioctl(fd, I_PUSH, "sockmod"), EINVAL);
	FAILS(ioctl(fd, I_PUSH, BAD_POINTER), EFAULT);
	FAILS(ioctl(fd, 0x5390, buf), ENOTTY);
	FAILS(ioctl(fd, I_LINK, fd), EINVAL);
	FAILS(ioctl(fd, I_SENDFD, fd), EINVAL);
	IS(isatty(fd), 0);
}

static void run_modules(void)
{
	struct at at;
	int fds[2], l, fd, i;

	fd = tcp_sock(0);
	push_and_pop(fd);
	close(fd);
	l = listening(&at);
	push_and_pop(l);
	close(l);
	connection(fds);
	sends(fds[1], "before");
	push_and_pop(fds[0]);
	receives(fds[0], "before");
	IS(shutdown(fds[0], SHUT_WR), 0);
	push_and_pop(fds[0]);
	IS(recv(fds[1], buf, 1, 0), 0);
	sends(fds[1], "half");
	receives(fds[0], "half");
	for (i = 0; ioctl(fds[0], I_PUSH, "nullmod") == 0; i++)
		TRUE(i < 100);
	TRUE(i >= 8);
	sends(fds[1], "far up");
	receives(fds[0], "far up");
	close(fds[1]);
	IS(recv(fds[0], buf, 1, 0), 0);
	IS(recv(fds[0], buf, 1, 0), 0);
	while (i--)
		IS(ioctl(fds[0], I_POP, 0), 0);
	FAILS(ioctl(fds[0], I_POP, 0), EINVAL);
	close(fds[0]);
	/* A non-blocking connect() with a module, to a port that refuses it. */
	l = listening(&at);
	close(l);
	fd = tcp_sock(SOCK_NONBLOCK);
	push(fd, "nullmod");
	TRUE(connect_at(fd, &at) && (errno == EINPROGRESS || errno == ECONNREFUSED));
	if (errno == EINPROGRESS) {
		socklen_t len = sizeof(i);
		struct pollfd p = { .fd = fd, .events = POLLOUT };

		IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
		IS(getsockopt(fd, SOL_SOCKET, SO_ERROR, &i, &len), 0);
		IS(i, ECONNREFUSED);
	}
	close(fd);
}

/* Both ends see what a module makes of the bytes. */
static void run_filter(void)
{
	int fds[2];
	char byte;

	connection(fds);
	push(fds[0], "flipmod");
	sends(fds[0], "Request");
	receives(fds[1], "rEQUEST");
	sends(fds[1], "aNSWER and the rest");
	IS(recv(fds[0], buf, 6, MSG_PEEK), 6);
	IS(memcmp(buf, "Answer", 6), 0);
	receives(fds[0], "Answer");
	IS(ioctl_int(fds[0], FIONREAD), 13);
	/* A module that was popped does not see the bytes that come from now on. */
	IS(ioctl(fds[0], I_POP, 0), 0);
	receives(fds[0], " and the rest");
	push(fds[0], "flipmod");
	/* An urgent byte passes out of line, or in line and through the module. */
	IS(send(fds[1], "ab!", 3, MSG_OOB), 3);
	receives(fds[0], "AB");
	UNTIL(recv(fds[0], &byte, 1, MSG_OOB) == 1);
	IS(byte, '!');
	close(fds[0]);
	close(fds[1]);
	connection(fds);
	push(fds[0], "flipmod");
	IS(switched(fds[0], SOL_SOCKET, SO_OOBINLINE, 1), 0);
	IS(send(fds[1], "cdE", 3, MSG_OOB), 3);
	receives(fds[0], "CD");
	IS(ioctl_int(fds[0], SIOCATMARK), 1);
	receives(fds[0], "e");
	IS(send(fds[0], "xyZ", 3, MSG_OOB), 3);
	receives(fds[1], "XY");
	UNTIL(recv(fds[1], &byte, 1, MSG_OOB) == 1);
	IS(byte, 'z');
	close(fds[0]);
	close(fds[1]);
}

/* Accepted sockets have the modules of the one that listens, in their order. */
static void run_accepted(void)
{
	struct at at;
	int l = listening(&at), c = tcp_sock(0), a;

	push(l, "nullmod");
	push(l, "flipmod");
	IS(connect_at(c, &at), 0);
	a = accept(l, NULL, NULL);
	TRUE(a >= 0);
	lists(a, "flipmod nullmod sockmod tcp ");
	sends(c, "Hello");
	receives(a, "hELLO");
	close(a);
	close(c);
	/* One accepted later has those that are there then. */
	c = tcp_sock(0);
	IS(connect_at(c, &at), 0);
	IS(ioctl(l, I_POP, 0), 0);
	a = accept(l, NULL, NULL);
	lists(a, "nullmod sockmod tcp ");
	close(a);
	close(c);
	IS(ioctl(l, I_POP, 0), 0);
	c = tcp_sock(0);
	IS(connect_at(c, &at), 0);
	a = accept(l, NULL, NULL);
	lists(a, "sockmod tcp ");
	close(a);
	close(c);
	close(l);
}

static unsigned char number_of(long at)
{
	return at * 7 + at / 251;
}

static void *send_many(void *arg)
{
	int fd = *(int *)arg;
	unsigned int seed = fd;
	long at = 0;

	while (at < MANY) {
		unsigned char data[5000];
		long n = 1 + rand_r(&seed) % (rand_r(&seed) % 4 ? 100 : 5000), i;
		struct pollfd p = { .fd = fd, .events = POLLOUT };
		int flags = rand_r(&seed) % 3 ? 0 : MSG_DONTWAIT;

		if (n > MANY - at)
			n = MANY - at;
		for (i = 0; i < n; i++)
			data[i] = number_of(at + i);
		n = send(fd, data, n, flags);
		if (n < 0 && errno == EAGAIN) {
			IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
			continue;
		}
		TRUE(n > 0);
		at += n;
	}
	IS(shutdown(fd, SHUT_WR), 0);
	return NULL;
}

static void *receive_many(void *arg)
{
	int fd = *(int *)arg;
	unsigned int seed = fd;
	unsigned char data[5000];
	long at = 0, n, i;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int flags = rand_r(&seed) % 3 ? 0 : MSG_DONTWAIT;

		n = 1 + rand_r(&seed) % sizeof(data);
		if (!(rand_r(&seed) % 8))
			flags |= MSG_PEEK;
		else if (!(rand_r(&seed) % 8))
			flags = MSG_WAITALL;
		n = recv(fd, data, n, flags);
		if (n < 0 && errno == EAGAIN) {
			IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
			continue;
		}
		TRUE(n >= 0);
		for (i = 0; i < n; i++)
			if (data[i] != number_of(at + i))
				test_fail(__FILE__, __LINE__, "byte %ld is %d, not %d",
					  at + i, data[i], number_of(at + i));
		if (!n)
			break;
		if (!(flags & MSG_PEEK))
			at += n;
	}
	IS(at, MANY);
	return NULL;
}

/* Passes numbered bytes both ways at once, while another thread works on the modules. */
static void many_bytes(int fds[2], void *(*meanwhile)(void *))
{
	pthread_t threads[4], other;
	int i;

	for (i = 0; i < 4; i++)
		IS(pthread_create(&threads[i], NULL, i / 2 ? receive_many : send_many,
				  &fds[i % 2]), 0);
	if (meanwhile)
		IS(pthread_create(&other, NULL, meanwhile, fds), 0);
	for (i = 0; i < 4; i++)
		IS(pthread_join(threads[i], NULL), 0);
	if (meanwhile) {
		pthread_cancel(other);
		IS(pthread_join(other, NULL), 0);
	}
	close(fds[0]);
	close(fds[1]);
}

/* A module that queues what passes, and has room for 2 KiB. */
static void run_queued(void)
{
	int fds[2];

	connection(fds);
	push(fds[0], "srvmod");
	many_bytes(fds, NULL);
	connection(fds);
	push(fds[0], "srvmod");
	push(fds[1], "srvmod");
	push(fds[1], "nullmod");
	many_bytes(fds, NULL);
}

static void *change_modules(void *arg)
{
	static const char * const names[] = { "nullmod", "srvmod", "pipemod" };
	int *fds = arg, i;

	for (i = 0;; i++) {
		int fd = fds[i % 2];

		if (ioctl(fd, I_PUSH, names[i % 3]))
			TRUE(errno == EAGAIN || errno == EINVAL);
		if (i % 5 > 1)
			while (!ioctl(fd, I_POP, 0))
				pthread_testcancel();
		usleep(1000);
	}
	return NULL;
}

static void run_changing(void)
{
	int fds[2];

	connection(fds);
	many_bytes(fds, change_modules);
}

/* getmsg() and putmsg() on a connection, as on an endpoint that is in data transfer. */
static void run_messages(void)
{
	struct T_data_req req = { .PRIM_type = T_DATA_REQ };
	int fds[2], flags = 0;
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = 5, .buf = in.data };
	struct strpeek peek = { .ctlbuf = c, .databuf = d };
	int n;

	connection(fds);
	push(fds[0], "nullmod");
	sends(fds[1], "some bytes");
	IS(ioctl(fds[0], I_NREAD, &n), 1);
	IS(n, 10);
	IS(ioctl(fds[0], I_PEEK, &peek), 1);
	IS(peek.databuf.len, 5);
	IS(getmsg(fds[0], &c, &d, &flags), MOREDATA);
	IS(c.len, -1);
	IS(d.len, 5);
	IS(memcmp(in.data, "some ", 5), 0);
	/* Receive calls continue with the rest. */
	receives(fds[0], "bytes");
	/* Data with a control part, and without. */
	c = (struct strbuf){ .len = sizeof(req), .buf = (char *)&req };
	d = (struct strbuf){ .len = 4, .buf = (char *)"with" };
	IS(putmsg(fds[0], &c, &d, 0), 0);
	d.buf = (char *)"out.";
	IS(putmsg(fds[0], NULL, &d, 0), 0);
	receives(fds[1], "without.");
	req.PRIM_type = T_EXDATA_REQ;
	d = (struct strbuf){ .len = 3, .buf = (char *)"as!" };
	IS(putmsg(fds[0], &c, &d, 0), 0);
	receives(fds[1], "as");
	UNTIL(recv(fds[1], buf, 1, MSG_OOB) == 1);
	IS(buf[0], '!');
	put_simple(fds[0], T_INFO_REQ);
	receive_prim(fds[0], T_INFO_ACK);
	IS(in.prim.info_ack.SERV_type, T_COTS_ORD);
	IS(in.prim.info_ack.CURRENT_state, TS_DATA_XFER);
	put_simple(fds[0], T_ADDR_REQ);
	receive_prim(fds[0], T_ADDR_ACK);
	TRUE(in.prim.addr_ack.LOCADDR_length > 0);
	IS(in.prim.addr_ack.REMADDR_length, in.prim.addr_ack.LOCADDR_length);
	put_simple(fds[0], T_UNBIND_REQ);
	receive_error(fds[0], T_UNBIND_REQ, TNOTSUPPORT, 0);
	/* The urgent byte comes between those around it. */
	IS(send(fds[1], "now!", 4, MSG_OOB), 4);
	sends(fds[1], "later");
	TRUE(arrives(fds[0], WAIT_MS));
	IS(in.ctl_len, -1);
	IS(in.data_len, 3);
	receive_prim(fds[0], T_EXDATA_IND);
	IS(in.data_len, 1);
	IS(in.data[0], '!');
	TRUE(arrives(fds[0], WAIT_MS));
	IS(in.data_len, 5);
	/* Both directions are released. */
	IS(shutdown(fds[1], SHUT_WR), 0);
	receive_prim(fds[0], T_ORDREL_IND);
	IS(recv(fds[0], buf, 1, 0), 0);
	put_simple(fds[0], T_INFO_REQ);
	receive_prim(fds[0], T_INFO_ACK);
	IS(in.prim.info_ack.CURRENT_state, TS_WREQ_ORDREL);
	put_simple(fds[0], T_ORDREL_REQ);
	IS(recv(fds[1], buf, 1, 0), 0);
	close(fds[0]);
	close(fds[1]);
}

static void run_disconnect(void)
{
	struct T_discon_req req = { .PRIM_type = T_DISCON_REQ, .SEQ_number = -1 };
	struct linger now = { .l_onoff = 1 };
	int fds[2];

	connection(fds);
	push(fds[0], "nullmod");
	sends(fds[1], "last words");
	IS(setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
	close(fds[1]);
	TRUE(arrives(fds[0], WAIT_MS));
	if (in.ctl_len < 0) {
		IS(in.data_len, 10);
		TRUE(arrives(fds[0], WAIT_MS));
	}
	IS(in.prim.type, T_DISCON_IND);
	IS(in.prim.discon_ind.DISCON_reason, ECONNRESET);
	FAILS(recv(fds[0], buf, 1, 0), ECONNRESET);
	IS(recv(fds[0], buf, 1, 0), 0);
	FAILS(send(fds[0], "x", 1, MSG_NOSIGNAL), EPIPE);
	close(fds[0]);
	/* The program resets the connection. */
	connection(fds);
	push(fds[0], "nullmod");
	memcpy(out.bytes, &req, sizeof(req));
	IS(send_prim(fds[0], sizeof(req), NULL, 0, 0), 0);
	receive_prim(fds[0], T_OK_ACK);
	FAILS(recv(fds[1], buf, 1, 0), ECONNRESET);
	close(fds[0]);
	close(fds[1]);
}

/* The bytes that modules hold when a socket is closed are sent; unread ones reset it. */
static void run_close(void)
{
	static char data[100000];
	int fds[2];
	long n, sent = 0, got = 0;

	connection(fds);
	push(fds[0], "srvmod");
	push(fds[0], "srvmod");
	while ((n = send(fds[0], data, sizeof(data), MSG_DONTWAIT)) > 0)
		sent += n;
	TRUE(errno == EAGAIN);
	close(fds[0]);
	while ((n = recv(fds[1], buf, sizeof(buf), 0)) > 0)
		got += n;
	IS(n, 0);
	IS(got, sent);
	close(fds[1]);
	connection(fds);
	push(fds[0], "nullmod");
	sends(fds[1], "unread");
	IS(recv(fds[0], buf, 1, MSG_PEEK), 1);
	close(fds[0]);
	FAILS(recv(fds[1], buf, 1, 0), ECONNRESET);
	close(fds[1]);
}

/* Returns how often an epoll of edges reports a socket, within a time. */
static int edges(int ep, uint32_t *events)
{
	struct epoll_event e;
	int n;

	*events = 0;
	for (n = 0; epoll_wait(ep, &e, 1, n ? 0 : WAIT_LIMIT_MS) == 1; n++)
		*events |= e.events;
	return n;
}

/* A task that waits is woken by what a module held back. */
static void run_waiting(void)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET };
	struct timeval tv = { .tv_usec = 20000 };
	int fds[2], ep = epoll_create1(0);
	uint32_t events;

	connection(fds);
	push(fds[0], "srvmod");
	IS(setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	FAILS(recv(fds[0], buf, 1, 0), EAGAIN);
	FAILS(recv(fds[0], buf, 1, MSG_DONTWAIT), EAGAIN);
	IS(epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e), 0);
	sends(fds[1], "edge");
	TRUE(edges(ep, &events) >= 1);
	IS(events, EPOLLIN);
	receives(fds[0], "edge");
	FAILS(recv(fds[0], buf, 1, MSG_DONTWAIT), EAGAIN);
	IS(polled(fds[0]), POLLOUT | POLLWRNORM);
	IS(shutdown(fds[1], SHUT_WR), 0);
	TRUE(edges(ep, &events) >= 1);
	IS(events, EPOLLIN | EPOLLRDHUP);
	IS(recv(fds[0], buf, 1, 0), 0);
	close(fds[0]);
	close(fds[1]);
	close(ep);
}

/* I_SETSIG reports bytes that no call looks for. */
static void run_signal(void)
{
	sigset_t set;
	int fds[2], i;

	sigemptyset(&set);
	sigaddset(&set, SIGPOLL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	connection(fds);
	push(fds[0], "srvmod");
	IS(ioctl(fds[0], I_SETSIG, S_RDNORM), 0);
	for (i = 0; i < 3; i++) {
		sends(fds[1], "signal");
		IS(sigtimedwait(&set, NULL, &(struct timespec){ .tv_sec = WAIT_SECONDS }), SIGPOLL);
		receives(fds[0], "signal");
		/* Another may have come when the bytes left the module. */
		while (sigtimedwait(&set, NULL, &(struct timespec){}) == SIGPOLL)
			;
	}
	close(fds[0]);
	close(fds[1]);
}

/* The socket has no event for I_PUSH, I_POP or an unknown ioctl. */
static void run_unnoticed(void)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLOUT | EPOLLET };
	int fds[2], ep = epoll_create1(0), i;
	const char * const names[] = { "nullmod", "flipmod", "srvmod" };
	uint32_t events;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigprocmask(SIG_BLOCK, &set, NULL);
	connection(fds);
	IS(isastream(fds[0]), 1);
	sends(fds[1], "unread");
	UNTIL(ioctl_int(fds[0], FIONREAD) == 6);
	IS(epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e), 0);
	TRUE(edges(ep, &events) >= 1);
	IS(fcntl(fds[0], F_SETOWN, getpid()), 0);
	IS(fcntl(fds[0], F_SETFL, O_ASYNC), 0);
	for (i = 0; i < 3; i++) {
		push(fds[0], names[i]);
		FAILS(ioctl(fds[0], 0x5390, buf), ENOTTY);
		IS(ioctl(fds[0], I_POP, 0), 0);
		IS(epoll_wait(ep, &e, 1, 0), 0);
		FAILS(sigtimedwait(&set, NULL, &(struct timespec){}), EAGAIN);
	}
	receives(fds[0], "unread");
	close(fds[0]);
	close(fds[1]);
	close(ep);
}

/* Returns whether the next byte comes with the time of its arrival. */
static bool comes_with_time(int fd)
{
	union {
		struct cmsghdr hdr;
		char room[CMSG_SPACE(sizeof(struct timeval))];
	} control;
	struct iovec iov = { buf, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };

	IS(recvmsg(fd, &msg, 0), 1);
	return msg.msg_controllen && control.hdr.cmsg_type == SCM_TIMESTAMP;
}

/* A module that only passes data on changes nothing that the calls of sockets report. */
static void run_past(void)
{
	int fds[2];

	connection(fds);
	push(fds[0], "nullmod");
	/* A look behind the mark of urgent data does not take the urgent byte. */
	IS(send(fds[1], "ab!", 3, MSG_OOB), 3);
	sends(fds[1], "later");
	UNTIL(ioctl_int(fds[0], FIONREAD) == 2);
	receives(fds[0], "ab");
	UNTIL(recv(fds[0], buf, 10, MSG_PEEK | MSG_DONTWAIT) == 5);
	IS(ioctl_int(fds[0], SIOCATMARK), 1);
	IS(recv(fds[0], buf, 1, MSG_OOB), 1);
	IS(buf[0], '!');
	receives(fds[0], "later");
	IS(switched(fds[0], SOL_SOCKET, SO_TIMESTAMP, 1), 0);
	sends(fds[1], "x");
	TRUE(comes_with_time(fds[0]));
	close(fds[0]);
	close(fds[1]);
}

static void *read_into(void *page)
{
	IS(recv(reader, page, 4, 0), 4);
	return NULL;
}

/*
 * A task that disconnects a socket waits for a reader, which waits for memory of its own
 * program, and is killed meanwhile.
 */
static void run_killed(void)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };
	struct missing m = missing_page();
	pthread_t thread;
	int fds[2];
	pid_t pid;

	connection(fds);
	push(fds[0], "flipmod");
	sends(fds[1], "READ");
	reader = fds[0];
	IS(pthread_create(&thread, NULL, read_into, m.page), 0);
	missing_await(&m);
	pid = fork();
	if (!pid)
		_exit(connect(fds[0], &none, sizeof(none)));
	UNTIL(task_state(pid, pid) == 'D');
	IS(kill(pid, SIGKILL), 0);
	UNTIL(waitpid(pid, NULL, WNOHANG) == pid);
	missing_bring(&m);
	IS(pthread_join(thread, NULL), 0);
	IS(connect(fds[0], &none, sizeof(none)), 0);
	close(fds[0]);
	close(fds[1]);
}

/* Sets the error with which the test module openfail refuses to be opened; 0: none. */
static void openfail(const char *error)
{
	int fd = open("/sys/module/openfail/parameters/error", O_WRONLY);

	IS(write(fd, error, strlen(error)), strlen(error));
	close(fd);
}

/* A module of the listening socket that refuses to be opened fails accept(). */
static void run_refused(void)
{
	struct at at;
	int l = listening(&at), c = tcp_sock(0);

	push(l, "nullmod");
	openfail("0");
	push(l, "openfail");
	openfail("33");
	IS(connect_at(c, &at), 0);
	FAILS(accept(l, NULL, NULL), EDOM);
	TRUE(recv(c, buf, 1, 0) <= 0);
	close(c);
	close(l);
}

static void run_inet6(void)
{
	family = AF_INET6;
	run_modules();
	run_filter();
	run_accepted();
	run_queued();
	run_messages();
	run_close();
}

static const struct test_case cases[] = {
	{ "modules", run_modules },
	{ "filter", run_filter },
	{ "accepted", run_accepted },
	{ "queued", run_queued },
	{ "changing", run_changing },
	{ "messages", run_messages },
	{ "disconnect", run_disconnect },
	{ "close", run_close },
	{ "waiting", run_waiting },
	{ "signal", run_signal },
	{ "unnoticed", run_unnoticed },
	{ "past", run_past },
	{ "killed", run_killed },
	{ "refused", run_refused },
	{ "inet6", run_inet6 },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
