// SPDX-License-Identifier: GPL-2.0-only
/* tcp, udp_s, rawip and sctp: all of strinet and strtpi, over sock.c's sockets */
#include <linux/types.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

#include "streams/call/direct.h"
#include "inet/end.h"
#include "socket/tcp.h"
#include "direct.h"
#include "provider.h"
#include "sock.h"

int fuzz_strinet_init(void);

/* The input's sockets have no peer on this host: nothing comes the short way. */
void strsock_tcp_endpoints(void (*ready)(struct sock *sk))
{
}

void strsock_tcp_adopt(struct socket *sock)
{
}

size_t strsock_tcp_in_ring(struct socket *sock)
{
	return 0;
}

size_t strsock_tcp_next(struct socket *sock, bool *ring)
{
	*ring = false;
	return max(tcp_inq(sock->sk), 0);
}

static const u32 levels[] = {
	XTI_GENERIC, T_INET_IP, T_INET_TCP, T_INET_UDP, 0x7777, 0
};

const struct prim_kind provider_kind = { .addr = fuzz_sock_addr, .levels = levels };

int provider_start(void)
{
	static struct nsproxy nsproxy = { .net_ns = &init_net };
	static struct input none;

	fuzz_input = &none;
	fuzz_task.nsproxy = &nsproxy;
	return fuzz_strinet_init();
}

static void direct_get(struct input *in, struct fuzz_stream *s)
{
	static unsigned char data[65536];
	struct str_errands *e = s->sd.sd_errands;
	struct kvec vec = { .iov_base = data };
	struct str_get g;

	vec.iov_len = 1 + input_short(in);
	g.word = input_byte(in) & 1 ? -1 : input_below(in, 32);
	g.given = false;
	iov_iter_kvec(&g.to, ITER_DEST, &vec, 1, vec.iov_len);
	if (str_rq(&s->sd)->q_first || !fuzz_is_straight(&s->sd) ||
	    e->ops->get(e->rq, &g))
		return;
	if (g.ctllen > sizeof(g.ctl) || g.len > vec.iov_len ||
	    (!g.given && g.len > sizeof(g.data)))
		fuzz_die("more data than a reader has room for");
}

/* Something of the network's, or of a caller that needs no message */
void provider_event(struct input *in, struct fuzz_stream *s)
{
	unsigned int b = input_byte(in);

	if (b < 0xc0 || !s->open) {
		fuzz_sock_event();
		return;
	}
	switch (b & 3) {
	case 0:
		fuzz_direct_put(in, s);
		break;
	case 1:
		direct_get(in, s);
		break;
	case 2:
		/* poll() */
		if (!str_rq(&s->sd)->q_first)
			str_errand_look(&s->sd);
		break;
	default:
		str_errand_fetch(&s->sd, b & 4);
	}
}

/* Connections that wait are counted, and so are the sockets of each state. */
void provider_check(const struct fuzz_stream *s)
{
	const struct strinet_end *ep = strinet_end(&s->pair->rd);
	const struct strinet_pending *p;
	unsigned int n = 0;

	list_for_each_entry(p, &ep->pending, list)
		n++;
	if (n != ep->npending || n > ep->qlen)
		fuzz_die("connections that wait are counted wrong");
	if (ep->state == TS_WRES_CIND ? !n : n)
		fuzz_die("a state that does not agree with connections that wait");
	if (!ep->sock && !ep->listening)
		fuzz_die("an endpoint without a socket");
	if (!ep->listening != !ep->qlen)
		fuzz_die("a qlen that does not agree with the listening socket");
	if (ep->mutex.held || ep->fetching)
		fuzz_die("an endpoint that is in use, and no task uses it");
}

void provider_go_on(void)
{
	fuzz_sock_room();
}

void provider_end(void)
{
	fuzz_sock_end();
	if (init_net.users != 1)
		fuzz_die("a reference to a network namespace is left");
}
