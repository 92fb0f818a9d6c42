/* SPDX-License-Identifier: GPL-2.0-only */
/* getmsg() and putmsg() */
#ifndef _STREAMS_MSGIO_H
#define _STREAMS_MSGIO_H

#include "streams/head/stream.h"

/* A number that I_FDINSERT puts into the control part. */
struct str_insert {
	size_t offset;		/* bytes from the part's beginning */
	unsigned int id;
};

int str_getmsg(struct stream *sd, struct strio_msg *msg,
	       struct strio_msg __user *result, unsigned int fflags);
int str_putmsg(struct stream *sd, const struct strio_msg *msg,
	       const struct str_insert *insert, unsigned int fflags);
int str_peek(struct stream *sd, struct strio_msg *msg);
bool str_getmsg_valid(const struct strio_msg *msg);
bool str_putmsg_valid(const struct strio_msg *msg);
mblk_t *str_take(struct stream *sd, bool (*fits)(const mblk_t *mp));

#endif /* _STREAMS_MSGIO_H */
