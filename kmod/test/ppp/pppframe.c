/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pppframe - frames of PPP over lines of bytes, as RFC 1662 has them
 *
 * Each message written becomes a frame: a flag, the bytes with 0x7e, 0x7d and
 * control characters escaped, a check sequence, a flag. Frames received are
 * taken apart again; frames with a wrong check sequence are counted and
 * dropped. In the style of System V: no line of it is for Linux.
 */
#include <sys/types.h>
#include <sys/param.h>
#include <sys/errno.h>
#include <sys/stream.h>
#include <sys/stropts.h>
#include <sys/conf.h>
#include <sys/cmn_err.h>
#include <sys/kmem.h>
#include <sys/debug.h>
#include <sys/cred.h>
#include <sys/byteorder.h>
#include <sys/ddi.h>
#include <sys/sunddi.h>
#include <sys/modctl.h>

#define	FLAG		0x7e
#define	ESCAPE		0x7d
#define	FCS_INIT	0xffff
#define	FCS_GOOD	0xf0b8
#define	FRAME_MAX	1504		/* bytes inside, with the check sequence */
#define	IDLE_MAX	600000		/* milliseconds */

#define	PPPF_BAD	(('P' << 8) | 1)	/* I_STR: how many were bad */
#define	PPPF_IDLE	(('P' << 8) | 2)	/* I_STR: an int, milliseconds; 0: for ever */
#define	PPPF_WAITS	(('P' << 8) | 3)	/* I_STR: whether a timeout is pending */

struct pppframe {
	queue_t		*pf_rq;
	mblk_t		*pf_in;		/* the frame that is coming in */
	int		pf_escaped;	/* after ESCAPE */
	ushort_t	pf_fcs;
	uint_t		pf_bad;
	clock_t		pf_ticks;	/* of PPPF_IDLE: a line's silence in a frame */
	timeout_id_t	pf_idle;
	int		pf_silent;	/* since then nothing has come */
};

static int pppframe_open(queue_t *, dev_t *, int, int, cred_t *);
static int pppframe_close(queue_t *, int, cred_t *);
static int pppframe_wput(queue_t *, mblk_t *);
static int pppframe_rput(queue_t *, mblk_t *);
static int pppframe_rsrv(queue_t *);

static struct module_info minfo = {
	0x5050, "pppframe", 0, INFPSZ, 8192, 2048
};

static struct qinit rinit = {
	pppframe_rput, pppframe_rsrv, pppframe_open, pppframe_close, NULL, &minfo, NULL
};

static struct qinit winit = {
	pppframe_wput, NULL, NULL, NULL, NULL, &minfo, NULL
};

static struct streamtab pppframeinfo = { &rinit, &winit, NULL, NULL };

static struct fmodsw fsw = { "pppframe", &pppframeinfo, D_NEW | D_MP };

static struct modlstrmod modlstrmod = {
	&mod_strmodops, "PPP framing", &fsw
};

static struct modlinkage modlinkage = {
	MODREV_1, { (void *)&modlstrmod, NULL }
};

int
_init(void)
{
	return (mod_install(&modlinkage));
}

int
_fini(void)
{
	return (mod_remove(&modlinkage));
}

int
_info(struct modinfo *modinfop)
{
	return (mod_info(&modlinkage, modinfop));
}

static ushort_t
fcs(ushort_t f, uchar_t c)
{
	int i;

	f ^= c;
	for (i = 0; i < 8; i++)
		f = (f & 1) ? (f >> 1) ^ 0x8408 : f >> 1;
	return (f);
}

/* A line that is silent in the middle of a frame: the rest does not come. */
static void
pppframe_idle(void *arg)
{
	struct pppframe *pf = (struct pppframe *)arg;

	pf->pf_silent = 1;
	qenable(pf->pf_rq);
}

static int
pppframe_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *credp)
{
	struct pppframe *pf;

	if (q->q_ptr != NULL)
		return (0);
	if (sflag != MODOPEN)
		return (EINVAL);
	pf = (struct pppframe *)kmem_zalloc(sizeof (*pf), KM_SLEEP);
	pf->pf_rq = q;
	pf->pf_fcs = FCS_INIT;
	q->q_ptr = WR(q)->q_ptr = (void *)pf;
	qprocson(q);
	return (0);
}

static int
pppframe_close(queue_t *q, int flag, cred_t *credp)
{
	struct pppframe *pf = (struct pppframe *)q->q_ptr;

	qprocsoff(q);
	if (pf->pf_idle != 0)
		(void) untimeout(pf->pf_idle);
	if (pf->pf_bad != 0)
		cmn_err(CE_NOTE, "!pppframe: %u bad frames", pf->pf_bad);
	freemsg(pf->pf_in);
	kmem_free(pf, sizeof (*pf));
	q->q_ptr = WR(q)->q_ptr = NULL;
	return (0);
}

static void
put_byte(mblk_t *mp, uchar_t c)
{
	if (c == FLAG || c == ESCAPE || c < 0x20) {
		*mp->b_wptr++ = ESCAPE;
		c ^= 0x20;
	}
	*mp->b_wptr++ = c;
}

static mblk_t *
framed(mblk_t *mp)
{
	mblk_t *nmp, *bp;
	ushort_t f = FCS_INIT;
	uchar_t *cp;

	/* Every byte may have to be escaped, and the check sequence too. */
	if ((nmp = allocb(2 * msgdsize(mp) + 6, BPRI_MED)) == NULL)
		return (NULL);
	*nmp->b_wptr++ = FLAG;
	for (bp = mp; bp != NULL; bp = bp->b_cont) {
		for (cp = bp->b_rptr; cp < bp->b_wptr; cp++) {
			f = fcs(f, *cp);
			put_byte(nmp, *cp);
		}
	}
	f ^= 0xffff;
	put_byte(nmp, f & 0xff);
	put_byte(nmp, f >> 8);
	*nmp->b_wptr++ = FLAG;
	ASSERT(nmp->b_wptr <= nmp->b_datap->db_lim);
	return (nmp);
}

/* An error, or 0 */
static int
set_idle(struct pppframe *pf, struct iocblk *iocp, mblk_t *mp)
{
	int ms;

	if (iocp->ioc_count != sizeof (ms) || mp == NULL || !pullupmsg(mp, sizeof (ms)))
		return (EINVAL);
	bcopy(mp->b_rptr, &ms, sizeof (ms));
	if (ms < 0 || ms > IDLE_MAX)
		return (ERANGE);
	pf->pf_ticks = drv_usectohz((clock_t)ms * 1000);
	return (0);
}

static void
pppframe_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *iocp = (struct iocblk *)mp->b_rptr;
	struct pppframe *pf = (struct pppframe *)q->q_ptr;
	int err = 0;

	switch (iocp->ioc_cmd) {
	case PPPF_BAD:
		if (iocp->ioc_count != 0)
			err = EINVAL;
		iocp->ioc_rval = pf->pf_bad;
		break;
	case PPPF_IDLE:
		err = set_idle(pf, iocp, mp->b_cont);
		iocp->ioc_rval = 0;
		break;
	case PPPF_WAITS:
		if (iocp->ioc_count != 0)
			err = EINVAL;
		iocp->ioc_rval = pf->pf_idle != 0;
		break;
	default:
		putnext(q, mp);
		return;
	}
	/* No data is sent back. */
	iocp->ioc_count = 0;
	iocp->ioc_error = err;
	mp->b_datap->db_type = err ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
}

static int
pppframe_wput(queue_t *q, mblk_t *mp)
{
	mblk_t *nmp;

	switch (mp->b_datap->db_type) {
	case M_DATA:
		if ((nmp = framed(mp)) == NULL) {
			(void) putnextctl1(RD(q), M_ERROR, ENOSR);
			freemsg(mp);
			break;
		}
		freemsg(mp);
		putnext(q, nmp);
		break;
	case M_IOCTL:
		pppframe_ioctl(q, mp);
		break;
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW)
			flushq(q, FLUSHDATA);
		putnext(q, mp);
		break;
	default:
		putnext(q, mp);
	}
	return (0);
}

static void
got_byte(queue_t *q, struct pppframe *pf, uchar_t c)
{
	mblk_t *mp = pf->pf_in;

	if (c == FLAG) {
		pf->pf_in = NULL;
		if (mp != NULL && pf->pf_fcs == FCS_GOOD && mp->b_wptr - mp->b_rptr > 2) {
			mp->b_wptr -= 2;
			putnext(q, mp);
		} else if (mp != NULL) {
			pf->pf_bad++;
			freemsg(mp);
		}
		pf->pf_fcs = FCS_INIT;
		pf->pf_escaped = 0;
		return;
	}
	if (c == ESCAPE) {
		pf->pf_escaped = 1;
		return;
	}
	if (pf->pf_escaped) {
		pf->pf_escaped = 0;
		c ^= 0x20;
	}
	if (mp == NULL && (mp = pf->pf_in = allocb(FRAME_MAX, BPRI_MED)) == NULL)
		return;
	if (mp->b_wptr == mp->b_datap->db_lim) {
		pf->pf_fcs = 0;
		return;
	}
	pf->pf_fcs = fcs(pf->pf_fcs, c);
	*mp->b_wptr++ = c;
}

static int
pppframe_rput(queue_t *q, mblk_t *mp)
{
	if (mp->b_datap->db_type == M_FLUSH && (*mp->b_rptr & FLUSHR))
		flushq(q, FLUSHDATA);
	if (queclass(mp) == QPCTL)
		putnext(q, mp);
	else
		(void) putq(q, mp);
	return (0);
}

static int
pppframe_rsrv(queue_t *q)
{
	struct pppframe *pf = (struct pppframe *)q->q_ptr;
	mblk_t *mp, *bp;
	uchar_t *cp;

	while ((mp = getq(q)) != NULL) {
		if (!canputnext(q)) {
			(void) putbq(q, mp);
			return (0);
		}
		if (mp->b_datap->db_type != M_DATA) {
			putnext(q, mp);
			continue;
		}
		if (pf->pf_idle != 0)
			(void) untimeout(pf->pf_idle);
		pf->pf_silent = 0;
		for (bp = mp; bp != NULL; bp = bp->b_cont)
			for (cp = bp->b_rptr; cp < bp->b_wptr; cp++)
				got_byte(q, pf, *cp);
		freemsg(mp);
		pf->pf_idle = pf->pf_in != NULL && pf->pf_ticks != 0 ?
		    timeout(pppframe_idle, (void *)pf, pf->pf_ticks) : 0;
	}
	if (pf->pf_in != NULL && pf->pf_silent) {
		freemsg(pf->pf_in);
		pf->pf_in = NULL;
		pf->pf_fcs = FCS_INIT;
		pf->pf_bad++;
	}
	return (0);
}
