/* SPDX-License-Identifier: GPL-2.0-only */
/* xti-cots.h - endpoints in the states that connections have */
#ifndef XTI_COTS_H
#define XTI_COTS_H

#include "xti-provider.h"

static char addr_buf[16] __attribute__((unused)) = "address";
static char opt_buf[64] __attribute__((unused));
static char data_buf[2000] __attribute__((unused));
static struct t_call call __attribute__((unused)) = { .addr = NETBUF(addr_buf, 7) };
static struct t_discon discon __attribute__((unused));

/* Puts an endpoint into a state. */
static inline void go(struct provider *p, int state)
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

/* Checks the result of one t_rcv(). */
static inline void receives(struct provider *p, unsigned int room, const char *data, int want_flags)
{
	char buf[64];
	int f = -1;

	TIS(t_rcv(p->user, buf, room, &f), strlen(data));
	TRUE(!memcmp(buf, data, strlen(data)));
	IS(f, want_flags);
}

#endif /* XTI_COTS_H */
