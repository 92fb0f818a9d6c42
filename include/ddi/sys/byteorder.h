/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/byteorder.h - htonl(), htons(), ntohl(), ntohs() */
#ifndef _DDI_SYS_BYTEORDER_H
#define _DDI_SYS_BYTEORDER_H

#include <asm/byteorder.h>

#endif /* _DDI_SYS_BYTEORDER_H */
