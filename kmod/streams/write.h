/* SPDX-License-Identifier: GPL-2.0-only */
/* write(), and room to write; fflags: as of iocb_fflags() */
#ifndef _STREAMS_WRITE_H
#define _STREAMS_WRITE_H

#include "stream.h"

ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags);
ssize_t str_write_queue(struct stream *sd, struct iov_iter *from,
			unsigned int fflags);
ssize_t str_write_wait(struct stream *sd, unsigned char band, size_t len,
		       unsigned int fflags, bool *slept);
int str_write_error(struct stream *sd, unsigned int fflags);
void str_write_next(struct stream *sd);
void str_filled(struct stream *sd);
bool str_writable(struct stream *sd, unsigned char band);

/*
 * Something was written: if no room is left, signal its return to tasks that
 * asked.
 */
static inline void str_wrote(struct stream *sd, unsigned char band)
{
	if (unlikely(READ_ONCE(sd->sd_wwatch)))
		str_writable(sd, band);
}

bool str_band_writable(struct stream *sd);
mblk_t *str_data_alloc(struct stream *sd, size_t left, size_t block, bool first);
void str_packet_sizes(struct stream *sd, size_t *min, size_t *max);

#endif /* _STREAMS_WRITE_H */
