/* SPDX-License-Identifier: GPL-2.0-only */
/* UDP over IPv6, and IPv4 by addresses that are mapped */
#ifndef _STRUDP_IN6_H
#define _STRUDP_IN6_H

#include "family.h"

extern const struct strudp_family udp_in6;

#endif /* _STRUDP_IN6_H */
