// SPDX-License-Identifier: GPL-2.0-only
/*
 * ldterm: the STREAMS module that makes a stream a terminal
 *
 * The module edits lines, echoes, and processes output. The settings are those of the ptem
 * module or driver below: ldterm asks for them when it is pushed, and looks at the ioctls
 * that set them and at M_CTL. All is done in the stream's perimeter, without locks.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tty.h>
#include <sys/stream.h>

#include "downward.h"
#include "echo.h"
#include "instance.h"
#include "modules.h"
#include "reading.h"
#include "retry.h"
#include "settings.h"
#include "upward.h"

/* Returns the question for the settings of the module or driver below, or NULL. */
static mblk_t *question(struct ldterm *l)
{
	mblk_t *mp = settings_message(TCGETS2, &l->set);

	if (!mp)
		return NULL;
	l->asked_id = ((struct iocblk *)mp->b_rptr)->ioc_id;
	l->asked_cmd = TCGETS2;
	return mp;
}

static void ldterm_free(struct ldterm *l)
{
	freemsg(l->marker);
	freemsg(l->spare);
	kfree(l->line);
	kfree(l);
}

static struct ldterm *ldterm_alloc(void)
{
	struct ldterm *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->line = kmalloc(LINE_MOST, GFP_KERNEL_ACCOUNT);
	l->marker = allocb(0, BPRI_HI);
	if (!l->line || !l->marker) {
		ldterm_free(l);
		return NULL;
	}
	DB_TYPE(l->marker) = M_CTL;
	settings_initial(&l->set);
	l->tick = jiffies;
	l->mode_due = true;
	return l;
}

static int ldterm_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct ldterm *l;
	mblk_t *ask;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	l = ldterm_alloc();
	if (!l)
		return ENOSR;
	ask = question(l);
	if (!ask) {
		ldterm_free(l);
		return ENOSR;
	}
	l->rq = q;
	q->q_ptr = l;
	WR(q)->q_ptr = l;
	qprocson(q);
	/* The procedures may run by now, beside this one: they set the mode. */
	qenable(q);
	putnext(WR(q), ask);
	return 0;
}

static int ldterm_close(queue_t *q, int oflag, cred_t *cr)
{
	struct ldterm *l = q->q_ptr;

	/* The perimeter is entered to pass on what waits: procedures run beside this one. */
	put(q, l->marker);
	qprocsoff(q);
	if (l->timer)
		quntimeout(q, l->timer);
	if (l->rest)
		quntimeout(q, l->rest);
	term_retry_cancel(q);
	term_retry_cancel(WR(q));
	echo_drop(l);
	reading_drop(l);
	ldterm_free(l);
	return 0;
}

static struct module_info ldterm_info = {
	.mi_idname = "ldterm",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 8192,
	.mi_lowat = 2048,
};

static struct qinit ldterm_rinit = {
	.qi_putp = ldterm_rput,
	.qi_srvp = ldterm_rsrv,
	.qi_qopen = ldterm_open,
	.qi_qclose = ldterm_close,
	.qi_minfo = &ldterm_info,
};

static struct qinit ldterm_winit = {
	.qi_putp = ldterm_wput,
	.qi_srvp = ldterm_wsrv,
	.qi_minfo = &ldterm_info,
};

static const struct streamtab ldterm_tab = {
	.st_rdinit = &ldterm_rinit,
	.st_wrinit = &ldterm_winit,
};

struct strmod ldterm_mod = {
	.name = "ldterm",
	.tab = &ldterm_tab,
	.owner = THIS_MODULE,
};
