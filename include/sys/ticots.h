/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/ticots.h - connections within a host, ticots(4)
 *
 * DISCON_reason of T_DISCON_IND, the reason of t_rcvdis()
 */
#ifndef _SYS_TICOTS_H
#define _SYS_TICOTS_H

#include <errno.h>

#define TCO_NOPEER		ECONNREFUSED	/* no endpoint has that address */
#define TCO_PEERNOROOMONQ	ECONNREFUSED	/* its queue of connections is full */
#define TCO_PEERBADSTATE	ECONNREFUSED	/* it does not take connections */
#define TCO_PEERINITIATED	ECONNRESET	/* the peer disconnected, or closed */
#define TCO_PROVIDERINITIATED	ECONNABORTED	/* the caller gave up */

#define TCO_DEFAULTADDRSZ	4	/* bytes of an address that the provider chooses */

#endif /* _SYS_TICOTS_H */
