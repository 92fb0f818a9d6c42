// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of a stream head, and those that count bytes, on a TCP socket that is a stream */
#include <linux/sockios.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>
#include <net/tcp.h>
#include <sys/strio.h>

#include "head_ioctl.h"
#include "head_life.h"
#include "tcp_head_ioctl.h"
#include "tcp_head_life.h"
#include "tcp_head_rcv.h"
#include "tcp_head_send.h"
#include "tcp_rcv.h"

/* Sends the message it put down, and before that those left there. */
static long tcp_ioctl_put(struct strsock_tcp_head *h, struct file *file, unsigned int cmd,
			  unsigned long arg, bool compat)
{
	long timeo = strsock_head_put_waits(file, cmd, arg) ? MAX_SCHEDULE_TIMEOUT : 0;
	long ret;

	strsock_tcp_head_send_rest(h, timeo);
	ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
	strsock_tcp_head_drain(h);
	strsock_tcp_head_send_rest(h, timeo);
	return ret;
}

/* There may be room, or data, where a module was that is popped or was flushed. */
static long ioctl_changed(struct strsock_tcp_head *h, struct file *file, unsigned int cmd,
			  unsigned long arg, bool compat)
{
	bool waits = strsock_tcp_head_waits(h) || READ_ONCE(h->full) || READ_ONCE(h->crowded);
	bool input = strsock_tcp_head_has_input(h);
	long ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);

	/* Another task may be sending up the data it is to take. */
	perim_settle(&h->perim);
	strsock_tcp_head_drain(h);
	if (waits || input != strsock_tcp_head_has_input(h))
		strsock_tcp_head_wake(h);
	return ret;
}

static long tcp_head_ioctl(struct strsock_tcp_head *h, unsigned int cmd, unsigned long arg,
			   bool compat)
{
	struct file *file = h->sock->file;
	long ret;

	strsock_tcp_head_send_held(h);
	switch (cmd) {
	case STRIO_ISASTREAM:
		return 1;
	case STRIO_GETMSG:
		return strsock_tcp_head_getmsg(h, file, (void __user *)arg);
	case STRIO_PUTMSG:
	case I_FDINSERT:
		return tcp_ioctl_put(h, file, cmd, arg, compat);
	case I_NREAD:
	case I_PEEK:
	case I_CKBAND:
	case I_GETBAND:
	case I_ATMARK:
		strsock_tcp_head_look(h, true);
		return strsock_head_pass(&h->sd, file, cmd, arg, compat);
	case I_FLUSH:
	case I_FLUSHBAND:
	case I_POP:
		return ioctl_changed(h, file, cmd, arg, compat);
	case I_SETSIG:
	case I_ESETSIG:
		ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
		strsock_tcp_head_watch(h);
		return ret;
	case I_SETCLTIME:
		ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
		h->patient |= !ret;
		return ret;
	/* A socket is not a pipe, and not below a multiplexor. */
	case I_SENDFD:
	case I_RECVFD:
	case I_LINK:
	case I_PLINK:
	case I_UNLINK:
	case I_PUNLINK:
		return -EINVAL;
	default:
		return strsock_head_pass(&h->sd, file, cmd, arg, compat);
	}
}

long strsock_tcp_head_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
			    bool compat)
{
	struct strsock_tcp_head *h;

	if (cmd == STRIO_ISASTREAM)
		return strsock_tcp_head_of(sock) || strsock_head_allowed() ? 1 : -ENOTTY;
	h = strsock_tcp_head_get(sock);
	return IS_ERR(h) ? PTR_ERR(h) : tcp_head_ioctl(h, cmd, arg, compat);
}

/* Adds a number to the one that the socket's own call reports. */
static int ioctl_more(struct socket *sock, unsigned int cmd, unsigned long arg, size_t more)
{
	int err = strsock_tcp_below(sock)->ioctl(sock, cmd, arg), n;

	if (err || !more)
		return err;
	if (get_user(n, (int __user *)arg))
		return -EFAULT;
	return put_user((int)min_t(size_t, n + more, INT_MAX), (int __user *)arg);
}

/* Bytes at the stream head are before the mark of urgent data. */
static int ioctl_mark(struct socket *sock, unsigned long arg, size_t before)
{
	return before ? put_user(0, (int __user *)arg) :
			strsock_tcp_below(sock)->ioctl(sock, SIOCATMARK, arg);
}

int strsock_tcp_head_ops_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);

	if (strsock_head_cmd(cmd))
		return tcp_head_ioctl(h, cmd, arg, false);
	switch (cmd) {
	case SIOCINQ:
		return ioctl_more(sock, cmd, arg, strsock_tcp_head_bytes(h));
	case SIOCOUTQ:
	case SIOCOUTQNSD:
		return ioctl_more(sock, cmd, arg, READ_ONCE(WR(h->rq)->q_count));
	case SIOCATMARK:
		return ioctl_mark(sock, arg, strsock_tcp_head_bytes(h));
	}
	return strsock_head_ioctl_down(&h->sd, sock, cmd, arg,
				       strsock_tcp_below(sock)->ioctl(sock, cmd, arg));
}

#ifdef CONFIG_COMPAT
int strsock_tcp_head_ops_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct strsock_tcp_head *h = strsock_tcp_its_head(sock);

	if (strsock_head_cmd(cmd))
		return tcp_head_ioctl(h, cmd, arg, true);
	return strsock_head_ioctl_down(&h->sd, sock, cmd, arg,
				       strsock_tcp_native(sock->sk)->compat_ioctl(sock, cmd, arg));
}
#endif
