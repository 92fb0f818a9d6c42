/* SPDX-License-Identifier: GPL-2.0-only */
/* Options */
#ifndef _TPI_INET_OPT_H
#define _TPI_INET_OPT_H

#include "end.h"

mblk_t *strinet_optmgmt(struct inet_end *ep, mblk_t *mp);
/* false: one of the list is invalid, or cannot be set. */
bool strinet_opt_apply(struct inet_end *ep, struct socket *sock, const void *list,
		       size_t len);
void strinet_opt_copy(struct inet_end *ep, struct socket *from, struct socket *to);

#endif /* _TPI_INET_OPT_H */
