// SPDX-License-Identifier: GPL-2.0-only
/* T_UNITDATA_IND and T_UDERROR_IND: their control parts */
#include <linux/string.h>

#include "tpi.h"
#include "udp_family.h"

void *udp_ind_option(void *at, u32 level, u32 name, const void *value,
		     size_t len)
{
	struct T_opthdr *oh = at;

	oh->len = sizeof(*oh) + len;
	oh->level = level;
	oh->name = name;
	oh->status = T_SUCCESS;
	memcpy(oh + 1, value, len);
	return at + udp_ind_option_size(len);
}

/**
 * udp_uderror_ind() - make a T_UDERROR_IND
 * @req: a message to make it of, consumed
 * @family: of the endpoint
 * @dest: where the datagram was to go; not inside @req
 * @err: why it could not, a positive errno
 *
 * Return: the message or NULL. TPI version 2, T_UDERROR_IND.
 */
mblk_t *udp_uderror_ind(mblk_t *req, const struct udp_family *family,
			const union udp_addr *dest, int err)
{
	struct T_uderror_ind *ind;
	mblk_t *mp = tpi_addr_answer(req, sizeof(*ind), dest, family->addr_size,
				     M_PROTO);

	if (!mp)
		return NULL;
	ind = (struct T_uderror_ind *)mp->b_rptr;
	ind->PRIM_type = T_UDERROR_IND;
	ind->DEST_length = family->addr_size;
	ind->DEST_offset = sizeof(*ind);
	ind->ERROR_type = err;
	return mp;
}
