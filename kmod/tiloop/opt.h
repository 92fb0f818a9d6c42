/* SPDX-License-Identifier: GPL-2.0-only */
/* Options */
#ifndef _TILOOP_OPT_H
#define _TILOOP_OPT_H

#include "end.h"

mblk_t *tiloop_optmgmt(struct tiloop_end *ep, mblk_t *mp);
/* Returns whether the options of a connection or datagram are valid. */
bool tiloop_options_ok(const mblk_t *mp, t_scalar_t offset, t_scalar_t length);

#endif /* _TILOOP_OPT_H */
