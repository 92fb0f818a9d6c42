// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream of a STREAMS socket: its lifetime
 *
 * The socket gets it under its sock's lock and keeps it until it is released;
 * system calls find it while they have the file, the network's side pins it.
 */
#include <linux/bottom_half.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "streams/queue/queue.h"
#include "udp/hook.h"
#include "udp/life.h"
#include "head.h"
#include "head_life.h"
#include "head_queue.h"
#include "head_send.h"
#include "head_up.h"
#include "native.h"
#include "sock.h"
#include "sockmod.h"

/* Filled in by strsock_head_ops_init(). */
struct proto_ops strsock_head_ops, strsock_head6_ops;

static bool streams = true;
module_param(streams, bool, 0644);
MODULE_PARM_DESC(streams, "Whether sockets may become streams");

/*
 * Returns credentials for executing TPI primitives. The task that runs one need not be the
 * task that queued it, and the task that made the socket, or its stream, may have passed it
 * on to others. So the credentials have no privileges and own no namespace, in which they
 * would have all privileges. A privileged caller uses the system calls.
 */
static const struct cred *head_cred(void)
{
	struct cred *cred = prepare_creds();

	if (cred) {
		cap_clear(cred->cap_effective);
		cap_clear(cred->cap_permitted);
		cap_clear(cred->cap_inheritable);
		cap_clear(cred->cap_ambient);
		cred->euid = INVALID_UID;
	}
	return cred;
}

static void head_init(struct strsock_head *h, struct socket *sock,
		      const struct cred *cred)
{
	str_perim_init(&h->perim);
	str_init(&h->sd, &h->perim);
	h->sd.sd_entry.kind = STR_KIND_UDP;
	str_entry_copy(&h->sd.sd_entry, &strsock_sk(sock->sk)->entry);
	/* The user that made the socket, not one to whom it was passed, is the owner. */
	h->sd.sd_entry.uid = READ_ONCE(sock->sk->sk_uid);
	str_rq(&h->sd)->q_qinfo = &strsock_head_rinit;
	str_wq(&h->sd)->q_qinfo = &strsock_head_winit;
	/* Arriving data takes locks that may not be taken in interrupts. */
	str_rq(&h->sd)->q_flag &= ~QMTSAFE;
	/*
	 * Datagrams do not stay there, and messages that stay must not hold
	 * them up.
	 */
	str_rq(&h->sd)->q_hiwat = SIZE_MAX;
	refcount_set(&h->pins, 1);
	init_completion(&h->unpinned);
	strsock_head_queue_init(h);
	mutex_init(&h->collect_mutex);
	mutex_init(&h->send_mutex);
	strudp_adopt(&h->end, sock, cred);
}

static void head_free(struct strsock_head *h, int oflag)
{
	str_dismantle(&h->sd, oflag);
	str_destroy(&h->sd);
	strudp_cache_drop(&h->end.cache);
	consume_skb(h->ahead);
	strsock_head_queue_end(h);
	mutex_destroy(&h->collect_mutex);
	put_cred(h->end.cred);
	mutex_destroy(&h->send_mutex);
	kfree_rcu(h, sd.sd_rcu);
}

bool strsock_head_allowed(void)
{
	return READ_ONCE(streams);
}

/**
 * strsock_head_able() - whether a socket without a stream may get one
 * @sk: its sock
 *
 * Errors that the kernel may queue for IP_RECVERR, and data taken over by a
 * BPF map, would not pass the stream.
 */
bool strsock_head_able(struct sock *sk)
{
	return strsock_head_allowed() && !READ_ONCE(strsock_sk(sk)->native) &&
	       READ_ONCE(sk->sk_prot) == (strsock_is_inet6(sk) ? &strsock_udp6_prot :
								 &strsock_udp_prot);
}

/* sockmod stays: it makes the stream a socket. */
static int head_plumb(struct strsock_head *h)
{
	int err;

	mutex_lock(&h->sd.sd_ioctl_mutex);
	err = str_open_driver(&h->sd, &strsock_head_driver, 0, O_RDWR, CLONEOPEN);
	if (!err)
		err = str_push(&h->sd, "sockmod", O_RDWR);
	h->sd.sd_floor = h->sd.sd_npush;
	mutex_unlock(&h->sd.sd_ioctl_mutex);
	return err;
}

static struct strsock_head *head_make(struct socket *sock)
{
	const struct cred *cred = head_cred();
	struct strsock_head *h = kzalloc(sizeof(*h), GFP_KERNEL_ACCOUNT);
	int err;

	if (!h || !cred) {
		kfree(h);
		if (cred)
			put_cred(cred);
		return ERR_PTR(-ENOSR);
	}
	head_init(h, sock, cred);
	strudp_hook_enable();
	err = h->end.family->begin ? h->end.family->begin() : 0;
	if (!err)
		err = head_plumb(h);
	if (!err)
		return h;
	head_free(h, O_NONBLOCK);
	return ERR_PTR(err);
}

/*
 * Has arriving data pass the stream. Returns the stream that the socket has then, which may
 * be that of a faster caller. A program puts the socket into a BPF map under the sock's
 * lock, a BPF program under the spin lock in it alone: see proto_update_bpf().
 */
static struct strsock_head *head_publish(struct socket *sock, struct strsock_head *own)
{
	const struct proto_ops *ops;
	struct sock *sk = sock->sk;
	struct strsock_head *h;

	lock_sock(sk);
	local_bh_disable();
	bh_lock_sock(sk);
	h = strsock_head_of(sk);
	if (!h && strsock_head_able(sk)) {
		h = own;
		/* The head is stored after its contents; see strsock_head_of(). */
		smp_store_release(&strsock_sk(sk)->head, h);
		/* The head comes before the hook and the operations; see strsock_its_head(). */
		smp_wmb();
		strsock_head_hook(sk);
		ops = strsock_is_inet6(sk) ? &strsock_head6_ops : &strsock_head_ops;
		/* The operations are stored after all that the hook needs too. */
		smp_store_release(&sock->ops, ops);
	}
	bh_unlock_sock(sk);
	local_bh_enable();
	release_sock(sk);
	return h ?: ERR_PTR(-ENOTTY);
}

/**
 * strsock_head_get() - find a socket's stream, or make it
 * @sock: a STREAMS socket that has a file
 *
 * Context: process, sleeps.
 * Return: the stream; -ENOTTY of one that is left to the kernel's own receive
 * path, or when streams of sockets are switched off; -ENOSR.
 */
struct strsock_head *strsock_head_get(struct socket *sock)
{
	struct strsock_head *h = strsock_head_of(sock->sk), *own;

	if (h)
		return h;
	if (!strsock_head_able(sock->sk))
		return ERR_PTR(-ENOTTY);
	own = head_make(sock);
	if (IS_ERR(own))
		return own;
	h = head_publish(sock, own);
	if (h != own)
		head_free(own, O_NONBLOCK);
	else
		strsock_head_collect_quietly(h);
	return h;
}

/**
 * strsock_head_close() - end a socket's stream before the socket is released
 * @sock: the socket, without users
 *
 * As close() of a socket it waits for nothing, unless the program has said how
 * long its modules may take.
 *
 * Context: process, sleeps.
 */
void strsock_head_close(struct socket *sock)
{
	struct strsock_head *h = strsock_head_of(sock->sk);
	int oflag = sock->file ? sock->file->f_flags : 0;

	if (!h->patient)
		oflag |= O_NONBLOCK;
	if (sock->file)
		str_file_closed(&h->sd, sock->file);
	strudp_unhook(sock->sk);
	/* A hook that uses it ends soon; no other finds it from now on. */
	if (!refcount_dec_and_test(&h->pins))
		wait_for_completion(&h->unpinned);
	WRITE_ONCE(strsock_sk(sock->sk)->head, NULL);
	head_free(h, oflag);
}

/* Bars the socket from getting a stream. Returns an error when it has one. */
int strsock_head_exclude(struct sock *sk)
{
	int err = 0;

	lock_sock(sk);
	if (strsock_head_of(sk))
		err = -EOPNOTSUPP;
	else
		WRITE_ONCE(strsock_sk(sk)->native, true);
	release_sock(sk);
	return err;
}
