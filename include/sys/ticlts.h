/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/ticlts.h - the datagram transport within a host, ticlts(4)
 *
 * ERROR_type of T_UDERROR_IND, the error of t_rcvuderr()
 */
#ifndef _SYS_TICLTS_H
#define _SYS_TICLTS_H

#include <errno.h>

#define TCL_BADADDR		EINVAL		/* not an address */
#define TCL_BADOPT		EINVAL		/* not options */
#define TCL_NOPEER		ECONNREFUSED	/* no endpoint has that address */
#define TCL_PEERBADSTATE	ECONNREFUSED	/* nor one that is unbound */

#define TCL_DEFAULTADDRSZ	4	/* bytes of an address that the provider chooses */

#endif /* _SYS_TICLTS_H */
