/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * direct.h - putmsg() and getmsg() between a user and a driver without a message
 *
 * putmsg() needs no message if the driver would copy the data out of it at once: the
 * driver is given the parts. getmsg() needs none if the reader already waits: the driver
 * fills in the parts. No data may be overtaken, so this is done only if no message is on
 * the stream's queues or in transit, and every module passes data on unchanged (passes in
 * struct strmod). Otherwise messages are sent, as if the driver had not been asked.
 *
 * The driver acts under a lock of its own, and a fault on a user's page may
 * take as long as the user likes, userfaultfd(2): the driver copies as far as the
 * user's pages are there, and waits for none under the lock.
 *
 * The gain, in instructions of a message sent and received by XTI: without it
 * 64 bytes cost 1.5 times as many over TCP, 2.0 times in bursts of 16, and 2.0 times
 * over UDP; 4,096 bytes 1.6, 1.6 and 1.4 times. (bench/run --mode counted --kernel 6.1
 * --works tcp,tcp-burst,xti-udp --impls xtios --sizes 64,4096)
 */
#ifndef _STREAMS_DIRECT_H
#define _STREAMS_DIRECT_H

#include <linux/uio.h>

#include "streams/head/errand.h"

/* The most bytes that are copied by the caller's stack */
#define STR_DIRECT_CTL	64
#define STR_DIRECT_DATA	512

/* The data that the driver gives, and the place for it */
struct str_get {
	struct iov_iter to;	/* the user's, no page of which may be waited for */
	s32 word;		/* the word that the control part must begin with; -1: any */
	bool given;		/* the data went there; else it is in data */
	size_t ctllen;		/* bytes */
	size_t len;
	unsigned char ctl[STR_DIRECT_CTL] __aligned(sizeof(u64));
	unsigned char data[STR_DIRECT_DATA];
};

/*
 * Returns whether the data that a driver's get() would give comes next. The
 * caller holds the lock under which the driver's messages are sent up.
 */
bool str_get_is_next(queue_t *rq);

/*
 * Returns the bytes, as queues count them, that wait above a driver's read
 * queue; SIZE_MAX when they may be on a module's queue.
 */
size_t str_up_waits(queue_t *rq);

/*
 * Sends a driver's data up by putnext(), past modules that would only pass the
 * data on. The caller is under RCU.
 */
void str_put_up(queue_t *rq, mblk_t *mp);

int str_put_now(struct stream *sd, const struct strio_msg *msg);
int str_get_direct(struct stream *sd, struct strio_msg *msg,
		   struct strio_msg __user *result);

/* Does for any stream what str_put_now() does. */
static inline int str_put_direct(struct stream *sd, const struct strio_msg *msg)
{
	const struct str_errands *e = sd->sd_errands;

	return unlikely(e) && !(e->declines && READ_ONCE(*e->declines)) ?
		       str_put_now(sd, msg) : -ENODATA;
}

#endif /* _STREAMS_DIRECT_H */
