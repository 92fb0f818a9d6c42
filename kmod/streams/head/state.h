/* SPDX-License-Identifier: GPL-2.0-only */
/* A change of a stream's state */
#ifndef _STREAMS_STATE_H
#define _STREAMS_STATE_H

#include "stream.h"

void str_set_flag(struct stream *sd, unsigned int set, unsigned int clear);

#endif /* _STREAMS_STATE_H */
