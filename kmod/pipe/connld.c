// SPDX-License-Identifier: GPL-2.0-only
/*
 * connld: a module that gives each opener of a name a pipe of its own
 *
 * It passes all messages on; open.c only checks that it is there.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <sys/stream.h>

#include "connld.h"
#include "pipe.h"

static int connld_open(queue_t *q, dev_t *dev, int oflag, int sflag,
		       cred_t *cr)
{
	struct strpipe_end *end = strpipe_end_of(q->q_stream);
	struct stream *sd = q->q_stream;

	if (sflag != MODOPEN || !end || end->pipe->ends != 2 || end->connld)
		return EINVAL;
	/* A file sent there could never be received. */
	if (READ_ONCE(sd->sd_flag) & (STR_NOREADER | STR_NOWRITER))
		return EPIPE;
	WRITE_ONCE(end->connld, true);
	qprocson(q);
	return 0;
}

static int connld_close(queue_t *q, int oflag, cred_t *cr)
{
	struct strpipe_end *end = strpipe_end_of(q->q_stream);

	WRITE_ONCE(end->connld, false);
	qprocsoff(q);
	return 0;
}

static int connld_put(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info connld_info = {
	.mi_idname = "connld",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit connld_rinit = {
	.qi_putp = connld_put,
	.qi_qopen = connld_open,
	.qi_qclose = connld_close,
	.qi_minfo = &connld_info,
};

static struct qinit connld_winit = {
	.qi_putp = connld_put,
	.qi_minfo = &connld_info,
};

static const struct streamtab connld_tab = {
	.st_rdinit = &connld_rinit,
	.st_wrinit = &connld_winit,
};

static struct strmod connld = {
	.name = "connld",
	.tab = &connld_tab,
	.owner = THIS_MODULE,
};

int __init strpipe_connld_init(void)
{
	return strmod_register(&connld);
}

void strpipe_connld_exit(void)
{
	strmod_unregister(&connld);
}
