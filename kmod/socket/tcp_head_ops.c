// SPDX-License-Identifier: GPL-2.0-only
/* The system calls on a TCP socket that has a stream */
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/splice.h>
#include <linux/tcp.h>
#include <net/tcp.h>

#include "tcp_head_ioctl.h"
#include "tcp_head_life.h"
#include "tcp_head_ops.h"
#include "tcp_head_rcv.h"
#include "tcp_head_send.h"
#include "tcp_head_take.h"
#include "tcp_opt.h"
#include "tcp_rcv.h"

static int tcp_head_connect(struct socket *sock, struct sockaddr_unsized *addr, int len,
			    int flags)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);
	bool ends = len >= sizeof(addr->sa_family) && addr->sa_family == AF_UNSPEC;
	int err;

	if (ends || sock->state == SS_UNCONNECTED) {
		if (strsock_tcp_head_lock_readers(h))
			return -EINTR;
		err = ends ? strsock_tcp_below(sock)->connect(sock, addr, len, flags) : 0;
		if (!err)
			strsock_tcp_head_forget(h);
		strsock_tcp_head_unlock_readers(h);
		if (ends)
			return err;
	}
	return strsock_tcp_below(sock)->connect(sock, addr, len, flags);
}

/*
 * An accepted socket has the calls of the one that listens, and no stream. A module that
 * refuses fails accept(2), and the connection ends, as after an error of the kernel's.
 */
static int accepted_by(struct socket *sock, struct socket *newsock)
{
	newsock->ops = strsock_tcp_below(newsock);
	return strsock_tcp_head_inherit(strsock_tcp_its_head(sock), newsock);
}

TRY_ACCEPT_OP(tcp_head, strsock_tcp_below(sock), accepted_by)

/* Connects with the first data: the data passes the stream once there is a connection. */
static int connect_first(struct socket *sock, struct msghdr *msg)
{
	if (!msg->msg_name)
		return 0;
	return tcp_head_connect(sock, msg->msg_name, msg->msg_namelen,
				msg->msg_flags & MSG_DONTWAIT ? O_NONBLOCK : 0);
}

static int tcp_head_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	int err = msg->msg_flags & MSG_FASTOPEN ? connect_first(sock, msg) : 0;

	msg->msg_flags &= ~MSG_FASTOPEN;
	return err ?: strsock_tcp_head_sendmsg(strsock_tcp_its_head(sock), msg, len);
}

/* Pages pass a stream as written data does. */
SENDPAGE_BY_MSG_OP(tcp_head)

static int tcp_head_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags)
{
	return strsock_tcp_head_recvmsg(strsock_tcp_its_head(sock), msg, len, flags);
}

/* Returns whether the socket's own call splices what modules would pass on, and does not wait. */
static bool splices_directly(struct strsock_tcp_head *h)
{
	const struct socket *sock = h->sock;

	return strsock_tcp_head_reads_directly(h) &&
	       (sock->file->f_flags & O_NONBLOCK || strsock_tcp_head_can_take(h));
}

/*
 * Bytes that pass modules which change them are copied. The kernel may copy fewer at once
 * than there are, and splices none from behind the mark of urgent data.
 */
static ssize_t tcp_head_splice_read(struct socket *sock, loff_t *pos,
				    struct pipe_inode_info *pipe, size_t len, unsigned int flags)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);
	size_t done = 0;
	ssize_t n;

	if (splices_directly(h) ||
	    (strsock_tcp_is_at_mark(sock->sk) && !strsock_tcp_head_has_input(h)))
		return strsock_tcp_below(sock)->splice_read(sock, pos, pipe, len, flags);
	do {
		n = splice_read_copied(sock->file, pos, pipe, len - done, flags);
		if (n <= 0)
			break;
		done += n;
		strsock_tcp_head_look(h, false);
	} while (done < len && strsock_tcp_head_bytes(h) && !signal_pending(current));
	return done ?: n;
}

/* The events of the socket's own calls, but of what has come out of the stream. */
static __poll_t tcp_head_poll(struct file *file, struct socket *sock, poll_table *wait)
{
	const __poll_t in = EPOLLIN | EPOLLRDNORM;
	const __poll_t out = EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);
	__poll_t mask = strsock_tcp_below(sock)->poll(file, sock, wait);
	struct sock *sk = sock->sk;
	unsigned int flag;

	if (READ_ONCE(sk->sk_state) == TCP_LISTEN)
		return mask;
	/* A worker of the kernel does not wait for the socket's lock: it reports what may be. */
	if (!(current->flags & PF_KTHREAD)) {
		strsock_tcp_head_send_held(h);
		if (mask & in && !strsock_tcp_head_passes(h))
			strsock_tcp_head_look(h, false);
		/* The bytes behind the mark of urgent data stay there. */
		if (!strsock_tcp_head_passes(h) && likely(!strsock_tcp_is_at_mark(sk)))
			mask &= ~in;
	}
	if (!strsock_tcp_head_has_input(h))
		strsock_tcp_head_miss(h);
	if (strsock_tcp_head_has_input(h))
		mask |= in;
	mask |= strsock_tcp_head_messages(h);
	flag = READ_ONCE(h->sd.sd_flag);
	if (flag & (STR_RERR | STR_WERR))
		mask |= EPOLLERR;
	if (flag & STR_HUP)
		mask |= EPOLLHUP;
	/* Making room in a module, and at the provider, wakes the socket's writers. */
	if (mask & EPOLLOUT && !(READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN) &&
	    (strsock_tcp_head_waits(h) || !strsock_tcp_head_writable(h)))
		mask &= ~out;
	return mask;
}

static int tcp_head_shutdown(struct socket *sock, int how)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);
	int err;

	if ((how != SHUT_WR && how != SHUT_RDWR) || READ_ONCE(h->released) ||
	    !((1 << READ_ONCE(sock->sk->sk_state)) & (TCPF_ESTABLISHED | TCPF_CLOSE_WAIT)))
		return strsock_tcp_below(sock)->shutdown(sock, how);
	err = how == SHUT_RDWR ? strsock_tcp_below(sock)->shutdown(sock, SHUT_RD) : 0;
	return err ?: strsock_tcp_head_release(h);
}

/* A program that maps what TCP brings is told to receive it, as what cannot be mapped. */
static int tcp_head_getsockopt(struct socket *sock, int level, int name, char __user *val,
			       int __user *len)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);

	if (level == SOL_TCP && name == TCP_ZEROCOPY_RECEIVE &&
	    !strsock_tcp_head_reads_directly(h))
		return strsock_tcp_skip_unread(val, len, strsock_tcp_head_unread(h));
	return strsock_tcp_below(sock)->getsockopt(sock, level, name, val, len);
}

/* The stream is of the socket's family. */
static int tcp_head_setsockopt(struct socket *sock, int level, int name, sockptr_t val,
			       unsigned int len)
{
	if (level == SOL_IPV6 && name == IPV6_ADDRFORM && sock->sk->sk_family == AF_INET6)
		return -EOPNOTSUPP;
	return strsock_tcp_below(sock)->setsockopt(sock, level, name, val, len);
}

static int tcp_head_release(struct socket *sock)
{
	const struct proto_ops *below;

	if (!sock->sk)
		return 0;
	below = strsock_tcp_below(sock);
	strsock_tcp_head_close(sock);
	return below->release(sock);
}

static void __init replace(struct proto_ops *to, const struct proto_ops *below)
{
	*to = *below;
	to->connect = tcp_head_connect;
	to->accept = tcp_head_accept;
	to->sendmsg = tcp_head_sendmsg;
	SET_SENDPAGE(to, tcp_head);
	to->recvmsg = tcp_head_recvmsg;
	to->splice_read = tcp_head_splice_read;
	to->poll = tcp_head_poll;
	to->shutdown = tcp_head_shutdown;
	to->setsockopt = tcp_head_setsockopt;
	to->getsockopt = tcp_head_getsockopt;
	to->ioctl = strsock_tcp_head_ops_ioctl;
#ifdef CONFIG_COMPAT
	to->compat_ioctl = strsock_tcp_head_ops_compat_ioctl;
#endif
	to->release = tcp_head_release;
}

/* Makes the calls from those of a socket without a stream, once these are complete. */
void __init strsock_tcp_head_ops_init(void)
{
	replace(&strsock_tcp_head_ops, &strsock_tcp_ops);
	if (strsock_tcp6_prot)
		replace(&strsock_tcp6_head_ops, &strsock_tcp6_ops);
}
