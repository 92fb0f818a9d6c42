// SPDX-License-Identifier: GPL-2.0-only
/* xti-cots.c - XTI's functions of connections, on a provider that the test plays */
#include "xti-provider.h"

static char addr_buf[16] = "address";
static char opt_buf[64];
static char data_buf[2000];

/* An endpoint in a state. */
static void go(struct provider *p, int state)
{
	struct t_bind req = { .addr = NETBUF(addr_buf, 7), .qlen = 3 };
	struct t_call call = { .addr = NETBUF(addr_buf, 7) };
	char a[16], o[64], d[64];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };

	if (state == T_UNBND)
		return;
	TIS(t_bind(p->user, &req, NULL), 0);
	if (state == T_IDLE)
		return;
	if (state == T_INCON) {
		provider_conn_ind(p, 11, NULL);
		TIS(t_listen(p->user, &from), 0);
		return;
	}
	test_nonblock(p->user, true);
	TFAILS(t_connect(p->user, &call, NULL), TNODATA);
	test_nonblock(p->user, false);
	provider_got(p, T_CONN_REQ);
	provider_state(p, TS_WCON_CREQ);
	if (state == T_OUTCON)
		return;
	provider_conn_con(p, NULL);
	TIS(t_rcvconnect(p->user, NULL), 0);
	provider_state(p, TS_DATA_XFER);
	if (state == T_OUTREL) {
		TIS(t_sndrel(p->user), 0);
		provider_got(p, T_ORDREL_REQ);
		provider_state(p, TS_WIND_ORDREL);
	} else if (state == T_INREL) {
		provider_ordrel_ind(p, NULL);
		TIS(t_rcvrel(p->user), 0);
		provider_state(p, TS_WREQ_ORDREL);
	}
}

/* Each function, with arguments that are good. */
static int fd, resfd;
static struct t_call call = { .addr = NETBUF(addr_buf, 7) };
static struct t_unitdata unitdata = { .addr = NETBUF(addr_buf, 7), .udata = NETBUF(data_buf, 3) };
static struct t_iovec iov = { data_buf, 3 };
static struct t_uderr uderr;
static struct t_discon discon;
static int flags;

static int f_accept(void) { return t_accept(fd, resfd, &call); }
static int f_bind(void) { return t_bind(fd, NULL, NULL); }
static int f_connect(void) { return t_connect(fd, &call, NULL); }
static int f_listen(void) { return t_listen(fd, &call); }
static int f_rcv(void) { return t_rcv(fd, data_buf, 3, &flags); }
static int f_rcvconnect(void) { return t_rcvconnect(fd, NULL); }
static int f_rcvdis(void) { return t_rcvdis(fd, &discon); }
static int f_rcvrel(void) { return t_rcvrel(fd); }
static int f_rcvreldata(void) { return t_rcvreldata(fd, &discon); }
static int f_rcvudata(void) { return t_rcvudata(fd, &unitdata, &flags); }
static int f_rcvuderr(void) { return t_rcvuderr(fd, &uderr); }
static int f_rcvv(void) { return t_rcvv(fd, &iov, 1, &flags); }
static int f_rcvvudata(void) { return t_rcvvudata(fd, &unitdata, &iov, 1, &flags); }
static int f_snd(void) { return t_snd(fd, data_buf, 3, 0); }
static int f_snddis(void) { return t_snddis(fd, &call); }
static int f_sndrel(void) { return t_sndrel(fd); }
static int f_sndreldata(void) { return t_sndreldata(fd, NULL); }
static int f_sndudata(void) { return t_sndudata(fd, &unitdata); }
static int f_sndv(void) { return t_sndv(fd, &iov, 1, 0); }
static int f_sndvudata(void) { return t_sndvudata(fd, &unitdata, &iov, 1); }
static int f_unbind(void) { return t_unbind(fd); }

#define IN(state)	(1U << (state))
#define ORDERLY		0x100		/* only with T_COTS_ORD */
#define CONNECTED	(IN(T_DATAXFER) | IN(T_OUTCON) | IN(T_OUTREL) | IN(T_INREL) | IN(T_INCON))

/* XNS Issue 5, "Transport Interface States", and each function's VALID STATES. */
static const struct {
	const char *name;
	int (*call)(void);
	unsigned int states;		/* none: not with connections */
} functions[] = {
	{ "t_accept", f_accept, IN(T_INCON) },
	{ "t_bind", f_bind, IN(T_UNBND) },
	{ "t_connect", f_connect, IN(T_IDLE) },
	{ "t_listen", f_listen, IN(T_IDLE) | IN(T_INCON) },
	{ "t_rcv", f_rcv, IN(T_DATAXFER) | IN(T_OUTREL) },
	{ "t_rcvconnect", f_rcvconnect, IN(T_OUTCON) },
	{ "t_rcvdis", f_rcvdis, CONNECTED },
	{ "t_rcvrel", f_rcvrel, IN(T_DATAXFER) | IN(T_OUTREL) | ORDERLY },
	{ "t_rcvreldata", f_rcvreldata, IN(T_DATAXFER) | IN(T_OUTREL) | ORDERLY },
	{ "t_rcvudata", f_rcvudata, 0 },
	{ "t_rcvuderr", f_rcvuderr, 0 },
	{ "t_rcvv", f_rcvv, IN(T_DATAXFER) | IN(T_OUTREL) },
	{ "t_rcvvudata", f_rcvvudata, 0 },
	{ "t_snd", f_snd, IN(T_DATAXFER) | IN(T_INREL) },
	{ "t_snddis", f_snddis, CONNECTED },
	{ "t_sndrel", f_sndrel, IN(T_DATAXFER) | IN(T_INREL) | ORDERLY },
	{ "t_sndreldata", f_sndreldata, IN(T_DATAXFER) | IN(T_INREL) | ORDERLY },
	{ "t_sndudata", f_sndudata, 0 },
	{ "t_sndv", f_sndv, IN(T_DATAXFER) | IN(T_INREL) },
	{ "t_sndvudata", f_sndvudata, 0 },
	{ "t_unbind", f_unbind, IN(T_IDLE) },
};

/* What a function in a state gives of TOUTSTATE and TNOTSUPPORT, and no other. */
static void all_functions(int servtype, int state)
{
	struct provider *p = provider_new(servtype), *other = provider_new(servtype);
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 0), .flags = T_CHECK };
	struct t_info info;
	unsigned int i;
	int want;

	go(p, state);
	fd = p->user;
	resfd = other->user;
	for (i = 0; i < COUNT(functions); i++) {
		if (!functions[i].states || (functions[i].states & ORDERLY && servtype == T_COTS))
			want = TNOTSUPPORT;
		else if (functions[i].states & IN(state))
			continue;
		else
			want = TOUTSTATE;
		t_errno = 0;
		test_checks++;
		if (functions[i].call() != -1 || t_errno != want)
			test_fail(__FILE__, __LINE__, "%s in state %d: %s", functions[i].name,
				  state, t_strerror(t_errno));
		TIS(t_getstate(fd), state);
	}
	/* In any state */
	TIS(t_optmgmt(fd, &opt, NULL), 0);
	TIS(t_getinfo(fd, &info), 0);
	IS(info.servtype, servtype);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	TIS(t_look(fd), 0);
	TRUE(provider_got_nothing(p));
	/* And what another process would find. */
	if (state != T_INCON)
		TIS(t_sync(fd), state);
	provider_free(p);
	provider_free(other);
}

static void run_states(void)
{
	int state;

	for (state = T_UNBND; state <= T_INREL; state++)
		all_functions(T_COTS_ORD, state);
	for (state = T_UNBND; state <= T_DATAXFER; state++)
		all_functions(T_COTS, state);
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
	/* What waits to be read comes after the acknowledgement. */
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

	/* No room: connected all the same. */
	p = provider_new(T_COTS_ORD);
	go(p, T_OUTCON);
	provider_conn_con(p, "welcome");
	ret.udata.maxlen = 3;
	TFAILS(t_rcvconnect(p->user, &ret), TBUFOVFLW);
	TIS(t_getstate(p->user), T_DATAXFER);
	TIS(t_look(p->user), 0);
	provider_free(p);

	/* Asynchronously, and rejected */
	p = provider_new(T_COTS_ORD);
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

	/* A signal: the request stands. */
	p = provider_new(T_COTS_ORD);
	go(p, T_IDLE);
	alarm_in(100);
	TERRNO(t_connect(p->user, &to, NULL), EINTR);
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

static void run_listen(void)
{
	struct provider *p = provider_new(T_COTS_ORD), *res = provider_new(T_COTS_ORD);
	struct provider *busy = provider_new(T_COTS_ORD), *odd = provider_new(T_CLTS);
	char a[16], o[16], d[32];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	struct t_call answer = { .opt = NETBUF(opt_buf, 8), .udata = NETBUF(data_buf, 5) };
	struct message m;

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
	TFAILS(t_accept(p->user, res->user, &answer), TLOOK);
	/* It counts, though nothing can be read of it. */
	from.addr.maxlen = 2;
	TFAILS(t_listen(p->user, &from), TBUFOVFLW);
	IS(from.sequence, 22);
	from.addr.maxlen = sizeof(a);
	TFAILS(t_listen(p->user, &from), TQFULL);
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
	/* The other one is rejected, or goes by itself. */
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
	/* On the endpoint itself */
	answer.sequence = 23;
	TIS(t_accept(p->user, p->user, &answer), 0);
	m = provider_got(p, T_CONN_RES);
	IS(m.prim.conn_res.ACCEPTOR_id, p->acceptor_id);
	TIS(t_getstate(p->user), T_DATAXFER);
	provider_free(p);
	provider_free(res);
	provider_free(busy);
	provider_free(odd);
}

/* A provider that has no identity for an endpoint: I_FDINSERT finds one. */
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

static void run_send(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	struct t_iovec v[T_IOV_MAX + 1];
	struct message m;
	int i, n, sent;

	for (i = 0; i < (int)sizeof(data_buf); i++)
		data_buf[i] = i * 7;
	go(p, T_DATAXFER);
	TIS(t_snd(p->user, data_buf, 250, 0), 250);
	for (i = 0; i < 3; i++) {
		m = provider_got(p, T_DATA_REQ);
		IS(m.prim.data_req.MORE_flag, i < 2);
		IS(m.data_len, i < 2 ? 100 : 50);
		IS(m.band, 0);
		TRUE(!memcmp(m.data, data_buf + i * 100, m.data_len));
	}
	/* One TSDU by several calls, of 1,000 bytes at most */
	TIS(t_snd(p->user, data_buf, 900, T_MORE | T_PUSH), 900);
	TFAILS(t_snd(p->user, data_buf, 101, 0), TBADDATA);
	TIS(t_snd(p->user, data_buf, 100, 0), 100);
	for (i = 0; i < 10; i++) {
		m = provider_got(p, T_DATA_REQ);
		IS(m.prim.data_req.MORE_flag, i < 9);
	}
	TFAILS(t_snd(p->user, data_buf, 1001, 0), TBADDATA);
	/* Expedited data has its own limit, and a band. */
	TFAILS(t_snd(p->user, data_buf, 17, T_EXPEDITED), TBADDATA);
	TIS(t_snd(p->user, data_buf, 16, T_EXPEDITED), 16);
	m = provider_got(p, T_EXDATA_REQ);
	IS(m.prim.exdata_req.MORE_flag, 0);
	IS(m.band, 1);
	TFAILS(t_snd(p->user, data_buf, 0, 0), TBADDATA);
	TFAILS(t_snd(p->user, data_buf, 1, 0x100), TBADFLAG);
	/* Vectors, across messages */
	for (i = 0; i <= T_IOV_MAX; i++)
		v[i] = (struct t_iovec){ data_buf + i * 13, 13 };
	TFAILS(t_sndv(p->user, v, T_IOV_MAX + 1, 0), TBADDATA);
	TFAILS(t_sndv(p->user, v, 0, 0), TBADDATA);
	TIS(t_sndv(p->user, v, T_IOV_MAX, 0), T_IOV_MAX * 13);
	for (i = 0, n = 0; n < T_IOV_MAX * 13; i++, n += m.data_len) {
		m = provider_got(p, T_DATA_REQ);
		TRUE(!memcmp(m.data, data_buf + n, m.data_len));
	}
	IS(n, T_IOV_MAX * 13);
	/* Flow control: how much went, then TFLOW, then T_GODATA. */
	provider_stop(p, true);
	test_nonblock(p->user, true);
	TIS(t_look(p->user), 0);
	for (sent = 0; sent < 1000000; sent += n) {
		n = t_snd(p->user, data_buf, 1000, 0);
		if (n < 0)
			break;
		TRUE(n > 0 && n <= 1000 && n % 100 == 0);
		/* What was begun is ended. */
		if (n < 1000) {
			sent += n;
			TFAILS(t_snd(p->user, data_buf, 1000 - n, 0), TFLOW);
			break;
		}
	}
	IS(t_errno, TFLOW);
	TRUE(sent > 0 && sent < 1000000);
	TIS(t_look(p->user), 0);
	TIS(t_snd(p->user, data_buf, 4, T_EXPEDITED), 4);
	provider_stop(p, false);
	for (i = 0; i < WAIT_MS && !(n = t_look(p->user)); i++)
		usleep(1000);
	IS(n, T_GODATA);
	TIS(t_look(p->user), 0);
	/* Who has sent again is not told. */
	provider_stop(p, true);
	while (t_snd(p->user, data_buf, 100, 0) == 100)
		;
	IS(t_errno, TFLOW);
	provider_stop(p, false);
	for (i = 0; i < WAIT_MS && t_snd(p->user, data_buf, 100, 0) < 0; i++)
		usleep(1000);
	TIS(t_look(p->user), 0);
	/* Without a flag there may be TSDUs of nothing. */
	provider_discon_ind(p, 1, -1, NULL);
	TFAILS(t_snd(p->user, data_buf, 1, 0), TLOOK);
	provider_free(p);

	/* A TSDU ends with its connection. */
	p = provider_new(T_COTS_ORD);
	go(p, T_DATAXFER);
	TIS(t_snd(p->user, data_buf, 10, T_EXPEDITED | T_MORE), 10);
	provider_got(p, T_EXDATA_REQ);
	TIS(t_snddis(p->user, NULL), 0);
	provider_got(p, T_DISCON_REQ);
	test_nonblock(p->user, true);
	TFAILS(t_connect(p->user, &call, NULL), TNODATA);
	provider_got(p, T_CONN_REQ);
	provider_conn_con(p, NULL);
	TIS(t_rcvconnect(p->user, NULL), 0);
	TIS(t_snd(p->user, data_buf, 10, T_EXPEDITED), 10);
	provider_free(p);

	p = provider_new(T_COTS);
	p->info.PROVIDER_flag |= SENDZERO;
	p->info.ETSDU_size = T_INVALID;
	p->info.TSDU_size = 0;
	TIS(t_sync(p->user), T_UNBND);
	go(p, T_DATAXFER);
	TIS(t_snd(p->user, data_buf, 0, 0), 0);
	m = provider_got(p, T_DATA_REQ);
	IS(m.data_len, 0);
	TFAILS(t_snd(p->user, data_buf, 0, T_MORE), TBADDATA);
	TFAILS(t_snd(p->user, data_buf, 1, T_EXPEDITED), TNOTSUPPORT);
	/* A stream of bytes has no largest TSDU. */
	TIS(t_snd(p->user, data_buf, 2000, 0), 2000);
	for (n = 0; n < 2000; n += m.data_len)
		m = provider_got(p, T_DATA_REQ);
	provider_ordrel_ind(p, NULL);
	TFAILS(t_snd(p->user, data_buf, 1, 0), TLOOK);
	provider_free(p);
}

static void receives(struct provider *p, unsigned int room, const char *data, int want_flags)
{
	char buf[64];
	int f = -1;

	TIS(t_rcv(p->user, buf, room, &f), strlen(data));
	TRUE(!memcmp(buf, data, strlen(data)));
	IS(f, want_flags);
}

static void run_receive(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char a[3], b[64];
	struct t_iovec v[3] = { { a, 2 }, { NULL, 0 }, { b, 5 } };
	t_scalar_t bad = T_CONN_CON;
	struct T_optdata_ind opt = { .PRIM_type = T_OPTDATA_IND, .DATA_flag = T_ODF_EX };
	char many[300];
	int f = -1;

	go(p, T_DATAXFER);
	test_nonblock(p->user, true);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TNODATA);
	provider_data_ind(p, T_DATA_IND, false, "twelve bytes");
	TIS(t_look(p->user), T_DATA);
	receives(p, 7, "twelve ", T_MORE);
	TIS(t_look(p->user), T_DATA);
	receives(p, 5, "bytes", 0);
	/* A TSDU in two messages, the first of which is read in parts */
	provider_data_ind(p, T_DATA_IND, true, "abcdef");
	provider_data_ind(p, T_DATA_IND, false, "gh");
	receives(p, 4, "abcd", T_MORE);
	/* Expedited data comes between, and has a rest of its own. */
	provider_data_ind(p, T_EXDATA_IND, false, "urgent");
	TIS(t_look(p->user), T_EXDATA);
	receives(p, 3, "urg", T_MORE | T_EXPEDITED);
	TIS(t_look(p->user), T_EXDATA);
	receives(p, 10, "ent", T_EXPEDITED);
	TIS(t_look(p->user), T_DATA);
	receives(p, 10, "ef", T_MORE);
	receives(p, 10, "gh", 0);
	/* Nothing, and no end of it */
	provider_data_ind(p, T_DATA_IND, false, NULL);
	receives(p, 10, "", 0);
	provider_put(p, &opt, sizeof(opt), "options", 7, 0);
	receives(p, 10, "options", T_EXPEDITED);
	/* Without a primitive it is data as well. */
	IS(write(p->fd, "plain", 5), 5);
	receives(p, 10, "plain", 0);
	provider_data_ind(p, T_DATA_IND, false, "in vectors");
	TIS(t_rcvv(p->user, v, 3, &f), 7);
	IS(f, T_MORE);
	TRUE(!memcmp(a, "in", 2) && !memcmp(b, " vect", 5));
	TFAILS(t_rcvv(p->user, v, T_IOV_MAX + 1, &f), TBADDATA);
	TFAILS(t_rcvv(p->user, v, 0, &f), TBADDATA);
	receives(p, 10, "ors", 0);
	/* What is no message at all */
	memset(many, 0, sizeof(many));
	provider_put(p, many, 2, NULL, 0, 0);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TPROTO);
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	memset(many, 0xff, sizeof(many));
	provider_put(p, many, 4, NULL, 0, 0);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TPROTO);
	TFAILS(t_look(p->user), TPROTO);
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	provider_put(p, &bad, sizeof(bad), NULL, 0, 0);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TPROTO);
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	bad = T_DATA_IND;
	provider_put(p, &bad, sizeof(bad), "short", 5, 0);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TPROTO);
	TIS(t_look(p->user), 0);
	/* A signal, whatever its handler's flags */
	test_nonblock(p->user, false);
	alarm_in(100);
	TERRNO(t_rcv(p->user, b, sizeof(b), &f), EINTR);
	TFAILS(t_rcvrel(p->user), TNOREL);
	provider_ordrel_ind(p, NULL);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TLOOK);
	TIS(t_rcvrel(p->user), 0);
	provider_free(p);

	p = provider_new(T_COTS_ORD);
	go(p, T_DATAXFER);
	provider_discon_ind(p, 3, -1, NULL);
	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TLOOK);
	TFAILS(t_rcvrel(p->user), TLOOK);
	TFAILS(t_sndrel(p->user), TLOOK);
	TIS(t_rcvdis(p->user, NULL), 0);
	TIS(t_getstate(p->user), T_IDLE);
	provider_free(p);
}

static void run_release(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char d[16];
	struct t_discon with = { .udata = NETBUF(d, 4) };

	/* This side first */
	go(p, T_DATAXFER);
	TFAILS(t_sndreldata(p->user, &with), TBADDATA);
	with.udata.len = 0;
	TIS(t_sndreldata(p->user, &with), 0);
	provider_got(p, T_ORDREL_REQ);
	TIS(t_getstate(p->user), T_OUTREL);
	provider_data_ind(p, T_DATA_IND, false, "last");
	TFAILS(t_rcvrel(p->user), TNOREL);
	receives(p, 10, "last", 0);
	provider_ordrel_ind(p, "goodbye");
	TIS(t_look(p->user), T_ORDREL);
	TIS(t_rcvreldata(p->user, &with), 0);
	IS(with.udata.len, 7);
	IS(with.reason, 0);
	TIS(t_getstate(p->user), T_IDLE);
	provider_free(p);

	/* The other one */
	p = provider_new(T_COTS_ORD);
	go(p, T_DATAXFER);
	provider_ordrel_ind(p, "goodbye");
	with.udata.maxlen = 3;
	TFAILS(t_rcvreldata(p->user, &with), TBUFOVFLW);
	TIS(t_getstate(p->user), T_INREL);
	TIS(t_snd(p->user, data_buf, 5, 0), 5);
	provider_got(p, T_DATA_REQ);
	TIS(t_sndrel(p->user), 0);
	provider_got(p, T_ORDREL_REQ);
	TIS(t_getstate(p->user), T_IDLE);
	provider_free(p);
}

static void run_disconnect(void)
{
	static const int states[] = { T_OUTCON, T_DATAXFER, T_OUTREL, T_INREL };
	struct t_call with = { .udata = NETBUF(data_buf, 6) };
	struct t_discon why = { .udata = NETBUF(opt_buf, 0) };
	struct provider *p;
	struct message m;
	unsigned int i;

	for (i = 0; i < COUNT(states); i++) {
		p = provider_new(T_COTS_ORD);
		go(p, states[i]);
		TFAILS(t_rcvdis(p->user, &why), TNODIS);
		TIS(t_snddis(p->user, i % 2 ? &with : NULL), 0);
		m = provider_got(p, T_DISCON_REQ);
		IS(m.prim.discon_req.SEQ_number, -1);
		IS(m.data_len, i % 2 ? 6 : -1);
		TIS(t_getstate(p->user), T_IDLE);
		provider_free(p);

		p = provider_new(T_COTS_ORD);
		go(p, states[i]);
		provider_discon_ind(p, 90 + i, -1, "reason");
		TFAILS(t_snddis(p->user, NULL), TLOOK);
		why.udata.maxlen = i % 2 ? 3 : sizeof(opt_buf);
		if (i % 2)
			TFAILS(t_rcvdis(p->user, &why), TBUFOVFLW);
		else
			TIS(t_rcvdis(p->user, &why), 0);
		IS(why.reason, 90 + i);
		TIS(t_getstate(p->user), T_IDLE);
		provider_free(p);
	}
	p = provider_new(T_COTS_ORD);
	go(p, T_DATAXFER);
	with.udata.len = 33;
	TFAILS(t_snddis(p->user, &with), TBADDATA);
	provider_fail(p, TOUTSTATE, 0);
	TFAILS(t_snddis(p->user, NULL), TOUTSTATE);
	provider_free(p);
}

/* An event and a request cross: the event is what to attend to. */
static void run_crossed(void)
{
	struct provider *p = provider_new(T_COTS_ORD), *res = provider_new(T_COTS_ORD);
	struct t_call answer = { .sequence = 11 };
	int i;

	go(p, T_DATAXFER);
	p->crosses = T_DISCON_IND;
	provider_fail(p, TOUTSTATE, 0);
	TFAILS(t_snddis(p->user, NULL), TLOOK);
	TIS(t_rcvdis(p->user, NULL), 0);
	p->crosses = T_CONN_IND;
	provider_fail(p, TOUTSTATE, 0);
	TFAILS(t_connect(p->user, &call, NULL), TLOOK);
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	p->crosses = T_CONN_IND;
	provider_fail(p, TOUTSTATE, 0);
	TFAILS(t_unbind(p->user), TLOOK);
	provider_free(p);
	/* By the provider's identity of an endpoint, and by I_FDINSERT */
	for (i = 0; i < 2; i++) {
		p = provider_new(T_COTS_ORD);
		go(p, T_INCON);
		if (i) {
			p->acceptor_id = 0;
			res->acceptor_id = 0;
		}
		p->crosses = T_DISCON_IND;
		provider_fail(p, TBADSEQ, 0);
		TFAILS(t_accept(p->user, res->user, &answer), TLOOK);
		TIS(t_rcvdis(p->user, NULL), 0);
		TIS(t_getstate(p->user), T_IDLE);
		provider_free(p);
	}
	provider_free(res);
}

/* Whatever the provider answers comes through, and what is no answer is TPROTO. */
static void run_errors(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 8), .flags = T_NEGOTIATE };
	struct t_bind req = { .addr = NETBUF(addr_buf, 7) };
	char a[3];
	struct t_bind ret = { .addr = NETBUF(a, 0) };
	int error;

	for (error = TBADADDR; error <= TPROTO; error++) {
		if (error == TSYSERR)
			continue;
		provider_fail(p, error, 0);
		TFAILS(t_bind(p->user, &req, NULL), error);
		provider_fail(p, error, 0);
		TFAILS(t_optmgmt(p->user, &opt, &opt), error);
	}
	provider_fail(p, TSYSERR, ENOSR);
	TERRNO(t_bind(p->user, &req, NULL), ENOSR);
	provider_fail(p, TSYSERR, 0);
	TERRNO(t_bind(p->user, &req, NULL), EPROTO);
	provider_fail(p, TSYSERR, -5);
	TERRNO(t_bind(p->user, &req, NULL), EPROTO);
	provider_fail(p, 99, 0);
	TFAILS(t_bind(p->user, &req, NULL), TPROTO);
	p->answers_nonsense = true;
	TFAILS(t_bind(p->user, &req, NULL), TPROTO);
	TIS(t_getstate(p->user), T_UNBND);
	TFAILS(t_bind(p->user, &req, &ret), TBUFOVFLW);
	TIS(t_getstate(p->user), T_IDLE);
	TFAILS(t_getprotaddr(p->user, &ret, NULL), TBUFOVFLW);
	ret.addr.maxlen = 0;
	TIS(t_getprotaddr(p->user, &ret, NULL), 0);
	/* An acknowledgement nobody waits for is passed over. */
	provider_ok(p, T_BIND_REQ);
	TIS(t_look(p->user), 0);
	provider_ok(p, T_BIND_REQ);
	TIS(t_optmgmt(p->user, &opt, NULL), 0);
	opt.flags = 3;
	TFAILS(t_optmgmt(p->user, &opt, NULL), TBADFLAG);
	opt.flags = T_CHECK;
	opt.opt.len = 1020;
	opt.opt.maxlen = 2000;
	opt.opt.buf = data_buf;
	TFAILS(t_optmgmt(p->user, &opt, NULL), TBADOPT);
	provider_free(p);
}

/* t_sync() finds the state that the user is in, who is behind the provider. */
static void run_sync(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	static const struct {
		int current;
		int waits;		/* a primitive, or -1 */
		int state;
	} at[] = {
		{ TS_UNBND, -1, T_UNBND }, { TS_IDLE, -1, T_IDLE },
		{ TS_WCON_CREQ, -1, T_OUTCON }, { TS_DATA_XFER, T_CONN_CON, T_OUTCON },
		{ TS_WRES_CIND, T_CONN_IND, T_IDLE }, { TS_WRES_CIND, -1, T_INCON },
		{ TS_DATA_XFER, -1, T_DATAXFER }, { TS_DATA_XFER, T_DATA_IND, T_DATAXFER },
		{ TS_WIND_ORDREL, -1, T_OUTREL }, { TS_WREQ_ORDREL, -1, T_INREL },
		{ TS_WREQ_ORDREL, T_ORDREL_IND, T_DATAXFER },
		{ TS_WREQ_ORDREL, T_DATA_IND, T_DATAXFER },
		{ TS_IDLE, T_ORDREL_IND, T_OUTREL }, { TS_IDLE, T_DISCON_IND, T_DATAXFER },
	};
	union T_primitives prim;
	unsigned int i;

	for (i = 0; i < COUNT(at); i++) {
		/* As if by another process: nothing is known before. */
		TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
		provider_state(p, TS_UNBND);
		TIS(t_sync(p->user), T_UNBND);
		provider_state(p, at[i].current);
		memset(&prim, 0, sizeof(prim));
		prim.type = at[i].waits;
		if (at[i].waits >= 0)
			provider_put(p, &prim, sizeof(prim), NULL, 0, 0);
		TIS(t_sync(p->user), at[i].state);
		TIS(t_getstate(p->user), at[i].state);
	}
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	/* How many may be outstanding who has bound it knows; who has not, does not. */
	provider_state(p, TS_UNBND);
	TIS(t_sync(p->user), T_UNBND);
	provider_state(p, TS_IDLE);
	TIS(t_sync(p->user), T_IDLE);
	test_nonblock(p->user, true);
	TFAILS(t_listen(p->user, &call), TNODATA);
	test_nonblock(p->user, false);
	/* An indication that has gone before anybody here knew of it */
	TFAILS(t_rcvdis(p->user, NULL), TOUTSTATE);
	provider_discon_ind(p, 1, 5, NULL);
	TIS(t_rcvdis(p->user, &discon), 0);
	IS(discon.sequence, 5);
	TIS(t_getstate(p->user), T_IDLE);
	provider_state(p, TS_WACK_DREQ6);
	TFAILS(t_sync(p->user), TSTATECHNG);
	provider_state(p, 99);
	TFAILS(t_sync(p->user), TPROTO);
	provider_free(p);
}

static void *receiver(void *arg)
{
	struct provider *p = arg;
	char b[16];
	int f;

	TIS(t_rcv(p->user, b, sizeof(b), &f), 4);
	return NULL;
}

static void *requester(void *arg)
{
	struct provider *p = arg;
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 8), .flags = T_CHECK };
	int i;

	for (i = 0; i < 100; i++) {
		TIS(t_optmgmt(p->user, &opt, NULL), 0);
		TIS(t_snd(p->user, data_buf, 16, 0), 16);
	}
	return NULL;
}

/* While one waits others send, and make requests of the same endpoint. */
static void run_threads(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	pthread_t waits, asks[2], cancelled;
	int i;

	go(p, T_DATAXFER);
	pthread_create(&cancelled, NULL, receiver, p);
	usleep(50000);
	pthread_cancel(cancelled);
	pthread_join(cancelled, NULL);
	pthread_create(&waits, NULL, receiver, p);
	for (i = 0; i < 2; i++)
		pthread_create(&asks[i], NULL, requester, p);
	for (i = 0; i < 200; i++)
		IS(provider_got(p, T_DATA_REQ).data_len, 16);
	for (i = 0; i < 2; i++)
		pthread_join(asks[i], NULL);
	provider_data_ind(p, T_DATA_IND, false, "done");
	pthread_join(waits, NULL);
	provider_free(p);
}

/* The other end is gone. */
static void run_hangup(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char b[4];
	int f;

	go(p, T_DATAXFER);
	signal(SIGPIPE, SIG_IGN);
	provider_end(p);
	TERRNO(t_rcv(p->user, b, sizeof(b), &f), ENXIO);
	TERRNO(t_snd(p->user, b, sizeof(b), 0), EPIPE);
	TIS(t_close(p->user), 0);
	free(p);
}

/* Of datagrams, what no device of this machine can be made to do */
static void run_datagrams(void)
{
	struct provider *p = provider_new(T_CLTS);
	char a[16], o[16], d[64];
	struct t_unitdata to = { .addr = NETBUF(addr_buf, 7), .opt = NETBUF(opt_buf, 0),
				 .udata = NETBUF(data_buf, 1000) };
	struct t_unitdata from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	struct T_unitdata_ind ind = {
		.PRIM_type = T_UNITDATA_IND, .SRC_length = 100, .SRC_offset = sizeof(ind),
	};
	struct message m;
	int i, n = 0, f;

	go(p, T_IDLE);
	to.udata.len = 0;
	TFAILS(t_sndudata(p->user, &to), TBADDATA);
	to.udata.len = 1001;
	TFAILS(t_sndudata(p->user, &to), TBADDATA);
	to.udata.len = 1000;
	to.opt.len = 60;
	memset(opt_buf, 0xff, sizeof(opt_buf));
	TFAILS(t_sndudata(p->user, &to), TBADOPT);
	to.opt.len = 65;
	TFAILS(t_sndudata(p->user, &to), TBADOPT);
	to.opt.len = 0;
	test_nonblock(p->user, true);
	provider_stop(p, true);
	for (n = 0; n < 1000 && !t_sndudata(p->user, &to); n++)
		;
	IS(t_errno, TFLOW);
	TRUE(n > 0 && n < 1000);
	TIS(t_look(p->user), 0);
	provider_stop(p, false);
	for (i = 0; i < n; i++) {
		m = provider_got(p, T_UNITDATA_REQ);
		IS(m.data_len, 1000);
		IS(m.prim.unitdata_req.DEST_length, 7);
		TRUE(!memcmp(m.ctl + m.prim.unitdata_req.DEST_offset, "address", 7));
	}
	for (i = 0, f = 0; i < WAIT_MS && !(f = t_look(p->user)); i++)
		usleep(1000);
	IS(f, T_GODATA);
	/* An address that lies outside of the message */
	provider_put(p, &ind, sizeof(ind), "data", 4, 0);
	TFAILS(t_rcvudata(p->user, &from, &f), TPROTO);
	TFAILS(t_rcvudata(p->user, &from, &f), TNODATA);
	ind.SRC_length = -1;
	provider_put(p, &ind, sizeof(ind), "data", 4, 0);
	TFAILS(t_rcvudata(p->user, &from, &f), TPROTO);
	ind.SRC_length = 0;
	provider_put(p, &ind, sizeof(ind) - 4, "data", 4, 0);
	TFAILS(t_rcvudata(p->user, &from, &f), TPROTO);
	provider_put(p, &ind, sizeof(ind), NULL, 0, 0);
	TIS(t_rcvudata(p->user, &from, &f), 0);
	IS(from.udata.len, 0);
	provider_free(p);
}

static const struct test_case cases[] = {
	{ "states", run_states }, { "connect", run_connect }, { "listen", run_listen },
	{ "fdinsert", run_fdinsert }, { "send", run_send }, { "receive", run_receive },
	{ "release", run_release }, { "disconnect", run_disconnect },
	{ "errors", run_errors }, { "crossed", run_crossed }, { "sync", run_sync }, { "threads", run_threads },
	{ "hangup", run_hangup }, { "datagrams", run_datagrams },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
