// SPDX-License-Identifier: LGPL-2.1-or-later
/* getmsg() and getpmsg() */
#include <errno.h>
#include <stddef.h>

#include "strio.h"

/* Takes a message; flags and band are the kernel's in and out. */
static int get(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	       struct strio_msg *msg)
{
	int more;

	msg->ctl = to_strio(ctlptr);
	msg->data = to_strio(dataptr);
	more = strio_getmsg(fildes, msg);
	if (more < 0)
		return more;
	/* The kernel does not set the length of a part that was not asked for. */
	if (ctlptr)
		ctlptr->len = msg->ctl.len;
	if (dataptr)
		dataptr->len = msg->data.len;
	return more;
}

/**
 * getmsg() - take the next message, or the next one of high priority
 * @fildes: a stream
 * @ctlptr: where to store its control part; NULL: leave that part on the stream
 * @dataptr: where to store its data part; NULL: leave that part on the stream
 * @flagsp: 0: any message, RS_HIPRI: one of high priority; set to what it was
 *
 * Return: 0, or MORECTL and MOREDATA for parts with a remainder; -1 with errno
 * EAGAIN, EBADF, EBADMSG, EFAULT, EINTR, EINVAL, ENOSTR or an error of the
 * stream. POSIX.1-2001 getmsg().
 */
int getmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	   int *flagsp)
{
	struct strio_msg msg = { .flags = MSG_ANY };
	int more;

	if (!flagsp) {
		errno = EFAULT;
		return -1;
	}
	if (*flagsp == RS_HIPRI) {
		msg.flags = MSG_HIPRI;
	} else if (*flagsp) {
		errno = EINVAL;
		return -1;
	}
	more = get(fildes, ctlptr, dataptr, &msg);
	if (more >= 0)
		*flagsp = msg.flags == MSG_HIPRI ? RS_HIPRI : 0;
	return more;
}

/**
 * getpmsg() - take a message by its priority
 * @fildes: a stream
 * @ctlptr: as for getmsg()
 * @dataptr: as for getmsg()
 * @bandp: with MSG_BAND the lowest band wanted, with MSG_HIPRI 0; set to the
 *	message's band
 * @flagsp: MSG_HIPRI, MSG_ANY or MSG_BAND; set to MSG_HIPRI or MSG_BAND
 *
 * Return: as getmsg(). POSIX.1-2001 getpmsg().
 */
int getpmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	    int *bandp, int *flagsp)
{
	struct strio_msg msg = { };
	int more;

	if (!bandp || !flagsp) {
		errno = EFAULT;
		return -1;
	}
	msg.flags = *flagsp;
	/* Not for callers: getpmsg() has no such flag. */
	if (msg.flags & STRIO_PEEKED) {
		errno = EINVAL;
		return -1;
	}
	/* Any message, of any band: callers pass the value that the last call stored. */
	msg.band = *flagsp == MSG_ANY ? 0 : *bandp;
	more = get(fildes, ctlptr, dataptr, &msg);
	if (more >= 0) {
		*bandp = msg.band;
		*flagsp = msg.flags;
	}
	return more;
}
