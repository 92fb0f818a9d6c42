/* SPDX-License-Identifier: GPL-2.0-only */
/* The answers of the data link provider, and the addresses of primitives */
#ifndef _DLPI_ACK_H
#define _DLPI_ACK_H

#include "end.h"

mblk_t *dlpi_error_ack(mblk_t *req, u32 error, int unix_error);
mblk_t *dlpi_ok_ack(mblk_t *req);
/*
 * Copies an address out of a primitive. Returns false if the address is outside
 * of the message, or too long.
 */
bool dlpi_addr_get(const mblk_t *mp, u32 offset, u32 len, struct dlpi_addr *addr);

#endif /* _DLPI_ACK_H */
