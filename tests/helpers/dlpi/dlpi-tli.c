// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-tli.c - XTI over a data link: the module tlidlpi on streams of DLPI */
#include "xti-test.h"

#include <string.h>
#include <sys/tpi.h>

#include "dlpi-test.h"

#define ETHERNET_MTU	1500

static struct netbuf netbuf(void *buf, unsigned int maxlen, unsigned int len)
{
	return (struct netbuf){ .maxlen = maxlen, .len = len, .buf = buf };
}

/* Returns an endpoint on a device of the caller's network namespace. */
static int endpoint(const char *device)
{
	dl_attach_req_t attach = { DL_ATTACH_REQ, if_nametoindex(device) };
	int fd = dlpi_fd();

	IS(dlpi_ask(fd, &attach, sizeof(attach)), DL_OK_ACK);
	IS(ioctl(fd, I_PUSH, "tlidlpi"), 0);
	TIS(t_sync(fd), T_UNBND);
	return fd;
}

static int endpoint_right(void)
{
	int old = namespace_enter("right"), fd = endpoint("veth-right");

	namespace_leave(old);
	return fd;
}

/* Binds to a SAP, and stores the address. */
static void bind_to(int fd, uint16_t sap, unsigned char addr[ADDR_LEN])
{
	struct t_bind want = { .addr = netbuf(&sap, sizeof(sap), sizeof(sap)) };
	struct t_bind got_addr = { .addr = netbuf(addr, ADDR_LEN, 0) };

	TIS(t_bind(fd, &want, &got_addr), 0);
	IS(got_addr.addr.len, ADDR_LEN);
	TRUE(!memcmp(addr + ADDR_LEN - sizeof(sap), &sap, sizeof(sap)));
	TIS(t_getstate(fd), T_IDLE);
}

static int tli_send(int fd, unsigned char *addr, size_t addr_len, void *data, size_t len)
{
	struct t_unitdata u = {
		.addr = netbuf(addr, addr_len, addr_len), .udata = netbuf(data, len, len),
	};

	return t_sndudata(fd, &u);
}

/* Receives a datagram of len bytes from an address. */
static void receive_from(int fd, const unsigned char *addr, const void *data, size_t len)
{
	unsigned char from[ADDR_LEN + 1];
	char buf[2000];
	struct t_unitdata u = {
		.addr = netbuf(from, sizeof(from), 0), .udata = netbuf(buf, sizeof(buf), 0),
	};
	int flags;

	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(flags, 0);
	IS(u.opt.len, 0);
	IS(u.addr.len, ADDR_LEN);
	TRUE(!memcmp(from, addr, ADDR_LEN));
	/* Ethernet fills short frames up. */
	TRUE(u.udata.len >= len && (u.udata.len == len || u.udata.len < 60));
	TRUE(!memcmp(buf, data, len));
}

static void run_echo(void)
{
	static const size_t sizes[] = { 1, 46, 64, 1000, ETHERNET_MTU };
	unsigned char left_addr[ADDR_LEN], right_addr[ADDR_LEN], data[ETHERNET_MTU];
	int left = endpoint("veth-left"), right = endpoint_right();
	size_t i;

	memset(data, 'x', sizeof(data));
	bind_to(left, TEST_TYPE, left_addr);
	bind_to(right, TEST_TYPE, right_addr);
	for (i = 0; i < COUNT(sizes); i++) {
		TIS(tli_send(left, right_addr, ADDR_LEN, data, sizes[i]), 0);
		receive_from(right, left_addr, data, sizes[i]);
		TIS(tli_send(right, left_addr, ADDR_LEN, data, sizes[i]), 0);
		receive_from(left, right_addr, data, sizes[i]);
	}
	TIS(t_close(left), 0);
	TIS(t_close(right), 0);
}

static void run_info(void)
{
	unsigned char addr[ADDR_LEN], local[ADDR_LEN];
	struct t_bind bound = { .addr = netbuf(local, sizeof(local), 0) };
	struct t_info info;
	int fd = endpoint("veth-left");

	TIS(t_getinfo(fd, &info), 0);
	IS(info.addr, ADDR_LEN);
	IS(info.options, T_INVALID);
	IS(info.tsdu, ETHERNET_MTU);
	IS(info.etsdu, T_INVALID);
	IS(info.servtype, T_CLTS);
	TIS(t_getprotaddr(fd, &bound, NULL), 0);
	IS(bound.addr.len, 0);
	bind_to(fd, TEST_TYPE, addr);
	TIS(t_getprotaddr(fd, &bound, NULL), 0);
	IS(bound.addr.len, ADDR_LEN);
	TRUE(!memcmp(local, addr, ADDR_LEN));
	/* The state is the provider's. */
	TIS(t_sync(fd), T_IDLE);
	TIS(t_unbind(fd), 0);
	TIS(t_getstate(fd), T_UNBND);
	bind_to(fd, TEST_TYPE + 1, addr);
	TIS(t_close(fd), 0);
}

static void run_bind_errors(void)
{
	unsigned char sap[] = { 1, 3, 0 };
	struct t_bind want = { .addr = netbuf(sap, sizeof(sap), sizeof(sap)) };
	int fd = endpoint("veth-left");

	TFAILS(t_bind(fd, &want, NULL), TBADADDR);
	/* No SAP of a data link is free for a provider to choose. */
	TFAILS(t_bind(fd, NULL, NULL), TNOADDR);
	/* An odd SAP below 0x600 is of a group. */
	want.addr.len = 2;
	TFAILS(t_bind(fd, &want, NULL), TBADADDR);
	TIS(t_getstate(fd), T_UNBND);
	TFAILS(t_unbind(fd), TOUTSTATE);
	TFAILS(t_listen(fd, NULL), TNOTSUPPORT);
	TIS(t_close(fd), 0);
}

/* Takes an error of sending, for a destination. */
static void take_error(int fd, const unsigned char *addr, size_t len, int error)
{
	unsigned char dest[ADDR_LEN];
	struct t_uderr uderr = { .addr = netbuf(dest, sizeof(dest), 0) };

	UNTIL(t_look(fd) == T_UDERR);
	TIS(t_rcvuderr(fd, &uderr), 0);
	IS(uderr.error, error);
	IS(uderr.addr.len, len);
	TRUE(!memcmp(dest, addr, len));
}

static void run_uderror(void)
{
	unsigned char addr[ADDR_LEN], peer[ADDR_LEN];
	int fd = endpoint("veth-left");

	bind_to(fd, TEST_TYPE, addr);
	memcpy(peer, addr, sizeof(peer));
	peer[5] ^= 1;
	TIS(tli_send(fd, peer, ADDR_LEN - 3, "x", 1), 0);
	take_error(fd, peer, ADDR_LEN - 3, EINVAL);
	shell("ip link set veth-left down");
	TIS(tli_send(fd, peer, ADDR_LEN, "x", 1), 0);
	take_error(fd, peer, ADDR_LEN, ENETDOWN);
	TIS(t_close(fd), 0);
}

/* Opens the node of a device, on which autopush has the module. */
static void run_open(void)
{
	unsigned char addr[ADDR_LEN], right_addr[ADDR_LEN];
	struct t_info info;
	int fd = t_open("/dev/streams/net/veth-left", O_RDWR, &info), right = endpoint_right();

	TRUE(fd >= 0);
	IS(info.addr, ADDR_LEN);
	IS(info.servtype, T_CLTS);
	bind_to(fd, TEST_TYPE, addr);
	bind_to(right, TEST_TYPE, right_addr);
	TIS(tli_send(fd, right_addr, ADDR_LEN, "hello", 5), 0);
	receive_from(right, addr, "hello", 5);
	TIS(t_close(fd), 0);
	TIS(t_close(right), 0);
}

/* Primitives that libxti does not send */
static void run_malformed(void)
{
	struct T_bind_req bind = { T_BIND_REQ, 2, 1000, 0 };
	struct T_optmgmt_req opt = { .PRIM_type = T_OPTMGMT_REQ, .MGMT_flags = T_CURRENT };
	struct T_unitdata_req req = { T_UNITDATA_REQ, ADDR_LEN, 1000, 0, 0 };
	t_scalar_t unbind = T_UNBIND_REQ, none = 99;
	int fd = endpoint("veth-left");

	IS(dlpi_ask(fd, &bind, sizeof(bind)), T_ERROR_ACK);
	IS(dlpi_ask(fd, &bind, 8), T_ERROR_ACK);
	IS(dlpi_ask(fd, &opt, sizeof(opt)), T_ERROR_ACK);
	IS(dlpi_ask(fd, &unbind, sizeof(unbind)), T_ERROR_ACK);
	TRUE(!dlpi_put(fd, &req, sizeof(req), "x", 1));
	UNTIL(dlpi_put(fd, &req, sizeof(req), "x", 1) && errno == EPROTO);
	close(fd);
	fd = endpoint("veth-left");
	TRUE(!dlpi_put(fd, &none, sizeof(none), NULL, 0));
	UNTIL(dlpi_put(fd, &none, sizeof(none), NULL, 0) && errno == EPROTO);
	close(fd);
}

static const struct test_case cases[] = {
	{ "echo", run_echo },
	{ "info", run_info },
	{ "bind-errors", run_bind_errors },
	{ "uderror", run_uderror },
	{ "open", run_open },
	{ "malformed", run_malformed },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
