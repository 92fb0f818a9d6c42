/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals for events on a stream */
#ifndef _STREAMS_SIGNAL_H
#define _STREAMS_SIGNAL_H

#include "stream.h"

/*
 * A registration: the process or group that wants signals. The list is changed
 * under sig_lock and walked under RCU; a registration on the list is not
 * modified.
 */
struct str_sig {
	struct hlist_node node;
	const struct file *file;	/* that made the request; never dereferenced */
	struct pid *pid;
	enum pid_type type;		/* PIDTYPE_TGID or PIDTYPE_PGID */
	unsigned int events;		/* S_INPUT ... */
	const struct cred *cred;	/* of the task that registered */
	struct rcu_head rcu;
};

void str_notify(struct stream *sd, unsigned int events);
void str_notify_read(struct stream *sd, __poll_t bits);
void str_signal(struct stream *sd, const mblk_t *mp);
void str_deliver_signal(struct stream *sd);

#endif /* _STREAMS_SIGNAL_H */
