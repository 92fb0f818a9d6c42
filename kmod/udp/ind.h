/* SPDX-License-Identifier: GPL-2.0-only */
/* T_UNITDATA_IND */
#ifndef _STRUDP_IND_H
#define _STRUDP_IND_H

#include "family.h"

/**
 * strudp_ind_begin() - write a T_UNITDATA_IND, except its options
 * @mp: a block with room for it
 * @addr: the datagram's sender
 * @addr_size: bytes
 * @opts_size: bytes of all options that are to follow
 *
 * Return: the place for the options, zeroed, as padding between them is for
 * the user too; NULL: there are none. TPI version 2, T_UNITDATA_IND.
 */
static inline void *strudp_ind_begin(mblk_t *mp, const void *addr,
				     size_t addr_size, size_t opts_size)
{
	struct T_unitdata_ind *ind = (struct T_unitdata_ind *)mp->b_rptr;
	void *opts = mp->b_rptr + sizeof(*ind) + addr_size;

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
	memset(opts, 0, opts_size);
	return opts;
}

/* Bytes of an option with a value of len bytes. */
static inline size_t strudp_ind_option_size(size_t len)
{
	return _TPI_ALIGN_OPT(sizeof(struct T_opthdr) + len);
}

/* Returns the place for the next one. */
void *strudp_ind_option(void *at, u32 level, u32 name, const void *value,
			size_t len);

/* For IPv4 */
size_t strudp_in_ind_size(unsigned int rcvopts);
void strudp_in_skb_fill(mblk_t *mp, unsigned int rcvopts,
			const struct sk_buff *skb);
void strudp_in_ind_fill(mblk_t *mp, unsigned int rcvopts, const struct iphdr *iph,
			__be16 sport);

#endif /* _STRUDP_IND_H */
