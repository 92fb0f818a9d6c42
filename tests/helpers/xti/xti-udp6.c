// SPDX-License-Identifier: GPL-2.0-only
/* xti-udp6.c - XTI over IPv6: datagrams on /dev/streams/udp6 and rawip6, options */
#include "xti-test.h"

#include <arpa/inet.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

static struct netbuf netbuf(void *buf, unsigned int maxlen, unsigned int len)
{
	return (struct netbuf){ .maxlen = maxlen, .len = len, .buf = buf };
}

/* Returns an endpoint bound to a free port of an address, which is stored. */
static int bound(const char *addr, struct sockaddr_in6 *sin6)
{
	struct t_bind bind = { .addr = netbuf(sin6, sizeof(*sin6), sizeof(*sin6)) };
	struct t_info info;
	int fd = t_open("/dev/udp6", O_RDWR | O_CLOEXEC, &info);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	IS(info.addr, sizeof(*sin6));
	IS(info.tsdu, 65527);
	IS(info.servtype, T_CLTS);
	*sin6 = (struct sockaddr_in6){ .sin6_family = AF_INET6 };
	IS(inet_pton(AF_INET6, addr, &sin6->sin6_addr), 1);
	TIS(t_bind(fd, &bind, &bind), 0);
	IS(bind.addr.len, sizeof(*sin6));
	TRUE(sin6->sin6_port);
	return fd;
}

/* Takes a datagram and sends it back to where it came from. */
static void echo(int fd)
{
	struct sockaddr_in6 from;
	char data[2000];
	struct t_unitdata u = {
		.addr = netbuf(&from, sizeof(from), 0),
		.udata = netbuf(data, sizeof(data), 0),
	};
	int flags;

	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(flags, 0);
	IS(u.addr.len, sizeof(from));
	TIS(t_sndudata(fd, &u), 0);
}

static void ask(int fd, int server, struct sockaddr_in6 *to)
{
	struct sockaddr_in6 from;
	char answer[2000];
	struct t_unitdata u = {
		.addr = netbuf(to, sizeof(*to), sizeof(*to)),
		.udata = netbuf("hello", 5, 5),
	};
	struct t_unitdata r = {
		.addr = netbuf(&from, sizeof(from), 0),
		.udata = netbuf(answer, sizeof(answer), 0),
	};
	int flags;

	TIS(t_sndudata(fd, &u), 0);
	echo(server);
	TIS(t_rcvudata(fd, &r, &flags), 0);
	IS(r.udata.len, 5);
	TRUE(!memcmp(answer, "hello", 5));
	TRUE(!memcmp(&from, to, sizeof(from)));
}

static void run_echo(void)
{
	struct sockaddr_in6 mine, to, again;
	struct t_bind b = { .addr = netbuf(&again, sizeof(again), 0) };
	struct t_bind peer = { .addr = netbuf(NULL, 0, 0) };
	struct t_uderr e = { .addr = netbuf(&again, sizeof(again), 0) };
	struct t_unitdata u = { .addr = netbuf(&to, sizeof(to), sizeof(to)) };
	int server = bound("::", &to), fd = bound("::", &mine);
	int flags;

	TIS(t_getprotaddr(fd, &b, &peer), 0);
	TRUE(!memcmp(&again, &mine, sizeof(mine)));
	IS(inet_pton(AF_INET6, "::1", &to.sin6_addr), 1);
	ask(fd, server, &to);
	/* By IPv4 */
	IS(inet_pton(AF_INET6, "::ffff:127.0.0.1", &to.sin6_addr), 1);
	ask(fd, server, &to);
	/* The receiver has been closed. */
	TIS(t_close(server), 0);
	u.udata = netbuf("x", 1, 1);
	TIS(t_sndudata(fd, &u), 0);
	TFAILS(t_rcvudata(fd, &u, &flags), TLOOK);
	TIS(t_rcvuderr(fd, &e), 0);
	IS(e.error, ECONNREFUSED);
	TRUE(!memcmp(&again, &to, sizeof(to)));
	TIS(t_unbind(fd), 0);
	TIS(t_close(fd), 0);
}

static struct t_opthdr *managed(int fd, t_uscalar_t name, int flags, struct t_optmgmt *told)
{
	struct t_opthdr oh = { .len = sizeof(oh), .level = T_INET_IPV6, .name = name };
	struct t_optmgmt ask = { .opt = netbuf(&oh, 0, sizeof(oh)), .flags = flags };

	TIS(t_optmgmt(fd, &ask, told), 0);
	IS(told->flags, T_SUCCESS);
	return T_OPT_FIRSTHDR(&told->opt);
}

/* Bound to an address of IPv6, an endpoint has no addresses of IPv4. */
static void defaults(const char *device)
{
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback };
	struct t_bind bind = { .addr = netbuf(&sin6, sizeof(sin6), sizeof(sin6)) };
	char buf[1024];
	struct t_optmgmt told = { .opt = netbuf(buf, sizeof(buf), 0) };
	int fd = t_open(device, O_RDWR | O_CLOEXEC, NULL);
	struct t_opthdr *oh;

	TRUE(fd >= 0);
	TIS(t_bind(fd, &bind, &bind), 0);
	oh = managed(fd, T_ALLOPT, T_NEGOTIATE, &told);
	for (; oh; oh = T_OPT_NEXTHDR(told.opt.buf, told.opt.len, oh))
		IS(oh->status, T_SUCCESS);
	oh = managed(fd, T_IPV6_V6ONLY, T_CURRENT, &told);
	IS(*(t_uscalar_t *)T_OPT_DATA(oh), T_YES);
	TIS(t_unbind(fd), 0);
	oh = managed(fd, T_IPV6_V6ONLY, T_CURRENT, &told);
	IS(*(t_uscalar_t *)T_OPT_DATA(oh), T_NO);
	TIS(t_close(fd), 0);
}

static void run_defaults_udp(void)
{
	defaults("/dev/udp6");
}

static void run_defaults_tcp(void)
{
	defaults("/dev/tcp6");
}

/* A packet of ICMPv6 is the data, without the header of IPv6. */
static void run_raw(void)
{
	struct {
		struct icmp6_hdr icmp;
		char text[8];
	} echo = { .icmp.icmp6_type = ICMP6_ECHO_REQUEST, .text = "raw ipv6" }, got;
	struct sockaddr_in6 at = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback };
	/* The port's place has the protocol. */
	struct sockaddr_in6 own = { .sin6_family = AF_INET6, .sin6_port = htons(IPPROTO_ICMPV6) };
	struct t_bind bind = { .addr = netbuf(&own, sizeof(own), sizeof(own)) };
	struct {
		struct t_opthdr oh;
		t_uscalar_t value;
	} hops = { { sizeof(hops), T_INET_IPV6, T_IPV6_RECVHOPLIMIT, 0 }, T_YES };
	struct t_optmgmt ask = {
		.opt = netbuf(&hops, sizeof(hops), sizeof(hops)), .flags = T_NEGOTIATE,
	};
	struct t_unitdata u = { .addr = netbuf(&at, sizeof(at), sizeof(at)) };
	int fd = t_open("/dev/rawip6", O_RDWR | O_CLOEXEC, NULL), flags;
	bool replied = false;

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	TIS(t_bind(fd, &bind, &bind), 0);
	IS(own.sin6_port, htons(IPPROTO_ICMPV6));
	TIS(t_optmgmt(fd, &ask, &ask), 0);
	IS(ask.flags, T_SUCCESS);
	/* The option is for one datagram. */
	hops.oh = (struct t_opthdr){ sizeof(hops), T_INET_IPV6, T_IPV6_HOPLIMIT, 0 };
	hops.value = 33;
	echo.icmp.icmp6_id = 4711;
	u.opt = netbuf(&hops, sizeof(hops), sizeof(hops));
	u.udata = netbuf(&echo, sizeof(echo), sizeof(echo));
	TIS(t_sndudata(fd, &u), 0);
	/* The request arrives as well; the order is the kernel's. */
	while (!replied) {
		memset(&hops, 0, sizeof(hops));
		u.udata = netbuf(&got, sizeof(got), 0);
		TIS(t_rcvudata(fd, &u, &flags), 0);
		IS(u.addr.len, sizeof(at));
		TRUE(!at.sin6_port && IN6_IS_ADDR_LOOPBACK(&at.sin6_addr));
		IS(u.udata.len, sizeof(got));
		IS(got.icmp.icmp6_id, 4711);
		IS(hops.oh.name, T_IPV6_HOPLIMIT);
		if (got.icmp.icmp6_type == ICMP6_ECHO_REQUEST)
			IS(hops.value, 33);
		replied = got.icmp.icmp6_type == ICMP6_ECHO_REPLY;
		TRUE(!memcmp(got.text, echo.text, sizeof(got.text)));
	}
	TIS(t_close(fd), 0);
}

static const struct test_case cases[] = {
	{ "raw", run_raw },
	{ "echo", run_echo },
	{ "defaults_udp", run_defaults_udp }, { "defaults_tcp", run_defaults_tcp },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
