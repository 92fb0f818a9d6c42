// SPDX-License-Identifier: LGPL-2.1-or-later
/* Data that was read from a socket and that its reader had no room for */
#include <stdlib.h>
#include <string.h>

#include "spill.h"

int sock_spill_make_room(struct sock_end *s)
{
	if (!s->spill)
		s->spill = malloc(SPILL_MAX);
	return s->spill ? 0 : xti_system(ENOMEM);
}

void sock_spill_copy(struct sock_end *s, struct tpi_msg *msg, void *data, size_t size,
		     const void *from, size_t len)
{
	size_t most = len < size ? len : size;

	if (most)
		memcpy(data, from, most);
	/* When memory is short the rest is lost. */
	if (len > most && sock_spill_make_room(s))
		len = most;
	if (len > most)
		memcpy(s->spill, (const char *)from + most, len - most);
	sock_spill_note(s, msg, size, len);
}

int sock_spill_take(struct sock_end *s, struct tpi_msg *msg, void *data, size_t size)
{
	size_t left = s->spilled - s->spill_at;

	if (!s->spilled)
		return TNODATA;
	if (size > left)
		size = left;
	if (size)
		memcpy(data, s->spill + s->spill_at, size);
	s->spill_at += size;
	msg->data_len = size;
	msg->more = size < left;
	if (!msg->more)
		s->spilled = 0;
	return 0;
}

void sock_spill_drop(struct sock_end *s)
{
	s->spilled = 0;
	s->spill_at = 0;
}
