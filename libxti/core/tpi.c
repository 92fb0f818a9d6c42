// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives of the Transport Provider Interface: the parts of a message */
#include "tpi.h"

int tpi_copy_bytes_of(const struct tpi_msg *msg, t_scalar_t offset,
		      t_scalar_t length, struct netbuf *to)
{
	if (length < 0 || offset < 0 ||
	    (length && (offset > msg->len || length > msg->len - offset)))
		return TPROTO;
	to->len = 0;
	if (!length)
		return 0;
	/* A caller with no room at all does not ask for the part. */
	if (!to->maxlen)
		return 0;
	if ((unsigned int)length > to->maxlen)
		return TBUFOVFLW;
	tpi_copy_bytes(to->buf, (const char *)msg->prim + offset, length);
	to->len = length;
	return 0;
}
