// SPDX-License-Identifier: LGPL-2.1-or-later
/* putmsg() and putpmsg() */
#include <errno.h>
#include <stddef.h>

#include "strio.h"

static int put(int fildes, const struct strbuf *ctlptr,
	       const struct strbuf *dataptr, int band, int flags)
{
	struct strio_msg msg = {
		.ctl = to_strio(ctlptr),
		.data = to_strio(dataptr),
		.band = band,
		.flags = flags,
	};

	return strio_putmsg(fildes, &msg);
}

/**
 * putmsg() - send a message of a control and a data part
 * @fildes: a stream
 * @ctlptr: the control part; NULL or a length of -1: none
 * @dataptr: the data part; NULL or a length of -1: none
 * @flags: 0, or RS_HIPRI for high priority, which needs a control part
 *
 * Return: 0; -1 with errno EAGAIN, EBADF, EFAULT, EINTR, EINVAL, ENOSR, ENOSTR,
 * ENXIO, EPIPE, ERANGE or an error of the stream. POSIX.1-2001 putmsg().
 */
int putmsg(int fildes, const struct strbuf *ctlptr,
	   const struct strbuf *dataptr, int flags)
{
	if (flags && flags != RS_HIPRI) {
		errno = EINVAL;
		return -1;
	}
	return put(fildes, ctlptr, dataptr, 0, flags ? MSG_HIPRI : 0);
}

/**
 * putpmsg() - send a message in a priority band
 * @fildes: a stream
 * @ctlptr: as for putmsg()
 * @dataptr: as for putmsg()
 * @band: 0 to 255; 0 with MSG_HIPRI
 * @flags: MSG_BAND, or MSG_HIPRI, which needs a control part
 *
 * Return: as putmsg(). POSIX.1-2001 putpmsg().
 */
int putpmsg(int fildes, const struct strbuf *ctlptr,
	    const struct strbuf *dataptr, int band, int flags)
{
	/* 0 means putmsg() to the kernel. */
	if (flags != MSG_BAND && flags != MSG_HIPRI) {
		errno = EINVAL;
		return -1;
	}
	return put(fildes, ctlptr, dataptr, band, flags);
}
