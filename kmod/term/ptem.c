// SPDX-License-Identifier: GPL-2.0-only
/*
 * ptem: the STREAMS module that stands for the hardware of a terminal
 *
 * The module holds the settings and the size of the window, and answers the ioctls for them
 * from above and from the other side of the pipe or pseudo-terminal below. Changes by the
 * other side are reported to ldterm by M_CTL. All is done in the stream's perimeter, without
 * locks.
 */
#include <linux/module.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/termios.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "modules.h"
#include "settings.h"

struct ptem {
	queue_t *rq;
	struct ktermios set;
	struct winsize size;
};

static int ptem_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct ptem *p;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return ENOSR;
	p->rq = q;
	settings_initial(&p->set);
	q->q_ptr = p;
	WR(q)->q_ptr = p;
	qprocson(q);
	return 0;
}

static int ptem_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	kfree(q->q_ptr);
	return 0;
}

/* Returns the bytes of a command's structure, or 0 for a command of others. */
static size_t size_of(int cmd)
{
	if (cmd == TIOCGWINSZ || cmd == TIOCSWINSZ)
		return sizeof(struct winsize);
	return settings_use(cmd) == SETTINGS_OTHER ? 0 : settings_size(cmd);
}

static bool sets(int cmd)
{
	return cmd == TIOCSWINSZ || settings_use(cmd) == SETTINGS_SET;
}

/* Returns a message with what a command asks for, or NULL without memory. */
static mblk_t *answer(const struct ptem *p, int cmd)
{
	mblk_t *mp;

	if (cmd != TIOCGWINSZ)
		return settings_get(cmd, &p->set);
	mp = allocb(sizeof(p->size), BPRI_MED);
	if (mp) {
		memcpy(mp->b_wptr, &p->size, sizeof(p->size));
		mp->b_wptr += sizeof(p->size);
	}
	return mp;
}

/* Reports to ldterm what the other side has set. Returns whether there was memory. */
static bool report(const struct ptem *p, int cmd)
{
	mblk_t *mp = settings_message(cmd, &p->set);

	if (!mp)
		return false;
	DB_TYPE(mp) = M_CTL;
	putnext(p->rq, mp);
	return true;
}

/* Sets what a command says. Returns 0 or an error; reading: it came from the other side. */
static int set(struct ptem *p, int cmd, const void *from, bool reading)
{
	struct ktermios before = p->set;

	if (cmd == TIOCSWINSZ) {
		if (!memcmp(&p->size, from, sizeof(p->size)))
			return 0;
		memcpy(&p->size, from, sizeof(p->size));
		putnextctl1(p->rq, M_PCSIG, SIGWINCH);
		return 0;
	}
	settings_put(cmd, from, &p->set);
	/* As on a pseudo-terminal of Linux there is no line, whose settings could differ. */
	p->set.c_cflag = (p->set.c_cflag & ~(CSIZE | PARENB)) | CS8 | CREAD;
	if (!reading || report(p, cmd))
		return 0;
	p->set = before;
	return ENOSR;
}

/* Handles an ioctl's message, M_IOCTL or M_IOCDATA, and answers it. */
static void ptem_ioctl(queue_t *q, mblk_t *mp, int cmd, bool has_data)
{
	struct ptem *p = q->q_ptr;
	size_t size = size_of(cmd);
	mblk_t *data;
	int err;

	if (sets(cmd)) {
		if (!has_data) {
			mcopyin(mp, NULL, size, NULL);
			qreply(q, mp);
			return;
		}
		err = miocpullup(mp, size) ?: set(p, cmd, mp->b_cont->b_rptr, q == p->rq);
		if (err)
			miocnak(q, mp, 0, err);
		else
			miocack(q, mp, 0, 0);
		return;
	}
	data = answer(p, cmd);
	if (!data) {
		miocnak(q, mp, 0, ENOSR);
	} else if (has_data) {
		freemsg(mp->b_cont);
		mp->b_cont = data;
		miocack(q, mp, size, 0);
	} else {
		mcopyout(mp, NULL, size, NULL, data);
		qreply(q, mp);
	}
}

/* Handles the answer to an M_COPYIN or M_COPYOUT. */
static void ptem_data(queue_t *q, mblk_t *mp, int cmd)
{
	const struct copyresp *resp = (struct copyresp *)mp->b_rptr;

	if (resp->cp_rval)
		freemsg(mp);
	else if (sets(cmd))
		ptem_ioctl(q, mp, cmd, true);
	else
		miocack(q, mp, 0, 0);
}

/* Handles TCSBRK: a break, or a wait for the output, all of which was passed on before it. */
static void ptem_break(queue_t *q, mblk_t *mp)
{
	if (!ioctl_number(mp))
		putnextctl(q, M_BREAK);
	miocack(q, mp, 0, 0);
}

/* Handles a message of either side: an ioctl is answered, all else passes. */
static int ptem_put(queue_t *q, mblk_t *mp)
{
	struct ptem *p = q->q_ptr;
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	bool is_ioctl = DB_TYPE(mp) == M_IOCTL && MBLKL(mp) >= sizeof(*ioc);

	if (is_ioctl && size_of(ioc->ioc_cmd)) {
		ptem_ioctl(q, mp, ioc->ioc_cmd, ioc->ioc_count != TRANSPARENT);
		return 0;
	}
	if (is_ioctl && ioc->ioc_cmd == TCSBRK && q != p->rq) {
		ptem_break(q, mp);
		return 0;
	}
	if (DB_TYPE(mp) == M_IOCDATA && size_of(ioc->ioc_cmd)) {
		ptem_data(q, mp, ioc->ioc_cmd);
		return 0;
	}
	putnext(q, mp);
	return 0;
}

static struct module_info ptem_info = {
	.mi_idname = "ptem",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit ptem_rinit = {
	.qi_putp = ptem_put,
	.qi_qopen = ptem_open,
	.qi_qclose = ptem_close,
	.qi_minfo = &ptem_info,
};

static struct qinit ptem_winit = {
	.qi_putp = ptem_put,
	.qi_minfo = &ptem_info,
};

static const struct streamtab ptem_tab = {
	.st_rdinit = &ptem_rinit,
	.st_wrinit = &ptem_winit,
};

struct strmod ptem_mod = {
	.name = "ptem",
	.tab = &ptem_tab,
	.owner = THIS_MODULE,
};
