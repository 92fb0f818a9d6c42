/* SPDX-License-Identifier: GPL-2.0-only */
/* UDP over IPv4 */
#ifndef _STRUDP_IN_H
#define _STRUDP_IN_H

#include "family.h"

extern const struct strudp_family udp_in;
int strudp_in_send_option(struct strudp_send *s, const struct T_opthdr *oh,
			  const void *at);
bool strudp_in_meet(struct strudp_end *ep, const union udp_addr *dest, mblk_t *mp,
		    size_t len);
int strudp_in_transmit(struct strudp_end *ep, struct msghdr *msg, size_t len);
/* Adds a control message for the kernel; 0 or an error. */
int strudp_send_control(struct strudp_send *s, int level, int type,
			const void *value, size_t len);

#endif /* _STRUDP_IN_H */
