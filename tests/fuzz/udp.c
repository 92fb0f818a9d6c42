// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp: the primitives, options and datagrams to send of strudp, and all of strtpi,
 * over sock.c's sockets; sending and receiving packets is the kernel's side
 */
#include <linux/types.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

#include "provider.h"
#include "sock.h"
#include "direct.h"
#include "udp/end.h"

int strudp_driver_init(void);

static const u32 levels[] = { XTI_GENERIC, T_INET_IP, T_INET_UDP, 0x7777, 0 };

const struct prim_kind provider_kind = { .addr = fuzz_sock_addr, .levels = levels };

int provider_start(void)
{
	static struct input none;

	fuzz_input = &none;
	return strudp_driver_init();
}

/* rcv.c, hook.c and path.c have these for a sock that is in the kernel's tables or not. */
void strudp_end_hook(struct strudp_end *ep)
{
}

void strudp_unhook(struct sock *sk)
{
}

bool strudp_icmp_is_hard(const struct sk_buff *skb)
{
	return true;
}

void strudp_cache_drop(struct strudp_cache *cache)
{
}

/* send.c sends a datagram, or fails to. */
int strudp_sendmsg(struct sock *sk, struct strudp_cache *cache,
		   struct msghdr *msg, size_t len)
{
	struct socket sock = { .type = SOCK_DGRAM, .sk = sk };

	if (len != msg_data_left(msg))
		fuzz_die("a datagram of another length than its blocks");
	/* In a perimeter, or the work item: sleeps in neither */
	return fuzz_sock_send(&sock, msg);
}

/* It meets a stream of this host. */
bool strudp_send_message(struct sock *sk, struct strudp_cache *cache,
			 const struct sockaddr_in *sin, mblk_t *mp, size_t len)
{
	if (!(input_byte(fuzz_input) & 1))
		return false;
	freemsg(mp);
	return true;
}

/* Room in the send buffer, another socket event, or a caller that needs no message */
void provider_event(struct input *in, struct fuzz_stream *s)
{
	if (input_byte(in) < 0xc0 || !s->open)
		fuzz_sock_event();
	else
		fuzz_direct_put(in, s);
}

void provider_check(const struct fuzz_stream *s)
{
	const struct strudp_end *ep = strudp_end(&s->pair->rd);

	if (ep->busy || ep->request || ep->answer || ep->unsent || ep->flush)
		fuzz_die("an endpoint that is busy, and has no work");
	if (ep->state != TS_UNBND && ep->state != TS_IDLE)
		fuzz_die("a state of a request that is answered");
}

void provider_go_on(void)
{
	fuzz_sock_room();
}

void provider_end(void)
{
	fuzz_sock_end();
}
