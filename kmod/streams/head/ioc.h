/* SPDX-License-Identifier: GPL-2.0-only */
/* An ioctl under way to a module or the driver */
#ifndef _STREAMS_IOC_H
#define _STREAMS_IOC_H

#include <linux/completion.h>

#include "stream.h"

/* The ioctl under way; sd_ioc points here under the read queue's lock. */
struct stream_ioctl {
	unsigned int id;
	mblk_t *answer;			/* arrived and not yet taken */
	struct completion done;
};

/* Makes a block with the caller's credentials, or NULL. May sleep. */
mblk_t *str_iocblk_alloc(int cmd, size_t count, unsigned int id, int model);
/*
 * Returns the credentials that an ioctl's block carries; NULL: mp is another
 * block.
 */
cred_t *str_iocblk_cred(const mblk_t *mp);

/*
 * Begins an ioctl, one caller at a time. Returns -EINTR if a signal ended the
 * wait.
 */
int str_ioctl_begin(struct stream *sd, struct stream_ioctl *wait);
void str_ioctl_end(struct stream *sd, struct stream_ioctl *wait);
int str_ioctl_send(struct stream *sd, mblk_t *mp);
/*
 * Waits for the next answer. Returns the answer, or an error; seconds -1:
 * without a limit.
 */
mblk_t *str_ioctl_wait(struct stream *sd, struct stream_ioctl *wait,
		       int seconds);
/* Returns the value in an M_IOCACK, or the error in it or in an M_IOCNAK. */
int str_ioctl_value(const mblk_t *mp);

static inline bool str_is_copy(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_COPYIN || DB_TYPE(mp) == M_COPYOUT;
}

/* Answers with EINTR an M_COPYIN or M_COPYOUT whose caller no longer waits. */
void str_copy_late(queue_t *q, mblk_t *mp);
/*
 * Turns an M_COPYIN or M_COPYOUT into its M_IOCDATA. Returns false if that is
 * not possible.
 */
bool str_copy_respond(mblk_t *mp, int error);

void str_ioctl_reply(struct stream *sd, mblk_t *mp);
mblk_t *str_ioctl_alloc(int cmd, const void *data, size_t len);

/* The result of an ioctl that the executive sends. */
enum str_ioctl_fate {
	STR_IOCTL_UNSENT,
	STR_IOCTL_SILENT,	/* not answered yet */
	STR_IOCTL_ANSWERED,
	STR_IOCTL_UNKNOWN,	/* ... with EINVAL: no module knows it */
};

int str_ioctl_run(struct stream *sd, mblk_t *mp, enum str_ioctl_fate *fate);
int str_ioctl_force(struct stream *sd, mblk_t *mp, unsigned long patience,
		    enum str_ioctl_fate *fate);

#endif /* _STREAMS_IOC_H */
