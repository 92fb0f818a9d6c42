/* SPDX-License-Identifier: GPL-2.0-only */
/* Options */
#ifndef _STRINET_OPT_H
#define _STRINET_OPT_H

#include "end.h"

mblk_t *strinet_optmgmt(struct strinet_end *ep, mblk_t *mp);
/*
 * Sets the options of a list. Returns -EINVAL if the list is outside of the
 * message, or an option cannot be set.
 */
int strinet_opt_apply(struct strinet_end *ep, struct socket *sock, const mblk_t *prim,
		      t_scalar_t offset, t_scalar_t len);
int strinet_opt_tli_error(int err);
void strinet_opt_copy(struct strinet_end *ep, struct socket *from, struct socket *to);

#endif /* _STRINET_OPT_H */
