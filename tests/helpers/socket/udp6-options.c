// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp6-options.c - options, control messages and errors of UDP sockets of
 * AF_INET6
 */
#include "udp-options.h"
#include "udp6-same.h"

#include <net/if.h>

#ifndef IPV6_RECVERR_RFC4884
#define IPV6_RECVERR_RFC4884	31
#endif

static const struct option options[] = {
	OPTION(SOL_IPV6, IPV6_V6ONLY), OPTION(SOL_IPV6, IPV6_UNICAST_HOPS),
	OPTION(SOL_IPV6, IPV6_MULTICAST_IF),
	OPTION(SOL_IPV6, IPV6_MULTICAST_HOPS),
	OPTION(SOL_IPV6, IPV6_MULTICAST_LOOP),
	OPTION(SOL_IPV6, IPV6_MTU_DISCOVER), OPTION(SOL_IPV6, IPV6_MTU),
	OPTION(SOL_IPV6, IPV6_RECVERR), OPTION(SOL_IPV6, IPV6_RECVPKTINFO),
	OPTION(SOL_IPV6, IPV6_PKTINFO), OPTION(SOL_IPV6, IPV6_2292PKTINFO),
	OPTION(SOL_IPV6, IPV6_RECVHOPLIMIT), OPTION(SOL_IPV6, IPV6_HOPLIMIT),
	OPTION(SOL_IPV6, IPV6_2292HOPLIMIT), OPTION(SOL_IPV6, IPV6_RECVHOPOPTS),
	OPTION(SOL_IPV6, IPV6_RECVRTHDR), OPTION(SOL_IPV6, IPV6_RECVDSTOPTS),
	OPTION(SOL_IPV6, IPV6_RECVPATHMTU), OPTION(SOL_IPV6, IPV6_PATHMTU),
	OPTION(SOL_IPV6, IPV6_DONTFRAG), OPTION(SOL_IPV6, IPV6_RECVTCLASS),
	OPTION(SOL_IPV6, IPV6_TCLASS), OPTION(SOL_IPV6, IPV6_AUTOFLOWLABEL),
	OPTION(SOL_IPV6, IPV6_ADDR_PREFERENCES),
	OPTION(SOL_IPV6, IPV6_MINHOPCOUNT), OPTION(SOL_IPV6, IPV6_ORIGDSTADDR),
	OPTION(SOL_IPV6, IPV6_TRANSPARENT), OPTION(SOL_IPV6, IPV6_UNICAST_IF),
	OPTION(SOL_IPV6, IPV6_RECVFRAGSIZE), OPTION(SOL_IPV6, IPV6_FREEBIND),
	OPTION(SOL_IPV6, IPV6_CHECKSUM), OPTION(SOL_IPV6, IPV6_NEXTHOP),
	OPTION(SOL_IPV6, IPV6_MULTICAST_ALL),
	OPTION(SOL_IPV6, IPV6_ROUTER_ALERT),
	OPTION(SOL_IPV6, IPV6_RECVERR_RFC4884), OPTION(SOL_IPV6, IPV6_ADDRFORM),
	OPTION(SOL_IPV6, 11 /* IPV6_FLOWINFO */),
	OPTION(SOL_IPV6, 33 /* IPV6_FLOWINFO_SEND */), OPTION(SOL_IPV6, 999),
};

static void say_error(const struct sock_extended_err *ee)
{
	struct name n = { .len = 0 };

	printf("  error %s origin %u type %u code %u info %u data %u\n",
	       strerrorname_np(ee->ee_errno), ee->ee_origin, ee->ee_type,
	       ee->ee_code, ee->ee_info, ee->ee_data);
	memcpy(&n.in6, SO_EE_OFFENDER(ee), sizeof(n.in6));
	if (n.sa.sa_family == AF_INET)
		memset((char *)&n + sizeof(n.in), 0, sizeof(n.in6) - sizeof(n.in));
	say_name("offender", &n);
}

static bool is_error(const struct cmsghdr *c)
{
	return (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_RECVERR) ||
	       (c->cmsg_level == SOL_IP && c->cmsg_type == 11);
}

static bool has_port(const struct cmsghdr *c)
{
	return (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_ORIGDSTADDR) ||
	       (c->cmsg_level == SOL_IP && c->cmsg_type == 20);
}

static bool is_flow(const struct cmsghdr *c)
{
	return c->cmsg_level == SOL_IPV6 && c->cmsg_type == 11;
}

/*
 * Prints control messages byte by byte, except port numbers and random labels.
 */
static void say_control(void)
{
	struct cmsghdr *c;

	say_name("from", &r.from);
	printf("  flags %#x\n", r.msg.msg_flags);
	for (c = CMSG_FIRSTHDR(&r.msg); c; c = CMSG_NXTHDR(&r.msg, c)) {
		const unsigned char *p = CMSG_DATA(c), *end = (void *)c;

		end += c->cmsg_len;
		printf("  level %d type %d:", c->cmsg_level, c->cmsg_type);
		if (is_error(c)) {
			putchar('\n');
			say_error((const void *)p);
			continue;
		}
		if (is_flow(c)) {
			printf(" class %02x\n", (p[0] & 15) << 4 | p[1] >> 4);
			continue;
		}
		if (has_port(c))
			p += 4;
		while (p < end)
			printf(" %02x", *p++);
		putchar('\n');
	}
}

static void run_options(void)
{
	static const int values[] = { 1, 0, 2, -1, -2, 64, 255, 256, 1280, 1500,
		70000, 0x01000000 };
	unsigned int i;

	for (i = 0; i < COUNT(options); i++) {
		int fd = sock_a(), b = sock_b();

		walk_option(fd, &options[i], values, COUNT(values));
		/* The socket still carries datagrams with the option set. */
		SAY(bind_to(fd, in6("::1", 0, 0)));
		SAY(bind_to(b, in6("::1", 0, 0)));
		SAY(send_to(fd, "with option", 11, in6("::1", port_of(b), 0)));
		SAY(receive(b, MSG_DONTWAIT));
		SAY(send_to(b, "answer", 6, in6("::1", port_of(fd), 0)));
		SAY(receive(fd, MSG_DONTWAIT));
		say_control();
		close(fd);
		close(b);
	}
}

static const int told[] = { IPV6_RECVPKTINFO, IPV6_RECVHOPLIMIT,
	IPV6_RECVTCLASS, IPV6_RECVORIGDSTADDR, IPV6_RECVFRAGSIZE,
	IPV6_RECVPATHMTU, IPV6_2292PKTINFO, IPV6_2292HOPLIMIT,
	IPV6_RECVHOPOPTS, IPV6_RECVRTHDR, IPV6_RECVDSTOPTS, 11 /* FLOWINFO */ };

static void run_control(void)
{
	int a = sock_a(), b = sock_b();
	struct name to[3];
	unsigned int i, j;

	SAY(bind_to(a, in6("::", 0, 0)));
	to[0] = in6("::1", port_of(a), 0);
	to[1] = in6("::ffff:127.0.0.5", port_of(a), 0);
	to[2] = in6("fe80::7", port_of(a), if_nametoindex("d0"));
	SAY(set_int(b, SOL_IPV6, IPV6_TCLASS, 0x48));
	SAY(set_int(b, SOL_IPV6, IPV6_UNICAST_HOPS, 33));
	for (i = 0; i < COUNT(told); i++) {
		for (j = 0; j < COUNT(to); j++) {
			SAY(set_int(a, SOL_IPV6, told[i], 1));
			SAY(send_to(b, "one", 3, to[j]));
			SAY(receive(a, MSG_DONTWAIT));
			say_control();
			/* The option is set after the datagram came. */
			SAY(set_int(a, SOL_IPV6, told[i], 0));
			SAY(send_to(b, "two", 3, to[j]));
			SAY(set_int(a, SOL_IPV6, told[i], 1));
			SAY(receive(a, MSG_PEEK | MSG_DONTWAIT));
			say_control();
			SAY(receive(a, MSG_DONTWAIT));
			say_control();
		}
		if (i & 1)
			SAY(set_int(a, SOL_IPV6, told[i], 0));
	}
	/* Options of IPv4 apply to datagrams that arrive by IPv4. */
	SAY(set_int(a, SOL_IP, IP_PKTINFO, 1));
	SAY(set_int(a, SOL_IP, IP_RECVTTL, 1));
	SAY(set_int(a, SOL_SOCKET, SO_RXQ_OVFL, 1));
	for (j = 0; j < COUNT(to); j++) {
		SAY(send_to(b, buf, 5000, to[j]));
		SAY(receive(a, MSG_DONTWAIT));
		say_control();
		SAY(send_to(b, "short", 5, to[j]));
		settle(a);
		r.msg.msg_controllen = 20;
		r.iov.iov_len = 3;
		SAY(recvmsg(a, &r.msg, MSG_TRUNC | MSG_DONTWAIT));
		SAY(r.msg.msg_flags);
	}
	close(a);
	close(b);
}

static struct msghdr out;

static void put_int(int level, int type, int value)
{
	put_control(&out, level, type, &value, sizeof(value));
}

/* Sends the message in out, and prints the datagram that arrives. */
static void deliver(int a, int b)
{
	SAY(sendmsg(a, &out, 0));
	SAY(receive(b, MSG_DONTWAIT));
	say_control();
	out.msg_controllen = 0;
}

static void run_send_control(void)
{
	char control[512] __attribute__((aligned(8))) = {};
	struct iovec iov = { "with control", 12 };
	struct in6_pktinfo info = { .ipi6_addr = in6addr_loopback };
	int a = sock_a(), b = sock_b();
	struct name to;

	SAY(bind_to(b, in6("::", 0, 0)));
	to = in6("::1", port_of(b), 0);
	SAY(set_int(b, SOL_IPV6, IPV6_RECVHOPLIMIT, 1));
	SAY(set_int(b, SOL_IPV6, IPV6_RECVTCLASS, 1));
	SAY(set_int(b, SOL_IPV6, IPV6_RECVPKTINFO, 1));
	out = (struct msghdr){ .msg_name = &to, .msg_namelen = to.len,
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control };
	put_int(SOL_IPV6, IPV6_HOPLIMIT, 77);
	put_int(SOL_IPV6, IPV6_TCLASS, 0x20);
	put_control(&out, SOL_IPV6, IPV6_PKTINFO, &info, sizeof(info));
	deliver(a, b);
	info.ipi6_ifindex = 99;
	put_control(&out, SOL_IPV6, IPV6_PKTINFO, &info, sizeof(info));
	deliver(a, b);
	info.ipi6_ifindex = 0;
	TRUE(inet_pton(AF_INET6, "2001:db8::9", &info.ipi6_addr) == 1);
	put_control(&out, SOL_IPV6, IPV6_PKTINFO, &info, sizeof(info));
	deliver(a, b);
	put_int(SOL_IPV6, IPV6_HOPLIMIT, 300);
	deliver(a, b);
	put_int(SOL_IPV6, IPV6_TCLASS, -2);
	deliver(a, b);
	put_int(SOL_IPV6, IPV6_DONTFRAG, 1);
	deliver(a, b);
	put_int(SOL_IPV6, IPV6_DONTFRAG, 2);
	deliver(a, b);
	put_int(SOL_IPV6, 999, 1);
	deliver(a, b);
	put_int(SOL_IP, IP_TTL, 5);
	deliver(a, b);
	put_int(SOL_UDP, 103 /* UDP_SEGMENT */, 5);
	deliver(a, b);
	out.msg_controllen = 3;
	deliver(a, b);
	/* Options of IPv4 apply to a datagram for IPv4. */
	to = in6("::ffff:127.0.0.1", port_of(b), 0);
	put_int(SOL_IP, IP_TTL, 5);
	deliver(a, b);
	put_int(SOL_IPV6, IPV6_HOPLIMIT, 5);
	deliver(a, b);
	close(a);
	close(b);
}

/*
 * Returns a port that b had, and that a, which has another port, is not given
 * by chance.
 */
static struct name port_of_nobody(int a, int b, const char *addr)
{
	struct name to;

	TRUE(!bind_to(a, in6("::", 0, 0)));
	TRUE(!bind_to(b, in6(addr, 0, 0)));
	to = in6(addr, port_of(b), 0);
	close(b);
	return to;
}

static void refused(const char *addr)
{
	int a = sock_a(), b = sock_b();
	struct name to = port_of_nobody(a, b, addr);

	/* The socket is not connected: the error is not reported. */
	SAY(send_to(a, "x", 1, to));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLOUT, 0));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(connect_to(a, to));
	SAY(send(a, "x", 1, 0));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLOUT, 0));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(send(a, "x", 1, 0));
	SAY(receive(a, MSG_DONTWAIT));
	SAY(recv(a, buf, 1, MSG_DONTWAIT));
	SAY(send(a, "x", 1, 0));
	all_arrived();
	SAY(poll_of(a, POLLIN, 0));
	SAY(send(a, "x", 1, 0));
	SAY(send(a, "x", 1, 0));
	close(a);
}

static void run_refused(void)
{
	refused("::1");
	refused("::ffff:127.0.0.1");
}

static void error_queue(const char *addr, int level, int name, int discover)
{
	int a = sock_a(), b = sock_b();
	struct name to = port_of_nobody(a, b, addr);

	SAY(set_int(a, level, name, 1));
	SAY(receive(a, MSG_ERRQUEUE));
	SAY(send_to(a, "lost", 4, to));
	all_arrived();
	SAY(poll_of(a, POLLIN | POLLPRI, 0));
	SAY(receive(a, MSG_ERRQUEUE));
	say_data("payload", buf, 4);
	say_control();
	SAY(r.from.in6.sin6_port == to.in6.sin6_port);
	SAY(receive(a, MSG_ERRQUEUE));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	SAY(send_to(a, "again", 5, to));
	all_arrived();
	SAY(poll_of(a, POLLIN, 0));
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	SAY(receive(a, MSG_ERRQUEUE));
	say_control();
	/* The test finds that the datagram is too large for the interface. */
	SAY(set_int(a, level, discover, IPV6_PMTUDISC_DO));
	SAY(send_to(a, buf, 65507, to));
	SAY(receive(a, MSG_ERRQUEUE));
	SAY(set_int(a, level, discover, IPV6_PMTUDISC_WANT));
	SAY(set_int(a, SOL_IPV6, IPV6_DONTFRAG, 1));
	SAY(set_int(a, SOL_IPV6, IPV6_RECVPATHMTU, 1));
	SAY(send_to(a, buf, 65507, to));
	SAY(receive(a, MSG_DONTWAIT));
	say_control();
	SAY(set_int(a, level, name, 0));
	SAY(receive(a, MSG_ERRQUEUE));
	close(a);
}

static void run_error_queue(void)
{
	error_queue("::1", SOL_IPV6, IPV6_RECVERR, IPV6_MTU_DISCOVER);
	error_queue("::ffff:127.0.0.1", SOL_IP, 11 /* IP_RECVERR */,
		    10 /* IP_MTU_DISCOVER */);
	error_queue("::ffff:127.0.0.1", SOL_IPV6, IPV6_RECVERR,
		    IPV6_MTU_DISCOVER);
}

static void run_multicast(void)
{
	int a = sock_a(), b = sock_b(), c = sock_b();
	struct ipv6_mreq m = { .ipv6mr_interface = if_nametoindex("d0") };
	struct name group;

	SAY(set_int(a, SOL_SOCKET, SO_REUSEADDR, 1));
	SAY(set_int(c, SOL_SOCKET, SO_REUSEADDR, 1));
	SAY(bind_to(a, in6("::", 0, 0)));
	SAY(bind_to(c, in6("::", port_of(a), 0)));
	group = in6("ff02::7", port_of(a), m.ipv6mr_interface);
	m.ipv6mr_multiaddr = group.in6.sin6_addr;
	SAY(set_int(a, SOL_IPV6, IPV6_RECVPKTINFO, 1));
	SAY(set_int(a, SOL_IPV6, IPV6_RECVHOPLIMIT, 1));
	SAY(setsockopt(a, SOL_IPV6, IPV6_JOIN_GROUP, &m, sizeof(m)));
	SAY(setsockopt(a, SOL_IPV6, IPV6_JOIN_GROUP, &m, sizeof(m)));
	SAY(setsockopt(c, SOL_IPV6, IPV6_JOIN_GROUP, &m, sizeof(m)));
	SAY(send_to(b, "to all", 6, group));
	SAY(receive(a, MSG_DONTWAIT));
	say_control();
	SAY(receive(c, MSG_DONTWAIT));
	say_control();
	SAY(set_int(b, SOL_IPV6, IPV6_MULTICAST_HOPS, 9));
	SAY(set_int(b, SOL_IPV6, IPV6_MULTICAST_IF, m.ipv6mr_interface));
	group.in6.sin6_scope_id = 0;
	SAY(send_to(b, "farther", 7, group));
	SAY(receive(a, MSG_DONTWAIT));
	say_control();
	SAY(set_int(b, SOL_IPV6, IPV6_MULTICAST_LOOP, 0));
	SAY(send_to(b, "not here", 8, group));
	SAY(receive(a, MSG_DONTWAIT));
	SAY(set_int(b, SOL_IPV6, IPV6_MULTICAST_LOOP, 1));
	SAY(setsockopt(a, SOL_IPV6, IPV6_LEAVE_GROUP, &m, sizeof(m)));
	SAY(setsockopt(a, SOL_IPV6, IPV6_LEAVE_GROUP, &m, sizeof(m)));
	SAY(set_int(a, SOL_IPV6, IPV6_MULTICAST_ALL, 0));
	SAY(send_to(b, "to one", 6, group));
	SAY(receive(c, MSG_DONTWAIT));
	SAY(receive(c, MSG_DONTWAIT));
	SAY(receive(c, MSG_DONTWAIT));
	SAY(receive(a, MSG_DONTWAIT));
	SAY(connect_to(b, in6("ff02::7", port_of(a), m.ipv6mr_interface)));
	SAY(send(b, "connected", 9, 0));
	SAY(receive(c, MSG_DONTWAIT));
	close(a);
	close(b);
	close(c);
}

static void run_flow(void)
{
	int a = sock_a(), b = sock_b();
	struct name to;

	SAY(bind_to(b, in6("::1", 0, 0)));
	SAY(set_int(b, SOL_IPV6, 11 /* IPV6_FLOWINFO */, 1));
	to = in6("::1", port_of(b), 0);
	to.in6.sin6_flowinfo = htonl(0x12345);
	SAY(send_to(a, "flow", 4, to));
	SAY(receive(b, MSG_DONTWAIT));
	SAY(set_int(a, SOL_IPV6, 33 /* IPV6_FLOWINFO_SEND */, 1));
	SAY(send_to(a, "flow", 4, to));
	SAY(receive(b, MSG_DONTWAIT));
	to.in6.sin6_flowinfo = htonl(0x4800000);
	SAY(send_to(a, "class", 5, to));
	SAY(receive(b, MSG_DONTWAIT));
	say_name("from", &r.from);
	close(a);
	close(b);
}

static const struct same_case cases[] = {
	{ "options", run_options },
	{ "control", run_control },
	{ "send-control", run_send_control },
	{ "refused", run_refused },
	{ "error-queue", run_error_queue },
	{ "multicast", run_multicast },
	{ "flow", run_flow },
	{}
};

int main(int argc, char **argv)
{
	spelling = AS_INET6;
	one_processor();
	return same_main(argc, argv, cases);
}
