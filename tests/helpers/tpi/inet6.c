// SPDX-License-Identifier: GPL-2.0-only
/* inet6.c - /dev/streams/tcp6 and rawip6: where IPv6 differs from IPv4 */
#include "tpi-address.h"
#include "tpi-options.h"

#include <arpa/inet.h>

static struct sockaddr_in6 in6(const char *addr, int port)
{
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6, .sin6_port = port };

	IS(inet_pton(AF_INET6, addr, &sin6.sin6_addr), 1);
	return sin6;
}

static bool is_addr(const struct sockaddr_in6 *sin6, const char *addr)
{
	struct sockaddr_in6 want = in6(addr, 0);

	return !memcmp(&sin6->sin6_addr, &want.sin6_addr, sizeof(want.sin6_addr));
}

static const char *device = "/dev/streams/tcp6";

static int endpoint(void)
{
	int fd = open(device, O_RDWR | O_CLOEXEC);

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

static void put_listen(int fd, const void *at, int len, int qlen)
{
	out.prim.bind_req = (struct T_bind_req){
		.PRIM_type = T_BIND_REQ,
		.ADDR_length = len,
		.ADDR_offset = sizeof(out.prim.bind_req),
		.CONIND_number = qlen,
	};
	memcpy(out.bytes + sizeof(out.prim.bind_req), at, len);
	IS(send_prim(fd, sizeof(out.prim.bind_req) + len, NULL, 0, 0), 0);
}

static struct sockaddr_in6 bind_to(int fd, struct sockaddr_in6 at, int qlen)
{
	put_listen(fd, &at, sizeof(at), qlen);
	receive_prim(fd, T_BIND_ACK);
	IS(in.prim.bind_ack.CONIND_number, qlen);
	return address(in.prim.bind_ack.ADDR_offset, in.prim.bind_ack.ADDR_length);
}

static void unbind(int fd)
{
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
}

static void put_conn_req(int fd, const void *to, int len)
{
	out.prim.conn_req = (struct T_conn_req){
		.PRIM_type = T_CONN_REQ,
		.DEST_length = len,
		.DEST_offset = sizeof(out.prim.conn_req),
	};
	memcpy(out.bytes + sizeof(out.prim.conn_req), to, len);
	IS(send_prim(fd, sizeof(out.prim.conn_req) + len, NULL, 0, 0), 0);
}

static struct sockaddr_in6 local(int fd)
{
	put_simple(fd, T_ADDR_REQ);
	receive_prim(fd, T_ADDR_ACK);
	return address(in.prim.addr_ack.LOCADDR_offset, in.prim.addr_ack.LOCADDR_length);
}

/* Returns a socket that connects to a port of 127.0.0.1, or -1 with errno. */
static int call_by_ipv4(int port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET, .sin_port = port,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), saved;

	TRUE(fd >= 0);
	if (!connect(fd, (struct sockaddr *)&sin, sizeof(sin)))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static void run_addresses(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct sockaddr_in6 at, other;
	int fd = endpoint(), busy = endpoint();

	put_simple(fd, T_INFO_REQ);
	receive_prim(fd, T_INFO_ACK);
	IS(in.prim.info_ack.ADDR_size, sizeof(at));
	IS(in.prim.info_ack.SERV_type, T_COTS_ORD);
	IS(in.prim.info_ack.PROVIDER_flag, XPG4_1 | EXPINLINE);

	/*
	 * The address is of IPv4, has another length, or is not of this host.
	 */
	put_listen(fd, &sin, sizeof(sin), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	at = in6("::1", 0);
	at.sin6_family = AF_INET;
	put_listen(fd, &at, sizeof(at), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	at = in6("::1", 0);
	put_listen(fd, &at, sizeof(at) - 4, 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	at = in6("2001:db8::1", 0);
	put_listen(fd, &at, sizeof(at), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	/* A link-local address has no interface. */
	at = in6("fe80::1", 0);
	put_listen(fd, &at, sizeof(at), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);

	at = bind_to(fd, in6("::1", 0), 0);
	TRUE(at.sin6_port && is_addr(&at, "::1"));
	other = local(fd);
	TRUE(!memcmp(&other, &at, sizeof(at)));
	put_listen(busy, &at, sizeof(at), 0);
	receive_error(busy, T_BIND_REQ, TADDRBUSY, 0);

	sin.sin_port = at.sin6_port;
	put_conn_req(fd, &sin, sizeof(sin));
	receive_error(fd, T_CONN_REQ, TBADADDR, 0);
	/* The connection is refused; the endpoint keeps its address. */
	other = in6("::1", htons(1));
	put_conn_req(fd, &other, sizeof(other));
	receive_ok(fd, T_CONN_REQ);
	receive_discon(fd, ECONNREFUSED, -1);
	other = local(fd);
	TRUE(!memcmp(&other, &at, sizeof(at)));
	close(busy);
	close(fd);
}

/*
 * The endpoint receives the connection of an IPv4 client; the connection is
 * refused.
 */
static void ipv4_arrives(int fd, int port)
{
	int sock = call_by_ipv4(port);
	struct sockaddr_in6 from;

	TRUE(sock >= 0);
	receive_prim(fd, T_CONN_IND);
	from = address(in.prim.conn_ind.SRC_offset, in.prim.conn_ind.SRC_length);
	TRUE(is_addr(&from, "::ffff:127.0.0.1"));
	send_discon_req(fd, in.prim.conn_ind.SEQ_number, NULL);
	receive_ok(fd, T_DISCON_REQ);
	close(sock);
}

static void run_dual(void)
{
	struct sockaddr_in6 at, to;
	int fd = endpoint(), caller = endpoint();

	at = bind_to(fd, in6("::", 0), 3);
	ipv4_arrives(fd, at.sin6_port);
	/* A stream connects by IPv4 as well. */
	bind_to(caller, in6("::", 0), 0);
	to = in6("::ffff:127.0.0.1", at.sin6_port);
	put_conn_req(caller, &to, sizeof(to));
	receive_ok(caller, T_CONN_REQ);
	receive_prim(caller, T_CONN_CON);
	to = address(in.prim.conn_con.RES_offset, in.prim.conn_con.RES_length);
	TRUE(is_addr(&to, "::ffff:127.0.0.1"));
	receive_prim(fd, T_CONN_IND);
	send_discon_req(fd, in.prim.conn_ind.SEQ_number, NULL);
	receive_ok(fd, T_DISCON_REQ);
	receive_discon(caller, ECONNRESET, -1);
	unbind(fd);

	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	at = bind_to(fd, in6("::", 0), 3);
	FAILS(call_by_ipv4(at.sin6_port), ECONNREFUSED);
	/* An option stays when the address is given up. */
	unbind(fd);
	at = bind_to(fd, in6("::", 0), 3);
	FAILS(call_by_ipv4(at.sin6_port), ECONNREFUSED);
	close(fd);
	/*
	 * The option is refused also if it was set while the address left no
	 * choice.
	 */
	fd = endpoint();
	bind_to(fd, in6("::1", 0), 0);
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	unbind(fd);
	at = bind_to(fd, in6("::", 0), 3);
	FAILS(call_by_ipv4(at.sin6_port), ECONNREFUSED);
	close(caller);
	close(fd);
}

static void run_options(void)
{
	struct sockaddr_in6 at;
	int fd = endpoint();

	add_int(T_INET_IPV6, T_IPV6_UNICAST_HOPS, 7);
	add_int(T_INET_IPV6, T_IPV6_TCLASS, 0x48);
	add_int(T_INET_TCP, T_TCP_NODELAY, T_YES);
	add_int(T_INET_IP, T_IP_TTL, 9);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	bind_to(fd, in6("::1", 0), 0);
	unbind(fd);
	add(T_INET_IPV6, T_ALLOPT, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IPV6, T_IPV6_UNICAST_HOPS, T_SUCCESS), 7);
	IS(answered(1, T_INET_IPV6, T_IPV6_TCLASS, T_SUCCESS), 0x48);
	/*
	 * While bound to ::1 the endpoint had no addresses of IPv4; that ends
	 * with the unbind.
	 */
	IS(answered(2, T_INET_IPV6, T_IPV6_V6ONLY, T_SUCCESS), T_NO);
	at = bind_to(fd, in6("::", 0), 1);
	ipv4_arrives(fd, at.sin6_port);
	unbind(fd);

	/*
	 * While bound to an address of IPv6 all options can be given their
	 * defaults.
	 */
	bind_to(fd, in6("::1", 0), 0);
	add(T_INET_IPV6, T_ALLOPT, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IPV6, T_IPV6_UNICAST_HOPS, T_SUCCESS), 64);
	IS(answered(1, T_INET_IPV6, T_IPV6_TCLASS, T_SUCCESS), 0);
	IS(answered(2, T_INET_IPV6, T_IPV6_V6ONLY, T_SUCCESS), T_YES);
	add_int(T_INET_IPV6, T_IPV6_V6ONLY, T_NO);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	IS(answered(0, T_INET_IPV6, T_IPV6_V6ONLY, T_FAILURE), T_YES);
	add_int(T_INET_IPV6, T_IPV6_UNICAST_HOPS, 256);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	/* IPv4's options of headers do not exist here. */
	add(T_INET_IP, T_IP_OPTIONS, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_NOTSUPPORT);
	close(fd);
}

/* Sends a packet of a protocol that only this test has, with the options added. */
static void put_packet(int fd, const struct sockaddr_in6 *to, int len)
{
	IS(put_unitdata_req(fd, to, len, list, list_len, "packet", 6), 0);
	list_len = 0;
}

static void receive_uderror(int fd, int err)
{
	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, err);
}

/* These packets are refused. */
static void raw_invalid(int fd)
{
	struct in6_pktinfo info = { .ipi6_addr = in6addr_loopback };
	struct sockaddr_in6 to = in6("::1", 0);

	add_int(T_INET_IPV6, T_IPV6_HOPLIMIT, 256);
	put_packet(fd, &to, sizeof(to));
	receive_uderror(fd, EINVAL);
	add(T_INET_IPV6, T_IPV6_PKTINFO, &info, sizeof(info) - 4);
	put_packet(fd, &to, sizeof(to));
	receive_uderror(fd, EINVAL);
	add_int(T_INET_IP, T_IP_TTL, 9);
	put_packet(fd, &to, sizeof(to));
	receive_uderror(fd, EINVAL);
	put_packet(fd, &to, sizeof(to) - 4);
	receive_uderror(fd, EINVAL);
	to = in6("::ffff:127.0.0.1", 0);
	put_packet(fd, &to, sizeof(to));
	receive_prim(fd, T_UDERROR_IND);
	receive_none(fd);
}

static void run_raw(void)
{
	struct in6_pktinfo info = { .ipi6_addr = in6addr_loopback };
	struct sockaddr_in6 to = in6("::1", 0), from;
	struct T_unitdata_ind *ind = &in.prim.unitdata_ind;
	unsigned int value[16];
	struct T_opthdr oh;
	int fd;

	device = "/dev/streams/rawip6";
	fd = endpoint();
	put_simple(fd, T_INFO_REQ);
	receive_prim(fd, T_INFO_ACK);
	IS(in.prim.info_ack.ADDR_size, sizeof(to));
	IS(in.prim.info_ack.SERV_type, T_CLTS);
	IS(in.prim.info_ack.TSDU_size, 65535);
	add_int(T_INET_IPV6, T_IPV6_RECVPKTINFO, T_YES);
	add_int(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, T_YES);
	add_int(T_INET_IPV6, T_IPV6_RECVTCLASS, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	from = in6("::1", htons(256));
	put_listen(fd, &from, sizeof(from), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	/*
	 * Protocol 253 is for experiments. The options outlive the socket that
	 * bind replaces.
	 */
	bind_to(fd, in6("::", htons(253)), 0);
	add_int(T_INET_IPV6, T_IPV6_TCLASS, 0x48);
	add_int(T_INET_IPV6, T_IPV6_HOPLIMIT, 5);
	add(T_INET_IPV6, T_IPV6_PKTINFO, &info, sizeof(info));
	put_packet(fd, &to, sizeof(to));
	receive_unitdata(fd, "packet", 6);
	from = address(ind->SRC_offset, ind->SRC_length);
	TRUE(is_addr(&from, "::1") && !from.sin6_port);
	oh = option_at(ind->OPT_offset, ind->OPT_length, 0, value, sizeof(value));
	IS(oh.name, T_IPV6_PKTINFO);
	TRUE(!memcmp(value, &in6addr_loopback, sizeof(in6addr_loopback)));
	oh = option_at(ind->OPT_offset, ind->OPT_length, 1, value, sizeof(value));
	IS(oh.name, T_IPV6_HOPLIMIT);
	IS(value[0], 5);
	oh = option_at(ind->OPT_offset, ind->OPT_length, 2, value, sizeof(value));
	IS(oh.name, T_IPV6_TCLASS);
	IS(value[0], 0x48);

	raw_invalid(fd);
	/* All options that can be set have a default. */
	add(T_INET_IPV6, T_ALLOPT, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	close(fd);
}

static const struct test_case cases[] = {
	{ "raw", run_raw },
	{ "addresses", run_addresses },
	{ "dual", run_dual },
	{ "options", run_options },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
