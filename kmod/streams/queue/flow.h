/* SPDX-License-Identifier: GPL-2.0-only */
/* Flow control, for the executive itself */
#ifndef _STREAMS_FLOW_H
#define _STREAMS_FLOW_H

#include <sys/stream.h>

/*
 * Enables, when band pri of q has room again, the nearest queue behind it that
 * has a service procedure, which asks bcanput() for itself. Called in any
 * context without a lock: the service procedure may run at once.
 */
void backenable(queue_t *q, unsigned char pri);

bool str_bands_make(queue_t *q, unsigned char pri);
bool str_overfull(queue_t *q);

#endif /* _STREAMS_FLOW_H */
