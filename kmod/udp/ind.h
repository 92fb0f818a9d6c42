/* SPDX-License-Identifier: GPL-2.0-only */
/* T_UNITDATA_IND */
#ifndef _STRUDP_IND_H
#define _STRUDP_IND_H

#include <linux/bitops.h>
#include <linux/in.h>

#include "tpi/unitdata.h"
#include "family.h"

/* Returns the bytes of an option with a value of len bytes. */
static inline size_t strudp_ind_option_size(size_t len)
{
	return _TPI_ALIGN_OPT(sizeof(struct T_opthdr) + len);
}

/* These two return the bytes of IPv4's options, and of the whole control part. */
static inline size_t strudp_in_options_size(unsigned int rcvopts)
{
	if (likely(!rcvopts))
		return 0;
	return hweight32(rcvopts) * strudp_ind_option_size(sizeof(u32));
}

static inline size_t strudp_in_size(unsigned int rcvopts)
{
	return sizeof(struct T_unitdata_ind) + sizeof(struct sockaddr_in) +
	       strudp_in_options_size(rcvopts);
}

/* Returns the same, as a function of struct strudp_family. */
size_t strudp_in_ind_size(unsigned int rcvopts);
void strudp_in_skb_fill(mblk_t *mp, unsigned int rcvopts,
			const struct sk_buff *skb);
void strudp_in_head_fill(mblk_t *mp, unsigned int rcvopts,
			 const struct strudp_head *head);

#endif /* _STRUDP_IND_H */
