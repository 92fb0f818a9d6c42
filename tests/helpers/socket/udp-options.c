// SPDX-License-Identifier: GPL-2.0-only
/* udp-options.c - options, control messages and errors of UDP sockets */
#include "udp-options.h"
#include "udp-received.h"

#include <linux/filter.h>
#include <linux/net_tstamp.h>
#include <netinet/ip.h>

/* These options are asked for only in this test; 10 and 11 are UDP-Lite's. */
static const struct option options[] = {
	OPTION(SOL_SOCKET, SO_INCOMING_CPU), OPTION(SOL_UDP, UDP_NO_CHECK6_RX),
	OPTION(SOL_UDP, 10), OPTION(SOL_UDP, 11),
};

/* Checks that the socket still carries datagrams with the option set. */
static void with_option(const struct option *o)
{
	static const int values[] = { 1, 0, 2, -1, 255, 256, 70000 };
	int fd = sock_a(), b = sock_b();
	struct sockaddr_in at = bind_local(fd), to = bind_local(b);

	walk_option(fd, o, values, COUNT(values));
	SAY(send_in(fd, "with option", 11, to));
	all_arrived();
	SAY(recv(b, buf, 20, MSG_DONTWAIT));
	SAY(send_in(b, "answer", 6, at));
	all_arrived();
	SAY(recv(fd, buf, 20, MSG_DONTWAIT));
	close(fd);
	close(b);
}

static void run_options(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(socket_options); i++)
		with_option(&socket_options[i]);
	for (i = 0; i < COUNT(udp_options); i++)
		with_option(&udp_options[i]);
	for (i = 0; i < COUNT(options); i++)
		with_option(&options[i]);
}

static struct sockaddr_in from;

static ssize_t receive(int fd, int flags)
{
	ssize_t n = receive_message(fd, flags);

	from = plain(&r.from);
	return n;
}

static void say_address(const char *what, struct in_addr addr)
{
	char text[INET_ADDRSTRLEN];

	printf("  %s %s\n", what, inet_ntop(AF_INET, &addr, text, sizeof(text)));
}

static void say_extended_error(const struct sock_extended_err *ee)
{
	const struct sockaddr_in *sin =
		(const struct sockaddr_in *)SO_EE_OFFENDER(ee);

	printf("  error %s origin %u type %u code %u info %u data %u\n",
	       strerrorname_np(ee->ee_errno), ee->ee_origin, ee->ee_type,
	       ee->ee_code, ee->ee_info, ee->ee_data);
	printf("  offender family %u\n", sin->sin_family);
	if (sin->sin_family == AF_INET)
		say_address("offender", sin->sin_addr);
}

/*
 * Prints control messages; for port numbers and times only whether they are
 * present.
 */
static void say_control(void)
{
	const struct in_pktinfo *info;
	struct cmsghdr *c;

	printf("  flags %#x\n", r.msg.msg_flags);
	for (c = CMSG_FIRSTHDR(&r.msg); c; c = CMSG_NXTHDR(&r.msg, c)) {
		printf("  level %d type %d, %ld bytes\n", c->cmsg_level,
		       c->cmsg_type, (long)c->cmsg_len);
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL)
			printf("  dropped %u\n", *(unsigned int *)CMSG_DATA(c));
		if (c->cmsg_level == SOL_UDP)
			printf("  value %d\n", *(int *)CMSG_DATA(c));
		if (c->cmsg_level != SOL_IP)
			continue;
		switch (c->cmsg_type) {
		case IP_PKTINFO:
			info = (const struct in_pktinfo *)CMSG_DATA(c);
			printf("  interface %d\n", info->ipi_ifindex);
			say_address("local", info->ipi_spec_dst);
			say_address("destination", info->ipi_addr);
			break;
		case IP_TTL:
			printf("  ttl %d\n", *(int *)CMSG_DATA(c));
			break;
		case IP_TOS:
			printf("  tos %d\n", *CMSG_DATA(c));
			break;
		case IP_RECVERR:
			say_extended_error((void *)CMSG_DATA(c));
			break;
		case IP_ORIGDSTADDR:
			say_address("original",
				    ((struct sockaddr_in *)CMSG_DATA(c))->sin_addr);
			break;
		case IP_CHECKSUM:
			printf("  sum %#x\n", *(unsigned int *)CMSG_DATA(c));
			break;
		}
	}
}

static void run_control(void)
{
	static const int names[] = { IP_PKTINFO, IP_RECVTTL, IP_RECVTOS,
		IP_ORIGDSTADDR, IP_RECVOPTS, IP_RETOPTS, IP_CHECKSUM,
		IP_RECVFRAGSIZE };
	int a = sock_a(), b = sock_b();
	struct sockaddr_in at, to;
	unsigned int i;

	TRUE(!bind_in(a, inet(INADDR_ANY, 0)));
	at = name_of(a);
	to = inet(0x7f000005, ntohs(at.sin_port));
	bind_local(b);
	for (i = 0; i < COUNT(names); i++) {
		SAY(set_int(a, SOL_IP, names[i], 1));
		SAY(send_in(b, "one", 3, to));
		SAY(receive(a, 0));
		say_control();
		/* The option is set after the datagram came. */
		SAY(set_int(a, SOL_IP, names[i], 0));
		SAY(send_in(b, "two", 3, to));
		settle(a);
		SAY(set_int(a, SOL_IP, names[i], 1));
		SAY(receive(a, MSG_PEEK));
		say_control();
		SAY(receive(a, 0));
		say_control();
		if (i & 1)
			SAY(set_int(a, SOL_IP, names[i], 0));
	}
	SAY(set_int(a, SOL_SOCKET, SO_TIMESTAMP, 1));
	SAY(set_int(b, SOL_IP, IP_TTL, 33));
	SAY(set_int(b, SOL_IP, IP_TOS, 0x48));
	SAY(set_int(a, SOL_IP, IP_RECVTTL, 1));
	SAY(send_in(b, "three", 5, to));
	SAY(receive(a, 0));
	say_control();
	SAY(send_in(b, "four", 4, to));
	r.msg.msg_controllen = 20;
	SAY(recvmsg(a, &r.msg, 0));
	SAY(r.msg.msg_flags);
	close(a);
	close(b);
}

/*
 * These options cause the checksum to be computed before the datagram is
 * received.
 */
static void look_poll(int fd)
{
	settle(fd);
}

static void look_length(int fd)
{
	int len;

	SAY(ioctl(fd, FIONREAD, &len));
	printf("  length %d\n", len);
}

static void look_peek(int fd)
{
	SAY(receive(fd, MSG_PEEK));
	say_control();
}

/*
 * A part is copied after the checksum was computed; the whole is copied while
 * it is computed.
 */
static void look_part(int fd)
{
	SAY(recv(fd, buf, 10, MSG_PEEK));
}

static void run_sums(void)
{
	static void (*const looks[])(int fd) = {
		NULL, look_poll, look_length, look_peek, look_part,
	};
	static const int sizes[] = { 10, 300, 600 };
	unsigned int i;

	memset(buf, 'x', sizeof(buf));
	for (i = 0; i < 2 * COUNT(sizes) * COUNT(looks); i++) {
		void (*look)(int fd) = looks[i / 2 % COUNT(looks)];
		int size = sizes[i / 2 / COUNT(looks)];
		/* A socket that has had the option set, or unset, behaves differently. */
		int a = sock_a(), b = sock_b();
		struct name name = spelled(bind_local(a));

		printf("look %d, %s IP_CHECKSUM\n", i / 2 % (int)COUNT(looks),
		       i & 1 ? "after" : "before");
		/*
		 * IP reassembles the datagram, and leaves its checksum to the
		 * receiver.
		 */
		SAY(sendto(b, buf, size, MSG_MORE, &name.sa, name.len));
		SAY(sendto(b, buf, size, 0, &name.sa, name.len));
		all_arrived();
		if (look && !(i & 1))
			look(a);
		SAY(set_int(a, SOL_IP, IP_CHECKSUM, 1));
		if (look && i & 1)
			look(a);
		SAY(receive(a, 0));
		say_control();
		close(a);
		close(b);
	}
}

static void run_send_control(void)
{
	int a = sock_a(), b = sock_b(), ttl = 77, tos = 0x20, bad = 300;
	char control[256] __attribute__((aligned(8))) = {};
	struct sockaddr_in to = bind_local(b);
	struct in_pktinfo info = { .ipi_spec_dst.s_addr = htonl(0x7f000009) };
	struct name name = spelled(to);
	struct iovec iov = { "with control", 12 };
	struct msghdr msg = { .msg_name = &name, .msg_namelen = name.len,
			      .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = control };

	TRUE(!set_int(b, SOL_IP, IP_RECVTTL, 1));
	TRUE(!set_int(b, SOL_IP, IP_RECVTOS, 1));
	put_control(&msg, SOL_IP, IP_TTL, &ttl, sizeof(ttl));
	put_control(&msg, SOL_IP, IP_TOS, &tos, sizeof(tos));
	put_control(&msg, SOL_IP, IP_PKTINFO, &info, sizeof(info));
	SAY(sendmsg(a, &msg, 0));
	SAY(receive(b, 0));
	say_control();
	say_address("from", from.sin_addr);
	msg.msg_controllen = 0;
	put_control(&msg, SOL_IP, IP_TTL, &bad, sizeof(bad));
	SAY(sendmsg(a, &msg, 0));
	msg.msg_controllen = 0;
	put_control(&msg, SOL_IP, 999, &bad, sizeof(bad));
	SAY(sendmsg(a, &msg, 0));
	msg.msg_controllen = 3;
	SAY(sendmsg(a, &msg, 0));
	close(a);
	close(b);
}

static void run_refused(void)
{
	int a = sock_a();
	struct sockaddr_in to = nobody();

	bind_local(a);
	/* The socket is not connected: the error is not reported. */
	SAY(send_in(a, "x", 1, to));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLOUT, 0));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(connect_in(a, to));
	SAY(send(a, "x", 1, 0));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLOUT, 0));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(send(a, "x", 1, 0));
	settle(a);
	SAY(recv(a, buf, 1, 0));
	SAY(recv(a, buf, 1, MSG_DONTWAIT));
	SAY(send(a, "x", 1, 0));
	settle(a);
	SAY(send(a, "x", 1, 0));
	SAY(send(a, "x", 1, 0));
	close(a);
}

static void run_error_queue(void)
{
	int a = sock_a();
	struct sockaddr_in to = nobody();

	bind_local(a);
	SAY(set_int(a, SOL_IP, IP_RECVERR, 1));
	SAY(receive(a, MSG_ERRQUEUE));
	SAY(send_in(a, "lost", 4, to));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLPRI, 0));
	SAY(receive(a, MSG_ERRQUEUE | MSG_PEEK));
	say_data("payload", buf, 4);
	say_control();
	SAY(from.sin_port == to.sin_port);
	say_address("sent to", from.sin_addr);
	/* The peek has taken the error. */
	SAY(receive(a, MSG_ERRQUEUE));
	SAY(receive(a, MSG_ERRQUEUE | MSG_DONTWAIT));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(send_in(a, "again", 5, to));
	settle(a);
	SAY(recv(a, buf, 10, 0));
	SAY(receive(a, MSG_ERRQUEUE));
	say_control();
	/* The test finds that the datagram is too large for the interface. */
	SAY(set_int(a, SOL_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO));
	SAY(send_in(a, buf, 65507, inet(INADDR_LOOPBACK, 9)));
	all_arrived();
	SAY(receive(a, MSG_ERRQUEUE | MSG_DONTWAIT));
	SAY(set_int(a, SOL_IP, IP_RECVERR, 0));
	SAY(receive(a, MSG_ERRQUEUE | MSG_DONTWAIT));
	close(a);
}

static void run_multicast(void)
{
	int a = sock_a(), b = sock_b(), c = sock_b();
	struct sockaddr_in group = inet(0xefffff07, 0);
	struct ip_mreqn m = { .imr_multiaddr = group.sin_addr,
			      .imr_address.s_addr = htonl(INADDR_LOOPBACK) };

	SAY(set_int(a, SOL_SOCKET, SO_REUSEADDR, 1));
	SAY(set_int(c, SOL_SOCKET, SO_REUSEADDR, 1));
	SAY(bind_in(a, inet(INADDR_ANY, 0)));
	SAY(bind_in(c, name_of(a)));
	group.sin_port = name_of(a).sin_port;
	SAY(setsockopt(b, SOL_IP, IP_MULTICAST_IF, &m, sizeof(m)));
	SAY(setsockopt(a, SOL_IP, IP_ADD_MEMBERSHIP, &m, sizeof(m)));
	SAY(setsockopt(a, SOL_IP, IP_ADD_MEMBERSHIP, &m, sizeof(m)));
	SAY(setsockopt(c, SOL_IP, IP_ADD_MEMBERSHIP, &m, sizeof(m)));
	SAY(set_int(a, SOL_IP, IP_RECVTTL, 1));
	SAY(set_int(a, SOL_IP, IP_PKTINFO, 1));
	SAY(send_in(b, "to all", 6, group));
	SAY(receive(a, 0));
	say_control();
	SAY(receive(c, 0));
	SAY(set_int(b, SOL_IP, IP_MULTICAST_TTL, 9));
	SAY(send_in(b, "farther", 7, group));
	SAY(receive(a, 0));
	say_control();
	SAY(set_int(b, SOL_IP, IP_MULTICAST_LOOP, 0));
	SAY(send_in(b, "not here", 8, group));
	/*
	 * On a socket of AF_INET6 IPv6's option decides: the datagram is sent.
	 */
	all_arrived();
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	SAY(set_int(b, SOL_IP, IP_MULTICAST_LOOP, 1));
	SAY(setsockopt(a, SOL_IP, IP_DROP_MEMBERSHIP, &m, sizeof(m)));
	SAY(set_int(a, SOL_IP, IP_MULTICAST_ALL, 0));
	SAY(send_in(b, "to one", 6, group));
	SAY(recv(c, buf, 10, 0));
	SAY(recv(c, buf, 10, 0));
	all_arrived();
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	close(a);
	close(b);
	close(c);
}

static void run_cork(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(b);

	SAY(connect_in(a, to));
	SAY(send(a, "one ", 4, MSG_MORE));
	SAY(send(a, "piece", 5, 0));
	SAY(recv(b, buf, 20, 0));
	say_data("more", buf, 9);
	SAY(set_int(a, SOL_UDP, UDP_CORK, 1));
	SAY(send(a, "corked", 6, 0));
	SAY(send(a, "together", 8, 0));
	SAY(recv(b, buf, 20, MSG_DONTWAIT));
	SAY(set_int(a, SOL_UDP, UDP_CORK, 0));
	SAY(recv(b, buf, 20, 0));
	say_data("cork", buf, 14);
	SAY(send(a, "plain", 5, 0));
	SAY(recv(b, buf, 20, 0));
	close(a);
	close(b);
}

static void run_segments(void)
{
	int a = sock_a(), b = sock_b(), i;
	struct sockaddr_in to = bind_local(b), at = bind_local(a);

	SAY(set_int(a, SOL_UDP, UDP_SEGMENT, 1000));
	SAY(send_in(a, buf, 3500, to));
	for (i = 0; i < 4; i++)
		SAY(recv(b, buf, sizeof(buf), 0));
	SAY(set_int(a, SOL_UDP, UDP_SEGMENT, 0));
	SAY(set_int(b, SOL_UDP, UDP_SEGMENT, 700));
	SAY(set_int(a, SOL_UDP, UDP_GRO, 1));
	SAY(send_in(b, buf, 2000, at));
	SAY(receive(a, 0));
	say_control();
	SAY(set_int(a, SOL_UDP, UDP_GRO, 0));
	SAY(send_in(b, buf, 2000, at));
	for (i = 0; i < 3; i++)
		SAY(recv(a, buf, sizeof(buf), 0));
	close(a);
	close(b);
}

static void run_filter(void)
{
	/* The filter passes only datagrams whose data begins with a 'y'. */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 8),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 'y', 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 12),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = { COUNT(code), code };
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(a);

	SAY(setsockopt(a, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)));
	SAY(send_in(b, "no", 2, to));
	SAY(send_in(b, "yes, and cut short", 18, to));
	SAY(recv(a, buf, 100, 0));
	SAY(recv(a, buf, 100, MSG_DONTWAIT));
	SAY(set_int(a, SOL_SOCKET, SO_DETACH_FILTER, 0));
	SAY(send_in(b, "no", 2, to));
	SAY(recv(a, buf, 100, 0));
	close(a);
	close(b);
}

static void run_checksum(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(b);

	SAY(set_int(a, SOL_SOCKET, SO_NO_CHECK, 1));
	SAY(send_in(a, "unchecked", 9, to));
	SAY(recv(b, buf, 100, 0));
	SAY(send_in(a, buf, 40000, to));
	SAY(recv(b, buf, sizeof(buf), 0));
	SAY(set_int(a, SOL_SOCKET, SO_NO_CHECK, 0));
	SAY(send_in(a, "checked", 7, to));
	SAY(recv(b, buf, 100, 0));
	close(a);
	close(b);
}

/*
 * The sender's address belongs to no host; a sender that loses the right to use
 * it gets an error.
 */
static void run_transparent(void)
{
	int a = sock_a(), b = sock_b(), i;
	struct sockaddr_in to = bind_local(b);

	SAY(set_int(a, SOL_IP, IP_TRANSPARENT, 1));
	SAY(bind_in(a, inet(0xc0000201, 0)));
	for (i = 0; i < 4; i++) {
		if (i == 3)
			SAY(set_int(a, SOL_IP, IP_TRANSPARENT, 0));
		SAY(send_in(a, "mine", 4, to));
		all_arrived();
		SAY(receive(b, MSG_DONTWAIT));
		say_address("from", from.sin_addr);
	}
	close(a);
	close(b);
}

static void run_drops(void)
{
	int a = sock_a(), b = sock_b(), i;
	struct sockaddr_in to = bind_local(a);
	unsigned int mem[9];
	socklen_t len = sizeof(mem);

	SAY(set_int(a, SOL_SOCKET, SO_RXQ_OVFL, 1));
	SAY(set_int(a, SOL_SOCKET, SO_RCVBUF, 2304));
	for (i = 0; i < 20; i++)
		TRUE(send_in(b, "x", 1, to) == 1);
	all_arrived();
	SAY(getsockopt(a, SOL_SOCKET, SO_MEMINFO, mem, &len));
	for (i = 0; i < 9; i++)
		printf("meminfo %d: %u\n", i, mem[i]);
	while (receive(a, MSG_DONTWAIT) == 1)
		say_control();
	SAY(getsockopt(a, SOL_SOCKET, SO_MEMINFO, mem, &len));
	printf("received %u, dropped %u\n", mem[0], mem[8]);
	SAY(send_in(b, "x", 1, to));
	SAY(receive(a, 0));
	say_control();
	close(a);
	close(b);
}

static const struct same_case cases[] = {
	{ "options", run_options },
	{ "control", run_control },
	{ "sums", run_sums },
	{ "send-control", run_send_control },
	{ "refused", run_refused },
	{ "error-queue", run_error_queue },
	{ "multicast", run_multicast },
	{ "cork", run_cork },
	{ "segments", run_segments },
	{ "filter", run_filter },
	{ "checksum", run_checksum },
	{ "transparent", run_transparent },
	{ "drops", run_drops },
	{}
};

int main(int argc, char **argv)
{
	one_processor();
	return same_main(argc, argv, cases);
}
