// SPDX-License-Identifier: GPL-2.0-only
/* The answers of the data link provider, and the addresses of primitives */
#include "ack.h"

/**
 * dlpi_error_ack() - make a DL_ERROR_ACK
 * @req: the request, consumed
 * @prim: which primitive it is
 * @error: DL_OUTSTATE ...
 * @unix_error: with DL_SYSERR, a positive errno
 *
 * Return: the message or NULL, for strtpi_reply().
 */
mblk_t *dlpi_error_ack(mblk_t *req, u32 prim, u32 error, int unix_error)
{
	mblk_t *mp = strtpi_answer(req, sizeof(dl_error_ack_t), M_PCPROTO);

	if (mp)
		*(dl_error_ack_t *)mp->b_rptr = (dl_error_ack_t){
			.dl_primitive = DL_ERROR_ACK,
			.dl_error_primitive = prim,
			.dl_errno = error,
			.dl_unix_errno = unix_error,
		};
	return mp;
}

/* DL_OK_ACK: as dlpi_error_ack(). */
mblk_t *dlpi_ok_ack(mblk_t *req, u32 prim)
{
	mblk_t *mp = strtpi_answer(req, sizeof(dl_ok_ack_t), M_PCPROTO);

	if (mp)
		*(dl_ok_ack_t *)mp->b_rptr = (dl_ok_ack_t){
			.dl_primitive = DL_OK_ACK,
			.dl_correct_primitive = prim,
		};
	return mp;
}

bool dlpi_addr_get(const mblk_t *mp, u32 offset, u32 len, struct dlpi_addr *addr)
{
	const void *at = NULL;

	if (len && len <= DLPI_ADDR_MAX)
		at = tpi_span(mp, offset, len);
	if (!at)
		return false;
	memcpy(addr->bytes, at, len);
	addr->len = len;
	return true;
}
