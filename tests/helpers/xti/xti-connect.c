// SPDX-License-Identifier: GPL-2.0-only
/* xti-connect.c - asking for connections and being asked, on a provider that the test plays */
#include "xti-cots.h"

/* An asynchronous connection is rejected. */
static void reject_asynchronous(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char d[32];

	go(p, T_OUTCON);
	test_nonblock(p->user, true);
	TIS(t_look(p->user), 0);
	TFAILS(t_rcvconnect(p->user, NULL), TNODATA);
	TFAILS(t_rcvdis(p->user, NULL), TNODIS);
	provider_discon_ind(p, 77, -1, "no");
	TIS(t_look(p->user), T_DISCONNECT);
	TFAILS(t_rcvconnect(p->user, NULL), TLOOK);
	TIS(t_getstate(p->user), T_OUTCON);
	discon.udata = (struct netbuf)NETBUF(d, 0);
	TIS(t_rcvdis(p->user, &discon), 0);
	IS(discon.reason, 77);
	IS(discon.udata.len, 2);
	TIS(t_getstate(p->user), T_IDLE);
	provider_free(p);
}

static void run_connect(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char a[16], o[16], d[32];
	struct t_call ret = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 9), .udata = NETBUF(d, 0) };
	struct t_call to = { .addr = NETBUF(addr_buf, 7), .opt = NETBUF(opt_buf, 8),
			     .udata = NETBUF(data_buf, 5) };
	struct message m;

	memcpy(data_buf, "hello", 5);
	go(p, T_IDLE);
	to.udata.len = 33;
	TFAILS(t_connect(p->user, &to, &ret), TBADDATA);
	to.udata.len = 5;
	to.addr.len = 0;
	TFAILS(t_connect(p->user, &to, &ret), TBADADDR);
	to.addr.len = 7;
	provider_fail(p, TBADADDR, 0);
	TFAILS(t_connect(p->user, &to, &ret), TBADADDR);
	TIS(t_getstate(p->user), T_IDLE);
	/* Waiting messages are received after the acknowledgement. */
	provider_conn_con(p, "welcome");
	TIS(t_connect(p->user, &to, &ret), 0);
	TIS(t_getstate(p->user), T_DATAXFER);
	m = provider_got(p, T_CONN_REQ);
	IS(m.prim.conn_req.DEST_length, 7);
	TRUE(!memcmp(m.ctl + m.prim.conn_req.DEST_offset, "address", 7));
	IS(m.prim.conn_req.OPT_length, 8);
	IS(m.data_len, 5);
	TRUE(!memcmp(m.data, "hello", 5));
	IS(ret.addr.len, 5);
	TRUE(!memcmp(a, "there", 5));
	IS(ret.opt.len, 0);
	IS(ret.udata.len, 7);
	TRUE(!memcmp(d, "welcome", 7));
	provider_free(p);

	/* The result does not fit: the endpoint is connected all the same. */
	p = provider_new(T_COTS_ORD);
	go(p, T_OUTCON);
	provider_conn_con(p, "welcome");
	ret.udata.maxlen = 3;
	TFAILS(t_rcvconnect(p->user, &ret), TBUFOVFLW);
	TIS(t_getstate(p->user), T_DATAXFER);
	TIS(t_look(p->user), 0);
	provider_free(p);

	reject_asynchronous();

	/* A signal leaves the request pending. */
	p = provider_new(T_COTS_ORD);
	go(p, T_IDLE);
	TINTERRUPTED(t_connect(p->user, &to, NULL));
	TIS(t_getstate(p->user), T_OUTCON);
	provider_free(p);
}

static void listen_on(struct provider *p, int qlen)
{
	struct t_bind req = { .addr = NETBUF(addr_buf, 7), .qlen = qlen };
	char a[16];
	struct t_bind ret = { .addr = NETBUF(a, 0) };

	TIS(t_bind(p->user, &req, &ret), 0);
	IS(ret.qlen, qlen < 5 ? qlen : 5);
	IS(ret.addr.len, 7);
	TRUE(!memcmp(a, "address", 7));
}

/* Two connections wait afterwards, 21 and 22. */
static void listen_calls(struct provider *p)
{
	char a[16], o[16], d[32];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	struct t_call answer = { .opt = NETBUF(opt_buf, 8), .udata = NETBUF(data_buf, 5) };

	listen_on(p, 0);
	TFAILS(t_listen(p->user, &from), TBADQLEN);
	TIS(t_unbind(p->user), 0);
	listen_on(p, 9);
	TIS(t_unbind(p->user), 0);
	listen_on(p, 2);
	test_nonblock(p->user, true);
	TFAILS(t_listen(p->user, &from), TNODATA);
	provider_conn_ind(p, 21, "me");
	TIS(t_look(p->user), T_LISTEN);
	TFAILS(t_unbind(p->user), TLOOK);
	TFAILS(t_connect(p->user, &call, NULL), TLOOK);
	TIS(t_listen(p->user, &from), 0);
	IS(from.sequence, 21);
	IS(from.addr.len, 5);
	TRUE(!memcmp(a, "peer!", 5));
	IS(from.opt.len, 4);
	IS(from.udata.len, 2);
	TIS(t_getstate(p->user), T_INCON);
	provider_conn_ind(p, 22, NULL);
	answer.sequence = 21;
	TFAILS(t_accept(p->user, p->user, &answer), TLOOK);
	/* The indication counts, though its address did not fit. */
	from.addr.maxlen = 2;
	TFAILS(t_listen(p->user, &from), TBUFOVFLW);
	IS(from.sequence, 22);
	from.addr.maxlen = sizeof(a);
	TFAILS(t_listen(p->user, &from), TQFULL);
}

/* Accepts connection 21 on another endpoint, behind attempts that fail. */
static void listen_accept(struct provider *p)
{
	struct provider *busy = provider_new(T_COTS_ORD), *odd = provider_new(T_CLTS);
	struct provider *res = provider_new(T_COTS_ORD);
	struct t_call answer = { .opt = NETBUF(opt_buf, 8), .udata = NETBUF(data_buf, 5) };
	struct message m;

	answer.sequence = 21;
	TFAILS(t_accept(p->user, p->user, &answer), TINDOUT);
	listen_on(busy, 1);
	TFAILS(t_accept(p->user, busy->user, &answer), TRESQLEN);
	TFAILS(t_accept(p->user, odd->user, &answer), TPROVMISMATCH);
	TFAILS(t_accept(p->user, -1, &answer), TBADF);
	answer.udata.len = 33;
	TFAILS(t_accept(p->user, res->user, &answer), TBADDATA);
	answer.udata.len = 5;
	provider_fail(p, TBADSEQ, 0);
	TFAILS(t_accept(p->user, res->user, &answer), TBADSEQ);
	provider_fail(p, TRESADDR, 0);
	TFAILS(t_accept(p->user, res->user, &answer), TRESADDR);
	TIS(t_accept(p->user, res->user, &answer), 0);
	m = provider_got(p, T_CONN_RES);
	IS(m.prim.conn_res.ACCEPTOR_id, res->acceptor_id);
	IS(m.prim.conn_res.SEQ_number, 21);
	IS(m.prim.conn_res.OPT_length, 8);
	IS(m.data_len, 5);
	TIS(t_getstate(p->user), T_INCON);
	TIS(t_getstate(res->user), T_DATAXFER);
	provider_free(res);
	provider_free(busy);
	provider_free(odd);
}

static void run_listen(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char a[16], o[16], d[32];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	struct t_call answer = { .opt = NETBUF(opt_buf, 8), .udata = NETBUF(data_buf, 5) };
	struct message m;

	listen_calls(p);
	listen_accept(p);
	/* The other connection is rejected, or is withdrawn. */
	TFAILS(t_snddis(p->user, NULL), TBADSEQ);
	provider_discon_ind(p, 5, 22, NULL);
	TFAILS(t_listen(p->user, &from), TLOOK);
	answer.sequence = 22;
	TFAILS(t_snddis(p->user, &answer), TLOOK);
	TFAILS(t_accept(p->user, p->user, &answer), TLOOK);
	TIS(t_rcvdis(p->user, &discon), 0);
	IS(discon.sequence, 22);
	TIS(t_getstate(p->user), T_IDLE);
	provider_conn_ind(p, 23, NULL);
	TIS(t_listen(p->user, &from), 0);
	provider_conn_ind(p, 24, NULL);
	TIS(t_listen(p->user, &from), 0);
	answer.sequence = 24;
	TIS(t_snddis(p->user, &answer), 0);
	m = provider_got(p, T_DISCON_REQ);
	IS(m.prim.discon_req.SEQ_number, 24);
	TIS(t_getstate(p->user), T_INCON);
	/* The connection is accepted on the endpoint itself. */
	answer.sequence = 23;
	TIS(t_accept(p->user, p->user, &answer), 0);
	m = provider_got(p, T_CONN_RES);
	IS(m.prim.conn_res.ACCEPTOR_id, p->acceptor_id);
	TIS(t_getstate(p->user), T_DATAXFER);
	provider_free(p);
}

/* I_FDINSERT names an endpoint for which a provider has no identity. */
static void run_fdinsert(void)
{
	struct provider *p = provider_new(T_COTS), *res = provider_new(T_COTS);
	struct t_call answer = { .sequence = 11 };
	struct message m;

	p->acceptor_id = 0;
	res->acceptor_id = 0;
	go(p, T_INCON);
	TIS(t_accept(p->user, res->user, &answer), 0);
	m = provider_got(p, T_CONN_RES);
	TRUE(m.prim.conn_res.ACCEPTOR_id);
	IS(m.prim.conn_res.SEQ_number, 11);
	TIS(t_getstate(p->user), T_IDLE);
	TIS(t_getstate(res->user), T_DATAXFER);
	provider_free(p);
	provider_free(res);
}

static const struct test_case cases[] = {
	{ "connect", run_connect }, { "listen", run_listen },
	{ "fdinsert", run_fdinsert },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
