// SPDX-License-Identifier: LGPL-2.1-or-later
/* The carrier of an endpoint's primitives: a stream, or one of the kernel's sockets */
#include "sock/provider.h"
#include "stream/stream.h"
#include "attach.h"

int attach_carrier(struct endpoint *ep)
{
	const struct carrier *carrier = isastream(ep->fd) == 1 ? &stream_carrier :
								 &sock_carrier;

	/* The endpoint was closed by close(), and the number belongs to another file now. */
	if (ep->carrier && ep->carrier != carrier)
		return TBADF;
	ep->carrier = carrier;
	return carrier->attach(ep);
}
