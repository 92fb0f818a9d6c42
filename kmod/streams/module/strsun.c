// SPDX-License-Identifier: GPL-2.0-only
/* Shorthand for common work of modules and drivers on messages and ioctls */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include <sys/strsun.h>
#include "streams/message/mblk.h"

/**
 * mexchange() - make a message anew, of another type and size
 * @wq: the module's queue; its stream gets an M_ERROR when memory is short; or
 *	NULL
 * @mp: the message, consumed; or NULL
 * @size: bytes of the new one's first block
 * @type: its type
 * @primtype: stored in its first 4 bytes, if it has as many; M_NOTYPE: not
 *
 * @mp is used again when it is one block, large enough and not shared.
 *
 * Context: any. Return: a message of @size bytes, or NULL. Source: Solaris
 * mexchange(9F).
 */
mblk_t *mexchange(queue_t *wq, mblk_t *mp, size_t size, unsigned char type,
		  unsigned int primtype)
{
	if (!mp || DB_REF(mp) > 1 || (size_t)MBLKSIZE(mp) < size) {
		freemsg(mp);
		mp = allocb(size, BPRI_LO);
		if (!mp) {
			if (wq)
				putnextctl1(RD(wq), M_ERROR, ENOSR);
			return NULL;
		}
	} else {
		freemsg(mp->b_cont);
		mp->b_cont = NULL;
	}
	DB_TYPE(mp) = type;
	mp->b_rptr = DB_BASE(mp);
	mp->b_wptr = mp->b_rptr + size;
	if (primtype != M_NOTYPE && size >= sizeof(primtype))
		memcpy(mp->b_rptr, &primtype, sizeof(primtype));
	return mp;
}
EXPORT_SYMBOL_GPL(mexchange);

/**
 * merror() - send an M_ERROR up, for both sides of the stream head
 * @wq: the write queue of the module or driver
 * @mp: a message to make it of, consumed; or NULL
 * @error: the error number
 *
 * Context: any. Source: Solaris merror(9F).
 */
void merror(queue_t *wq, mblk_t *mp, int error)
{
	mp = mexchange(wq, mp, 1, M_ERROR, M_NOTYPE);
	if (!mp)
		return;
	*mp->b_rptr = error;
	qreply(wq, mp);
}
EXPORT_SYMBOL_GPL(merror);

/**
 * mkiocb() - make an M_IOCTL message of a module's own
 * @cmd: the command
 *
 * For an ioctl to the modules and the driver below. Its answer comes up the
 * read side with the same ioc_id, which no other has; the module must take it
 * off there, for the stream head would drop it.
 *
 * Context: any. Return: the message, without data, of the kernel's credentials;
 * or NULL when memory is short. Source: Solaris mkiocb(9F).
 */
mblk_t *mkiocb(unsigned int cmd)
{
	/*
	 * Stream heads number their ioctls from 1; these numbers are far above.
	 */
	static atomic_t id = ATOMIC_INIT(0x40000000);
	struct iocblk *ioc;
	mblk_t *mp;

	/* A module that answers by an M_COPYIN needs the room. */
	mp = allocb(max(sizeof(*ioc), sizeof(struct copyreq)), BPRI_MED);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_IOCTL;
	ioc = (struct iocblk *)mp->b_rptr;
	memset(ioc, 0, sizeof(*ioc));
	mp->b_wptr += sizeof(*ioc);
	ioc->ioc_cmd = cmd;
	ioc->ioc_id = atomic_inc_return(&id) | 0x40000000;
	/* The credentials are those of the first task, which stays. */
	ioc->ioc_cr = rcu_access_pointer(init_task.cred);
	ioc->ioc_flag = IOC_NONE;
	return mp;
}
EXPORT_SYMBOL_GPL(mkiocb);

/**
 * miocpullup() - have the data of an M_IOCTL in one block
 * @mp: the M_IOCTL, or the M_IOCDATA of an M_COPYIN
 * @size: bytes that are needed at least
 *
 * Context: any. Return: 0; EINVAL when it is transparent or shorter; ENOMEM.
 * Source: Solaris miocpullup(9F).
 */
int miocpullup(mblk_t *mp, size_t size)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	mblk_t *data;

	if (DB_TYPE(mp) == M_IOCTL && ioc->ioc_count == TRANSPARENT)
		return EINVAL;
	if (msgdsize(mp->b_cont) < size)
		return EINVAL;
	if (!mp->b_cont || mblk_len(mp->b_cont) >= size)
		return 0;
	data = msgpullup(mp->b_cont, size);
	if (!data)
		return ENOMEM;
	freemsg(mp->b_cont);
	mp->b_cont = data;
	return 0;
}
EXPORT_SYMBOL_GPL(miocpullup);

/* Returns the answer to an ioctl, whatever mp's block was before. */
static void sun_answer(queue_t *wq, mblk_t *mp, unsigned char type, int count,
		       int error, int rval)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	mp->b_wptr = mp->b_rptr + sizeof(*ioc);
	DB_TYPE(mp) = type;
	ioc->ioc_count = count;
	ioc->ioc_error = error;
	ioc->ioc_rval = rval;
	if (!count) {
		freemsg(mp->b_cont);
		mp->b_cont = NULL;
	}
	qreply(wq, mp);
}

/**
 * miocack() - answer an ioctl
 * @wq: the write queue it arrived at
 * @mp: the M_IOCTL or M_IOCDATA; consumed
 * @count: bytes of data in the message that are copied to the user; 0: none,
 *	and those that there are get freed
 * @rval: the value that ioctl() returns
 *
 * Context: any. Source: Solaris miocack(9F).
 */
void miocack(queue_t *wq, mblk_t *mp, int count, int rval)
{
	sun_answer(wq, mp, M_IOCACK, count, 0, rval);
}
EXPORT_SYMBOL_GPL(miocack);

/**
 * miocnak() - refuse an ioctl
 * @wq: the write queue it arrived at
 * @mp: the M_IOCTL or M_IOCDATA; consumed
 * @count: 0, or bytes of data that stay in the message for modules above
 * @error: the error of ioctl(); 0: EINVAL
 *
 * Context: any. Source: Solaris miocnak(9F).
 */
void miocnak(queue_t *wq, mblk_t *mp, int count, int error)
{
	sun_answer(wq, mp, M_IOCNAK, count, error ?: EINVAL, 0);
}
EXPORT_SYMBOL_GPL(miocnak);

/* Makes an M_COPYIN or M_COPYOUT of an M_IOCTL or M_IOCDATA. */
static void copy_request(mblk_t *mp, unsigned char type, void *state,
			 size_t size, void *uaddr, mblk_t *data)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct copyreq *req = (struct copyreq *)mp->b_rptr;
	int flag = DB_TYPE(mp) == M_IOCTL ?
		   ioc->ioc_flag : ((struct copyresp *)mp->b_rptr)->cp_flag;

	/* Only a transparent ioctl brings the address with it. */
	if (!uaddr && DB_TYPE(mp) == M_IOCTL && mp->b_cont &&
	    mblk_len(mp->b_cont) >= sizeof(uaddr))
		uaddr = *(void **)mp->b_cont->b_rptr;
	if (data != mp->b_cont) {
		freemsg(mp->b_cont);
		mp->b_cont = data;
	}
	DB_TYPE(mp) = type;
	mp->b_wptr = mp->b_rptr + sizeof(*req);
	/* Command, credentials and number keep their places. */
	req->cq_addr = uaddr;
	req->cq_size = size;
	req->cq_flag = flag;
	req->cq_private = state;
}

/**
 * mcopyin() - make of an ioctl a request for the user's data
 * @mp: the M_IOCTL (transparent) or M_IOCDATA; the caller sends it by qreply()
 * @state: comes back in cp_private
 * @size: bytes, at most 65,536
 * @uaddr: their address; NULL: where the argument of the M_IOCTL points
 *
 * Context: any. Source: Solaris mcopyin(9F).
 */
void mcopyin(mblk_t *mp, void *state, size_t size, void *uaddr)
{
	copy_request(mp, M_COPYIN, state, size, uaddr, NULL);
}
EXPORT_SYMBOL_GPL(mcopyin);

/**
 * mcopyout() - make of an ioctl a request to copy data to the user
 * @mp: the M_IOCTL (transparent) or M_IOCDATA; the caller sends it by qreply()
 * @state: comes back in cp_private
 * @size: bytes, at most 65,536 and no more than there are
 * @uaddr: the destination; NULL: where the argument of the M_IOCTL points
 * @data: the bytes, consumed; NULL: those that follow
 *	@mp already
 *
 * Context: any. Source: Solaris mcopyout(9F).
 */
void mcopyout(mblk_t *mp, void *state, size_t size, void *uaddr,
	      mblk_t *data)
{
	copy_request(mp, M_COPYOUT, state, size, uaddr,
		     data ? data : mp->b_cont);
}
EXPORT_SYMBOL_GPL(mcopyout);

/**
 * mcopymsg() - take all bytes out of a message
 * @mp: the message, which is freed
 * @to: the destination, with room for msgdsize() bytes
 *
 * Context: any. Source: Solaris mcopymsg(9F).
 */
void mcopymsg(mblk_t *mp, void *to)
{
	const mblk_t *bp;

	for (bp = mp; bp; bp = bp->b_cont) {
		size_t n = mblk_len(bp);

		memcpy(to, bp->b_rptr, n);
		to += n;
	}
	freemsg(mp);
}
EXPORT_SYMBOL_GPL(mcopymsg);
