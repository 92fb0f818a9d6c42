// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of a stream head, on a STREAMS socket */
#include <linux/sockios.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>
#include <net/inet_common.h>
#include <net/sock.h>
#include <sys/strio.h>

#include "head.h"
#include "head_ioctl.h"
#include "head_life.h"
#include "head_queue.h"
#include "head_rcv.h"
#include "head_send.h"
#include "sock.h"

/* Returns whether a command is one of those. */
bool strsock_head_cmd(unsigned int cmd)
{
	switch (cmd) {
	case STRIO_ISASTREAM:
	case STRIO_GETMSG:
	case STRIO_PUTMSG:
		return true;
	default:
		return cmd >= I_NREAD && cmd <= I_EGETSIG;
	}
}

/* Looks at the data on the stream head's queue, and then at that on the socket's. */
static long head_ioctl_look(struct strsock_head *h, struct socket *sock, unsigned int cmd,
			    unsigned long arg, bool compat)
{
	bool first = READ_ONCE(str_rq(&h->sd)->q_first);
	long ret = strsock_head_pass(&h->sd, sock->file, cmd, arg, compat), err;
	int queued;

	strsock_head_collect_quietly(h);
	queued = skb_queue_len_lockless(&h->queue);
	if (!queued)
		return ret;
	switch (cmd) {
	case I_NREAD:
		if (ret < 0)
			return ret;
		err = first ? 0 : put_user((int)max(strsock_head_first_bytes(h), 0L),
					   (int __user *)arg);
		return err ?: ret + queued;
	case I_CKBAND:
		return ret ?: !arg;
	default:
		return ret == -ENODATA ? put_user(0, (int __user *)arg) : ret;
	}
}

bool strsock_head_put_waits(const struct file *file, unsigned int cmd, unsigned long arg)
{
	struct strio_msg __user *msg = (void __user *)arg;
	__s32 flags;

	if (file->f_flags & O_NONBLOCK)
		return false;
	return cmd != STRIO_PUTMSG || get_user(flags, &msg->flags) ||
	       !(flags & STRIO_NOWAIT);
}

/* Sends the message it put down, and before that those left there. */
static long ioctl_put(struct strsock_head *h, struct file *file, unsigned int cmd,
		      unsigned long arg, bool compat)
{
	long timeo = strsock_head_put_waits(file, cmd, arg) ? MAX_SCHEDULE_TIMEOUT : 0;
	long ret;

	strsock_head_send_rest(h, timeo);
	ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
	strsock_head_drain(h);
	strsock_head_send_rest(h, timeo);
	return ret;
}

/* Empties the socket's queue too: see head_rput() in head_up.c. */
static long ioctl_flush(struct strsock_head *h, struct file *file, unsigned int cmd,
			unsigned long arg, bool compat)
{
	long ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);

	/* Another task may be sending up the data it is to take. */
	perim_settle(&h->perim);
	flush_work(&h->free_work);
	strsock_head_flushed(h);
	return ret;
}

/**
 * strsock_head_ioctl() - a stream head's ioctl, on a socket
 * @h: the socket's stream
 * @sock: the socket
 * @cmd: the command, of those that strsock_head_cmd() tells
 * @arg: its argument
 * @compat: of a 32-bit program
 *
 * Return: as str_ioctl().
 */
long strsock_head_ioctl(struct strsock_head *h, struct socket *sock, unsigned int cmd,
			unsigned long arg, bool compat)
{
	struct file *file = sock->file;
	bool full;
	long ret;

	strsock_head_send_held(h, true);
	switch (cmd) {
	case STRIO_ISASTREAM:
		return 1;
	case STRIO_GETMSG:
		return strsock_head_getmsg(h, file, (void __user *)arg);
	case STRIO_PUTMSG:
	case I_FDINSERT:
		return ioctl_put(h, file, cmd, arg, compat);
	case I_NREAD:
	case I_CKBAND:
	case I_GETBAND:
		return head_ioctl_look(h, sock, cmd, arg, compat);
	case I_PEEK:
		/* A message that another reader copies is neither there nor gone. */
		ret = strsock_head_read_wait(h, file->f_flags & O_NONBLOCK);
		if (ret)
			return ret;
		ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
		strsock_head_read_done(h);
		return ret;
	case I_FLUSH:
	case I_FLUSHBAND:
		return ioctl_flush(h, file, cmd, arg, compat);
	case I_POP:
		full = READ_ONCE(h->full);
		ret = strsock_head_pass(&h->sd, file, cmd, arg, compat);
		/* There may be room below, where there was none in the module. */
		if (full)
			sock->sk->sk_write_space(sock->sk);
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

long strsock_head_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
			bool compat)
{
	struct strsock_head *h;

	if (cmd == STRIO_ISASTREAM)
		return strsock_head_of(sock->sk) || strsock_head_able(sock->sk) ?
		       1 : -ENOTTY;
	h = strsock_head_get(sock);
	return IS_ERR(h) ? PTR_ERR(h) :
			   strsock_head_ioctl(h, sock, cmd, arg, compat);
}

long strsock_head_ioctl_down(struct stream *sd, struct socket *sock, unsigned int cmd,
			     unsigned long arg, long err)
{
	/* The commands of interfaces are the kernel's; sockmod alone knows none. */
	if (err != -ENOIOCTLCMD || _IOC_TYPE(cmd) == SOCK_IOC_TYPE ||
	    READ_ONCE(sd->sd_npush) <= sd->sd_floor)
		return err;
	return str_ioctl(sd, sock->file, cmd, arg);
}
