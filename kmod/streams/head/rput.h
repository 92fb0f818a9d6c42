/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages that arrive from below */
#ifndef _STREAMS_RPUT_H
#define _STREAMS_RPUT_H

#include <sys/stream.h>

int str_rput(queue_t *q, mblk_t *mp);

#endif /* _STREAMS_RPUT_H */
