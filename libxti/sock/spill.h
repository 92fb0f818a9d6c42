/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * spill.h - data that was read from a socket and that its reader had no room for
 *
 * A datagram or frame is read from the socket as a whole. The reader takes what is left by
 * further calls, before the next message.
 */
#ifndef _LIBXTI_SOCK_SPILL_H
#define _LIBXTI_SOCK_SPILL_H

#include "end.h"

#define SPILL_MAX	65536	/* bytes of the longest datagram, and of a frame's data */

/*
 * Allocates room for the data that does not fit into the user's buffer. Returns
 * 0 or TSYSERR.
 */
LOCAL int sock_spill_make_room(struct sock_end *s);
/* Copies data to the user's buffer, and keeps the rest. */
LOCAL void sock_spill_copy(struct sock_end *s, struct tpi_msg *msg, void *data,
			   size_t size, const void *from, size_t len);
/* Takes data that was kept. Returns TNODATA if there is none. */
LOCAL int sock_spill_take(struct sock_end *s, struct tpi_msg *msg, void *data,
			  size_t size);
LOCAL void sock_spill_drop(struct sock_end *s);

/*
 * Records that len bytes were read, of which the first size are the user's; the
 * rest is kept.
 */
static inline void sock_spill_note(struct sock_end *s, struct tpi_msg *msg, size_t size,
				   size_t len)
{
	msg->data_len = len < size ? len : size;
	s->spilled = len - msg->data_len;
	s->spill_at = 0;
	msg->more = s->spilled;
}

#endif /* _LIBXTI_SOCK_SPILL_H */
