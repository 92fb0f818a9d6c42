/* SPDX-License-Identifier: GPL-2.0-only */
/* One reader at a time */
#ifndef _STREAMS_READER_H
#define _STREAMS_READER_H

#include "stream.h"

int str_read_lock(struct stream *sd);
void str_read_lend(struct stream *sd);
void str_read_lent(struct stream *sd);

#endif /* _STREAMS_READER_H */
