// SPDX-License-Identifier: GPL-2.0-only
/* xti-cots.c - XTI's states with connections, and errors, on a provider that the test plays */
#include "xti-cots.h"

/* Calls each function with valid arguments. */
static int fd, resfd;
static struct t_unitdata unitdata = { .addr = NETBUF(addr_buf, 7), .udata = NETBUF(data_buf, 3) };
static struct t_iovec iov = { data_buf, 3 };
static struct t_uderr uderr;
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

/*
 * The table of XNS Issue 5, "Transport Interface States", and each function's
 * VALID STATES
 */
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

/*
 * Checks whether a function in a state gives TOUTSTATE, TNOTSUPPORT, or
 * neither.
 */
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
	/* These functions work in any state. */
	TIS(t_optmgmt(fd, &opt, NULL), 0);
	TIS(t_getinfo(fd, &info), 0);
	IS(info.servtype, servtype);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	TIS(t_look(fd), 0);
	TRUE(provider_got_nothing(p));
	/* Another process would find the same state. */
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

/* An event and a request cross: the event has to be handled. */
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
	/*
	 * The acceptor is named by the provider's identity, and by I_FDINSERT.
	 */
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

/*
 * Every answer of the provider is returned, and a message that is not an answer
 * is TPROTO.
 */
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
	p->nonsense = T_CONN_IND;
	TFAILS(t_bind(p->user, &req, NULL), TPROTO);
	p->nonsense = -1;
	TFAILS(t_bind(p->user, &req, NULL), TPROTO);
	TIS(ioctl(p->user, I_FLUSH, FLUSHR), 0);
	TIS(t_getstate(p->user), T_UNBND);
	TFAILS(t_bind(p->user, &req, &ret), TBUFOVFLW);
	TIS(t_getstate(p->user), T_IDLE);
	TFAILS(t_getprotaddr(p->user, &ret, NULL), TBUFOVFLW);
	ret.addr.maxlen = 0;
	TIS(t_getprotaddr(p->user, &ret, NULL), 0);
	/* An acknowledgement that no request waits for is skipped. */
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

/*
 * t_sync() finds the state of the user, which is behind that of the provider.
 */
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
		/*
		 * The endpoint is used as if by another process, which knows
		 * nothing of it.
		 */
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
	/*
	 * The process that bound the endpoint knows how many indications may be
	 * outstanding; another process does not.
	 */
	provider_state(p, TS_UNBND);
	TIS(t_sync(p->user), T_UNBND);
	provider_state(p, TS_IDLE);
	TIS(t_sync(p->user), T_IDLE);
	test_nonblock(p->user, true);
	TFAILS(t_listen(p->user, &call), TNODATA);
	test_nonblock(p->user, false);
	/* The indication was withdrawn before this process saw it. */
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

/* The other end is closed. */
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

static const struct test_case cases[] = {
	{ "states", run_states }, { "errors", run_errors }, { "crossed", run_crossed },
	{ "sync", run_sync }, { "hangup", run_hangup },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
