// SPDX-License-Identifier: GPL-2.0-only
/* The answers of the data link provider, and the addresses of primitives */
#include "ack.h"

/**
 * dlpi_error_ack() - make a DL_ERROR_ACK
 * @req: the request, consumed
 * @error: DL_OUTSTATE ...
 * @unix_error: a positive errno, for DL_SYSERR alone
 *
 * Return: the message or NULL, for strtpi_reply().
 */
mblk_t *dlpi_error_ack(mblk_t *req, u32 error, int unix_error)
{
	dl_error_ack_t ack = {
		.dl_primitive = DL_ERROR_ACK,
		.dl_error_primitive = tpi_type(req),
		.dl_errno = error,
		.dl_unix_errno = error == DL_SYSERR ? unix_error : 0,
	};

	return strtpi_prim(req, M_PCPROTO, &ack, sizeof(ack), NULL, 0);
}

/* Makes a DL_OK_ACK of a request, as dlpi_error_ack() makes an error. */
mblk_t *dlpi_ok_ack(mblk_t *req)
{
	dl_ok_ack_t ack = {
		.dl_primitive = DL_OK_ACK,
		.dl_correct_primitive = tpi_type(req),
	};

	return strtpi_prim(req, M_PCPROTO, &ack, sizeof(ack), NULL, 0);
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
