/* SPDX-License-Identifier: GPL-2.0-only */
/* upward.h - ldterm's read side */
#ifndef _TERM_UPWARD_H
#define _TERM_UPWARD_H

#include "instance.h"

int ldterm_rput(queue_t *q, mblk_t *mp);
int ldterm_rsrv(queue_t *q);

#endif /* _TERM_UPWARD_H */
