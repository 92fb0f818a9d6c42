/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/strsun.h - shorthand of modules and drivers for messages and ioctls */
#ifndef _SYS_STRSUN_H
#define _SYS_STRSUN_H

#include <sys/stream.h>

/* mexchange(): no primitive's type is to be stored */
#define M_NOTYPE	((unsigned int)-1)

/* all in strsun.c */
mblk_t *mexchange(queue_t *wq, mblk_t *mp, size_t size, unsigned char type,
		  unsigned int primtype);
void merror(queue_t *wq, mblk_t *mp, int error);
mblk_t *mkiocb(unsigned int cmd);
int miocpullup(mblk_t *mp, size_t size);
void miocack(queue_t *wq, mblk_t *mp, int count, int rval);
void miocnak(queue_t *wq, mblk_t *mp, int count, int error);
void mcopyin(mblk_t *mp, void *state, size_t size, void *uaddr);
void mcopyout(mblk_t *mp, void *state, size_t size, void *uaddr,
	      mblk_t *data);
void mcopymsg(mblk_t *mp, void *to);

#endif /* _SYS_STRSUN_H */
