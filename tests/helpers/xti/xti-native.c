// SPDX-License-Identifier: GPL-2.0-only
/*
 * xti-native.c - XTI on the network's transports, and the kernel's sockets
 *
 * usage: xti-native CASE [tcp|tcp6|sctp|sctp6|udp|udp6|udp_s]
 */
#include "xti-test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>

#define BLOCK		60000

static const char *device = "/dev/streams/tcp";
static int protocol = IPPROTO_TCP, domain = AF_INET;
static char data[BLOCK], got[BLOCK];

/* An address of the domain; in.sin_port is its port. */
union place {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static socklen_t place_size(void)
{
	return domain == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/* Returns this host's own address, without a port. */
static union place loopback(void)
{
	union place at;

	memset(&at, 0, sizeof(at));
	at.sa.sa_family = domain;
	if (domain == AF_INET6)
		at.in6.sin6_addr = in6addr_loopback;
	else
		at.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return at;
}

/* Returns whether an address is of this host, with any port. */
static bool is_loopback(union place at)
{
	union place own = loopback();

	at.in.sin_port = 0;
	return !memcmp(&at, &own, place_size());
}

static struct netbuf address(union place *at)
{
	return (struct netbuf){ .maxlen = place_size(), .len = place_size(), .buf = at };
}

static int endpoint(void)
{
	int fd = t_open(device, O_RDWR | O_CLOEXEC, NULL);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

/* Returns an endpoint bound to a port of this host, which is stored in sin. */
static int bound(union place *sin, unsigned int qlen)
{
	struct t_bind bind = { .addr = address(sin), .qlen = qlen };
	int fd = endpoint();

	*sin = loopback();
	TIS(t_bind(fd, &bind, &bind), 0);
	IS(bind.qlen, qlen);
	TRUE(sin->in.sin_port);
	return fd;
}

static int native(void)
{
	int fd = socket(domain, SOCK_STREAM | SOCK_CLOEXEC, protocol);

	TRUE(fd >= 0);
	return fd;
}

static int native_listener(union place *sin, int backlog)
{
	socklen_t len = place_size();
	int fd = native();

	*sin = loopback();
	IS(bind(fd, &sin->sa, len), 0);
	IS(listen(fd, backlog), 0);
	IS(getsockname(fd, &sin->sa, &len), 0);
	return fd;
}

static int native_client(union place *to)
{
	int fd = native();

	IS(connect(fd, &to->sa, place_size()), 0);
	return fd;
}

static void calls(int fd, union place *to)
{
	union place who = {};
	struct t_call call = { .addr = address(to) }, from = { .addr = address(&who) };

	TIS(t_connect(fd, &call, &from), 0);
	IS(who.in.sin_port, to->in.sin_port);
	TIS(t_getstate(fd), T_DATAXFER);
}

/* Returns the number of a connection that is asked for. */
static int asked_for(int listener)
{
	union place who = {};
	struct t_call call = { .addr = address(&who) };

	TIS(t_listen(listener, &call), 0);
	TRUE(is_loopback(who));
	return call.sequence;
}

static int accepted(int listener, int sequence)
{
	int fd = endpoint();

	TIS(t_accept(listener, fd, &(struct t_call){ .sequence = sequence }), 0);
	TIS(t_getstate(fd), T_DATAXFER);
	return fd;
}

/* Connects an endpoint to a socket. Returns the socket. */
static void call_native(int *fd, int *sock)
{
	union place sin;
	int listener = native_listener(&sin, 5);

	*fd = endpoint();
	TIS(t_bind(*fd, NULL, NULL), 0);
	calls(*fd, &sin);
	*sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	TRUE(*sock >= 0);
	close(listener);
}

static void call_by_native(int *fd, int *sock)
{
	union place sin;
	int listener = bound(&sin, 5);

	*sock = native_client(&sin);
	*fd = accepted(listener, asked_for(listener));
	TIS(t_getstate(listener), T_IDLE);
	TIS(t_close(listener), 0);
}

static void waits_for(int fd, int event)
{
	UNTIL(t_look(fd));
	TIS(t_look(fd), event);
}

static void receives(int fd, int len)
{
	int n = 0, flags = 0, r;

	memset(got, 0, len);
	while (n < len) {
		r = t_rcv(fd, got + n, len - n, &flags);
		TRUE(r > 0);
		n += r;
	}
	IS(flags & T_EXPEDITED, 0);
	TRUE(!memcmp(got, data, len));
}

static void native_receives(int sock, int len)
{
	int n = 0, r;

	memset(got, 0, len);
	while (n < len) {
		r = recv(sock, got + n, len - n, 0);
		TRUE(r > 0);
		n += r;
	}
	TRUE(!memcmp(got, data, len));
}

static void both_ways(int fd, int sock)
{
	static const int sizes[] = { 1, 7, 1000, 4096, BLOCK };
	unsigned int i;

	for (i = 0; i < COUNT(sizes); i++) {
		TIS(t_snd(fd, data, sizes[i], 0), sizes[i]);
		native_receives(sock, sizes[i]);
		IS(send(sock, data, sizes[i], 0), sizes[i]);
		receives(fd, sizes[i]);
	}
	/*
	 * The two sends make a record in two parts, or bytes: both are read
	 * alike.
	 */
	TIS(t_snd(fd, data, 10, T_MORE), 10);
	TIS(t_snd(fd, data + 10, 10, 0), 10);
	native_receives(sock, 20);
}

/* The endpoint releases first, and receives until the socket has ended too. */
static void released_by_endpoint(int fd, int sock)
{
	TIS(t_sndrel(fd), 0);
	IS(recv(sock, got, sizeof(got), 0), 0);
	if (protocol == IPPROTO_TCP) {
		TIS(t_getstate(fd), T_OUTREL);
		IS(send(sock, data, 9, 0), 9);
		receives(fd, 9);
	}
	close(sock);
	waits_for(fd, T_ORDREL);
	TIS(t_rcvrel(fd), 0);
	TIS(t_getstate(fd), T_IDLE);
}

static void released_by_socket(int fd, int sock)
{
	IS(shutdown(sock, SHUT_WR), 0);
	waits_for(fd, T_ORDREL);
	TIS(t_rcvrel(fd), 0);
	TIS(t_getstate(fd), T_INREL);
	if (protocol == IPPROTO_TCP) {
		TIS(t_snd(fd, data, 9, 0), 9);
		native_receives(sock, 9);
	}
	TIS(t_sndrel(fd), 0);
	TIS(t_getstate(fd), T_IDLE);
	if (protocol == IPPROTO_TCP)
		IS(recv(sock, got, sizeof(got), 0), 0);
	close(sock);
}

static void run_client(void)
{
	union place sin;
	int fd, sock, listener;

	call_native(&fd, &sock);
	both_ways(fd, sock);
	released_by_endpoint(fd, sock);
	/* The same endpoint connects once more. */
	listener = native_listener(&sin, 1);
	calls(fd, &sin);
	sock = accept(listener, NULL, NULL);
	both_ways(fd, sock);
	released_by_socket(fd, sock);
	/* The listener has been closed. */
	close(listener);
	TFAILS(t_connect(fd, &(struct t_call){ .addr = address(&sin) }, NULL), TLOOK);
	TIS(t_look(fd), T_DISCONNECT);
	TIS(t_rcvdis(fd, NULL), 0);
	TIS(t_close(fd), 0);
}

static void run_server(void)
{
	int fd, sock;

	call_by_native(&fd, &sock);
	both_ways(fd, sock);
	released_by_socket(fd, sock);
	TIS(t_close(fd), 0);
	call_by_native(&fd, &sock);
	both_ways(fd, sock);
	released_by_endpoint(fd, sock);
	TIS(t_close(fd), 0);
}

/* Urgent data arrives marked as expedited, in its place, in both directions. */
static void run_expedited(void)
{
	int fd, sock, flags = 0, i;
	char c;

	for (i = 0; i < 2; i++) {
		if (i)
			call_native(&fd, &sock);
		else
			call_by_native(&fd, &sock);
		IS(send(sock, "abc", 3, 0), 3);
		IS(send(sock, "!", 1, MSG_OOB), 1);
		IS(send(sock, "d", 1, 0), 1);
		TIS(t_rcv(fd, got, 3, &flags), 3);
		IS(flags & T_EXPEDITED, 0);
		TRUE(!memcmp(got, "abc", 3));
		waits_for(fd, T_EXDATA);
		TIS(t_rcv(fd, got, 10, &flags), 1);
		IS(flags & T_EXPEDITED, T_EXPEDITED);
		IS(got[0], '!');
		TIS(t_rcv(fd, got, 10, &flags), 1);
		IS(flags & T_EXPEDITED, 0);
		IS(got[0], 'd');
		TIS(t_snd(fd, "e", 1, 0), 1);
		TIS(t_snd(fd, "?", 1, T_EXPEDITED), 1);
		IS(poll(&(struct pollfd){ .fd = sock, .events = POLLPRI }, 1, 30000), 1);
		IS(recv(sock, &c, 1, MSG_OOB), 1);
		IS(c, '?');
		IS(recv(sock, &c, 1, 0), 1);
		IS(c, 'e');
		close(sock);
		TIS(t_close(fd), 0);
	}
}

/* An abort is reported to the other side, with its reason. */
static void run_abortive(void)
{
	struct linger now = { .l_onoff = 1 };
	struct t_discon why = {};
	int fd, sock, flags;

	call_native(&fd, &sock);
	IS(setsockopt(sock, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
	close(sock);
	waits_for(fd, T_DISCONNECT);
	TFAILS(t_rcv(fd, got, 1, &flags), TLOOK);
	TFAILS(t_snd(fd, data, 1, 0), TLOOK);
	TIS(t_rcvdis(fd, &why), 0);
	IS(why.reason, ECONNRESET);
	TIS(t_getstate(fd), T_IDLE);
	TIS(t_close(fd), 0);
	call_by_native(&fd, &sock);
	TIS(t_snddis(fd, NULL), 0);
	TIS(t_getstate(fd), T_IDLE);
	FAILS(recv(sock, got, 1, 0), ECONNRESET);
	close(sock);
	TIS(t_close(fd), 0);
}

static unsigned long received;

static void *receives_all(void *arg)
{
	int sock = *(int *)arg, n;

	while ((n = recv(sock, got, 1000, MSG_WAITALL)) > 0) {
		TRUE(!memcmp(got, data, n));
		received += n;
	}
	IS(n, 0);
	return NULL;
}

/*
 * No sent data is lost, though all buffers are full when the connection ends.
 */
static void run_full(void)
{
	unsigned long sent = 0;
	int fd, sock, n, i;
	pthread_t t;

	call_native(&fd, &sock);
	test_nonblock(fd, true);
	/*
	 * The loop ends when no more data moves from here to the peer's buffer.
	 */
	for (i = 0; i < 3; i++, usleep(100000))
		while ((n = t_snd(fd, data + sent % 1000, BLOCK - 1000, 0)) > 0) {
			sent += n;
			i = 0;
		}
	IS(t_errno, TFLOW);
	TRUE(sent > 100000);
	/* A socket's release needs no room. */
	if (!on_sockets())
		TFAILS(t_sndrel(fd), TFLOW);
	test_nonblock(fd, false);
	/* The release has to wait for room itself. */
	IS(pthread_create(&t, NULL, receives_all, &sock), 0);
	TIS(t_sndrel(fd), 0);
	TIS(t_getstate(fd), T_OUTREL);
	pthread_join(t, NULL);
	IS(received, sent);
	close(sock);
	waits_for(fd, T_ORDREL);
	TIS(t_rcvrel(fd), 0);
	TIS(t_close(fd), 0);
}

static void echoes(int fd, int sock, char c)
{
	char back;
	int flags;

	IS(send(sock, &c, 1, 0), 1);
	TIS(t_rcv(fd, &back, 1, &flags), 1);
	IS(back, c);
	TIS(t_snd(fd, &back, 1, 0), 1);
	IS(recv(sock, &back, 1, 0), 1);
	IS(back, c);
}

static void ends(int fd, int sock)
{
	close(sock);
	waits_for(fd, T_ORDREL);
	TIS(t_rcvrel(fd), 0);
	TIS(t_sndrel(fd), 0);
	TIS(t_close(fd), 0);
}

static void accepts(int row, int at_once)
{
	int *fds = calloc(at_once, sizeof(*fds)), *socks = calloc(at_once, sizeof(*socks));
	int *sequences = calloc(at_once, sizeof(*sequences));
	struct rlimit files = { 4 * at_once + 100, 4 * at_once + 100 };
	union place sin;
	int listener, i, fd;

	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	listener = bound(&sin, at_once);
	for (i = 0; i < row; i++) {
		socks[0] = native_client(&sin);
		fd = accepted(listener, asked_for(listener));
		echoes(fd, socks[0], i);
		ends(fd, socks[0]);
	}
	for (i = 0; i < at_once; i++)
		socks[i] = native_client(&sin);
	/*
	 * No connection can be accepted while an indication has not been
	 * received.
	 */
	for (i = 0; i < at_once; i++)
		sequences[i] = asked_for(listener);
	for (i = 0; i < at_once; i++)
		fds[i] = accepted(listener, sequences[i]);
	/* The connections came in this order. */
	for (i = 0; i < at_once; i++)
		echoes(fds[i], socks[i], i);
	for (i = 0; i < at_once; i++)
		ends(fds[i], socks[i]);
	TIS(t_close(listener), 0);
	free(fds);
	free(socks);
	free(sequences);
}

static void run_many(void)
{
	accepts(test_scaled(200), test_scaled(100));
}

static void run_many_long(void)
{
	accepts(test_scaled(2000), test_scaled(500));
}

static void all_out(const char *buf, int len)
{
	int n;

	for (; len; buf += n, len -= n) {
		n = write(1, buf, len);
		TRUE(n > 0);
	}
}

static void *native_to_output(void *arg)
{
	static char buf[65536];
	int n;

	while ((n = recv(*(int *)arg, buf, sizeof(buf), 0)) > 0)
		all_out(buf, n);
	IS(n, 0);
	return NULL;
}

static void *endpoint_to_output(void *arg)
{
	static char buf[65536];
	int n, flags;

	while ((n = t_rcv(*(int *)arg, buf, sizeof(buf), &flags)) > 0)
		all_out(buf, n);
	IS(n, -1);
	IS(t_errno, TLOOK);
	TIS(t_rcvrel(*(int *)arg), 0);
	return NULL;
}

/* Returns a piece of any size. */
static int piece(char *buf)
{
	static unsigned int n;

	n = n * 1103515245 + 12345;
	return read(0, buf, 1 + (n >> 8) % 65536);
}

/* Copies standard input to standard output, and prints nothing else. */
static void run_pass(void)
{
	static char buf[65536];
	int fd, sock, n;
	pthread_t t;

	call_native(&fd, &sock);
	IS(pthread_create(&t, NULL, native_to_output, &sock), 0);
	while ((n = piece(buf)) > 0)
		TIS(t_snd(fd, buf, n, 0), n);
	TIS(t_sndrel(fd), 0);
	pthread_join(t, NULL);
	exit(0);
}

static void run_pass_back(void)
{
	static char buf[65536];
	int fd, sock, n;
	pthread_t t;

	call_by_native(&fd, &sock);
	IS(pthread_create(&t, NULL, endpoint_to_output, &fd), 0);
	while ((n = piece(buf)) > 0)
		IS(send(sock, buf, n, 0), n);
	IS(shutdown(sock, SHUT_WR), 0);
	pthread_join(t, NULL);
	exit(0);
}

/* The peer does not read: requests for information are answered all the same. */
static void run_stalled(void)
{
	struct t_opthdr ttl = { .len = sizeof(ttl), .level = T_INET_IP, .name = T_IP_TTL };
	struct t_optmgmt ask = { .opt = { .len = sizeof(ttl), .buf = &ttl }, .flags = T_CURRENT };
	struct t_optmgmt told = { .opt = { .maxlen = sizeof(got), .buf = got } };
	union place mine = {}, its = {};
	struct t_bind local = { .addr = address(&mine) }, peer = { .addr = address(&its) };
	int fd, sock, i;

	call_native(&fd, &sock);
	test_nonblock(fd, true);
	/*
	 * The loop ends when no more data moves from here to the socket's
	 * buffer.
	 */
	for (i = 0; i < 2; i++, usleep(100000))
		while (t_snd(fd, data, BLOCK, 0) > 0)
			;
	IS(t_errno, TFLOW);
	test_nonblock(fd, false);
	alarm(WAIT_SECONDS);
	TIS(t_getprotaddr(fd, &local, &peer), 0);
	TRUE(its.in.sin_port && mine.in.sin_port);
	TIS(t_optmgmt(fd, &ask, &told), 0);
	IS(told.flags, T_SUCCESS);
	TIS(t_getinfo(fd, NULL), 0);
	TIS(t_sync(fd), T_DATAXFER);
	TIS(t_snddis(fd, NULL), 0);
	alarm(0);
	TIS(t_close(fd), 0);
	close(sock);
}

/*
 * Both sides have released, with data that the socket does not take: the
 * connection can be aborted.
 */
static void run_releasing(void)
{
	int fd, sock, err;
	ssize_t r;

	call_native(&fd, &sock);
	IS(shutdown(sock, SHUT_WR), 0);
	waits_for(fd, T_ORDREL);
	TIS(t_rcvrel(fd), 0);
	test_nonblock(fd, true);
	while (t_snd(fd, data, BLOCK, 0) > 0)
		;
	/*
	 * The release is sent as soon as it has room, though not yet all data.
	 */
	while (t_sndrel(fd)) {
		IS(t_errno, TFLOW);
		TRUE(recv(sock, got, 4096, MSG_DONTWAIT) > 0 || errno == EAGAIN);
		usleep(10000);
	}
	test_nonblock(fd, false);
	TIS(t_getstate(fd), T_IDLE);
	alarm(WAIT_SECONDS);
	TIS(t_snddis(fd, NULL), 0);
	TIS(t_getstate(fd), T_IDLE);
	TIS(t_unbind(fd), 0);
	alarm(0);
	do {
		r = recv(sock, got, sizeof(got), 0);
		err = errno;
	} while (r > 0);
	IS(r, -1);
	IS(err, ECONNRESET);
	TIS(t_close(fd), 0);
	close(sock);
}

static void run_datagrams(void)
{
	static const int sizes[] = { 0, 1, 1000, 1472, 1473, 9000, BLOCK };
	int fd, sock = socket(domain, SOCK_DGRAM | SOCK_CLOEXEC, 0), flags;
	union place mine, its = loopback(), from;
	socklen_t len = place_size();
	struct t_unitdata u = {};
	unsigned int i;

	fd = bound(&mine, 0);
	IS(bind(sock, &its.sa, len), 0);
	IS(getsockname(sock, &its.sa, &len), 0);
	for (i = 0; i < COUNT(sizes); i++) {
		u.addr = address(&its);
		u.udata = (struct netbuf){ .len = sizes[i], .buf = data };
		TIS(t_sndudata(fd, &u), 0);
		IS(recvfrom(sock, got, sizeof(got), 0, &from.sa, &len), sizes[i]);
		TRUE(!memcmp(got, data, sizes[i]));
		IS(from.in.sin_port, mine.in.sin_port);
		IS(sendto(sock, data, sizes[i], 0, &mine.sa, len), sizes[i]);
		u.addr = address(&from);
		u.udata = (struct netbuf){ .maxlen = sizeof(got), .buf = got };
		memset(got, 0, sizeof(got));
		TIS(t_rcvudata(fd, &u, &flags), 0);
		IS(flags, 0);
		IS(u.udata.len, sizes[i]);
		TRUE(!memcmp(got, data, sizes[i]));
		IS(from.in.sin_port, its.in.sin_port);
	}
	TIS(t_close(fd), 0);
	close(sock);
}

static const struct test_case cases[] = {
	{ "client", run_client }, { "server", run_server },
	{ "expedited", run_expedited }, { "abortive", run_abortive },
	{ "full", run_full }, { "stalled", run_stalled },
	{ "releasing", run_releasing },
	{ "many", run_many }, { "many_long", run_many_long },
	{ "pass", run_pass }, { "pass_back", run_pass_back },
	{ "datagrams", run_datagrams },
	{}
};

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc == 3) {
		static char path[64];

		snprintf(path, sizeof(path), "/dev/streams/%s", argv[2]);
		device = path;
		if (!strncmp(argv[2], "sctp", 4))
			protocol = IPPROTO_SCTP;
		if (argv[2][strlen(argv[2]) - 1] == '6')
			domain = AF_INET6;
		argc--;
	}
	for (i = 0; i < sizeof(data); i++)
		data[i] = i % 1000 * 13 + i % 1000 / 256;
	return test_main(argc, argv, cases);
}
