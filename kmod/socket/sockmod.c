// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bottom of a socket's stream: sockmod, and the provider
 *
 * A System V program finds sockmod on a socket, above the transport and below
 * the modules it has pushed. There sockmod made a socket of the stream. Here a
 * socket's stream always has it, and it passes everything on.
 */
#include <linux/module.h>
#include <sys/stream.h>

#include "head.h"
#include "head_rcv.h"
#include "head_send.h"
#include "sock.h"
#include "sockmod.h"

/* Opens sockmod on a socket's stream, once, and as the first module. */
static int sockmod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	const struct stream *sd = q->q_stream;

	if (sflag != MODOPEN || !sd->sd_drv || sd->sd_drv->owner != THIS_MODULE || sd->sd_npush)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int sockmod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static int sockmod_put(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info strsock_sockmod_info = {
	.mi_idname = "sockmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit strsock_sockmod_rinit = {
	.qi_putp = sockmod_put,
	.qi_qopen = sockmod_open,
	.qi_qclose = sockmod_close,
	.qi_minfo = &strsock_sockmod_info,
};

static struct qinit strsock_sockmod_winit = {
	.qi_putp = sockmod_put,
	.qi_minfo = &strsock_sockmod_info,
};

static const struct streamtab strsock_sockmod_tab = {
	.st_rdinit = &strsock_sockmod_rinit,
	.st_wrinit = &strsock_sockmod_winit,
};

static struct strmod sockmod = {
	.name = "sockmod",
	.passes = true,
	.tab = &strsock_sockmod_tab,
	.owner = THIS_MODULE,
};

static int provider_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			 cred_t *cr)
{
	strsock_head_of_queue(q)->end.rq = q;
	qprocson(q);
	return 0;
}

/* Closes the provider: nothing arrives any more; see strsock_head_close(). */
static int provider_close(queue_t *q, int oflag, cred_t *cr)
{
	struct strsock_head *h = strsock_head_of_queue(q);

	/* The data that modules still had is sent, as long as there is room. */
	strsock_head_drain(h);
	flushq(WR(q), FLUSHALL);
	qprocsoff(q);
	/* The provider's answers bypass this queue. */
	str_perim_pass(&h->perim);
	return 0;
}

static struct module_info provider_info = {
	.mi_idname = "udp",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 131072,
	.mi_lowat = 32768,
};

static struct qinit provider_rinit = {
	.qi_putp = sockmod_put,
	.qi_qopen = provider_open,
	.qi_qclose = provider_close,
	.qi_minfo = &provider_info,
};

static struct qinit provider_winit = {
	.qi_putp = strsock_head_wput,
	.qi_srvp = strsock_head_wsrv,
	.qi_minfo = &provider_info,
};

static const struct streamtab provider_tab = {
	.st_rdinit = &provider_rinit,
	.st_wrinit = &provider_winit,
};

/* Some modules, such as timod, make primitives of ioctls. */
static void provider_sent(struct stream *sd)
{
	strsock_head_drain(container_of(sd, struct strsock_head, sd));
}

/* The driver has no node: only sockets lead to it. */
struct strdrv strsock_head_driver = {
	.name = "udp",
	.tab = &provider_tab,
	.look = strsock_head_look,
	.sent = provider_sent,
	.owner = THIS_MODULE,
};

int __init strsock_sockmod_init(void)
{
	return strmod_register(&sockmod);
}

void strsock_sockmod_exit(void)
{
	strmod_unregister(&sockmod);
}
