// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream of a TCP socket: its lifetime
 *
 * The socket gets it with its first STREAMS call and keeps it until it is released; only
 * system calls use it, which have the socket's file.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "head_life.h"
#include "sockmod.h"
#include "tcp_head_life.h"
#include "tcp_head_rcv.h"
#include "tcp_head_send.h"

/* Filled in by strsock_tcp_head_ops_init(). */
struct proto_ops strsock_tcp_head_ops, strsock_tcp6_head_ops;

static int tcp_provider_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	strsock_tcp_head_of_queue(q)->rq = q;
	qprocson(q);
	return 0;
}

/* Has the socket take all that is at the provider: its buffer has no limit any more. */
static void provider_give_all(struct strsock_tcp_head *h)
{
	struct sock *sk = h->sock->sk;

	lock_sock(sk);
	sk->sk_userlocks |= SOCK_SNDBUF_LOCK;
	WRITE_ONCE(sk->sk_sndbuf, INT_MAX);
	release_sock(sk);
	strsock_tcp_head_drain(h);
}

/* Makes the end of the connection a reset: the peer is told that bytes are lost. */
static void provider_reset(struct strsock_tcp_head *h)
{
	struct sock *sk = h->sock->sk;

	lock_sock(sk);
	sock_set_flag(sk, SOCK_LINGER);
	sk->sk_lingertime = 0;
	release_sock(sk);
}

/* Closes the provider; the socket sends what modules have left there. */
static int tcp_provider_close(queue_t *q, int oflag, cred_t *cr)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of_queue(q);

	strsock_tcp_head_drain(h);
	if (strsock_tcp_head_waits(h))
		provider_give_all(h);
	if (strsock_tcp_head_waits(h))
		provider_reset(h);
	flushq(WR(q), FLUSHALL);
	qprocsoff(q);
	/* The provider's answers bypass this queue. */
	str_perim_pass(&h->perim);
	return 0;
}

static int provider_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info provider_info = {
	.mi_idname = "tcp",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = STRMSGSZ,
	.mi_lowat = STRMSGSZ / 4,
};

static struct qinit provider_rinit = {
	.qi_putp = provider_rput,
	.qi_srvp = strsock_tcp_head_rsrv,
	.qi_qopen = tcp_provider_open,
	.qi_qclose = tcp_provider_close,
	.qi_minfo = &provider_info,
};

static struct qinit provider_winit = {
	.qi_putp = strsock_tcp_head_wput,
	.qi_srvp = strsock_tcp_head_wsrv,
	.qi_minfo = &provider_info,
};

static const struct streamtab provider_tab = {
	.st_rdinit = &provider_rinit,
	.st_wrinit = &provider_winit,
};

/* Some modules, such as timod, make primitives of ioctls. */
static void tcp_provider_sent(struct stream *sd)
{
	strsock_tcp_head_drain(container_of(sd, struct strsock_tcp_head, sd));
}

/* The driver has no node: only sockets lead to it. */
static const struct strdrv provider = {
	.name = "tcp",
	.tab = &provider_tab,
	.sent = tcp_provider_sent,
	.owner = THIS_MODULE,
};

static void tcp_head_init(struct strsock_tcp_head *h, struct socket *sock)
{
	h->sock = sock;
	str_perim_init(&h->perim);
	str_init(&h->sd, &h->perim);
	h->sd.sd_entry.kind = STR_KIND_TCP;
	str_entry_copy(&h->sd.sd_entry, &strsock_tcp_of(sock)->entry);
	/* The user that made the socket, not one to whom it was passed, is the owner. */
	h->sd.sd_entry.uid = READ_ONCE(sock->sk->sk_uid);
	str_rq(&h->sd)->q_qinfo = &strsock_tcp_head_rinit;
	str_wq(&h->sd)->q_qinfo = &strsock_tcp_head_winit;
	/* The stream head holds as much as a reader without modules could peek at. */
	str_rq(&h->sd)->q_hiwat = READ_ONCE(sock->sk->sk_rcvbuf);
	str_rq(&h->sd)->q_lowat = str_rq(&h->sd)->q_hiwat / 4;
	mutex_init(&h->take_mutex);
	mutex_init(&h->send_mutex);
	strsock_tcp_head_watch_init(h);
}

static void tcp_head_free(struct strsock_tcp_head *h, int oflag)
{
	str_dismantle(&h->sd, oflag);
	str_destroy(&h->sd);
	mutex_destroy(&h->take_mutex);
	mutex_destroy(&h->send_mutex);
	kfree_rcu(h, sd.sd_rcu);
}

/* sockmod stays: it makes the stream a socket. */
static int tcp_head_plumb(struct strsock_tcp_head *h)
{
	int err;

	mutex_lock(&h->sd.sd_ioctl_mutex);
	err = str_open_driver(&h->sd, &provider, 0, O_RDWR, CLONEOPEN);
	if (!err)
		err = str_push(&h->sd, "sockmod", O_RDWR);
	h->sd.sd_floor = h->sd.sd_npush;
	mutex_unlock(&h->sd.sd_ioctl_mutex);
	return err;
}

static struct strsock_tcp_head *tcp_head_make(struct socket *sock)
{
	struct strsock_tcp_head *h = kzalloc(sizeof(*h), GFP_KERNEL_ACCOUNT);
	int err;

	if (!h)
		return ERR_PTR(-ENOSR);
	tcp_head_init(h, sock);
	err = tcp_head_plumb(h);
	if (!err)
		return h;
	tcp_head_free(h, O_NONBLOCK);
	return ERR_PTR(err);
}

/* Returns the stream that the socket has then, which may be that of a faster caller. */
static struct strsock_tcp_head *tcp_head_publish(struct strsock_tcp *s, struct socket *sock,
						 struct strsock_tcp_head *own)
{
	struct strsock_tcp_head *h = cmpxchg(&s->head, NULL, own);

	if (h)
		return h;
	/* The head comes before the calls that use it; see strsock_tcp_its_head(). */
	smp_wmb();
	WRITE_ONCE(sock->ops, sock->sk->sk_family == AF_INET6 ? &strsock_tcp6_head_ops :
								&strsock_tcp_head_ops);
	return own;
}

/**
 * strsock_tcp_head_get() - find a socket's stream, or make it
 * @sock: a STREAMS socket of TCP that is in use
 *
 * Context: process, sleeps.
 * Return: the stream; -ENOTTY when streams of sockets are switched off; -ENOSR.
 */
struct strsock_tcp_head *strsock_tcp_head_get(struct socket *sock)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of(sock), *own;
	struct strsock_tcp *s = strsock_tcp_of(sock);

	if (h)
		return h;
	if (!strsock_head_allowed())
		return ERR_PTR(-ENOTTY);
	if (!s)
		return ERR_PTR(-ENOSR);
	own = tcp_head_make(sock);
	if (IS_ERR(own))
		return own;
	h = tcp_head_publish(s, sock, own);
	if (h != own)
		tcp_head_free(own, O_NONBLOCK);
	return h;
}

/**
 * strsock_tcp_head_inherit() - push and set a listening socket's modules on an accepted one
 * @h: the stream of the listening socket
 * @sock: the accepted socket
 *
 * Context: process, sleeps.
 * Return: 0; the error of the first module that refuses; or as strsock_tcp_head_get().
 */
int strsock_tcp_head_inherit(struct strsock_tcp_head *h, struct socket *sock)
{
	struct strsock_tcp_head *own;
	int err;

	if (READ_ONCE(h->sd.sd_npush) == h->sd.sd_floor)
		return 0;
	own = strsock_tcp_head_get(sock);
	if (IS_ERR(own))
		return PTR_ERR(own);
	/* Another task may be at an ioctl of the listening socket's modules. */
	if (mutex_lock_killable(&h->sd.sd_ioctl_mutex))
		return -EINTR;
	mutex_lock_nested(&own->sd.sd_ioctl_mutex, SINGLE_DEPTH_NESTING);
	err = str_push_like(&own->sd, &h->sd);
	mutex_unlock(&own->sd.sd_ioctl_mutex);
	mutex_unlock(&h->sd.sd_ioctl_mutex);
	return err;
}

/**
 * strsock_tcp_head_close() - end a socket's stream before the socket is released
 * @sock: the socket, without users
 *
 * This call, like close() of a socket, waits for nothing, unless the program has said how
 * long its modules may take. Unread bytes are reported to the peer, as by TCP.
 *
 * Context: process, sleeps.
 */
void strsock_tcp_head_close(struct socket *sock)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of(sock);
	int oflag = sock->file ? sock->file->f_flags : 0;
	size_t unread;

	if (!h)
		return;
	unread = strsock_tcp_head_bytes(h);
	if (!h->patient)
		oflag |= O_NONBLOCK;
	if (sock->file)
		str_file_closed(&h->sd, sock->file);
	strsock_tcp_head_unwatch(h);
	/* The list of open sockets shows its modules; it looks under RCU. */
	WRITE_ONCE(strsock_tcp_of(sock)->head, NULL);
	if (unread)
		provider_reset(h);
	tcp_head_free(h, oflag);
}
