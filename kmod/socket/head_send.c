// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending on a socket that has a stream
 *
 * sendmsg() sends a T_UNITDATA_REQ down. Messages that come out at the provider
 * wait on its queue and are sent by the calling task when putnext() returns: so
 * errors are reported as without a stream, and the call waits for room in the
 * send buffer as it would, without send_mutex.
 *
 * Only system calls on the socket send. Sending takes the socket's lock, which
 * its user can hold for as long as a page of its memory is missing, so no
 * worker may do it: enough such sockets would stop the work of all users. A
 * message that a module held back is sent by the next call; tasks that sleep
 * in a receive call, a send call or poll() are woken to send it.
 *
 * A call that may not wait, such as poll(), takes no lock that another task can
 * hold: it sends datagrams from a socket that has a port and does not put pieces
 * together. The rest is left to the next call that may wait.
 */
#include <linux/cred.h>
#include <linux/slab.h>
#include <net/inet_common.h>
#include <net/inet_sock.h>
#include <net/sock.h>

#include "streams/message/copy.h"
#include "streams/trace.h"
#include "tpi/driver.h"
#include "udp/prim.h"
#include "udp/unitdata.h"
#include "head.h"
#include "head_send.h"
#include "native.h"
#include "sock.h"

/* Messages of others that a call sends. */
#define SEND_BATCH	1024

/* A sendmsg() that waits for the result of its datagram. */
struct send_call {
	const struct msghdr *msg;
	const dblk_t *block;		/* its control part's, if it comes out */
	bool seen;			/* it did */
	mblk_t *mp;			/* ... and waits for send buffer */
	int ret;			/* the result of sending it */
	int other;			/* ... or another that came out instead */
};

/* Blocks for len bytes, empty, at least one; NULL: memory is short. */
mblk_t *strsock_head_blocks(size_t len)
{
	mblk_t *head = NULL, **tail = &head;

	do {
		size_t n = min_t(size_t, len, STR_WRITE_BLOCK);

		*tail = allocb_gfp(n, GFP_KERNEL_ACCOUNT);
		if (!*tail) {
			freemsg(head);
			return NULL;
		}
		(*tail)->b_wptr += n;
		tail = &(*tail)->b_cont;
		len -= n;
	} while (len);
	return head;
}

/* Returns the address that a datagram is for; the errors are those of udp_sendmsg(). */
static int head_send_dest4(const struct sock *sk, const struct msghdr *msg,
			   struct sockaddr_in *sin)
{
	const struct sockaddr_in *name = msg->msg_name;
	const struct inet_sock *inet = inet_sk(sk);

	if (msg->msg_flags & MSG_OOB)
		return -EOPNOTSUPP;
	*sin = (struct sockaddr_in){ .sin_family = AF_INET };
	/* A datagram that is being put together has its destination, whatever the name. */
	if (READ_ONCE(udp_sk(sk)->pending)) {
		const struct flowi4 *fl4 = &inet->cork.fl.u.ip4;

		sin->sin_port = READ_ONCE(fl4->fl4_dport);
		sin->sin_addr.s_addr = READ_ONCE(fl4->daddr);
		return 0;
	}
	if (name) {
		if (msg->msg_namelen < sizeof(*name))
			return -EINVAL;
		if (name->sin_family != AF_INET &&
		    name->sin_family != AF_UNSPEC)
			return -EAFNOSUPPORT;
		sin->sin_port = name->sin_port;
		sin->sin_addr = name->sin_addr;
		return sin->sin_port ? 0 : -EINVAL;
	}
	if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
		return -EDESTADDRREQ;
	sin->sin_port = READ_ONCE(inet->inet_dport);
	sin->sin_addr.s_addr = READ_ONCE(inet->inet_daddr);
	return 0;
}

#if IS_ENABLED(CONFIG_IPV6)
/* Reads the name that a call on a socket of AF_INET6 has: 0, 1: there is none; or an error. */
static int head_send_name6(const struct sock *sk, const struct msghdr *msg,
			   struct sockaddr_in6 *sin6)
{
	const union tpi_addr *name = msg->msg_name;

	if (!name)
		return 1;
	if (msg->msg_namelen < offsetof(struct sockaddr, sa_data))
		return -EINVAL;
	switch (name->sa.sa_family) {
	case AF_UNSPEC:
		return 1;
	case AF_INET:
		if (ipv6_only_sock(sk))
			return -ENETUNREACH;
		if (msg->msg_namelen < sizeof(name->in))
			return -EINVAL;
		sin6->sin6_port = name->in.sin_port;
		ipv6_addr_set_v4mapped(name->in.sin_addr.s_addr, &sin6->sin6_addr);
		return 0;
	case AF_INET6:
		if (msg->msg_namelen < SIN6_LEN_RFC2133)
			return -EINVAL;
		memcpy(sin6, name, min_t(size_t, msg->msg_namelen, sizeof(*sin6)));
		if (ipv6_addr_any(&sin6->sin6_addr) &&
		    ipv6_addr_v4mapped(&inet6_sk(sk)->saddr))
			ipv6_addr_set_v4mapped(htonl(INADDR_LOOPBACK), &sin6->sin6_addr);
		return 0;
	default:
		return -EINVAL;
	}
}

/* Returns the destination of a datagram that is being put together, or of a connected socket. */
static int head_send_peer6(const struct sock *sk, const struct msghdr *msg,
			   struct sockaddr_in6 *sin6)
{
	const struct inet_sock *inet = inet_sk(sk);
	const struct flowi *fl = &inet->cork.fl;

	switch (READ_ONCE(udp_sk(sk)->pending)) {
	case AF_INET6:
		sin6->sin6_port = READ_ONCE(fl->u.ip6.fl6_dport);
		sin6->sin6_addr = fl->u.ip6.daddr;
		return 0;
	case AF_INET:
		sin6->sin6_port = READ_ONCE(fl->u.ip4.fl4_dport);
		ipv6_addr_set_v4mapped(READ_ONCE(fl->u.ip4.daddr), &sin6->sin6_addr);
		return 0;
	}
	if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
		return -EDESTADDRREQ;
	/* The kernel looks for a route of IPv6 to such a peer where a name has no family. */
	if (msg->msg_name && ipv6_addr_v4mapped(&sk->sk_v6_daddr))
		return -ENETUNREACH;
	sin6->sin6_port = READ_ONCE(inet->inet_dport);
	sin6->sin6_addr = sk->sk_v6_daddr;
	sin6->sin6_scope_id = ipv6_iface_scope_id(&sin6->sin6_addr,
						  READ_ONCE(sk->sk_bound_dev_if));
	return 0;
}

/* May a socket of AF_INET6 send to an address of IPv4? Only udpv6_sendmsg() sends urgent data. */
static int head_send_mapped(const struct sock *sk, const struct msghdr *msg)
{
	if (ipv6_only_sock(sk))
		return -ENETUNREACH;
	return msg->msg_flags & MSG_OOB ? -EOPNOTSUPP : 0;
}

/* Does the same for a socket of AF_INET6; the errors are those of udpv6_sendmsg(). */
static int head_send_dest6(const struct sock *sk, const struct msghdr *msg,
			   struct sockaddr_in6 *sin6)
{
	bool named;
	int err;

	*sin6 = (struct sockaddr_in6){ .sin6_family = AF_INET6 };
	err = head_send_name6(sk, msg, sin6);
	if (err < 0)
		return err;
	named = !err;
	if (named && ipv6_addr_v4mapped(&sin6->sin6_addr)) {
		err = head_send_mapped(sk, msg);
		if (err || READ_ONCE(udp_sk(sk)->pending) == AF_INET6)
			return err ?: -EINVAL;
	}
	/* A datagram that is being put together has its destination. */
	if (named && !READ_ONCE(udp_sk(sk)->pending))
		return sin6->sin6_port ? 0 : -EINVAL;
	err = head_send_peer6(sk, msg, sin6);
	if (!err && ipv6_addr_v4mapped(&sin6->sin6_addr))
		err = head_send_mapped(sk, msg);
	return err;
}
#else
static int head_send_dest6(const struct sock *sk, const struct msghdr *msg,
			   struct sockaddr_in6 *sin6)
{
	return -EAFNOSUPPORT;
}
#endif

static int head_send_dest(const struct sock *sk, const struct msghdr *msg,
			  union tpi_addr *dest)
{
	return strsock_is_inet6(sk) ? head_send_dest6(sk, msg, &dest->in6) :
				      head_send_dest4(sk, msg, &dest->in);
}

/* Makes the T_UNITDATA_REQ of a call; size: bytes of the address. */
static mblk_t *head_send_message(const union tpi_addr *dest, size_t size, struct msghdr *msg,
				 size_t len)
{
	struct T_unitdata_req *req;
	mblk_t *mp, *bp;

	mp = allocb_gfp(sizeof(*req) + size, GFP_KERNEL_ACCOUNT);
	if (!mp)
		return ERR_PTR(-ENOBUFS);
	mp->b_cont = strsock_head_blocks(len);
	if (!mp->b_cont) {
		freemsg(mp);
		return ERR_PTR(-ENOBUFS);
	}
	DB_TYPE(mp) = M_PROTO;
	req = (struct T_unitdata_req *)mp->b_rptr;
	*req = (struct T_unitdata_req){
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = size,
		.DEST_offset = sizeof(*req),
	};
	memcpy(req + 1, dest, size);
	mp->b_wptr += sizeof(*req) + size;
	for (bp = mp->b_cont; bp; bp = bp->b_cont) {
		if (MBLKL(bp) &&
		    !str_copy_from_iter(bp->b_rptr, str_block_room(bp), MBLKL(bp),
					&msg->msg_iter)) {
			freemsg(mp);
			return ERR_PTR(-EFAULT);
		}
	}
	return mp;
}

/*
 * Reports the failure of a request that a user made by putmsg(); errors
 * of other messages cannot be reported to a user.
 */
static void head_send_failed(struct strsock_head *h, mblk_t *mp, int err)
{
	/* Not while those before wait to be read. */
	if (err != -EPROTO &&
	    (!(mp->b_flag & MSGOBJECT) ||
	     READ_ONCE(str_rq(&h->sd)->q_count) > STRHIGH))
		freemsg(mp);
	else
		strtpi_reply(WR(h->end.rq), strudp_send_error(&h->end, mp, err));
}

/* A primitive other than data: see head_cred(). */
static void send_primitive(struct strsock_head *h, mblk_t *mp)
{
	const struct cred *old = override_creds(h->end.cred);
	queue_t *q = WR(h->end.rq);
	mblk_t *flush;

	mp = strudp_request(&h->end, mp);
	revert_creds(old);
	flush = h->end.flush;
	h->end.flush = NULL;
	strtpi_reply(q, flush);
	strtpi_reply(q, mp);
}

static bool send_buffer_full(const struct sock *sk)
{
	return sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf);
}

/*
 * Does not wait. If a send fails with EAGAIN though there is room (a policy of
 * IPsec, a BPF program), waiting does not help. full: waiting may help.
 */
static int send_now(struct strsock_head *h, mblk_t *mp, const struct msghdr *how,
		    bool *full)
{
	int ret, tries = 2;

	do {
		ret = strudp_send_request(&h->end, mp, how);
		*full = ret == -EAGAIN && send_buffer_full(strsock_head_sk(h));
	} while (ret == -EAGAIN && !*full && --tries);
	return ret;
}

/* Sends the caller's own message; if it has to wait, call->mp still has it. */
static void send_own(struct strsock_head *h, mblk_t *mp, struct send_call *call)
{
	bool full = false;

	call->seen = true;
	/* As for sendto(), a socket without a port gets one. */
	if (strsock_send_prepare(strsock_head_sk(h)))
		call->ret = -EADDRNOTAVAIL;
	else
		call->ret = send_now(h, mp, call->msg, &full);
	if (full && !(call->msg->msg_flags & MSG_DONTWAIT)) {
		call->mp = mp;
	} else {
		call->mp = NULL;
		freemsg(mp);
	}
}

/* Returns false if there is no room for the message, which waits then. */
static bool head_send_datagram(struct strsock_head *h, mblk_t *mp, struct send_call *call,
			       bool wait)
{
	bool full = false;
	int ret;

	/* A module may have sent copies: the first counts. */
	if (call && !call->seen && mp->b_datap == call->block) {
		send_own(h, mp, call);
		return true;
	}
	if (wait && strsock_send_prepare(strsock_head_sk(h)))
		ret = -EADDRNOTAVAIL;
	else
		ret = send_now(h, mp, NULL, &full);
	if (full) {
		if (!putbq(WR(h->end.rq), mp))
			freemsg(mp);
		return false;
	}
	if (ret >= 0) {
		freemsg(mp);
		return true;
	}
	if (call && !(mp->b_flag & MSGOBJECT))
		call->other = ret;
	head_send_failed(h, mp, ret);
	return true;
}

/*
 * Returns the first message if it is sent without a lock of the socket; take: it is removed
 * from the queue then. send_mutex ensures that this stays so: pieces are put together under
 * it, and proto_cork() takes it.
 */
static mblk_t *send_free(struct strsock_head *h, bool take)
{
	const struct sock *sk = strsock_head_sk(h);
	queue_t *q = WR(h->end.rq);
	mblk_t *mp;

	freezestr(q);
	mp = q->q_first;
	if (!mp)
		q->q_flag |= QWANTR;
	else if (tpi_type(mp) != T_UNITDATA_REQ || udp_test_bit(CORK, sk) ||
		 READ_ONCE(udp_sk(sk)->pending) ||
		 !READ_ONCE(inet_sk(sk)->inet_num))
		mp = NULL;
	else if (take)
		rmvq(q, mp);
	unfreezestr(q);
	return mp;
}

/*
 * Sends what is queued; called under send_mutex. A call looks for its own datagram as long
 * as there are any; of others it sends SEND_BATCH.
 */
static void send_queue(struct strsock_head *h, struct send_call *call, bool wait)
{
	int left = SEND_BATCH;
	mblk_t *mp;

	lockdep_assert_held(&h->send_mutex);
	while (((call && !call->seen) || left-- > 0) &&
	       (mp = wait ? getq(WR(h->end.rq)) : send_free(h, true))) {
		if (tpi_type(mp) != T_UNITDATA_REQ)
			send_primitive(h, mp);
		else if (!head_send_datagram(h, mp, call, wait))
			return;
		cond_resched();
	}
}

/* Sends what is at the provider. Context: process, sleeps. */
void strsock_head_drain(struct strsock_head *h)
{
	perim_settle(&h->perim);
	mutex_lock(&h->send_mutex);
	send_queue(h, NULL, true);
	mutex_unlock(&h->send_mutex);
}

static bool send_waits(const struct strsock_head *h)
{
	return READ_ONCE(WR(h->end.rq)->q_first);
}

/**
 * strsock_head_sendable() - whether a task that sleeps should wake up to send
 * @h: the stream
 *
 * Return: whether messages wait at the provider, with room in the send buffer and
 * no task sending them.
 */
bool strsock_head_sendable(struct strsock_head *h)
{
	return send_waits(h) && !send_buffer_full(strsock_head_sk(h)) &&
	       !mutex_is_locked(&h->send_mutex);
}

/**
 * strsock_head_send_held() - send what a module held back
 * @h: the stream
 * @wait: whether the call may wait for the socket's lock
 *
 * If a call that may not wait leaves messages, sleeping calls that may wait
 * are woken to send them.
 *
 * Another task that holds send_mutex looks at the queue once more after it has
 * unlocked it, by this function.
 * Context: process, sleeps; the caller holds no lock of the socket.
 */
void strsock_head_send_held(struct strsock_head *h, bool wait)
{
	bool sent = false;

	/* The look comes after unlocking; pairs with strsock_head_wsrv(). */
	smp_mb();
	while (strsock_head_sendable(h) && (wait || send_free(h, false)) &&
	       mutex_trylock(&h->send_mutex)) {
		send_queue(h, NULL, wait);
		mutex_unlock(&h->send_mutex);
		sent = true;
		if (signal_pending(current))
			break;
		/* The next strsock_head_sendable() looks after unlocking, too. */
		smp_mb();
	}
	if (sent && !wait)
		strsock_head_wsrv(WR(h->end.rq));
}

/* Something waits at the provider: a call that sleeps is to send it. */
int strsock_head_wsrv(queue_t *q)
{
	struct strsock_head *h = strsock_head_of_queue(q);
	struct socket_wq *wq;

	/* The look comes after the message was queued; pairs with strsock_head_send_held(). */
	smp_mb();
	if (!strsock_head_sendable(h))
		return 0;
	rcu_read_lock();
	wq = rcu_dereference(strsock_head_sk(h)->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_all(&wq->wait);
	rcu_read_unlock();
	return 0;
}

static bool is_transparent(const mblk_t *mp)
{
	struct iocblk ioc;

	return tpi_get(mp, &ioc, sizeof(ioc)) && ioc.ioc_count == TRANSPARENT;
}

int strsock_head_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_IOCTL:
		/* A socket refuses a command that is not its own in this way. */
		if (is_transparent(mp)) {
			strtpi_ioctl_nak(q, mp, ENOTTY);
			break;
		}
		fallthrough;
	default:
		/* Not M_DATA either: datagrams come with a T_UNITDATA_REQ. */
		strtpi_wput(q, mp);
	}
	return 0;
}

/* The stream head's write side: there is room below again. */
static int send_room(queue_t *q)
{
	struct strsock_head *h = strsock_head_of_queue(q);
	struct sock *sk = strsock_head_sk(h);

	str_wsrv(q);
	/* Pushing enables the queue too: epoll is not to report an edge for that. */
	if (xchg(&h->full, false))
		sk->sk_write_space(sk);
	return 0;
}

/* Returns whether modules have room; if not, tasks that wait for the socket are woken later. */
bool strsock_head_writable(struct strsock_head *h)
{
	if (likely(str_writable(&h->sd, 0)))
		return true;
	WRITE_ONCE(h->full, true);
	smp_mb(); /* the flag before the last look; pairs with send_room() */
	return str_writable(&h->sd, 0);
}

static struct module_info send_info = {
	.mi_idname = "strhead",
	.mi_minpsz = 0,
	.mi_maxpsz = STRMSGSZ,
};

struct qinit strsock_head_winit = {
	.qi_srvp = send_room,
	.qi_minfo = &send_info,
};

/*
 * Waits until modules have room, for up to timeo. Returns 0; -EAGAIN after that
 * time, or when interrupted; or an error of the stream's. There is no SIGPIPE, as
 * for any socket of UDP. A call that may not wait is not held back later, by
 * perim_throttle(): it finds no room while a perimeter on the way is crowded.
 */
static int send_wait(struct strsock_head *h, long *timeo)
{
	long left;

	for (;;) {
		strsock_head_send_held(h, *timeo);
		if (str_write_broken(&h->sd))
			return str_take_error(&h->sd, true) ?: -ENXIO;
		if (strsock_head_writable(h) &&
		    (*timeo || !str_perim_full(str_wq(&h->sd))))
			return 0;
		if (!*timeo) {
			/* No event follows when the perimeter has room: poll anew. */
			if (strsock_head_writable(h)) {
				WRITE_ONCE(h->full, true);
				qenable(str_wq(&h->sd));
			}
			return -EAGAIN;
		}
		if (signal_pending(current))
			return sock_intr_errno(*timeo);
		/* The wait ends where strsock_head_wsrv() wakes tasks, and send_room(). */
		trace_streams_wait(str_wq(&h->sd), NULL);
		left = wait_event_interruptible_timeout(*sk_sleep(strsock_head_sk(h)),
							str_write_broken(&h->sd) ||
							strsock_head_writable(h) ||
							strsock_head_sendable(h),
							*timeo);
		trace_streams_wake(str_wq(&h->sd), NULL);
		if (left < 0)
			return sock_intr_errno(*timeo);
		*timeo = left;
	}
}

/* Waits until there is room in the send buffer, as the kernel does. */
static int send_wait_buffer(struct strsock_head *h, long *timeo)
{
	struct sock *sk = strsock_head_sk(h);
	long left;

	if (!*timeo)
		return -EAGAIN;
	/* Freeing a packet wakes this task by this flag. */
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	left = wait_event_interruptible_timeout(*sk_sleep(sk),
						!send_buffer_full(sk) ||
						READ_ONCE(sk->sk_err) ||
						READ_ONCE(sk->sk_shutdown) &
						SEND_SHUTDOWN, *timeo);
	if (left < 0)
		return sock_intr_errno(*timeo);
	*timeo = left;
	return left ? 0 : -EAGAIN;
}

/* Sends a message down, and what comes out below. */
static int send_through(struct strsock_head *h, mblk_t *mp, struct send_call *call)
{
	putnext(str_wq(&h->sd), mp);
	/* The message is at the provider now, if another task had the perimeter. */
	perim_settle(&h->perim);
	send_queue(h, call, true);
	return call->seen ? call->ret : call->other;
}

/**
 * strsock_head_send_rest() - send what is at the provider, and wait for room for it
 * @h: the stream
 * @timeo: jiffies to wait at most
 *
 * Messages for which there is no room after that time, or when interrupted, are
 * left to the next call.
 */
void strsock_head_send_rest(struct strsock_head *h, long timeo)
{
	const struct sock *sk = strsock_head_sk(h);

	do {
		strsock_head_send_held(h, true);
	} while (unlikely(send_waits(h)) && send_buffer_full(sk) &&
		 !READ_ONCE(sk->sk_err) && !READ_ONCE(sk->sk_shutdown) &&
		 !send_wait_buffer(h, &timeo));
}

/* Sends a message that was found to have room, and waits until it is sent. */
static int send_wholly(struct strsock_head *h, mblk_t *mp, struct send_call *call,
		       long timeo)
{
	int ret;

	mutex_lock(&h->send_mutex);
	ret = send_through(h, mp, call);
	mutex_unlock(&h->send_mutex);
	/* A module with a perimeter of its own is not waited for there. */
	if (timeo)
		perim_throttle(str_wq(&h->sd));
	while (call->mp) {
		ret = send_wait_buffer(h, &timeo);
		if (ret) {
			freemsg(call->mp);
			break;
		}
		mutex_lock(&h->send_mutex);
		send_own(h, call->mp, call);
		mutex_unlock(&h->send_mutex);
		ret = call->ret;
	}
	strsock_head_send_rest(h, timeo);
	return ret;
}

/**
 * strsock_head_sendmsg() - send a datagram on a socket that has a stream
 * @h: the stream
 * @msg: as for sendmsg(2)
 * @len: bytes of data
 *
 * Flags and control messages are kept for when the datagram comes out below. If a
 * module holds it, has a perimeter of its own, which is not waited for, or has
 * made its control part anew, it is sent without them.
 *
 * Return: @len or a negative error, as sendmsg(2); those of the stream head.
 */
int strsock_head_sendmsg(struct strsock_head *h, struct msghdr *msg, size_t len)
{
	struct send_call call = { .msg = msg };
	struct sock *sk = strsock_head_sk(h);
	long timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	size_t left = iov_iter_count(&msg->msg_iter);
	union tpi_addr dest;
	mblk_t *mp, *keep;
	int ret;

	/* No datagram is so long: the kernel's call tells which error comes first. */
	if (len > U16_MAX)
		return strsock_native(sk)->sendmsg(sk, msg, len);
	ret = head_send_dest(sk, msg, &dest) ?: send_wait(h, &timeo);
	if (ret)
		return ret;
	/* Modules are given a copy. */
	if (msg->msg_flags & MSG_ZEROCOPY && sock_flag(sk, SOCK_ZEROCOPY))
		return -EOPNOTSUPP;
	mp = head_send_message(&dest, h->end.family->addr_size, msg, len);
	if (IS_ERR(mp)) {
		ret = PTR_ERR(mp);
		/* The kernel looks at the socket's state before it copies. */
		if (ret == -EFAULT && READ_ONCE(sk->sk_err))
			ret = sock_error(sk) ?: ret;
		else if (ret == -EFAULT && READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
			ret = -EPIPE;
		goto fail;
	}
	/* No other block is to be taken for it, as one in its place might be. */
	keep = dupb(mp);
	if (keep) {
		call.block = mp->b_datap;
		ret = send_wholly(h, mp, &call, timeo);
	} else {
		freemsg(mp);
		ret = -ENOBUFS;
	}
	freemsg(keep);
	if (ret >= 0)
		return len;
fail:
	/*
	 * For a caller that calls again with the same msg, as io_uring does
	 * after -EAGAIN.
	 */
	iov_iter_revert(&msg->msg_iter,
			left - iov_iter_count(&msg->msg_iter));
	return ret;
}
