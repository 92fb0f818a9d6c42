/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Open files that travel in messages: I_SENDFD, I_RECVFD
 *
 * The message is a block of no bytes, type M_PASSFP; its free routine knows
 * the file. It is put directly on the read queue of the head at the other end,
 * so no module sees it.
 */
#ifndef _STREAMS_PASSFP_H
#define _STREAMS_PASSFP_H

#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/refcount.h>
#include <linux/uidgid.h>

#include "streams/head/stream.h"

struct passer;

/* A task that waits until a file that was sent is received, or dropped. */
struct str_accept {
	refcount_t ref;			/* the waiter, the message */
	bool taken;
	struct completion done;
};

struct str_passfp {
	frtn_t frtn;
	struct file *file;
	kuid_t uid;			/* effective, of the sender */
	kgid_t gid;
	struct passer *passer;		/* the user it is charged to */
	struct str_accept *accept;	/* or NULL */
	struct stream *in;		/* pipe end with it on the read queue */
	struct stream *is;		/* the pipe's end that the file is, or NULL */
};

/* passfp.c */
int str_sendfd(struct stream *sd, struct file *file, struct str_accept *accept);
int str_recvfd(struct stream *sd, unsigned int fflags, void __user *arg);
long str_ioctl_sendfd(struct stream *sd, struct file *file, unsigned int fd);
long str_ioctl_recvfd(struct stream *sd, struct file *file, void __user *arg);
int str_name_begin(struct stream *sd);
void str_name_end(struct stream *sd);
struct str_accept *str_accept_alloc(void);
void str_accept_put(struct str_accept *accept);

/* Objects that are kept for a user without a descriptor of them. */
enum passer_kind {
	PASS_FILE,			/* a file in flight */
	PASS_NAME,			/* a name that a stream is attached to */
	PASS_LINK,			/* a stream linked below a multiplexor */
	PASS_KINDS
};

struct passer *str_passer_get(enum passer_kind kind);
void str_passer_put(struct passer *passer, enum passer_kind kind);

#endif /* _STREAMS_PASSFP_H */
