// SPDX-License-Identifier: LGPL-2.1-or-later
/* The first message of a stream */
#include "message.h"

int stream_peek(int fd, struct strpeek *first, t_scalar_t *word)
{
	*word = 0;
	first->ctlbuf = (struct strbuf){
		.maxlen = sizeof(*word), .buf = (char *)word,
	};
	first->databuf = (struct strbuf){ .maxlen = -1 };
	return ioctl(fd, I_PEEK, first);
}

int stream_take_high(int fd, void *buf, size_t size, int *len)
{
	struct strio_msg m = {
		.ctl = stream_make_room(buf, size), .data = stream_make_room(buf, 0),
	};
	struct strpeek first = { .flags = RS_HIPRI };
	t_scalar_t word;
	int got;

	got = stream_peek(fd, &first, &word);
	if (!got)
		return TNODATA;
	/* A message that is not a primitive stays for whichever call looks next. */
	if (got > 0 && word < 0)
		return TPROTO;
	if (got < 0 || stream_get(fd, word, &m) < 0)
		return xti_stream(TNODATA);
	*len = m.ctl.len;
	return 0;
}
