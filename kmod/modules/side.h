/* SPDX-License-Identifier: GPL-2.0-only */
/* side.h - the two directions of a module, as its setting "dir" names them */
#ifndef _MODULES_SIDE_H
#define _MODULES_SIDE_H

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/string.h>
#include <sys/stream.h>
#include <sys/tpi.h>

#include "streams/head/stream.h"

enum { BOTH, OUT, IN };

/* The names for strparam_word() */
static const char *const directions[] = { "both", "out", "in", NULL };

/* Is a message a datagram, passed up or down? */
static inline bool side_datagram(const mblk_t *mp, bool up)
{
	t_scalar_t prim;

	if (DB_TYPE(mp) != M_PROTO || MBLKL(mp) < sizeof(prim))
		return false;
	memcpy(&prim, mp->b_rptr, sizeof(prim));
	return prim == (up ? T_UNITDATA_IND : T_UNITDATA_REQ);
}

/*
 * May a task see what passes a stream? Others may have written data to a FIFO or a socket
 * that the caller can write to, or push on, but not read.
 */
static inline bool side_may_see(const queue_t *q, const cred_t *cr)
{
	return uid_eq(cr->euid, q->q_stream->sd_entry.uid) || capable(CAP_SYS_PTRACE);
}

#endif /* _MODULES_SIDE_H */
