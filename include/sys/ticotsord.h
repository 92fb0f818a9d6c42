/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/ticotsord.h - connections with orderly release within a host, ticotsord(4)
 *
 * DISCON_reason of T_DISCON_IND, the reason of t_rcvdis()
 */
#ifndef _SYS_TICOTSORD_H
#define _SYS_TICOTSORD_H

#include <sys/ticots.h>

#define TCOO_NOPEER		TCO_NOPEER
#define TCOO_PEERNOROOMONQ	TCO_PEERNOROOMONQ
#define TCOO_PEERBADSTATE	TCO_PEERBADSTATE
#define TCOO_PEERINITIATED	TCO_PEERINITIATED
#define TCOO_PROVIDERINITIATED	TCO_PROVIDERINITIATED

#define TCOO_DEFAULTADDRSZ	TCO_DEFAULTADDRSZ

#endif /* _SYS_TICOTSORD_H */
