/* SPDX-License-Identifier: GPL-2.0-only */
/* downward.h - ldterm's write side */
#ifndef _TERM_DOWNWARD_H
#define _TERM_DOWNWARD_H

#include "instance.h"

int ldterm_wput(queue_t *q, mblk_t *mp);
int ldterm_wsrv(queue_t *q);

#endif /* _TERM_DOWNWARD_H */
