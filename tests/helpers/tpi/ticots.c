// SPDX-License-Identifier: GPL-2.0-only
/* ticots.c - the answers of the loopback transports to a transport user */
#include "tpi-loop.h"

#include <sched.h>
#include <stddef.h>

static void run_info(void)
{
	static const struct {
		const char *device;
		int type, tsdu, etsdu, udata;
	} kinds[] = {
		{ TICLTS, T_CLTS, 65536, T_INVALID, T_INVALID },
		{ TICOTS, T_COTS, T_INFINITE, T_INFINITE, 1024 },
		{ TICOTSORD, T_COTS_ORD, T_INFINITE, T_INFINITE, 1024 },
	};
	unsigned int i;

	for (i = 0; i < COUNT(kinds); i++) {
		int fd = endpoint(kinds[i].device);

		IS(state_of(fd), TS_UNBND);
		IS(in.ctl_len, sizeof(in.prim.info_ack));
		IS(in.prim.info_ack.SERV_type, kinds[i].type);
		IS(in.prim.info_ack.TSDU_size, kinds[i].tsdu);
		IS(in.prim.info_ack.ETSDU_size, kinds[i].etsdu);
		IS(in.prim.info_ack.CDATA_size, kinds[i].udata);
		IS(in.prim.info_ack.DDATA_size, kinds[i].udata);
		IS(in.prim.info_ack.TIDU_size, 65536);
		IS(in.prim.info_ack.ADDR_size, 128);
		IS(in.prim.info_ack.PROVIDER_flag, SENDZERO | XPG4_1);
		out.prim.capability_req = (struct T_capability_req){
			T_CAPABILITY_REQ, TC1_INFO | TC1_ACCEPTOR_ID | 0x8000
		};
		IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, 0), 0);
		receive_prim(fd, T_CAPABILITY_ACK);
		IS(in.hipri, 0);
		/* A provider that accepts no connections gives no identity. */
		IS(in.prim.capability_ack.CAP_bits1, kinds[i].type == T_CLTS ?
		   TC1_INFO : TC1_INFO | TC1_ACCEPTOR_ID);
		IS(in.prim.capability_ack.INFO_ack.SERV_type, kinds[i].type);
		close(fd);
	}
}

/* Checks both addresses that T_ADDR_REQ reports; NULL: there is none. */
static void check_addresses(int fd, const char *local, const char *remote)
{
	struct T_addr_ack ack;

	out.prim.type = T_ADDR_REQ;
	IS(send_prim(fd, sizeof(out.prim.addr_req), NULL, 0, 0), 0);
	receive_prim(fd, T_ADDR_ACK);
	ack = in.prim.addr_ack;
	has_bytes(ack.LOCADDR_offset, ack.LOCADDR_length, local ?: "");
	has_bytes(ack.REMADDR_offset, ack.REMADDR_length, remote ?: "");
}

static void bad_bind(int fd, int length, int offset, int size)
{
	out.prim.bind_req = (struct T_bind_req){ T_BIND_REQ, length, offset, 0 };
	IS(send_prim(fd, size, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
}

static void run_bind(void)
{
	char longest[129] = "";
	int a, b, first;

	memset(longest, 'x', 128);
	a = bound(TICOTS, "somewhere", 0);
	check_addresses(a, "somewhere", NULL);
	send_bind(a, NULL, 0);
	receive_error(a, T_BIND_REQ, TOUTSTATE, 0);
	b = endpoint(TICOTS);
	check_addresses(b, NULL, NULL);
	send_bind(b, "somewhere", 0);
	receive_error(b, T_BIND_REQ, TADDRBUSY, 0);
	/* Each of the three drivers has addresses of its own. */
	close(bound(TICOTSORD, "somewhere", 0));
	close(bound(TICLTS, "somewhere", 0));
	out.prim.type = T_UNBIND_REQ;
	IS(send_prim(a, sizeof(out.prim.unbind_req), NULL, 0, 0), 0);
	receive_ok(a, T_UNBIND_REQ);
	IS(state_of(a), TS_UNBND);
	out.prim.type = T_UNBIND_REQ;
	IS(send_prim(a, sizeof(out.prim.unbind_req), NULL, 0, 0), 0);
	receive_error(a, T_UNBIND_REQ, TOUTSTATE, 0);
	send_bind(b, "somewhere", 3);
	receive_prim(b, T_BIND_ACK);
	IS(in.prim.bind_ack.CONIND_number, 3);
	close(b);
	/* A close frees the address at once. */
	send_bind(a, "somewhere", 0);
	receive_prim(a, T_BIND_ACK);
	close(a);

	/* Any free address is chosen; the backlog is the largest there is. */
	a = bound(TICOTS, NULL, 0);
	memcpy(&first, in.ctl + in.prim.bind_ack.ADDR_offset, 4);
	IS(in.prim.bind_ack.ADDR_length, 4);
	b = endpoint(TICOTS);
	send_bind(b, NULL, 1000000);
	receive_prim(b, T_BIND_ACK);
	TRUE(memcmp(&first, in.ctl + in.prim.bind_ack.ADDR_offset, 4));
	IS(in.prim.bind_ack.CONIND_number, 1024);
	close(a);
	close(b);

	close(bound(TICOTS, longest, 0));
	a = endpoint(TICOTS);
	bad_bind(a, 129, sizeof(struct T_bind_req), 300);
	bad_bind(a, 16, sizeof(struct T_bind_req) + 1, sizeof(struct T_bind_req) + 16);
	bad_bind(a, 16, 0x7ffffff8, 32);
	bad_bind(a, 16, -16, 32);
	bad_bind(a, -16, 16, 32);
	IS(send_prim(a, 8, NULL, 0, 0), 0);
	receive_error(a, T_BIND_REQ, TSYSERR, EINVAL);
	IS(state_of(a), TS_UNBND);
	close(a);
}

static void data_both_ways(int a, int b)
{
	IS(put_data(a, T_DATA_REQ, "one", 3, 1), 0);
	IS(put_data(a, T_DATA_REQ, NULL, 0, 0), 0);
	receive_prim(b, T_DATA_IND);
	IS(in.prim.data_ind.MORE_flag, 1);
	has_data("one");
	receive_prim(b, T_DATA_IND);
	IS(in.prim.data_ind.MORE_flag, 0);
	/* Data without a primitive is a T_DATA_REQ. */
	IS(write(b, "two", 3), 3);
	receive_prim(a, T_DATA_IND);
	IS(in.prim.data_ind.MORE_flag, 0);
	has_data("two");
}

static void no_listener(int a, int l)
{
	/* The address has no listener, or no endpoint. */
	call(a, "c");
	receive_discon(a, ECONNREFUSED, -1);
	call(a, "nobody");
	receive_discon(a, ECONNREFUSED, -1);
	/* A listener cannot call itself. */
	call(l, "l");
	receive_discon(l, ECONNREFUSED, -1);
	IS(state_of(l), TS_IDLE);
}

static void run_connect(void)
{
	int a = bound(TICOTSORD, "a", 0), l = bound(TICOTSORD, "l", 2);
	int b = endpoint(TICOTSORD), c, seq;

	/* Another stream, which has not been bound, accepts. */
	send_conn_req(a, "l", "hello");
	receive_ok(a, T_CONN_REQ);
	IS(state_of(a), TS_WCON_CREQ);
	seq = called(l);
	has_bytes(in.prim.conn_ind.SRC_offset, in.prim.conn_ind.SRC_length, "a");
	has_data("hello");
	IS(state_of(l), TS_WRES_CIND);
	send_conn_res(l, acceptor_id(b), seq, "welcome");
	receive_ok(l, T_CONN_RES);
	IS(state_of(l), TS_IDLE);
	receive_prim(a, T_CONN_CON);
	has_bytes(in.prim.conn_con.RES_offset, in.prim.conn_con.RES_length, "l");
	has_data("welcome");
	check_addresses(a, "a", "l");
	check_addresses(b, "l", "a");
	IS(state_of(a), TS_DATA_XFER);
	IS(state_of(b), TS_DATA_XFER);
	data_both_ways(a, b);
	/*
	 * The second connection is accepted on a stream with an address of its
	 * own.
	 */
	c = bound(TICOTSORD, "c", 0);
	close(a);
	receive_discon(b, ECONNRESET, -1);
	IS(state_of(b), TS_IDLE);
	a = bound(TICOTSORD, "a", 0);
	call(a, "l");
	seq = called(l);
	send_conn_res(l, acceptor_id(c), seq, NULL);
	receive_ok(l, T_CONN_RES);
	receive_prim(a, T_CONN_CON);
	has_bytes(in.prim.conn_con.RES_offset, in.prim.conn_con.RES_length, "c");
	check_addresses(c, "c", "a");
	/* A disconnect carries data. */
	send_discon_req(c, -1, "enough");
	receive_ok(c, T_DISCON_REQ);
	receive_discon(a, ECONNRESET, -1);
	has_data("enough");
	IS(state_of(a), TS_IDLE);
	IS(state_of(c), TS_IDLE);
	no_listener(a, l);
	close(a);
	close(b);
	close(c);
	close(l);
}

/* I_FDINSERT stores the number that T_CAPABILITY_ACK gives. */
static void run_fdinsert(void)
{
	int a = bound(TICOTS, NULL, 0), l = bound(TICOTS, "l", 1);
	int b = endpoint(TICOTS), seq;
	struct T_conn_res res = { .PRIM_type = T_CONN_RES };
	struct strfdinsert fdi = {
		.ctlbuf = { .len = sizeof(res), .buf = (char *)&res },
		.databuf = { .len = -1 },
		.fildes = b,
		.offset = offsetof(struct T_conn_res, ACCEPTOR_id),
	};

	call(a, "l");
	seq = called(l);
	res.SEQ_number = seq;
	IS(ioctl(l, I_FDINSERT, &fdi), 0);
	receive_ok(l, T_CONN_RES);
	receive_prim(a, T_CONN_CON);
	IS(state_of(b), TS_DATA_XFER);
	close(a);
	close(b);
	close(l);
}

/* Several callers wait; some are refused, some withdraw. */
static void run_queue(void)
{
	int l = bound(TICOTS, "l", 3), a[4], seq[3], i, b;

	for (i = 0; i < 4; i++) {
		a[i] = bound(TICOTS, NULL, 0);
		call(a[i], "l");
		if (i < 3)
			seq[i] = called(l);
	}
	receive_discon(a[3], ECONNREFUSED, -1);
	/* Only the last connection can be accepted on the listener itself. */
	send_conn_res(l, acceptor_id(l), seq[0], NULL);
	receive_error(l, T_CONN_RES, TINDOUT, 0);
	send_conn_res(l, acceptor_id(l), 4711, NULL);
	receive_error(l, T_CONN_RES, TBADSEQ, 0);
	send_conn_res(l, 0x7ffffff0, seq[0], NULL);
	receive_error(l, T_CONN_RES, TBADF, 0);
	send_conn_res(l, acceptor_id(a[1]), seq[0], NULL);
	receive_error(l, T_CONN_RES, TOUTSTATE, 0);
	b = bound(TICOTS, "b", 1);
	send_conn_res(l, acceptor_id(b), seq[0], NULL);
	receive_error(l, T_CONN_RES, TRESQLEN, 0);
	close(b);
	b = endpoint(TICOTSORD);
	send_conn_res(l, acceptor_id(b), seq[0], NULL);
	receive_error(l, T_CONN_RES, TBADF, 0);
	close(b);
	IS(state_of(l), TS_WRES_CIND);
	/* The first caller is refused, the second withdraws. */
	send_discon_req(l, 4711, NULL);
	receive_error(l, T_DISCON_REQ, TBADSEQ, 0);
	send_discon_req(l, seq[0], "no");
	receive_ok(l, T_DISCON_REQ);
	receive_discon(a[0], ECONNREFUSED, -1);
	has_data("no");
	send_discon_req(a[1], -1, NULL);
	receive_ok(a[1], T_DISCON_REQ);
	receive_discon(l, ECONNABORTED, seq[1]);
	IS(state_of(l), TS_WRES_CIND);
	send_conn_res(l, acceptor_id(l), seq[2], NULL);
	receive_ok(l, T_CONN_RES);
	receive_prim(a[2], T_CONN_CON);
	IS(state_of(l), TS_DATA_XFER);
	/* While the listener is connected no caller can connect. */
	call(a[0], "l");
	receive_discon(a[0], ECONNREFUSED, -1);
	send_discon_req(a[2], -1, NULL);
	receive_ok(a[2], T_DISCON_REQ);
	receive_discon(l, ECONNRESET, -1);
	/* Callers connect again; a listener that closes refuses them. */
	call(a[0], "l");
	call(a[1], "l");
	called(l);
	close(l);
	receive_discon(a[0], ECONNREFUSED, -1);
	receive_discon(a[1], ECONNREFUSED, -1);
	for (i = 0; i < 4; i++)
		close(a[i]);
}

/* One direction is released, then the other. */
static void run_release(void)
{
	int fds[2];

	connected(TICOTSORD, fds);
	IS(put_data(fds[0], T_DATA_REQ, "last", 4, 0), 0);
	send_ordrel(fds[0]);
	IS(state_of(fds[0]), TS_WIND_ORDREL);
	receive_prim(fds[1], T_DATA_IND);
	has_data("last");
	receive_prim(fds[1], T_ORDREL_IND);
	IS(state_of(fds[1]), TS_WREQ_ORDREL);
	IS(put_data(fds[1], T_DATA_REQ, "reply", 5, 0), 0);
	receive_prim(fds[0], T_DATA_IND);
	has_data("reply");
	send_ordrel(fds[1]);
	receive_prim(fds[0], T_ORDREL_IND);
	IS(state_of(fds[0]), TS_IDLE);
	IS(state_of(fds[1]), TS_IDLE);
	/*
	 * Data sent afterwards is dropped, because the sender may not know of
	 * the end yet.
	 */
	IS(put_data(fds[0], T_DATA_REQ, "x", 1, 0), 0);
	send_ordrel(fds[0]);
	IS(state_of(fds[0]), TS_IDLE);
	receive_none(fds[1]);
	close(fds[0]);
	close(fds[1]);
	/* After its release a side sends no more data. */
	connected(TICOTSORD, fds);
	send_ordrel(fds[0]);
	IS(put_data(fds[0], T_DATA_REQ, "x", 1, 0), 0);
	expect_ended(fds[0]);
	receive_prim(fds[1], T_ORDREL_IND);
	receive_discon(fds[1], ECONNRESET, -1);
	close(fds[1]);
	/* Both sides release at once. */
	connected(TICOTSORD, fds);
	send_ordrel(fds[0]);
	receive_prim(fds[1], T_ORDREL_IND);
	send_ordrel(fds[1]);
	receive_prim(fds[0], T_ORDREL_IND);
	IS(state_of(fds[1]), TS_IDLE);
	close(fds[0]);
	close(fds[1]);
	/* ticots has no orderly release. */
	connected(TICOTS, fds);
	send_ordrel(fds[0]);
	receive_error(fds[0], T_ORDREL_REQ, TNOTSUPPORT, 0);
	IS(state_of(fds[0]), TS_DATA_XFER);
	close(fds[0]);
	close(fds[1]);
}

static void refuses_urgent_optdata(int fd)
{
	out.prim.type = T_OPTDATA_REQ;
	IS(send_prim(fd, sizeof(out.prim.type), NULL, 0, RS_HIPRI), 0);
	receive_error(fd, T_OPTDATA_REQ, TNOTSUPPORT, 0);
}

/*
 * Expedited data passes data that has no room, and arrives in a band. A primitive that
 * is refused does not wait.
 */
static void run_expedited(void)
{
	static char block[4096];
	int fds[2], n = 0, got = 0;

	connected(TICOTS, fds);
	test_nonblock(fds[0], true);
	while (put_data(fds[0], T_DATA_REQ, block, sizeof(block), 0) == 0)
		n++;
	FAILS(put_data(fds[0], T_DATA_REQ, block, sizeof(block), 0), EAGAIN);
	TRUE(n > 16);
	out.prim.exdata_req = (struct T_exdata_req){ T_EXDATA_REQ, 0 };
	struct strbuf c = { .len = sizeof(out.prim.exdata_req), .buf = out.bytes };
	struct strbuf d = { .len = 6, .buf = (char *)"urgent" };

	IS(putpmsg(fds[0], &c, &d, 1, MSG_BAND), 0);
	refuses_urgent_optdata(fds[0]);
	out.prim.type = T_OPTDATA_REQ;
	IS(putpmsg(fds[0], &c, &d, 1, MSG_BAND), 0);
	receive_error(fds[0], T_OPTDATA_REQ, TNOTSUPPORT, 0);
	receive_prim(fds[1], T_EXDATA_IND);
	IS(in.band, 1);
	has_data("urgent");
	for (; got < n; got++) {
		receive_prim(fds[1], T_DATA_IND);
		IS(in.data_len, sizeof(block));
	}
	receive_none(fds[1]);
	close(fds[0]);
	close(fds[1]);
}

static void put_unitdata(int fd, const char *addr, const void *data, int len)
{
	out.prim.unitdata_req = (struct T_unitdata_req){
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = strlen(addr),
		.DEST_offset = sizeof(out.prim.unitdata_req),
	};
	memcpy(out.bytes + sizeof(out.prim.unitdata_req), addr, strlen(addr));
	IS(send_prim(fd, sizeof(out.prim.unitdata_req) + strlen(addr), data, len,
		     0), 0);
}

static void receive_uderror(int fd, const char *addr, int err)
{
	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, err);
	has_bytes(in.prim.uderror_ind.DEST_offset,
		  in.prim.uderror_ind.DEST_length, addr);
}

static void run_datagrams(void)
{
	static char big[65536];
	static const int sizes[] = { 0, 1, 7, 4096, 65536 };
	static const int types[] = { T_CONN_REQ, T_CONN_RES, T_DISCON_REQ,
		T_DATA_REQ, T_EXDATA_REQ, T_ORDREL_REQ, T_OPTDATA_REQ };
	int a = bound(TICLTS, "a", 0), b = bound(TICLTS, "b", 0);
	unsigned int i;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 7 + i / 251;
	for (i = 0; i < COUNT(sizes); i++) {
		put_unitdata(a, "b", big, sizes[i]);
		receive_prim(b, T_UNITDATA_IND);
		has_bytes(in.prim.unitdata_ind.SRC_offset,
			  in.prim.unitdata_ind.SRC_length, "a");
		IS(in.data_len, sizes[i]);
		TRUE(!memcmp(in.data, big, sizes[i]));
	}
	put_unitdata(a, "a", "self", 4);
	receive_prim(a, T_UNITDATA_IND);
	has_data("self");
	put_unitdata(a, "nobody", "x", 1);
	receive_uderror(a, "nobody", ECONNREFUSED);
	put_unitdata(a, "", "x", 1);
	receive_uderror(a, "", EINVAL);
	for (i = 0; i < COUNT(types); i++) {
		out.prim.type = types[i];
		IS(send_prim(a, sizeof(out.prim.type), NULL, 0, 0), 0);
		receive_error(a, types[i], TNOTSUPPORT, 0);
	}
	refuses_urgent_optdata(a);
	close(b);
	put_unitdata(a, "b", "x", 1);
	receive_uderror(a, "b", ECONNREFUSED);
	IS(write(a, "x", 1), 1);
	expect_ended(a);
	a = endpoint(TICLTS);
	put_unitdata(a, "b", "x", 1);
	expect_ended(a);
	/* A connection-mode transport does not accept the primitive. */
	a = bound(TICOTS, NULL, 0);
	put_unitdata(a, "b", "x", 1);
	receive_error(a, T_UNITDATA_REQ, TNOTSUPPORT, 0);
	close(a);
}

/*
 * Two senders have a slow receiver: both wait, and no datagram is lost or mixed
 * up.
 */
static int send_datagram(int fd, const void *data, int len)
{
	out.prim.unitdata_req = (struct T_unitdata_req){ T_UNITDATA_REQ, 2, 20, 0, 0 };
	memcpy(out.bytes + 20, "to", 2);
	return send_prim(fd, 22, data, len, 0);
}

static void run_datagram_flow(void)
{
	int to = bound(TICLTS, "to", 0), from[2], n[2] = { }, next[2] = { }, i;
	char block[1000];

	for (i = 0; i < 2; i++) {
		from[i] = bound(TICLTS, i ? "1" : "0", 0);
		test_nonblock(from[i], true);
		do
			memset(block, n[i], sizeof(block));
		while (!send_datagram(from[i], block, sizeof(block)) && ++n[i]);
		FAILS(send_datagram(from[i], block, sizeof(block)), EAGAIN);
		TRUE(n[i] > 60);
	}
	for (i = 0; i < n[0] + n[1]; i++) {
		int who;

		receive_prim(to, T_UNITDATA_IND);
		who = in.ctl[in.prim.unitdata_ind.SRC_offset] - '0';
		TRUE(who == 0 || who == 1);
		IS((unsigned char)in.data[999], next[who] & 0xff);
		next[who]++;
	}
	receive_none(to);
	/* A sender does not wait for a receiver that closes. */
	while (send_datagram(from[0], block, sizeof(block)) == 0)
		;
	close(to);
	test_nonblock(from[0], false);
	IS(send_datagram(from[0], block, sizeof(block)), 0);
	receive_uderror(from[0], "to", ECONNREFUSED);
	close(from[0]);
	close(from[1]);
}

/* A driver enables waiting senders in groups, and forgets none of them. */
static void run_datagram_waiters(void)
{
	enum { SENDERS = 200 };
	int to = bound(TICLTS, "to", 0), first = bound(TICLTS, "first", 0);
	int from[SENDERS], i, queued = 0;
	bool seen[SENDERS] = { };
	char block[1000] = "";

	test_nonblock(first, true);
	while (!send_datagram(first, block, sizeof(block)))
		queued++;
	for (i = 0; i < SENDERS; i++) {
		from[i] = bound(TICLTS, NULL, 0);
		IS(send_datagram(from[i], &i, sizeof(i)), 0);
	}
	for (i = 0; i < SENDERS + queued; i++) {
		int sender;

		receive_prim(to, T_UNITDATA_IND);
		if (in.data_len == sizeof(block))
			continue;
		memcpy(&sender, in.data, sizeof(sender));
		TRUE(sender >= 0 && sender < SENDERS && !seen[sender]);
		seen[sender] = true;
	}
	receive_none(to);
	for (i = 0; i < SENDERS; i++)
		close(from[i]);
	close(first);
	close(to);
}

static int optmgmt(int fd, int action, int name, const void *value, int len)
{
	struct T_opthdr *oh = (struct T_opthdr *)(out.bytes + 16);

	out.prim.optmgmt_req = (struct T_optmgmt_req){
		T_OPTMGMT_REQ, sizeof(*oh) + len, 16, action
	};
	*oh = (struct T_opthdr){ sizeof(*oh) + len, XTI_GENERIC, name, 0 };
	if (len)
		memcpy(oh + 1, value, len);
	IS(send_prim(fd, 16 + sizeof(*oh) + len, NULL, 0, 0), 0);
	receive_prim(fd, T_OPTMGMT_ACK);
	return in.prim.optmgmt_ack.MGMT_flags;
}

static unsigned int option_value(void)
{
	unsigned int value;

	memcpy(&value, in.ctl + in.prim.optmgmt_ack.OPT_offset +
	       sizeof(struct T_opthdr), sizeof(value));
	return value;
}

/*
 * Returns the seconds that the endpoint lingers when the option is set to
 * these.
 */
static int lingers(int fd, int onoff, int seconds)
{
	int linger[2] = { onoff, seconds };

	IS(optmgmt(fd, T_NEGOTIATE, XTI_LINGER, linger, sizeof(linger)), T_SUCCESS);
	IS(optmgmt(fd, T_CURRENT, XTI_LINGER, NULL, 0), T_SUCCESS);
	memcpy(linger, in.ctl + in.prim.optmgmt_ack.OPT_offset + sizeof(struct T_opthdr),
	       sizeof(linger));
	IS(linger[0], onoff);
	return linger[1];
}

static void run_options(void)
{
	int fd = endpoint(TICOTS), linger[2] = { T_YES, 7 };
	unsigned int value = 100000;
	long wide = 30000;

	IS(optmgmt(fd, T_DEFAULT, XTI_RCVBUF, NULL, 0), T_SUCCESS);
	IS(option_value(), 65536);
	IS(optmgmt(fd, T_NEGOTIATE, XTI_RCVBUF, &value, 4), T_SUCCESS);
	IS(optmgmt(fd, T_CURRENT, XTI_RCVBUF, NULL, 0), T_SUCCESS);
	IS(option_value(), 100000);
	IS(optmgmt(fd, T_NEGOTIATE, XTI_SNDBUF, &wide, 8), T_SUCCESS);
	IS(option_value(), 30000);
	value = 1;
	IS(optmgmt(fd, T_NEGOTIATE, XTI_SNDBUF, &value, 4), T_PARTSUCCESS);
	IS(option_value(), 1024);
	IS(optmgmt(fd, T_NEGOTIATE, XTI_LINGER, linger, 8), T_SUCCESS);
	IS(optmgmt(fd, T_CURRENT, XTI_LINGER, NULL, 0), T_SUCCESS);
	IS(option_value(), T_YES);
	IS(lingers(fd, T_YES, 7), 7);
	IS(lingers(fd, T_YES, -1), -1);		/* T_INFINITE */
	IS(lingers(fd, T_YES, ~0 - 2), 15);	/* T_UNSPEC */
	IS(lingers(fd, T_NO, -1), 0);
	IS(lingers(fd, T_NO, -9), 0);
	linger[1] = -4;
	IS(optmgmt(fd, T_CHECK, XTI_LINGER, linger, 8), T_FAILURE);
	IS(optmgmt(fd, T_NEGOTIATE, XTI_RCVLOWAT, &value, 4), T_READONLY);
	IS(optmgmt(fd, T_NEGOTIATE, 0x4321, &value, 4), T_NOTSUPPORT);
	IS(optmgmt(fd, T_NEGOTIATE, XTI_DEBUG, &value, 4), T_SUCCESS);
	/* All options have their earlier values. */
	IS(optmgmt(fd, T_NEGOTIATE, T_ALLOPT, NULL, 0), T_SUCCESS);
	IS(optmgmt(fd, T_CURRENT, XTI_SNDBUF, NULL, 0), T_SUCCESS);
	IS(option_value(), 65536);
	/* A connection may name the options. */
	IS(state_of(fd), TS_UNBND);
	close(fd);
}

/* Addresses of another network namespace are not known here. */
static void run_namespace(void)
{
	int here = bound(TICOTS, "here", 1), there, self;

	self = open("/proc/self/ns/net", O_RDONLY);
	TRUE(self >= 0);
	IS(unshare(CLONE_NEWNET), 0);
	there = bound(TICOTS, "here", 1);
	close(there);
	there = bound(TICOTS, NULL, 0);
	IS(setns(self, CLONE_NEWNET), 0);
	call(there, "here");
	receive_discon(there, ECONNREFUSED, -1);
	receive_none(here);
	close(here);
	close(there);
	close(self);
}

/* A stream of another user cannot be made to accept. Needs root. */
static void run_other_user(void)
{
	int l, a, b, seq, err;

	b = endpoint(TICOTS);
	IS(seteuid(65534), 0);
	l = bound(TICOTS, "l", 1);
	a = bound(TICOTS, NULL, 0);
	call(a, "l");
	seq = called(l);
	send_conn_res(l, acceptor_id(b), seq, NULL);
	receive_error(l, T_CONN_RES, TBADF, 0);
	err = state_of(b);
	IS(err, TS_UNBND);
	IS(seteuid(0), 0);
	close(a);
	close(b);
	close(l);
}

/* A process that is killed with many endpoints ends at once. */
static void run_closing(void)
{
	static const char *const device[] = { TICLTS, TICOTS, TICOTSORD };
	struct timespec from, to;
	int i, fd[300];
	char addr[20];
	long ms;

	for (i = 0; i < 300; i++) {
		snprintf(addr, sizeof(addr), "closing %d", i);
		fd[i] = i % 2 ? bound(device[i % 3], addr, 0) :
				endpoint(device[i % 3]);
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (i = 0; i < 300; i++)
		close(fd[i]);
	clock_gettime(CLOCK_MONOTONIC, &to);
	ms = (to.tv_sec - from.tv_sec) * 1000 +
	     (to.tv_nsec - from.tv_nsec) / 1000000;
	printf("300 endpoints were closed in %ld ms\n", ms);
	/* A grace period each takes 10 ms or more. */
	TRUE(ms < 1500 || getenv("STRSOCK_TEST_SCALE"));
}

static const struct test_case cases[] = {
	{ "info", run_info },
	{ "bind", run_bind },
	{ "connect", run_connect },
	{ "fdinsert", run_fdinsert },
	{ "queue", run_queue },
	{ "release", run_release },
	{ "expedited", run_expedited },
	{ "datagrams", run_datagrams },
	{ "datagram-flow", run_datagram_flow },
	{ "datagram-waiters", run_datagram_waiters },
	{ "options", run_options },
	{ "namespace", run_namespace },
	{ "other-user", run_other_user },
	{ "closing", run_closing },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
