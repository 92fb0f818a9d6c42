// SPDX-License-Identifier: GPL-2.0-only
/* /dev/streams/udp_s and rawip: datagrams over kernel sockets */
#include "tpi-inet.h"

#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <sys/bufmod.h>
#include <sys/epoll.h>

static void run_datagrams(void)
{
	static const int sizes[] = { 0, 1, 1000, 8192, 65507 };
	static char data[65507];
	struct sockaddr_in a, b, n, from;
	socklen_t len = sizeof(from);
	unsigned int i;
	int fa, fb, fn;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	fn = udp_socket(&n);
	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + i / 256;
	for (i = 0; i < COUNT(sizes); i++) {
		IS(put_datagram(fa, &b, NULL, 0, data, sizes[i]), 0);
		from = receive_datagram(fb, data, sizes[i]);
		IS(from.sin_port, a.sin_port);
		IS(put_datagram(fa, &n, NULL, 0, data, sizes[i]), 0);
		IS(recvfrom(fn, in.data, sizeof(in.data), 0, (struct sockaddr *)&from, &len),
		   sizes[i]);
		TRUE(!memcmp(in.data, data, sizes[i]));
		IS(sendto(fn, data, sizes[i], 0, (struct sockaddr *)&a, sizeof(a)), sizes[i]);
		from = receive_datagram(fa, data, sizes[i]);
		IS(from.sin_port, n.sin_port);
	}
	close(fa);
	close(fb);
	close(fn);
}

static void run_uderror(void)
{
	struct sockaddr_in a, b, closed;
	static char data[65536];
	int fa, fb, i;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	close(udp_socket(&closed));
	/* An error returned for one datagram does not affect the next. */
	for (i = 0; i < 10; i++) {
		IS(put_datagram(fa, &closed, NULL, 0, "nobody", 6), 0);
		IS(put_datagram(fa, &b, NULL, 0, "somebody", 8), 0);
		receive_uderror(fa, &closed, ECONNREFUSED);
		receive_datagram(fb, "somebody", 8);
	}
	closed.sin_port = 0;
	IS(put_datagram(fa, &closed, NULL, 0, "x", 1), 0);
	receive_uderror(fa, &closed, EINVAL);
	closed = a;
	closed.sin_addr.s_addr = INADDR_BROADCAST;
	IS(put_datagram(fa, &closed, NULL, 0, "x", 1), 0);
	receive_prim(fa, T_UDERROR_IND);
	TRUE(in.prim.uderror_ind.ERROR_type == EACCES ||
	     in.prim.uderror_ind.ERROR_type == ENETUNREACH);
	IS(put_datagram(fa, &b, NULL, 0, data, 65508), 0);
	receive_uderror(fa, &b, EMSGSIZE);
	close(fa);
	close(fb);
}

static void run_states(void)
{
	struct sockaddr_in a;
	int fd;

	inet_device = "/dev/streams/udp_s";
	fd = endpoint();
	a = loopback(9);
	put_conn_req(fd, &a);
	receive_error(fd, T_CONN_REQ, TNOTSUPPORT, 0);
	put_discon(fd, -1);
	receive_error(fd, T_DISCON_REQ, TNOTSUPPORT, 0);
	IS(put_data_flags(fd, T_DATA_REQ, 0, "x", 1), 0);
	receive_error(fd, T_DATA_REQ, TNOTSUPPORT, 0);
	bind_to(fd, NULL);
	put_simple(fd, T_UNBIND_REQ);
	receive_prim(fd, T_OK_ACK);
	/* Before T_BIND_ACK the endpoint cannot send. */
	IS(put_datagram(fd, &a, NULL, 0, "x", 1), 0);
	expect_ended(fd);
	fd = endpoint();
	IS(write(fd, "x", 1), 1);
	expect_ended(fd);
}

/*
 * While the reader stays away, datagrams are dropped and their memory is freed;
 * later the reader receives the next ones.
 */
static void run_overflow(void)
{
	struct sockaddr_in a, n;
	int fd, fn, i, last = -1, got = 0;
	const int sent = test_scaled(5000);
	int number;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	for (i = 0; i < sent; i++) {
		memcpy(in.data, &i, sizeof(i));
		IS(sendto(fn, in.data, 1000, 0, (struct sockaddr *)&a, sizeof(a)), 1000);
	}
	for (;;) {
		/*
		 * One more datagram is sent behind all others, when there is
		 * room for it.
		 */
		if (!arrives(fd, 0)) {
			IS(sendto(fn, "last one", 8, 0, (struct sockaddr *)&a, sizeof(a)), 8);
			TRUE(arrives(fd, WAIT_MS));
		}
		IS(in.prim.type, T_UNITDATA_IND);
		if (in.data_len == 8)
			break;
		memcpy(&number, in.data, sizeof(number));
		TRUE(number > last);
		last = number;
		got++;
	}
	TRUE(got > 50);
	TRUE(got < sent || sent < 1000);
	close(fd);
	close(fn);
}

static volatile sig_atomic_t told;

static void note_signal(int sig)
{
	told = 1;
}

/*
 * A datagram that has arrived is visible to every call that looks, though none
 * has read it.
 */
static void run_arrived(void)
{
	struct sigaction act = { .sa_handler = note_signal };
	struct sockaddr_in a, n;
	struct pollfd p;
	int fd, fn, i, bytes = 0;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	for (i = 0; i < 3; i++)
		IS(sendto(fn, "data", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	UNTIL(ioctl(fd, I_NREAD, &bytes) == 3);
	IS(bytes, 4);
	IS(ioctl(fd, FIONREAD, &bytes), 0);
	IS(bytes, 12);
	for (i = 0; i < 2; i++)
		IS(sendto(fn, "data", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	UNTIL(ioctl(fd, I_NREAD, &bytes) == 5);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	IS(ioctl(fd, I_NREAD, &bytes), 0);
	/* One of several datagrams is read at a time, and the others stay. */
	for (i = 0; i < 3; i++)
		IS(sendto(fn, "more", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	p = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (i = 0; i < 3; i++) {
		IS(poll(&p, 1, WAIT_MS), 1);
		receive_datagram(fd, "more", 4);
	}
	IS(poll(&p, 1, 0), 0);
	sigaction(SIGPOLL, &act, NULL);
	IS(ioctl(fd, I_SETSIG, S_INPUT), 0);
	IS(sendto(fn, "sign", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	UNTIL(told);
	receive_datagram(fd, "sign", 4);
	close(fd);
	close(fn);
}

/* A task that waits in I_RECVFD finds that a datagram is not a descriptor. */
static void run_descriptor(void)
{
	struct strrecvfd recv;
	struct sockaddr_in a, n;
	int fd, fn, status;
	pid_t child;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	child = fork();
	TRUE(child >= 0);
	if (!child) {
		UNTIL(process_sleeps(getppid()));
		_exit(sendto(fn, "none", 4, 0, (struct sockaddr *)&a, sizeof(a)) != 4);
	}
	FAILS(ioctl(fd, I_RECVFD, &recv), EBADMSG);
	receive_datagram(fd, "none", 4);
	IS(waitpid(child, &status, 0), child);
	IS(status, 0);
	close(fd);
	close(fn);
}

/* A datagram has a control part with unused bytes at its end. */
static void put_padded(int fd, const struct sockaddr_in *to, const char *text)
{
	out.prim.unitdata_req = (struct T_unitdata_req){
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = sizeof(*to),
		.DEST_offset = sizeof(out.prim.unitdata_req),
	};
	memcpy(out.bytes + sizeof(out.prim.unitdata_req), to, sizeof(*to));
	/* The datagram is larger than those sent without a message. */
	IS(send_prim(fd, 200, text, strlen(text), 0), 0);
}

/* Each edge is reported exactly once, however often the events are asked for. */
static void edges(const char *module)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int fd, fn, ep = epoll_create1(EPOLL_CLOEXEC), i, bytes;
	struct sockaddr_in a, n;
	char buf[16];

	fd = bound(&a);
	fn = udp_socket(&n);
	if (module)
		IS(ioctl(fd, I_PUSH, module), 0);
	IS(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event), 0);
	IS(epoll_wait(ep, &event, 1, 0), 0);
	for (i = 0; i < 3; i++) {
		IS(sendto(fn, "edge", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
		IS(epoll_wait(ep, &event, 1, WAIT_MS), 1);
		IS(event.events, EPOLLIN);
		IS(epoll_wait(ep, &event, 1, 0), 0);
		receive_datagram(fd, "edge", 4);
		IS(epoll_wait(ep, &event, 1, 0), 0);
	}
	/*
	 * A datagram taken up while a sent message comes down makes no second
	 * edge either.
	 */
	IS(sendto(fn, "edge", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	IS(epoll_wait(ep, &event, 1, WAIT_MS), 1);
	put_padded(fd, &n, "message");
	IS(recv(fn, buf, sizeof(buf), 0), strlen("message"));
	IS(epoll_wait(ep, &event, 1, 0), 0);
	receive_datagram(fd, "edge", 4);
	IS(epoll_wait(ep, &event, 1, 0), 0);
	/*
	 * The second of two datagrams makes no new edge when the first is read.
	 */
	for (i = 0; i < 2; i++)
		IS(sendto(fn, "edge", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	UNTIL(!ioctl(fd, FIONREAD, &bytes) && bytes == 8);
	IS(epoll_wait(ep, &event, 1, WAIT_MS), 1);
	receive_datagram(fd, "edge", 4);
	IS(epoll_wait(ep, &event, 1, 0), 0);
	IS(ioctl(fd, FIONREAD, &bytes), 0);
	IS(bytes, 4);
	receive_datagram(fd, "edge", 4);
	IS(ioctl(fd, FIONREAD, &bytes), 0);
	IS(bytes, 0);
	close(ep);
	close(fd);
	close(fn);
}

/*
 * The same holds with modules that pass data on unchanged; all XTI endpoints
 * have timod.
 */
static void run_edges(void)
{
	inet_device = "/dev/streams/udp_s";
	edges(NULL);
	edges("timod");
	edges("nullmod");
}

static int hidden_fd;

static void *hidden_poller(void *arg)
{
	struct pollfd p = { .fd = hidden_fd, .events = POLLIN };

	IS(poll(&p, 1, WAIT_MS), 1);
	IS(p.revents, POLLIN);
	return NULL;
}

/* Data behind a message of high priority is reported when that is read. */
static void run_hidden(void)
{
	struct pollfd p;
	struct sockaddr_in a, n;
	pthread_t poller;
	int fn, late;

	inet_device = "/dev/streams/udp_s";
	hidden_fd = bound(&a);
	fn = udp_socket(&n);
	p = (struct pollfd){ .fd = hidden_fd, .events = POLLPRI };
	for (late = 0; late < 2; late++) {
		out.prim.type = T_INFO_REQ;
		IS(send_prim(hidden_fd, sizeof(out.prim.type), NULL, 0, RS_HIPRI), 0);
		IS(poll(&p, 1, WAIT_MS), 1);
		if (!late)
			IS(sendto(fn, "data", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
		poller = thread_asleep(hidden_poller, NULL);
		if (late)
			IS(sendto(fn, "data", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
		receive_ack(hidden_fd, T_INFO_ACK);
		pthread_join(poller, NULL);
		receive_datagram(hidden_fd, "data", 4);
	}
}

/*
 * Returns the bytes at the head of this process' only stream, without looking
 * at them.
 */
static long head_bytes(void)
{
	FILE *list = fopen("/proc/streams/open", "r");
	char line[1024], pid[32], *at;
	long bytes = -1;

	TRUE(list);
	snprintf(pid, sizeof(pid), " pid=%d ", getpid());
	while (fgets(line, sizeof(line), list)) {
		at = strstr(line, " queued=");
		if (at && strstr(line, pid))
			bytes = atol(at + strlen(" queued="));
	}
	fclose(list);
	return bytes;
}

/* A module gets arriving data though no task looks, unless it only passes data on. */
static void run_given(void)
{
	struct sockaddr_in a, n;
	int fd, fn;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	IS(ioctl(fd, I_PUSH, "timod"), 0);
	IS(sendto(fn, "left", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	/*
	 * No event reports that the datagram stays where it is: the test
	 * pauses.
	 */
	usleep(100000);
	IS(head_bytes(), 0);
	receive_datagram(fd, "left", 4);
	IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	IS(sendto(fn, "given", 5, 0, (struct sockaddr *)&a, sizeof(a)), 5);
	UNTIL(head_bytes() == 5);
	receive_datagram(fd, "given", 5);
	IS(ioctl(fd, I_POP, 0), 0);
	IS(sendto(fn, "left", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	usleep(100000);
	IS(head_bytes(), 0);
	receive_datagram(fd, "left", 4);
	close(fd);
	close(fn);
}

/* A module may need several datagrams before it has a message for the poller. */
static void run_gathered(void)
{
	unsigned int chunk = 200;
	struct strioctl ioc = { SBIOCSCHUNK, 0, sizeof(chunk), (char *)&chunk };
	struct strbuf data = { .maxlen = sizeof(in.data), .buf = in.data };
	int fd, fn, i, j, flags = 0;
	struct sockaddr_in a, n;
	struct pollfd p;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	IS(ioctl(fd, I_PUSH, "bufmod"), 0);
	IS(ioctl(fd, I_STR, &ioc), 0);
	p = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (i = 0; i < 2; i++) {
		/* The data is larger than a chunk. */
		for (j = 0; j < 5; j++)
			IS(sendto(fn, "some", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
		IS(poll(&p, 1, WAIT_MS), 1);
		IS(getmsg(fd, NULL, &data, &flags), 0);
		TRUE(data.len >= (int)sizeof(struct sb_hdr) && data.len <= (int)chunk);
		while (poll(&p, 1, 0) == 1)
			IS(getmsg(fd, NULL, &data, &flags), 0);
	}
	close(fd);
	close(fn);
}

static unsigned short checksum(const void *data, int len)
{
	const unsigned short *word = data;
	unsigned int sum = 0;

	for (; len > 1; len -= 2)
		sum += *word++;
	sum = (sum >> 16) + (sum & 0xffff);
	sum += sum >> 16;
	return ~sum;
}

/* A request is sent by raw IP, and the request and its reply are received. */
static void run_raw(void)
{
	struct {
		struct icmphdr icmp;
		char text[8];
	} echo = { .icmp = { .type = ICMP_ECHO, .un.echo = { .id = 4711 } }, .text = "raw ip" };
	struct sockaddr_in sin = loopback(0), to = loopback(0);
	bool replied = false;
	int fd, i;

	inet_device = "/dev/streams/rawip";
	fd = endpoint();
	/* The port's place has the protocol. */
	sin.sin_port = htons(IPPROTO_ICMP);
	sin = bind_to(fd, &sin);
	IS(ntohs(sin.sin_port), IPPROTO_ICMP);
	echo.icmp.checksum = checksum(&echo, sizeof(echo));
	IS(put_datagram(fd, &to, NULL, 0, &echo, sizeof(echo)), 0);
	for (i = 0; i < 2; i++) {
		const struct iphdr *ip = (struct iphdr *)in.data;
		const struct icmphdr *icmp;

		receive_prim(fd, T_UNITDATA_IND);
		IS(address(in.prim.unitdata_ind.SRC_offset, 16).sin_addr.s_addr,
		   htonl(INADDR_LOOPBACK));
		IS(in.data_len, sizeof(*ip) + sizeof(echo));
		IS(ip->protocol, IPPROTO_ICMP);
		icmp = (struct icmphdr *)(in.data + ip->ihl * 4);
		IS(icmp->un.echo.id, 4711);
		replied |= icmp->type == ICMP_ECHOREPLY;
	}
	TRUE(replied);
	close(fd);
	fd = endpoint();
	sin.sin_port = htons(256);
	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	close(fd);
}

/*
 * rawip with UDP's protocol number receives UDP's packets too, but is not a UDP
 * socket.
 */
static void run_raw_udp(void)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct sockaddr_in sin = loopback(0), a, n;
	int fd, fa, fn, flags = 0;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fn = udp_socket(&n);
	inet_device = "/dev/streams/rawip";
	fd = endpoint();
	sin.sin_port = htons(IPPROTO_UDP);
	bind_to(fd, &sin);
	receive_none(fd);
	IS(sendto(fn, "both", 4, 0, (struct sockaddr *)&a, sizeof(a)), 4);
	receive_datagram(fa, "both", 4);
	receive_prim(fd, T_UNITDATA_IND);
	/* The packet is received with its headers. */
	IS(in.data_len, 20 + 8 + 4);
	TRUE(!memcmp(in.data + 28, "both", 4));
	receive_none(fd);
	test_nonblock(fd, true);
	alarm(WAIT_SECONDS);
	FAILS(getmsg(fd, &c, NULL, &flags), EAGAIN);
	alarm(0);
	close(fd);
	close(fa);
	close(fn);
}

/* The data is larger than a send buffer: the sender waits, and all is sent. */
static void run_flow(void)
{
	struct sockaddr_in a, n;
	int fd, fn, i, got = 0;
	const int sent = 400, big = 8 << 20;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&a);
	fn = udp_socket(&n);
	IS(setsockopt(fn, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big)), 0);
	for (i = 0; i < sent; i++)
		IS(put_datagram(fd, &n, NULL, 0, in.data, 8000), 0);
	for (i = 0; i < sent; i++) {
		struct pollfd p = { .fd = fn, .events = POLLIN };

		if (poll(&p, 1, WAIT_MS) != 1)
			break;
		IS(recv(fn, in.data, sizeof(in.data), 0), 8000);
		got++;
	}
	IS(got, sent);
	close(fd);
	close(fn);
}

static const struct test_case cases[] = {
	{ "datagrams", run_datagrams },
	{ "uderror", run_uderror },
	{ "states", run_states },
	{ "overflow", run_overflow },
	{ "arrived", run_arrived },
	{ "descriptor", run_descriptor },
	{ "edges", run_edges },
	{ "hidden", run_hidden },
	{ "given", run_given },
	{ "gathered", run_gathered },
	{ "raw", run_raw },
	{ "raw-udp", run_raw_udp },
	{ "flow", run_flow },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
