/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams: T_UNITDATA_REQ and T_UNITDATA_IND */
#ifndef _TPI_UNITDATA_H
#define _TPI_UNITDATA_H

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "tpi.h"

/**
 * tpi_unitdata_get() - read a T_UNITDATA_REQ
 * @mp: the message
 * @req: set to its fixed part
 * @dest: set to where the destination is, at any alignment
 * @opts: set to where the options are; NULL: there are none
 *
 * Return: whether all of it lies in the message. TPI version 2, T_UNITDATA_REQ.
 */
static __always_inline bool tpi_unitdata_get(const mblk_t *mp, struct T_unitdata_req *req,
					     const void **dest, const void **opts)
{
	if (!tpi_get(mp, req, sizeof(*req)))
		return false;
	*dest = tpi_span(mp, req->DEST_offset, req->DEST_length);
	*opts = NULL;
	if (req->OPT_length)
		*opts = tpi_span(mp, req->OPT_offset, req->OPT_length);
	return *dest && (*opts || !req->OPT_length);
}

/**
 * tpi_unitdata_ind() - write a T_UNITDATA_IND, except its options
 * @mp: an empty block with room for it
 * @addr: the datagram's sender
 * @addr_size: bytes
 * @opts_size: bytes of all options that are to follow
 *
 * Return: the place for the options, zeroed, as padding between them is for
 * the user too; NULL: there are none. TPI version 2, T_UNITDATA_IND.
 */
static inline void *tpi_unitdata_ind(mblk_t *mp, const void *addr, size_t addr_size,
				     size_t opts_size)
{
	struct T_unitdata_ind *ind = (struct T_unitdata_ind *)mp->b_rptr;

	DB_TYPE(mp) = M_PROTO;
	mp->b_wptr = mp->b_rptr + sizeof(*ind) + addr_size + opts_size;
	*ind = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = addr_size,
		.SRC_offset = sizeof(*ind),
	};
	memcpy(ind + 1, addr, addr_size);
	if (!opts_size)
		return NULL;
	ind->OPT_length = opts_size;
	ind->OPT_offset = sizeof(*ind) + addr_size;
	return memset(mp->b_wptr - opts_size, 0, opts_size);
}

/**
 * tpi_gather() - make the data of a datagram few blocks
 * @mp: the T_UNITDATA_REQ
 * @most: up to this number of blocks stay as they are; more become one
 * @len: set to the bytes of data
 *
 * Return: 0, -EPROTO when a block is not data, or -ENOBUFS.
 */
static __always_inline int tpi_gather(mblk_t *mp, unsigned int most, size_t *len)
{
	unsigned int n = 0;
	const mblk_t *bp;

	*len = 0;
	for (bp = mp->b_cont; bp; bp = bp->b_cont) {
		if (DB_TYPE(bp) != M_DATA)
			return -EPROTO;
		*len += max_t(ssize_t, MBLKL(bp), 0);
		n++;
	}
	return n <= most ? 0 : strtpi_pull_together(mp);
}

#endif /* _TPI_UNITDATA_H */
