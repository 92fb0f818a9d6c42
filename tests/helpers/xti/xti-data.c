// SPDX-License-Identifier: GPL-2.0-only
/* xti-data.c - data and the end of connections, on a provider that the test plays */
#include "xti-cots.h"

/*
 * Tests a TSDU of several messages, and of several calls; and expedited data.
 */
static void send_parts(struct provider *p)
{
	struct message m;
	int i;

	TIS(t_snd(p->user, data_buf, 250, 0), 250);
	for (i = 0; i < 3; i++) {
		m = provider_got(p, T_DATA_REQ);
		IS(m.prim.data_req.MORE_flag, i < 2);
		IS(m.data_len, i < 2 ? 100 : 50);
		IS(m.band, 0);
		TRUE(!memcmp(m.data, data_buf + i * 100, m.data_len));
	}
	/* Several calls send one TSDU of 1,000 bytes at most. */
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
}

/* Vectors are sent across messages. */
static void send_vectors(struct provider *p)
{
	struct t_iovec v[T_IOV_MAX + 1];
	struct message m;
	int i, n;

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
}

/* Flow control shows the number of bytes sent, then TFLOW, then T_GODATA. */
static void send_flow(struct provider *p)
{
	int i, n, sent;

	provider_stop(p, true);
	test_nonblock(p->user, true);
	TIS(t_look(p->user), 0);
	for (sent = 0; sent < 1000000; sent += n) {
		/* The TSDU that was begun is ended. */
		int left = 1000 - sent % 1000;

		n = t_snd(p->user, data_buf, left, 0);
		if (n < 0)
			break;
		TRUE(n > 0 && n <= left && n % 100 == 0);
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
	/* A user that has sent again gets no event. */
	provider_stop(p, true);
	while (t_snd(p->user, data_buf, 100, 0) == 100)
		;
	IS(t_errno, TFLOW);
	provider_stop(p, false);
	for (i = 0; i < WAIT_MS && t_snd(p->user, data_buf, 100, 0) < 0; i++)
		usleep(1000);
	TIS(t_look(p->user), 0);
	provider_discon_ind(p, 1, -1, NULL);
	TFAILS(t_snd(p->user, data_buf, 1, 0), TLOOK);
}

/* A TSDU that was begun ends with its connection. */
static void send_again(void)
{
	struct provider *p = provider_new(T_COTS_ORD);

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
}

/* This provider sends empty TSDUs, and has no largest TSDU. */
static void send_empty(void)
{
	struct provider *p = provider_new(T_COTS);
	struct message m;
	int n;

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
	/* Data sent with T_PUSH does not wait for more. */
	TIS(t_snd(p->user, data_buf, 3, T_MORE), 3);
	IS(provider_got(p, T_DATA_REQ).prim.data_req.MORE_flag, 1);
	TIS(t_snd(p->user, data_buf, 3, T_MORE | T_PUSH), 3);
	IS(provider_got(p, T_DATA_REQ).prim.data_req.MORE_flag, 0);
	/* A stream of bytes has no largest TSDU. */
	TIS(t_snd(p->user, data_buf, 2000, 0), 2000);
	for (n = 0; n < 2000; n += m.data_len)
		m = provider_got(p, T_DATA_REQ);
	provider_ordrel_ind(p, NULL);
	TFAILS(t_snd(p->user, data_buf, 1, 0), TLOOK);
	provider_free(p);
}

static void run_send(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	int i;

	for (i = 0; i < (int)sizeof(data_buf); i++)
		data_buf[i] = i * 7;
	go(p, T_DATAXFER);
	send_parts(p);
	send_vectors(p);
	send_flow(p);
	provider_free(p);
	send_again();
	send_empty();
}

/* TSDUs, expedited data and vectors are read in parts. */
static void receive_parts(struct provider *p)
{
	char a[3], b[64];
	struct t_iovec v[3] = { { a, 2 }, { NULL, 0 }, { b, 5 } };
	struct T_optdata_ind opt = { .PRIM_type = T_OPTDATA_IND, .DATA_flag = T_ODF_EX };
	int f = -1;

	TFAILS(t_rcv(p->user, b, sizeof(b), &f), TNODATA);
	provider_data_ind(p, T_DATA_IND, false, "twelve bytes");
	TIS(t_look(p->user), T_DATA);
	receives(p, 7, "twelve ", T_MORE);
	TIS(t_look(p->user), T_DATA);
	receives(p, 5, "bytes", 0);
	/* A TSDU is in two messages, the first of which is read in parts. */
	provider_data_ind(p, T_DATA_IND, true, "abcdef");
	provider_data_ind(p, T_DATA_IND, false, "gh");
	receives(p, 4, "abcd", T_MORE);
	/* Expedited data arrives in between, and has a rest of its own. */
	provider_data_ind(p, T_EXDATA_IND, false, "urgent");
	TIS(t_look(p->user), T_EXDATA);
	receives(p, 3, "urg", T_MORE | T_EXPEDITED);
	TIS(t_look(p->user), T_EXDATA);
	receives(p, 10, "ent", T_EXPEDITED);
	TIS(t_look(p->user), T_DATA);
	receives(p, 10, "ef", T_MORE);
	receives(p, 10, "gh", 0);
	/* The empty message does not end the TSDU. */
	provider_data_ind(p, T_DATA_IND, false, NULL);
	receives(p, 10, "", 0);
	provider_put(p, &opt, sizeof(opt), "options", 7, 0);
	receives(p, 10, "options", T_EXPEDITED);
	/* A message without a primitive is data as well. */
	IS(write(p->fd, "plain", 5), 5);
	receives(p, 10, "plain", 0);
	provider_data_ind(p, T_DATA_IND, false, "in vectors");
	TIS(t_rcvv(p->user, v, 3, &f), 7);
	IS(f, T_MORE);
	TRUE(!memcmp(a, "in", 2) && !memcmp(b, " vect", 5));
	TFAILS(t_rcvv(p->user, v, T_IOV_MAX + 1, &f), TBADDATA);
	TFAILS(t_rcvv(p->user, v, 0, &f), TBADDATA);
	receives(p, 10, "ors", 0);
}

/* Malformed messages return TPROTO. */
static void receive_malformed(struct provider *p)
{
	t_scalar_t bad = T_CONN_CON;
	char many[300], b[64];
	int f = -1;

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
}

static void run_receive(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char b[64];
	int f = -1;

	go(p, T_DATAXFER);
	test_nonblock(p->user, true);
	receive_parts(p);
	receive_malformed(p);
	/* A signal ends the wait, whatever its handler's flags are. */
	test_nonblock(p->user, false);
	TINTERRUPTED(t_rcv(p->user, b, sizeof(b), &f));
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

	/* This side releases first. */
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

	/* The other side releases first. */
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

/* Tests cases of datagrams that no device of this machine can produce. */
static void run_datagrams(void)
{
	struct provider *p = provider_new(T_CLTS);
	char a[16], o[16], d[64];
	struct t_unitdata to = { .addr = NETBUF(addr_buf, 7), .opt = NETBUF(opt_buf, 0),
				 .udata = NETBUF(data_buf, 1000) };
	struct t_unitdata from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0),
				   .udata = NETBUF(d, 0) };
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
	/* The address lies outside of the message. */
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
	{ "send", run_send }, { "receive", run_receive }, { "release", run_release },
	{ "disconnect", run_disconnect }, { "datagrams", run_datagrams },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
