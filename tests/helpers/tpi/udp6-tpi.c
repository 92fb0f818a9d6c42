// SPDX-License-Identifier: GPL-2.0-only
/* udp6-tpi.c - the answers of /dev/streams/udp6 to a transport user */
#include "tpi-address.h"
#include "tpi-options.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#define TSDU	65527

static char big[TSDU + 1];

static struct sockaddr_in6 in6(const char *addr, int port)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6,
		.sin6_port = port,
	};

	IS(inet_pton(AF_INET6, addr, &sin6.sin6_addr), 1);
	return sin6;
}

static bool is_addr(const struct sockaddr_in6 *sin6, const char *addr)
{
	struct sockaddr_in6 want = in6(addr, 0);

	return !memcmp(&sin6->sin6_addr, &want.sin6_addr, sizeof(want.sin6_addr));
}

static int endpoint(void)
{
	int fd = open("/dev/streams/udp6", O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

/* Returns an address in the message received last. */
static struct sockaddr_in6 address(int offset, int length)
{
	struct sockaddr_in6 sin6;

	copy_address(offset, length, &sin6, sizeof(sin6));
	IS(sin6.sin6_family, AF_INET6);
	return sin6;
}

static struct sockaddr_in6 receive_bound(int fd)
{
	receive_prim(fd, T_BIND_ACK);
	return address(in.prim.bind_ack.ADDR_offset,
		       in.prim.bind_ack.ADDR_length);
}

static struct sockaddr_in6 bind_to(int fd, struct sockaddr_in6 sin6)
{
	put_bind_req(fd, &sin6, sizeof(sin6));
	return receive_bound(fd);
}

static void bind_fails(int fd, struct sockaddr_in6 sin6, int tli)
{
	put_bind_req(fd, &sin6, sizeof(sin6));
	receive_error(fd, T_BIND_REQ, tli, 0);
}

/* Returns an endpoint bound to a free port. */
static int bound(const char *addr, struct sockaddr_in6 *sin6)
{
	int fd = endpoint();

	*sin6 = bind_to(fd, in6(addr, 0));
	TRUE(sin6->sin6_port);
	return fd;
}

static int native(int family, const char *addr, struct sockaddr_in6 *sin6)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct sockaddr *sa = family == AF_INET ? (void *)&sin : (void *)sin6;
	socklen_t len = family == AF_INET ? sizeof(sin) : sizeof(*sin6);
	int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	TRUE(fd >= 0);
	*sin6 = in6(addr, 0);
	sin.sin_addr.s_addr = sin6->sin6_addr.s6_addr32[3];
	IS(bind(fd, sa, len), 0);
	IS(getsockname(fd, sa, &len), 0);
	if (family == AF_INET)
		sin6->sin6_port = sin.sin_port;
	return fd;
}

/* Sends a datagram with the options that were added. */
static int put_bytes(int fd, const void *to, int to_len, const void *data, int len)
{
	int err = put_unitdata_req(fd, to, to_len, list, list_len, data, len);

	list_len = 0;
	return err;
}

static void put_datagram(int fd, const struct sockaddr_in6 *to, const void *data, int len)
{
	IS(put_bytes(fd, to, sizeof(*to), data, len), 0);
}

/* Checks that the next message is this datagram. Returns its sender. */
static struct sockaddr_in6 receive_datagram(int fd, const void *data, int len)
{
	receive_unitdata(fd, data, len);
	return address(in.prim.unitdata_ind.SRC_offset,
		       in.prim.unitdata_ind.SRC_length);
}

static void receive_uderror(int fd, const struct sockaddr_in6 *to, int err)
{
	struct sockaddr_in6 sin6;

	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, err);
	sin6 = address(in.prim.uderror_ind.DEST_offset,
		       in.prim.uderror_ind.DEST_length);
	IS(sin6.sin6_port, to->sin6_port);
	TRUE(!memcmp(&sin6.sin6_addr, &to->sin6_addr, sizeof(to->sin6_addr)));
}

static void check_info(const struct T_info_ack *info, int state)
{
	check_udp_info(info, state, TSDU, sizeof(struct sockaddr_in6));
}

static void run_info(void)
{
	struct sockaddr_in6 a;
	int fd = endpoint();

	put_simple(fd, T_INFO_REQ);
	receive_prim(fd, T_INFO_ACK);
	check_info(&in.prim.info_ack, TS_UNBND);
	close(fd);
	fd = bound("::1", &a);
	out.prim.capability_req = (struct T_capability_req){
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID,
	};
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, 0), 0);
	receive_prim(fd, T_CAPABILITY_ACK);
	IS(in.prim.capability_ack.CAP_bits1, TC1_INFO);
	check_info(&in.prim.capability_ack.INFO_ack, TS_IDLE);
	put_simple(fd, T_CONN_REQ);
	receive_error(fd, T_CONN_REQ, TNOTSUPPORT, 0);
	close(fd);
}

static struct sockaddr_in6 told(int fd)
{
	put_simple(fd, T_ADDR_REQ);
	receive_prim(fd, T_ADDR_ACK);
	IS(in.prim.addr_ack.REMADDR_length, 0);
	return address(in.prim.addr_ack.LOCADDR_offset,
		       in.prim.addr_ack.LOCADDR_length);
}

static void bind_one_family(void)
{
	struct sockaddr_in6 six, four;
	int fd, sock;

	/* The socket and the endpoint are of one family only, */
	sock = native(AF_INET, "::ffff:127.0.0.1", &four);
	fd = endpoint();
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	bind_fails(fd, four, TBADADDR);
	six = bind_to(fd, in6("::", four.sin6_port));
	IS(six.sin6_port, four.sin6_port);
	/* also after the unbind, */
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	bind_fails(fd, in6("::ffff:127.0.0.1", 0), TBADADDR);
	close(fd);
	/* and after the option was set while the address left no choice. */
	fd = bound("::1", &six);
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	bind_fails(fd, in6("::ffff:127.0.0.1", 0), TBADADDR);
	close(fd);
	close(sock);
}

/* An address of IPv6 excludes IPv4 only while it is bound. */
static void bind_beside_ipv4(void)
{
	struct sockaddr_in6 six, four;
	int fd = bound("::1", &six), sock;

	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	sock = native(AF_INET, "::ffff:127.0.0.1", &four);
	bind_fails(fd, in6("::", four.sin6_port), TADDRBUSY);
	bind_to(fd, in6("::ffff:127.0.0.1", 0));
	close(fd);
	close(sock);
}

static void run_bind(void)
{
	struct sockaddr_in6 wild, again, six, four;
	int fd = endpoint(), other, sock;

	put_bind_req(fd, NULL, 0);
	wild = receive_bound(fd);
	TRUE(is_addr(&wild, "::") && wild.sin6_port);
	bind_fails(fd, wild, TOUTSTATE);
	again = told(fd);
	TRUE(!memcmp(&again, &wild, sizeof(wild)));
	/* The port is bound for both families, and for all sockets. */
	other = endpoint();
	bind_fails(other, wild, TADDRBUSY);
	bind_fails(other, in6("::ffff:127.0.0.1", wild.sin6_port), TADDRBUSY);
	sock = socket(AF_INET6, SOCK_DGRAM, 0);
	FAILS(bind(sock, (struct sockaddr *)&wild, sizeof(wild)), EADDRINUSE);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	IS(bind(sock, (struct sockaddr *)&wild, sizeof(wild)), 0);
	bind_fails(fd, wild, TADDRBUSY);
	close(sock);
	again = bind_to(fd, wild);
	IS(again.sin6_port, wild.sin6_port);
	close(fd);
	sock = native(AF_INET, "::ffff:127.0.0.1", &four);
	bind_fails(other, in6("::", four.sin6_port), TADDRBUSY);
	bind_fails(other, four, TADDRBUSY);
	six = bind_to(other, in6("::1", four.sin6_port));
	IS(six.sin6_port, four.sin6_port);
	six = told(other);
	TRUE(is_addr(&six, "::1"));
	close(sock);
	close(other);
	bind_one_family();
	bind_beside_ipv4();
}

static void run_bad_bind(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct sockaddr_in6 bad = in6("::1", 0);
	int fd = endpoint();

	put_bind_req(fd, &sin, sizeof(sin));
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	bad.sin6_family = AF_INET;
	bind_fails(fd, bad, TBADADDR);
	bad.sin6_family = AF_INET6;
	put_bind_req(fd, &bad, 24);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	put_bind_req(fd, &bad, 27);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	bind_fails(fd, in6("2001:db8::1", 0), TBADADDR);
	bind_fails(fd, in6("::ffff:8.8.8.8", 0), TBADADDR);
	bind_fails(fd, in6("fe80::7", 0), TBADADDR);
	bad = in6("fe80::7", 0);
	bad.sin6_scope_id = 4711;
	bind_fails(fd, bad, TBADADDR);
	/* The endpoint still works after these errors. */
	bind_to(fd, in6("::1", 0));
	close(fd);
}

static void run_datagrams(void)
{
	static const int sizes[] = { 0, 1, 1232, 1233, 9000, 60000, 65487, 65488, TSDU };
	struct sockaddr_in6 a, b, n, from;
	int fa = bound("::1", &a), fb = bound("::", &b);
	int fn = native(AF_INET6, "::1", &n);
	socklen_t len = sizeof(from);
	unsigned int i;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 7 + i / 251;
	b.sin6_addr = in6addr_loopback;
	for (i = 0; i < COUNT(sizes); i++) {
		int size = sizes[i];

		put_datagram(fa, &b, big, size);
		from = receive_datagram(fb, big, size);
		TRUE(!memcmp(&from, &a, sizeof(a)));
		put_datagram(fb, &n, big, size);
		IS(recvfrom(fn, in.data, sizeof(in.data), 0, (struct sockaddr *)&from, &len), size);
		TRUE(!memcmp(in.data, big, size));
		IS(from.sin6_port, b.sin6_port);
		IS(sendto(fn, big, size, 0, (struct sockaddr *)&a, sizeof(a)), size);
		from = receive_datagram(fa, big, size);
		TRUE(!memcmp(&from, &n, sizeof(n)));
	}
	/* A message without a data part is an empty datagram. */
	put_datagram(fa, &n, NULL, 0);
	IS(recv(fn, in.data, sizeof(in.data), 0), 0);
	close(fa);
	close(fb);
	close(fn);
}

/* Datagrams are sent to and from sockets and streams of IPv4. */
static void run_mapped(void)
{
	struct sockaddr_in6 a, n, s = in6("::ffff:127.0.0.1", 0), from;
	struct sockaddr_in sin = { .sin_family = AF_INET };
	int fa = bound("::", &a), fn = native(AF_INET, "::ffff:127.0.0.1", &n);
	int fs = open("/dev/streams/udp", O_RDWR | O_CLOEXEC), i;
	struct T_unitdata_req *req = &out.prim.unitdata_req;

	TRUE(fs >= 0);
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	put_bind_req(fs, &sin, sizeof(sin));
	receive_prim(fs, T_BIND_ACK);
	memcpy(&sin, in.ctl + in.prim.bind_ack.ADDR_offset, sizeof(sin));
	s.sin6_port = sin.sin_port;
	/* The loop is long enough that streams meet. */
	for (i = 0; i < 40; i++) {
		put_datagram(fa, &n, &i, sizeof(i));
		IS(recv(fn, in.data, sizeof(in.data), 0), sizeof(i));
		TRUE(!memcmp(in.data, &i, sizeof(i)));
		put_datagram(fa, &s, &i, sizeof(i));
		receive_prim(fs, T_UNITDATA_IND);
		IS(in.data_len, sizeof(i));
		TRUE(!memcmp(in.data, &i, sizeof(i)));
		IS(in.prim.unitdata_ind.SRC_length, sizeof(sin));
		memcpy(&sin, in.ctl + in.prim.unitdata_ind.SRC_offset, sizeof(sin));
		IS(sin.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
		IS(sin.sin_port, a.sin6_port);
		IS(sendto(fn, &i, sizeof(i), 0, (struct sockaddr *)&(struct sockaddr_in){
			.sin_family = AF_INET, .sin_port = a.sin6_port,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK) }, sizeof(sin)), sizeof(i));
		from = receive_datagram(fa, &i, sizeof(i));
		TRUE(!memcmp(&from, &n, sizeof(n)));
		/* The stream of IPv4 sends. */
		sin.sin_port = a.sin6_port;
		*req = (struct T_unitdata_req){ T_UNITDATA_REQ, sizeof(sin), sizeof(*req), 0, 0 };
		memcpy(out.bytes + sizeof(*req), &sin, sizeof(sin));
		IS(send_prim(fs, sizeof(*req) + sizeof(sin), &i, sizeof(i), 0), 0);
		from = receive_datagram(fa, &i, sizeof(i));
		TRUE(!memcmp(&from, &s, sizeof(s)));
	}
	put_datagram(fa, &n, big, 65507);
	IS(recv(fn, in.data, sizeof(in.data), 0), 65507);
	put_datagram(fa, &n, big, 65508);
	receive_uderror(fa, &n, EMSGSIZE);
	close(fa);
	fa = endpoint();
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	ask(fa, T_NEGOTIATE);
	receive_answer(fa, T_SUCCESS);
	bind_to(fa, in6("::", 0));
	put_datagram(fa, &n, "x", 1);
	receive_uderror(fa, &n, ENETUNREACH);
	close(fa);
	close(fn);
	close(fs);
}

static void run_uderror(void)
{
	static const char *const local[] = { "::1", "::ffff:127.0.0.1" };
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(9) };
	struct sockaddr_in6 a, to;
	int fd = bound("::", &a), sock;
	unsigned int i;

	/* The receiver has been closed. */
	for (i = 0; i < COUNT(local); i++) {
		sock = native(i ? AF_INET : AF_INET6, local[i], &to);
		close(sock);
		put_datagram(fd, &to, "x", 1);
		receive_uderror(fd, &to, ECONNREFUSED);
	}
	to = in6("::1", 0);
	put_datagram(fd, &to, "x", 1);
	receive_uderror(fd, &to, EINVAL);
	to.sin6_port = htons(9);
	put_datagram(fd, &to, big, TSDU + 1);
	receive_uderror(fd, &to, EMSGSIZE);
	to = in6("2001:db8::1", htons(9));
	put_datagram(fd, &to, "x", 1);
	receive_uderror(fd, &to, ENETUNREACH);
	/* These addresses are invalid, or cut short. */
	IS(put_bytes(fd, &sin, sizeof(sin), "x", 1), 0);
	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, EINVAL);
	IS(in.prim.uderror_ind.DEST_length, sizeof(to));
	IS(put_bytes(fd, &to, 24, "x", 1), 0);
	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, EINVAL);
	/* The endpoint still works. */
	to = in6("::1", a.sin6_port);
	put_datagram(fd, &to, "abc", 3);
	receive_datagram(fd, "abc", 3);
	close(fd);
}

static void malformed(int dest_len, int dest_off, int opt_len, int opt_off, int size)
{
	struct sockaddr_in6 a;
	int fd = bound("::1", &a);

	out.prim.unitdata_req = (struct T_unitdata_req){
		T_UNITDATA_REQ, dest_len, dest_off, opt_len, opt_off
	};
	IS(send_prim(fd, size, "x", 1, 0), 0);
	expect_ended(fd);
}

static void run_malformed(void)
{
	struct sockaddr_in6 to = in6("::1", htons(9));
	int fd;

	malformed(28, 20, 0, 0, 19);	/* cut off */
	malformed(28, 21, 0, 0, 48);	/* beyond the end */
	malformed(28, -4, 0, 0, 48);
	malformed(-28, 20, 0, 0, 48);
	malformed(0x7fffffff, 0x7fffffff, 0, 0, 48);
	malformed(28, 20, 16, 48, 48);
	/* The endpoint is in a wrong state. */
	fd = endpoint();
	put_datagram(fd, &to, "x", 1);
	expect_ended(fd);
}

static void run_options(void)
{
	struct sockaddr_in6 a;
	int fd = bound("::", &a);

	add_int(T_INET_IPV6, T_IPV6_UNICAST_HOPS, 7);
	add_int(T_INET_IPV6, T_IPV6_TCLASS, 0x48);
	add_int(T_INET_IP, T_IP_TOS, 0x10);
	add_int(T_INET_IP, T_IP_REUSEADDR, T_YES);
	add_int(XTI_GENERIC, XTI_RCVBUF, 30000);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IPV6, T_IPV6_UNICAST_HOPS, T_SUCCESS), 7);
	IS(answered(1, T_INET_IPV6, T_IPV6_TCLASS, T_SUCCESS), 0x48);
	IS(answered(2, T_INET_IP, T_IP_TOS, T_SUCCESS), 0x10);
	IS(answered(3, T_INET_IP, T_IP_REUSEADDR, T_SUCCESS), T_YES);
	IS(answered(4, XTI_GENERIC, XTI_RCVBUF, T_SUCCESS), 30000);
	/*
	 * All options get their defaults back; one of them cannot change any
	 * more.
	 */
	add(T_INET_IPV6, T_ALLOPT, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IPV6, T_IPV6_UNICAST_HOPS, T_SUCCESS), 64);
	IS(answered(1, T_INET_IPV6, T_IPV6_TCLASS, T_SUCCESS), 0);
	IS(answered(2, T_INET_IPV6, T_IPV6_V6ONLY, T_SUCCESS), T_NO);
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	add_int(T_INET_IPV6, T_IPV6_UNICAST_HOPS, 256);
	add_int(T_INET_IPV6, T_IPV6_TCLASS, 256);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	IS(answered(0, T_INET_IPV6, T_IPV6_V6ONLY, T_FAILURE), T_NO);
	IS(answered(1, T_INET_IPV6, T_IPV6_UNICAST_HOPS, T_FAILURE), 64);
	IS(answered(2, T_INET_IPV6, T_IPV6_TCLASS, T_FAILURE), 0);
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	add_int(T_INET_IPV6, 4711, 1);
	add(T_INET_IP, T_IP_OPTIONS, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_NOTSUPPORT);
	IS(answered(0, T_INET_UDP, T_UDP_CHECKSUM, T_READONLY), T_YES);
	answered(1, T_INET_IPV6, 4711, T_NOTSUPPORT);
	answered(2, T_INET_IP, T_IP_OPTIONS, T_NOTSUPPORT);
	add(XTI_GENERIC, T_ALLOPT, NULL, 0);
	ask(fd, T_DEFAULT);
	receive_answer(fd, T_READONLY);
	close(fd);
	/* IPv4's provider has no options of IPv6. */
	fd = open("/dev/streams/udp", O_RDWR | O_CLOEXEC);
	add_int(T_INET_IPV6, T_IPV6_TCLASS, 1);
	ask(fd, T_NEGOTIATE);
	receive_error(fd, T_OPTMGMT_REQ, TBADOPT, 0);
	close(fd);
}

/* Checks the options of the datagram received last. */
static void check_received(const char *to, unsigned int hops, unsigned int tclass)
{
	struct T_unitdata_ind *ind = &in.prim.unitdata_ind;
	struct in6_pktinfo info;
	struct sockaddr_in6 want = in6(to, 0);
	struct T_opthdr oh;
	unsigned int value;

	oh = option_at(ind->OPT_offset, ind->OPT_length, 0, &info, sizeof(info));
	IS(oh.level, T_INET_IPV6);
	IS(oh.name, T_IPV6_PKTINFO);
	IS(info.ipi6_ifindex, if_nametoindex("lo"));
	TRUE(!memcmp(&info.ipi6_addr, &want.sin6_addr, sizeof(info.ipi6_addr)));
	oh = option_at(ind->OPT_offset, ind->OPT_length, 1, &value, sizeof(value));
	IS(oh.name, T_IPV6_HOPLIMIT);
	IS(value, hops);
	oh = option_at(ind->OPT_offset, ind->OPT_length, 2, &value, sizeof(value));
	IS(oh.name, T_IPV6_TCLASS);
	IS(value, tclass);
}

static void run_datagram_options(void)
{
	static const char *const local[] = { "::1", "::ffff:127.0.0.5" };
	struct in6_pktinfo info = {};
	struct sockaddr_in6 a, b, from;
	int fa = bound("::", &a), fb = bound("::", &b), i, j;

	add_int(T_INET_IPV6, T_IPV6_RECVPKTINFO, T_YES);
	add_int(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, T_YES);
	add_int(T_INET_IPV6, T_IPV6_RECVTCLASS, T_YES);
	ask(fb, T_NEGOTIATE);
	receive_answer(fb, T_SUCCESS);
	for (i = 0; i < 2; i++) {
		b = in6(local[i], b.sin6_port);
		add_int(T_INET_IPV6, T_IPV6_HOPLIMIT, 42);
		add_int(T_INET_IPV6, T_IPV6_TCLASS, 0x20);
		put_datagram(fa, &b, "abc", 3);
		receive_datagram(fb, "abc", 3);
		check_received(local[i], 42, 0x20);
		/* The option is for one datagram. Most of these meet their receiver directly. */
		for (j = 0; j < 40; j++) {
			put_datagram(fa, &b, "d", 1);
			from = receive_datagram(fb, "d", 1);
			check_received(local[i], 64, 0);
			IS(from.sin6_port, a.sin6_port);
		}
	}
	/* The source has to be an address of this host. */
	info.ipi6_addr = in6(local[1], 0).sin6_addr;
	info.ipi6_addr.s6_addr[15] = 9;
	add(T_INET_IPV6, T_IPV6_PKTINFO, &info, sizeof(info));
	put_datagram(fa, &b, "from", 4);
	from = receive_datagram(fb, "from", 4);
	TRUE(is_addr(&from, "::ffff:127.0.0.9"));
	b = in6("::1", b.sin6_port);
	info.ipi6_addr = in6("2001:db8::9", 0).sin6_addr;
	add(T_INET_IPV6, T_IPV6_PKTINFO, &info, sizeof(info));
	put_datagram(fa, &b, "from", 4);
	receive_uderror(fa, &b, EINVAL);
	/* These options are malformed, or too large. */
	add(T_INET_IPV6, T_IPV6_PKTINFO, &info, sizeof(info) - 4);
	put_datagram(fa, &b, "e", 1);
	receive_uderror(fa, &b, EINVAL);
	add_int(T_INET_IPV6, T_IPV6_HOPLIMIT, 256);
	put_datagram(fa, &b, "e", 1);
	receive_uderror(fa, &b, EINVAL);
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	put_datagram(fa, &b, "e", 1);
	receive_uderror(fa, &b, EINVAL);
	for (i = 0; i < 20; i++)
		add_int(T_INET_IPV6, T_IPV6_TCLASS, i);
	put_datagram(fa, &b, "e", 1);
	receive_uderror(fa, &b, EINVAL);
	put_datagram(fa, &b, "f", 1);
	receive_datagram(fb, "f", 1);
	close(fa);
	close(fb);
}

/* The test runs in a network with an interface d0 of fe80::7. */
static void run_scope(void)
{
	unsigned int d0 = if_nametoindex("d0");
	struct sockaddr_in6 a = in6("fe80::7", 0), b, from;
	int fa = endpoint(), fb = endpoint();

	TRUE(d0);
	a.sin6_scope_id = d0;
	a = bind_to(fa, a);
	IS(a.sin6_scope_id, d0);
	from = told(fa);
	TRUE(!memcmp(&from, &a, sizeof(a)));
	b = bind_to(fb, in6("::", 0));
	put_datagram(fb, &a, "scoped", 6);
	from = receive_datagram(fa, "scoped", 6);
	TRUE(is_addr(&from, "fe80::7"));
	IS(from.sin6_scope_id, d0);
	IS(from.sin6_port, b.sin6_port);
	put_datagram(fa, &from, "back", 4);
	from = receive_datagram(fb, "back", 4);
	TRUE(!memcmp(&from, &a, sizeof(a)));
	/* After an unbind the endpoint no longer belongs to an interface. */
	put_simple(fa, T_UNBIND_REQ);
	receive_ok(fa, T_UNBIND_REQ);
	a = bind_to(fa, in6("::1", 0));
	put_datagram(fb, &a, "here", 4);
	receive_datagram(fa, "here", 4);
	close(fa);
	close(fb);
}

static long counted(const char *name)
{
	char line[256], key[64];
	FILE *f = fopen("/proc/net/snmp6", "r");
	long value, found = -1;

	TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %ld", key, &value) == 2 && !strcmp(key, name))
			found = value;
	fclose(f);
	TRUE(found >= 0);
	return found;
}

/*
 * In a network of its own, without other traffic, the counters of datagrams
 * read and not read are exact.
 */
static void run_counted(void)
{
	struct sockaddr_in6 a, b;
	int fa = bound("::1", &a), fb = bound("::1", &b), i;
	long received = counted("Udp6InDatagrams"), sent = counted("Udp6OutDatagrams");
	long full = counted("Udp6RcvbufErrors"), now, lost, got = 0;

	for (i = 0; i < 10; i++) {
		put_datagram(fa, &b, &i, sizeof(i));
		receive_datagram(fb, &i, sizeof(i));
	}
	IS(counted("Udp6InDatagrams"), received + 10);
	IS(counted("Udp6OutDatagrams"), sent + 10);
	/*
	 * A reader stays away: each datagram is read later, or counted as lost.
	 */
	add_int(XTI_GENERIC, XTI_RCVBUF, 10000);
	ask(fb, T_NEGOTIATE);
	receive_prim(fb, T_OPTMGMT_ACK);
	for (i = 0; i < 200; i++)
		put_datagram(fa, &b, big, 1000);
	do {
		while (arrives(fb, 0))
			got++;
		lost = counted("Udp6RcvbufErrors") - full;
	} while (got + lost < 200);
	now = counted("Udp6InDatagrams");
	TRUE(got > 5 && lost > 5);
	IS(got + lost, 200);
	IS(now, received + 10 + got);
	close(fa);
	close(fb);
}

static const struct test_case cases[] = {
	{ "info", run_info },
	{ "bind", run_bind },
	{ "bad-bind", run_bad_bind },
	{ "datagrams", run_datagrams },
	{ "mapped", run_mapped },
	{ "uderror", run_uderror },
	{ "malformed", run_malformed },
	{ "options", run_options },
	{ "datagram-options", run_datagram_options },
	{ "scope", run_scope },
	{ "counted", run_counted },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
