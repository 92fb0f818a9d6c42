/* SPDX-License-Identifier: GPL-2.0-only */
/* qtimeout(), qbufcall() and the like */
#ifndef _STREAMS_CALLS_H
#define _STREAMS_CALLS_H

#include <linux/init.h>

#include "streams/perim/pair.h"

/* No function of qtimeout() or qbufcall() runs any more. Sleeps. */
void pair_calls_end(struct queue_pair *qp);

int __init calls_init(void);
void calls_exit(void);

#endif /* _STREAMS_CALLS_H */
