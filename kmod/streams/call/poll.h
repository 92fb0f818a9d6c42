/* SPDX-License-Identifier: GPL-2.0-only */
/* poll() */
#ifndef _STREAMS_POLL_H
#define _STREAMS_POLL_H

#include "streams/head/stream.h"

struct poll_table_struct;

__poll_t str_poll(struct stream *sd, struct file *file,
		  struct poll_table_struct *wait);

#endif /* _STREAMS_POLL_H */
