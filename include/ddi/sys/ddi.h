/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/ddi.h - memory, time, device numbers and the caller */
#ifndef _DDI_SYS_DDI_H
#define _DDI_SYS_DDI_H

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kdev_t.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <sys/cred.h>
#include <sys/ddi_timeout.h>
#include <sys/stream.h>
#include <sys/types.h>

#define bcopy(from, to, n)	((void)memmove(to, from, n))
#define bzero(to, n)		((void)memset(to, 0, n))
#define bcmp(a, b, n)		memcmp(a, b, n)

/* Device numbers */
#define getmajor(dev)		((major_t)MAJOR(dev))
#define getminor(dev)		((minor_t)MINOR(dev))
#define getemajor(dev)		getmajor(dev)
#define geteminor(dev)		getminor(dev)
#define makedevice(maj, min)	((dev_t)MKDEV(maj, min))
#define NODEV			((dev_t)-1)

/* Time: a tick is a jiffy */
#define drv_usectohz(usec)	((clock_t)usecs_to_jiffies(usec))
#define drv_hztousec(ticks)	((clock_t)jiffies_to_usecs(ticks))

static inline void drv_usecwait(clock_t usec)
{
	while (usec > 0) {
		udelay(usec < 1000 ? usec : 1000);
		usec -= 1000;
	}
}

/* drv_getparm(): the parameter, and the type and unit of *value */
#define LBOLT		1	/* clock_t: ticks since boot */
#define TIME		2	/* time64_t: seconds since 1970 */
#define UCRED		3	/* cred_t *: the caller's; in open and close */
#define PPID		4	/* pid_t: the caller's */

static inline int drv_getparm(unsigned int what, void *value)
{
	switch (what) {
	case LBOLT:
		*(clock_t *)value = jiffies;
		return 0;
	case TIME:
		*(time64_t *)value = ktime_get_real_seconds();
		return 0;
	case UCRED:
		*(cred_t **)value = current_cred();
		return 0;
	case PPID:
		*(pid_t *)value = task_tgid_nr(current);
		return 0;
	default:
		return -1;
	}
}

/* Messages */
#define QNORM		0x00
#define queclass(mp)	((mp)->b_datap->db_type >= QPCTL ? QPCTL : QNORM)
#define straln(p)	((caddr_t)((unsigned long)(p) & ~(sizeof(int) - 1)))

/* Puts a control message of two bytes. Returns 0 for a data type or without memory. */
static inline int putctl2(queue_t *q, int type, int param1, int param2)
{
	mblk_t *mp;

	if (datamsg(type) && type != M_DELAY)
		return 0;
	mp = allocb(2, BPRI_HI);
	if (!mp)
		return 0;
	mp->b_datap->db_type = type;
	*mp->b_wptr++ = param1;
	*mp->b_wptr++ = param2;
	put(q, mp);
	return 1;
}

#endif /* _DDI_SYS_DDI_H */
