/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/byteorder.h - htonl(), htons(), ntohl(), ntohs() under their System V name */
#ifndef _SYS_BYTEORDER_H
#define _SYS_BYTEORDER_H

#include <arpa/inet.h>

#endif /* _SYS_BYTEORDER_H */
