// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving on a STREAMS socket
 *
 * Datagrams wait on the queue of the kernel's UDP, which has put them there, and
 * are read from it. If the socket has a stream, they pass that and wait on a
 * queue of its own: see head.h.
 */
#include <linux/bpf-cgroup.h>
#include <linux/skbuff.h>
#include <net/busy_poll.h>
#include <net/inet_sock.h>
#include <net/udp.h>

#include "datagram.h"
#include "head_rcv.h"
#include "native.h"
#include "rcv.h"
#include "sock.h"

/* Receives one datagram, without waiting; family is a constant. */
static __always_inline int rcv_now(struct sock *sk, struct msghdr *msg, size_t len,
				   int flags, int *addr_len, int family)
{
	flags |= MSG_DONTWAIT;
#if IS_ENABLED(CONFIG_IPV6)
	if (family == AF_INET6)
		return strsock_datagram_is_plain6(sk, msg, flags) ?
		       strsock_datagram6(sk, msg, len, flags, addr_len) :
		       compat_proto_recvmsg(strsock_udp6_native, sk, msg, len, flags, addr_len);
#endif
	if (flags & MSG_PEEK || udp_test_bit(GRO_ENABLED, sk) ||
	    inet_cmsg_flags(inet_sk(sk)) & IP_CMSG_CHECKSUM ||
	    (msg->msg_name && cgroup_bpf_enabled(CGROUP_UDP4_RECVMSG)))
		return compat_proto_recvmsg(&udp_prot, sk, msg, len, flags,
					    addr_len);
	return strsock_datagram(sk, msg, len, flags, addr_len);
}

/* This wakeup is for tasks that read: those do not wait for room to send. */
static int rcv_wake(struct wait_queue_entry *wait, unsigned int mode, int sync,
		    void *key)
{
	if (key && !(key_to_poll(key) & (EPOLLIN | EPOLLERR)))
		return 0;
	return autoremove_wake_function(wait, mode, sync, key);
}

/*
 * Waits until there may be something to receive. Returns 0; 1: nothing will
 * come any more; a negative error. The kernel's own function does not know
 * streams: a reader that sleeps while the socket gets a stream has to find data
 * that passes the stream.
 */
static int rcv_wait(struct sock *sk, long *timeo)
{
	DEFINE_WAIT_FUNC(wait, rcv_wake);
	int ret;

	if (sk_can_busy_loop(sk))
		sk_busy_loop(sk, false);
	prepare_to_wait_exclusive(sk_sleep(sk), &wait, TASK_INTERRUPTIBLE);
	ret = sock_error(sk);
	if (ret || !skb_queue_empty_lockless(&sk->sk_receive_queue) ||
	    strsock_head_of(sk))
		goto out;
	if (READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN)
		ret = 1;
	else if (signal_pending(current))
		ret = sock_intr_errno(*timeo);
	else
		*timeo = schedule_timeout(*timeo);
out:
	finish_wait(sk_sleep(sk), &wait);
	return ret;
}

/*
 * Waits for a datagram, as the slow part of strsock_recvmsg(). The function is
 * not inline so that the caller's frame stays small.
 */
static noinline int rcv_later(struct sock *sk, struct msghdr *msg, size_t len, int flags,
			      int *addr_len)
{
	long timeo = sock_rcvtimeo(sk, false);
	struct strsock_head *h;
	int ret = -EAGAIN;

	while (ret == -EAGAIN && timeo) {
		ret = rcv_wait(sk, &timeo);
		if (ret)
			return min(ret, 0);
		h = strsock_head_of(sk);
		if (h)
			return strsock_head_recvmsg(h, msg, len, flags, addr_len, timeo);
		ret = strsock_is_inet6(sk) ? rcv_now(sk, msg, len, flags, addr_len, AF_INET6) :
					     rcv_now(sk, msg, len, flags, addr_len, AF_INET);
	}
	return ret;
}

static __always_inline int recv_by_family(struct sock *sk, struct msghdr *msg, size_t len,
					  int flags, int *addr_len, int family)
{
	struct strsock_head *h = strsock_head_of(sk);
	int ret;

	if (unlikely(flags & MSG_ERRQUEUE))
		return compat_proto_recvmsg(strsock_native(sk), sk, msg, len, flags, addr_len);
	if (unlikely(h))
		return strsock_head_recvmsg(h, msg, len, flags, addr_len,
					    sock_rcvtimeo(sk, flags & MSG_DONTWAIT));
	ret = rcv_now(sk, msg, len, flags, addr_len, family);
	if (likely(ret != -EAGAIN) || flags & MSG_DONTWAIT)
		return ret;
	return rcv_later(sk, msg, len, flags, addr_len);
}

/**
 * strsock_recvmsg() - receive a datagram
 * @sk: a STREAMS socket's sock, of AF_INET
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_PEEK ...
 * @addr_len: set to the length of the sender's name, if it is wanted
 *
 * Peeking, the error queue, merged datagrams, checksums that are reported and
 * BPF programs that change the sender's name are left to the kernel.
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 * Source: POSIX.1-2017 recvmsg().
 */
int strsock_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		    int *addr_len)
{
	return recv_by_family(sk, msg, len, flags, addr_len, AF_INET);
}

/* Receives on a sock of AF_INET6 as strsock_recvmsg() does on one of AF_INET. */
int strsock_recvmsg6(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len)
{
	return recv_by_family(sk, msg, len, flags, addr_len, AF_INET6);
}
