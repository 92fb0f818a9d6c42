// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options and ioctls of a STREAMS socket of TCP
 *
 * The kernel executes all of these. The numbers of waiting and counted bytes include those that
 * came or left the short way.
 */
#include <linux/module.h>
#include <linux/net.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>
#include <net/inet_connection_sock.h>
#include <net/tcp.h>

#include "tcp_native.h"
#include "tcp_opt.h"
#include "tcp_rcv.h"
#include "tcp_sock.h"

/*
 * IPV6_ADDRFORM makes a socket one of AF_INET, with the kernel's calls. It becomes the
 * STREAMS socket of AF_INET that it would have been: its calls reference the module, and
 * end what it has. The kernel then drops a reference to its IPv6, which its own sockets
 * have and ours do not have.
 */
static int change_family(struct socket *sock, sockptr_t val, unsigned int len)
{
	const struct proto_ops *native = strsock_tcp6_native;
	struct sock *sk = sock->sk;
	int err;

	__module_get(native->owner);
	err = native->setsockopt(sock, SOL_IPV6, IPV6_ADDRFORM, val, len);
	if (err) {
		module_put(native->owner);
		return err;
	}
	lock_sock(sk);
	if (sk->sk_family == AF_INET)
		WRITE_ONCE(sock->ops, &strsock_tcp_ops);
	release_sock(sk);
	return 0;
}

/*
 * An upper layer protocol puts operations of its own into the socket. kTLS
 * copies them, for all the sockets of the system, from those of the first
 * socket that it meets: were that ours, native sockets would come to call
 * this module, loaded or not. So there are none here, as in a kernel that was
 * built without.
 */
static int tcp_opt_set(struct socket *sock, int level, int name, sockptr_t val, unsigned int len)
{
	const struct sock *sk = sock->sk;

	if (level == SOL_TCP && name == TCP_ULP)
		return -ENOENT;
	if (level == SOL_IPV6 && name == IPV6_ADDRFORM && sk->sk_family == AF_INET6)
		return change_family(sock, val, len);
	return strsock_tcp_native(sk)->setsockopt(sock, level, name, val, len);
}

/* Adds the bytes that came the short way to those that TCP_INFO reports. */
static void count_arrived(struct strsock_tcp *s)
{
	struct sock *sk = s->sk;
	u64 arrived;

	lock_sock(sk);
	arrived = READ_ONCE(s->arrived);
	if (arrived != s->counted) {
		tcp_sk(sk)->bytes_received += arrived - s->counted;
		inet_csk(sk)->icsk_ack.lrcvtime = READ_ONCE(s->arrived_at);
		s->counted = arrived;
	}
	release_sock(sk);
}

/*
 * A program that maps what TCP brings has to receive the unread bytes by recv(2) first, as
 * it has those that cannot be mapped.
 */
int strsock_tcp_skip_unread(char __user *val, int __user *len, size_t unread)
{
	struct tcp_zerocopy_receive __user *zc = (void __user *)val;
	int n;

	if (get_user(n, len))
		return -EFAULT;
	if (n < (int)offsetofend(struct tcp_zerocopy_receive, recv_skip_hint))
		return -EINVAL;
	if (put_user(0, &zc->length) || put_user((u32)unread, &zc->recv_skip_hint))
		return -EFAULT;
	/* Programs of later kernels pass more. */
	if (n >= (int)offsetofend(struct tcp_zerocopy_receive, inq) &&
	    (put_user((u32)unread, &zc->inq)))
		return -EFAULT;
	if (n >= (int)offsetofend(struct tcp_zerocopy_receive, copybuf_len) &&
	    (put_user(0, &zc->err) || put_user(0, &zc->copybuf_len)))
		return -EFAULT;
	if (n >= (int)offsetofend(struct tcp_zerocopy_receive, msg_flags) &&
	    put_user(0, &zc->msg_flags))
		return -EFAULT;
	return 0;
}

/*
 * Has the peer send all by TCP from now on, as the kernel's call does not look into the
 * ring. Returns the bytes that are there.
 */
static size_t all_by_tcp(struct strsock_tcp *s)
{
	WRITE_ONCE(s->mapped, true);
	/* A peer that has not seen it has filled the ring when this is locked. */
	mutex_lock(&s->ring.write_mutex);
	mutex_unlock(&s->ring.write_mutex);
	return strsock_tcp_is_gone(s) ? 0 : ring_bytes(&s->ring);
}

static int tcp_opt_get(struct socket *sock, int level, int name, char __user *val, int __user *len)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);
	size_t unread;

	if (s && level == SOL_TCP && name == TCP_INFO && !strsock_tcp_is_gone(s))
		count_arrived(s);
	if (s && level == SOL_TCP && name == TCP_ZEROCOPY_RECEIVE && READ_ONCE(s->peer)) {
		unread = all_by_tcp(s);
		if (unread)
			return strsock_tcp_skip_unread(val, len,
						       strsock_tcp_before_ring(s) + unread);
	}
	return strsock_tcp_native(sock->sk)->getsockopt(sock, level, name, val, len);
}

int strsock_tcp_opt_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);
	struct sock *sk = sock->sk;
	size_t unread = s ? strsock_tcp_unread(s) : 0;

	if (likely(!unread))
		return strsock_tcp_native(sk)->ioctl(sock, cmd, arg);
	switch (cmd) {
	case SIOCINQ:
		unread += max(tcp_inq(sk), 0);
		return put_user(min_t(size_t, unread, INT_MAX), (int __user *)arg);
	case SIOCATMARK:
		if (strsock_tcp_before_ring(s))
			break;
		/* The bytes of the ring are before the mark. */
		return put_user(0, (int __user *)arg);
	}
	return strsock_tcp_native(sk)->ioctl(sock, cmd, arg);
}

/*
 * A program that maps what TCP brings has to get all by TCP. The ring's mutex is not locked
 * here, inside of mmap_lock: its holders read the memory of users. TCP_ZEROCOPY_RECEIVE,
 * which fills the mapping, locks it.
 */
static int tcp_opt_mmap(struct file *file, struct socket *sock, struct vm_area_struct *vma)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);

	if (s)
		WRITE_ONCE(s->mapped, true);
	return strsock_tcp_native(sock->sk)->mmap(file, sock, vma);
}

void strsock_tcp_opt_init(struct proto_ops *ops)
{
	ops->setsockopt = tcp_opt_set;
	ops->getsockopt = tcp_opt_get;
	ops->mmap = tcp_opt_mmap;
}
