/* SPDX-License-Identifier: GPL-2.0-only */
/* An ioctl under way to a module or the driver: I_STR, or a transparent one */
#ifndef _STREAMS_STRIOCTL_H
#define _STREAMS_STRIOCTL_H

#include <linux/completion.h>

#include "stream.h"

/* The one under way; sd_ioc points here under the read queue's lock. */
struct stream_ioctl {
	unsigned int id;
	mblk_t *answer;			/* arrived and not yet taken */
	struct completion done;
};

/* strioctl.c: a block with the caller's credentials, or NULL. May sleep. */
mblk_t *str_iocblk_alloc(int cmd, size_t count, unsigned int id, int model);
/* The credentials that such a block carries; NULL: mp is another block. */
cred_t *str_iocblk_cred(const mblk_t *mp);

/* For one caller at a time; -EINTR. */
int str_ioctl_begin(struct stream *sd, struct stream_ioctl *wait);
void str_ioctl_end(struct stream *sd, struct stream_ioctl *wait);
int str_ioctl_send(struct stream *sd, mblk_t *mp);
/* The next answer, or an error; seconds -1: for ever. */
mblk_t *str_ioctl_wait(struct stream *sd, struct stream_ioctl *wait,
		       int seconds);
/* The value in an M_IOCACK, the error in one or in an M_IOCNAK. */
int str_ioctl_value(const mblk_t *mp);

/* Turns an M_COPYIN or M_COPYOUT into its M_IOCDATA; false: it cannot be. */
bool str_copy_respond(mblk_t *mp, int error);

int str_ioctl_down(struct stream *sd, struct strioctl __user *arg);
int str_ioctl_str(struct stream *sd, struct strioctl *ic, int model);
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

#endif /* _STREAMS_STRIOCTL_H */
