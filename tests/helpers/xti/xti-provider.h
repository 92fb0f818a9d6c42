/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xti-provider.h - a transport provider in a thread, at the other end of a pipe
 *
 * It acknowledges requests, and keeps the messages it was sent. The test
 * decides its T_INFO_ACK, and the messages that it sends by itself.
 */
#ifndef XTI_PROVIDER_H
#define XTI_PROVIDER_H

#include "xti-test.h"

#include <sys/tihdr.h>

#define MESSAGES	256
#define WAIT_MS		WAIT_LIMIT_MS
#define PROVIDER_END	0x7fff		/* no primitive: the thread ends */

struct message {
	union {
		union T_primitives prim;
		char ctl[1024];
	};
	char data[1024];		/* its first bytes */
	int ctl_len;			/* -1: none */
	int data_len;
	int band;
};

struct provider {
	int user;			/* the user's end of the pipe */
	int fd;				/* the provider's */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct T_info_ack info;		/* CURRENT_state is kept up to date */
	char addr[64];
	int addr_len;
	bool fails;			/* the next request, so: */
	int tli_error;
	int unix_error;
	int crosses;			/* with this, sent just before it fails */
	t_scalar_t nonsense;		/* its answer to the next request; 0: none */
	t_uscalar_t acceptor_id;	/* 0: it has none */
	unsigned int most_qlen;
	bool stopped;			/* it reads nothing */
	struct message got[MESSAGES];	/* not acknowledged, or T_CONN_REQ and the like */
	int first, last;
};

static inline void provider_put(struct provider *p, const void *ctl, int len,
				const void *data, int data_len, int flags)
{
	struct strbuf c = { .len = len, .buf = (char *)ctl };
	struct strbuf d = { .len = data_len, .buf = (char *)data };

	if (flags == RS_HIPRI)
		IS(putmsg(p->fd, &c, data ? &d : NULL, flags), 0);
	else
		IS(putpmsg(p->fd, &c, data ? &d : NULL, flags, MSG_BAND), 0);
}

static inline void provider_ok(struct provider *p, t_scalar_t prim)
{
	struct T_ok_ack ack = { .PRIM_type = T_OK_ACK, .CORRECT_prim = prim };

	provider_put(p, &ack, sizeof(ack), NULL, 0, RS_HIPRI);
}

static inline void provider_error(struct provider *p, t_scalar_t prim, int tli, int err)
{
	struct T_error_ack ack = {
		.PRIM_type = T_ERROR_ACK, .ERROR_prim = prim, .TLI_error = tli,
		.UNIX_error = err,
	};

	provider_put(p, &ack, sizeof(ack), NULL, 0, RS_HIPRI);
}

/*
 * Answers with an acknowledgement that ends with the bytes after the request's
 * primitive.
 */
static inline void provider_echo(struct provider *p, const void *prim, size_t size,
				 const void *rest, int rest_len)
{
	char bytes[2048];

	memcpy(bytes, prim, size);
	memcpy(bytes + size, rest, rest_len);
	provider_put(p, bytes, size + rest_len, NULL, 0, RS_HIPRI);
}

static inline void provider_keep(struct provider *p, const struct message *m)
{
	p->got[p->last++ % MESSAGES] = *m;
	pthread_cond_broadcast(&p->changed);
}

static inline void provider_bind(struct provider *p, const struct message *m)
{
	struct T_bind_ack ack = {
		.PRIM_type = T_BIND_ACK,
		.ADDR_offset = sizeof(ack),
		.CONIND_number = m->prim.bind_req.CONIND_number,
	};

	if (ack.CONIND_number > p->most_qlen)
		ack.CONIND_number = p->most_qlen;
	if (m->prim.bind_req.ADDR_length) {
		p->addr_len = m->prim.bind_req.ADDR_length;
		memcpy(p->addr, m->ctl + m->prim.bind_req.ADDR_offset,
		       p->addr_len);
	} else {
		p->addr_len = 4;
		memcpy(p->addr, "any!", 4);
	}
	ack.ADDR_length = p->addr_len;
	p->info.CURRENT_state = TS_IDLE;
	provider_echo(p, &ack, sizeof(ack), p->addr, p->addr_len);
}

static inline void provider_addresses(struct provider *p)
{
	struct T_addr_ack ack = {
		.PRIM_type = T_ADDR_ACK,
		.LOCADDR_length = p->addr_len,
		.LOCADDR_offset = p->addr_len ? sizeof(ack) : 0,
	};

	if (p->info.CURRENT_state == TS_DATA_XFER) {
		ack.REMADDR_length = 3;
		ack.REMADDR_offset = sizeof(ack);
	}
	provider_echo(p, &ack, sizeof(ack), p->addr, p->addr_len);
}

static inline void provider_capability(struct provider *p)
{
	struct T_capability_ack ack = { .PRIM_type = T_CAPABILITY_ACK };

	if (p->acceptor_id) {
		ack.CAP_bits1 = TC1_ACCEPTOR_ID;
		ack.ACCEPTOR_id = p->acceptor_id;
	}
	provider_put(p, &ack, sizeof(ack), NULL, 0, RS_HIPRI);
}

static inline void provider_options(struct provider *p, const struct message *m)
{
	struct T_optmgmt_ack ack = {
		.PRIM_type = T_OPTMGMT_ACK,
		.OPT_length = m->prim.optmgmt_req.OPT_length,
		.OPT_offset = sizeof(ack),
		.MGMT_flags = T_SUCCESS,
	};

	provider_echo(p, &ack, sizeof(ack),
		      m->ctl + m->prim.optmgmt_req.OPT_offset, ack.OPT_length);
}

static inline void provider_request(struct provider *p, const struct message *m)
{
	t_scalar_t type = m->prim.type;

	if (type == T_DATA_REQ || type == T_EXDATA_REQ ||
	    type == T_ORDREL_REQ || type == T_UNITDATA_REQ) {
		provider_keep(p, m);
		return;
	}
	if (p->fails) {
		p->fails = false;
		if (p->crosses) {
			union T_primitives prim = { .type = p->crosses };

			provider_put(p, &prim, sizeof(prim), NULL, 0, 0);
			p->crosses = 0;
		}
		provider_error(p, type, p->tli_error, p->unix_error);
		return;
	}
	if (p->nonsense) {
		t_scalar_t nonsense = p->nonsense;

		p->nonsense = 0;
		provider_put(p, &nonsense, sizeof(nonsense), NULL, 0, RS_HIPRI);
		return;
	}
	switch (type) {
	case T_INFO_REQ:
		p->info.PRIM_type = T_INFO_ACK;
		provider_put(p, &p->info, sizeof(p->info), NULL, 0, RS_HIPRI);
		break;
	case T_BIND_REQ:
		provider_bind(p, m);
		break;
	case T_UNBIND_REQ:
		p->info.CURRENT_state = TS_UNBND;
		p->addr_len = 0;
		provider_ok(p, type);
		break;
	case T_ADDR_REQ:
		provider_addresses(p);
		break;
	case T_CAPABILITY_REQ:
		provider_capability(p);
		break;
	case T_OPTMGMT_REQ:
		provider_options(p, m);
		break;
	default:
		provider_keep(p, m);
		provider_ok(p, type);
	}
}

static inline void *provider_run(void *arg)
{
	struct provider *p = arg;
	struct message m;

	for (;;) {
		struct strbuf c = { .maxlen = sizeof(m.ctl), .buf = m.ctl };
		struct strbuf d = { .maxlen = sizeof(m.data), .buf = m.data };
		int flags = MSG_ANY, more;

		pthread_mutex_lock(&p->lock);
		while (p->stopped)
			pthread_cond_wait(&p->changed, &p->lock);
		pthread_mutex_unlock(&p->lock);
		memset(&m, 0, sizeof(m));
		more = getpmsg(p->fd, &c, &d, &m.band, &flags);
		if (more < 0 || (!c.len && !d.len))
			return NULL;
		if (m.prim.type == PROVIDER_END)
			return NULL;
		m.ctl_len = c.len;
		m.data_len = d.len;
		while (more & MOREDATA) {
			char rest[4096];
			struct strbuf r = { .maxlen = sizeof(rest), .buf = rest };

			flags = MSG_ANY;
			more = getpmsg(p->fd, NULL, &r, &(int){ 0 }, &flags);
			m.data_len += r.len;
		}
		pthread_mutex_lock(&p->lock);
		/* A stop may have come during the wait. */
		while (p->stopped)
			pthread_cond_wait(&p->changed, &p->lock);
		provider_request(p, &m);
		pthread_mutex_unlock(&p->lock);
	}
}

/* Returns the next message that the provider received. */
static inline struct message provider_got(struct provider *p, t_scalar_t type)
{
	struct timespec until;
	struct message m;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_MS / 1000;
	pthread_mutex_lock(&p->lock);
	while (p->first == p->last)
		TRUE(!pthread_cond_timedwait(&p->changed, &p->lock, &until));
	m = p->got[p->first++ % MESSAGES];
	pthread_mutex_unlock(&p->lock);
	IS(m.prim.type, type);
	return m;
}

static inline bool provider_got_nothing(struct provider *p)
{
	bool nothing;

	pthread_mutex_lock(&p->lock);
	nothing = p->first == p->last;
	pthread_mutex_unlock(&p->lock);
	return nothing;
}

static inline void provider_stop(struct provider *p, bool stopped)
{
	pthread_mutex_lock(&p->lock);
	p->stopped = stopped;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static inline void provider_fail(struct provider *p, int tli, int err)
{
	pthread_mutex_lock(&p->lock);
	p->fails = true;
	p->tli_error = tli;
	p->unix_error = err;
	pthread_mutex_unlock(&p->lock);
}

static inline void provider_state(struct provider *p, int state)
{
	pthread_mutex_lock(&p->lock);
	p->info.CURRENT_state = state;
	pthread_mutex_unlock(&p->lock);
}

/*
 * Makes an endpoint of a provider with connections; the test can change all its
 * parts.
 */
static inline struct provider *provider_new(int servtype)
{
	struct provider *p = calloc(1, sizeof(*p));
	int fds[2];

	TRUE(p);
	IS(strpipe(fds), 0);
	p->user = fds[0];
	p->fd = fds[1];
	p->most_qlen = 5;
	p->acceptor_id = 7000 + fds[1];
	p->info = (struct T_info_ack){
		.TSDU_size = 1000, .ETSDU_size = 16, .CDATA_size = 32,
		.DDATA_size = 32, .ADDR_size = 16, .OPT_size = 64,
		.TIDU_size = 100, .SERV_type = servtype,
		.CURRENT_state = TS_UNBND, .PROVIDER_flag = XPG4_1,
	};
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	IS(pthread_create(&p->thread, NULL, provider_run, p), 0);
	TIS(t_sync(p->user), T_UNBND);
	return p;
}

static inline void provider_free(struct provider *p)
{
	TIS(t_close(p->user), 0);
	pthread_join(p->thread, NULL);
	close(p->fd);
	free(p);
}

/* Closes the provider's end of the pipe, and not the user's. */
static inline void provider_end(struct provider *p)
{
	t_scalar_t end = PROVIDER_END;
	struct strbuf c = { .len = sizeof(end), .buf = (char *)&end };

	IS(putmsg(p->user, &c, NULL, 0), 0);
	pthread_join(p->thread, NULL);
	close(p->fd);
}

/* The functions below send a provider's events. */
static inline void provider_conn_ind(struct provider *p, int sequence, const char *data)
{
	struct {
		struct T_conn_ind ind;
		char src[8];
		char opt[4];
	} m = {
		.ind = {
			.PRIM_type = T_CONN_IND, .SRC_length = 5,
			.SRC_offset = sizeof(m.ind), .OPT_length = 4,
			.OPT_offset = sizeof(m.ind) + 8, .SEQ_number = sequence,
		},
		.src = "peer!", .opt = { 'o', 'p', 't', '!' },
	};

	provider_put(p, &m, sizeof(m), data, data ? strlen(data) : 0, 0);
}

static inline void provider_conn_con(struct provider *p, const char *data)
{
	struct {
		struct T_conn_con con;
		char res[8];
	} m = {
		.con = {
			.PRIM_type = T_CONN_CON, .RES_length = 5,
			.RES_offset = sizeof(m.con),
		},
		.res = "there",
	};

	provider_put(p, &m, sizeof(m), data, data ? strlen(data) : 0, 0);
}

static inline void provider_discon_ind(struct provider *p, int reason, int sequence,
				       const char *data)
{
	struct T_discon_ind ind = {
		.PRIM_type = T_DISCON_IND, .DISCON_reason = reason,
		.SEQ_number = sequence,
	};

	provider_put(p, &ind, sizeof(ind), data, data ? strlen(data) : 0, 0);
}

static inline void provider_data_ind(struct provider *p, int type, bool more,
				     const char *data)
{
	struct T_data_ind ind = { .PRIM_type = type, .MORE_flag = more };

	provider_put(p, &ind, sizeof(ind), data, data ? strlen(data) : 0,
		     type == T_EXDATA_IND);
}

static inline void provider_ordrel_ind(struct provider *p, const char *data)
{
	struct T_ordrel_ind ind = { .PRIM_type = T_ORDREL_IND };

	provider_put(p, &ind, sizeof(ind), data, data ? strlen(data) : 0, 0);
}

#endif /* XTI_PROVIDER_H */
