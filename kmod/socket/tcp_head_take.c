// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending up what has arrived on a TCP socket that has a stream
 *
 * A call that looks for data takes bytes from the socket's own calls as they come, by TCP
 * or the short way, and sends them up as M_DATA. It takes no more than it asks for, and
 * none while modules have no room: the rest stays where TCP's window counts it. The end of
 * what the peer sends follows as a T_ORDREL_IND, an error as a T_DISCON_IND, so that a
 * module that delays bytes delays the end with them.
 */
#include <net/tcp.h>

#include "streams/message/mblk.h"
#include "tpi/tpi.h"
#include "head_send.h"
#include "tcp_head_take.h"

/* Blocks of one message that are filled by one call */
#define TAKE_BLOCKS	8

/* Returns whether strsock_tcp_head_take() would send something up. */
bool strsock_tcp_head_can_take(struct strsock_tcp_head *h)
{
	if (!(strsock_tcp_provider_has_ended(h) && !READ_ONCE(h->end_sent)) &&
	    !strsock_tcp_provider_has_bytes(h))
		return false;
	if (likely(canputnext(h->rq)))
		return true;
	WRITE_ONCE(h->crowded, true);
	smp_mb(); /* the flag before the last look; pairs with strsock_tcp_head_rsrv() */
	return canputnext(h->rq);
}

/* Shortens a chain of blocks to len bytes. */
static void cut(mblk_t *mp, size_t len)
{
	for (; mp; mp = mp->b_cont) {
		if (len > MBLKL(mp)) {
			len -= MBLKL(mp);
			continue;
		}
		mp->b_wptr = mp->b_rptr + len;
		freemsg(unlinkb(mp));
		return;
	}
}

static void send_up(struct strsock_tcp_head *h, mblk_t *mp)
{
	WRITE_ONCE(h->taker, current);
	putnext(h->rq, mp);
	WRITE_ONCE(h->taker, NULL);
	/* The message is at the stream head now, if another task had the perimeter. */
	perim_settle(&h->perim);
}

/*
 * Takes up to most bytes and sends them up. Returns their number; 0 at the end, whatever
 * the reason, or -EAGAIN.
 */
static int take_bytes(struct strsock_tcp_head *h, size_t most)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	struct kvec vec[TAKE_BLOCKS];
	struct sock *sk = strsock_tcp_head_sk(h);
	unsigned int n = 0;
	mblk_t *mp, *bp;
	size_t len;
	bool ring;
	int ret;

	/* Behind the mark of urgent data there are bytes that this does not count. */
	len = strsock_tcp_coming(strsock_tcp_of(h->sock), &ring) ?: PAGE_SIZE;
	len = min3(len, most, (size_t)STRSOCK_TCP_TAKE);
	mp = strsock_head_blocks(len);
	if (!mp)
		return -ENOBUFS;
	for (bp = mp; bp; bp = bp->b_cont)
		vec[n++] = (struct kvec){ .iov_base = bp->b_rptr, .iov_len = MBLKL(bp) };
	iov_iter_kvec(&msg.msg_iter, ITER_DEST, vec, n, len);
	ret = strsock_tcp_below(h->sock)->recvmsg(h->sock, &msg, len, MSG_DONTWAIT);
	if (ret > 0) {
		cut(mp, ret);
		send_up(h, mp);
		return ret;
	}
	freemsg(mp);
	/* The error stays for the call that returns it. */
	if (ret < 0 && ret != -EAGAIN && ret != -EINTR && !READ_ONCE(sk->sk_err))
		WRITE_ONCE(sk->sk_err, -ret);
	return ret == -EAGAIN || ret == -EINTR ? -EAGAIN : 0;
}

/* Sends the end up; TPI version 2, T_ORDREL_IND and T_DISCON_IND. */
static int take_end(struct strsock_tcp_head *h)
{
	struct T_ordrel_ind ordrel = { .PRIM_type = T_ORDREL_IND };
	struct T_discon_ind discon = {
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = READ_ONCE(strsock_tcp_head_sk(h)->sk_err),
		.SEQ_number = -1,
	};
	mblk_t *mp = allocb_gfp(sizeof(discon), GFP_KERNEL_ACCOUNT);

	if (!mp)
		return -ENOBUFS;
	if (discon.DISCON_reason)
		tpi_put(mp, &discon, sizeof(discon), NULL, 0);
	else
		tpi_put(mp, &ordrel, sizeof(ordrel), NULL, 0);
	WRITE_ONCE(h->end_sent, true);
	send_up(h, mp);
	return 1;
}

/* Called under take_mutex. */
static int take_locked(struct strsock_tcp_head *h, size_t most)
{
	bool ended = strsock_tcp_provider_has_ended(h);
	int ret = -EAGAIN;

	if (!strsock_tcp_head_can_take(h))
		return 0;
	if (strsock_tcp_provider_has_bytes(h))
		ret = take_bytes(h, most);
	if (ret > 0 || ret == -ENOBUFS)
		return ret;
	if (READ_ONCE(h->end_sent) || !(ended || !ret))
		return 0;
	return take_end(h);
}

/*
 * Sends the urgent byte up, if it is the next one, for getmsg(). Called under take_mutex.
 * Returns 1, or 0. TPI version 2, T_EXDATA_IND.
 */
static int take_urgent(struct strsock_tcp_head *h)
{
	struct T_exdata_ind ind = { .PRIM_type = T_EXDATA_IND };
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	struct sock *sk = strsock_tcp_head_sk(h);
	int flags = MSG_DONTWAIT | (sock_flag(sk, SOCK_URGINLINE) ? 0 : MSG_OOB);
	struct kvec vec = { .iov_len = 1 };
	mblk_t *mp, *data;

	if (likely(!strsock_tcp_is_at_mark(sk)) || !strsock_tcp_head_can_take(h))
		return 0;
	mp = allocb_gfp(sizeof(ind), GFP_KERNEL_ACCOUNT);
	data = strsock_head_blocks(1);
	if (!mp || !data)
		goto free;
	vec.iov_base = data->b_rptr;
	iov_iter_kvec(&msg.msg_iter, ITER_DEST, &vec, 1, 1);
	/* Another call may have received it, and it may not have come yet. */
	if (strsock_tcp_below(h->sock)->recvmsg(h->sock, &msg, 1, flags) != 1)
		goto free;
	tpi_put(mp, &ind, sizeof(ind), NULL, 0);
	linkb(mp, data);
	send_up(h, mp);
	return 1;

free:
	freemsg(mp);
	freemsg(data);
	return 0;
}

/**
 * strsock_tcp_head_take() - send up what has arrived, as one message
 * @h: the stream
 * @most: bytes at most
 * @wait: whether to wait for another task that does so; else that task wakes the caller
 *
 * Context: process, sleeps.
 * Return: > 0: something was sent up; 0: there is nothing, or no room; -EINTR; -ENOBUFS.
 */
int strsock_tcp_head_take(struct strsock_tcp_head *h, size_t most, bool wait)
{
	int ret;

	if (wait) {
		if (mutex_lock_killable(&h->take_mutex))
			return -EINTR;
	} else if (!mutex_trylock(&h->take_mutex)) {
		WRITE_ONCE(h->missed, true);
		smp_mb(); /* the flag before the last try; pairs with that of the unlocking */
		if (!mutex_trylock(&h->take_mutex))
			return 0;
	}
	ret = take_locked(h, most);
	strsock_tcp_head_take_unlock(h);
	return ret;
}

/* Sends something up for a getmsg(); as strsock_tcp_head_take(). */
int strsock_tcp_head_take_message(struct strsock_tcp_head *h)
{
	int ret;

	if (mutex_lock_killable(&h->take_mutex))
		return -EINTR;
	ret = take_urgent(h);
	strsock_tcp_head_take_unlock(h);
	return ret ?: strsock_tcp_head_take(h, STRSOCK_TCP_TAKE, true);
}

/**
 * strsock_tcp_head_miss() - be woken by a task that sends up what it has taken
 * @h: the stream, at whose head the calling poll() has found nothing
 *
 * The caller looks at the stream head once more.
 */
void strsock_tcp_head_miss(struct strsock_tcp_head *h)
{
	smp_mb(); /* the look at the provider before that at the lock, under which bytes leave it */
	if (unlikely(mutex_is_locked(&h->take_mutex)))
		WRITE_ONCE(h->missed, true);
	smp_mb(); /* the flag before the last look; pairs with strsock_tcp_head_take_unlock() */
}
