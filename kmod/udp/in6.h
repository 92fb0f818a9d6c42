/* SPDX-License-Identifier: GPL-2.0-only */
/* UDP over IPv6, and IPv4 by addresses that are mapped */
#ifndef _TPI_UDP_IN6_H
#define _TPI_UDP_IN6_H

#include "family.h"

extern const struct udp_family udp_in6;

#endif /* _TPI_UDP_IN6_H */
