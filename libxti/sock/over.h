/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* over.h - the end of a connection, and the socket that its endpoint has afterwards */
#ifndef _LIBXTI_SOCK_OVER_H
#define _LIBXTI_SOCK_OVER_H

#include "end.h"

/*
 * Returns whether the socket still sends, although its connection has ended for
 * the user.
 */
LOCAL bool sock_still_sends(struct endpoint *ep);
/*
 * Gives the endpoint a socket that can be connected. A socket that still has
 * data to send is left to the kernel.
 */
LOCAL int sock_refresh(struct endpoint *ep);
/* Records that the connection has ended; abort: the peer is informed. */
LOCAL void sock_end_connection(struct endpoint *ep, bool abort);
/*
 * Records the release of the endpoint's own side, which its user has requested.
 */
LOCAL void sock_note_release(struct endpoint *ep);
/* Makes the T_ORDREL_IND of the peer's release. */
LOCAL int sock_report_release(struct endpoint *ep, struct tpi_msg *msg);
/*
 * Makes the T_DISCON_IND of the connection's end. The endpoint has no
 * connection afterwards.
 */
LOCAL int sock_report_end(struct endpoint *ep, int reason, struct tpi_msg *msg);

#endif /* _LIBXTI_SOCK_OVER_H */
