/* SPDX-License-Identifier: GPL-2.0-only */
/* One reader at a time, and the looks and waits for data to read */
#ifndef _STREAMS_READER_H
#define _STREAMS_READER_H

#include "stream.h"

/*
 * The states in which reading ends, or fails, once nothing is left to read. The first two
 * and STR_HUP are an end of the file.
 */
#define STR_READ_ENDS	(STR_NOWRITER | STR_CLOSING | STR_HUP)
#define STR_READ_STOPS	(STR_READ_ENDS | STR_RERR | STR_PLEX)

size_t str_bytes_in_ring(const struct stream *sd);
size_t str_bytes(const struct stream *sd);
bool str_readable(const struct stream *sd);
bool str_read_ready(const struct stream *sd);
int str_read_wait(struct stream *sd);
int str_wait_data(struct stream *sd, unsigned int fflags);
int str_read_lock(struct stream *sd);
void str_lend_message(struct stream *sd);
void str_take_back_message(struct stream *sd);

#endif /* _STREAMS_READER_H */
