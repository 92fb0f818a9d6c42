// SPDX-License-Identifier: LGPL-2.1-or-later
/* The binding of a handle, and its addresses */
#include <string.h>

#include "handle.h"

/* A SAP that exists, for a caller that accepts any */
#define SAP_802_3	0	/* Ethernet: frames with a length in place of a type */
#define SAP_NO_HEADER	0xffff

int dlpi_info(dlpi_handle_t dh, dlpi_info_t *info, unsigned int opt)
{
	union dlpi_answer a = { .prim.dl_primitive = DL_INFO_REQ };
	const dl_info_ack_t *ack = &a.prim.info_ack;
	const void *at;
	int err;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (!info || opt)
		return DLPI_EINVAL;
	err = handle_request(dh, &a, sizeof(dl_info_req_t), DL_INFO_ACK, sizeof(*ack));
	if (err != DLPI_SUCCESS)
		return err;
	memset(info, 0, sizeof(*info));
	info->di_max_sdu = ack->dl_max_sdu;
	info->di_min_sdu = ack->dl_min_sdu;
	info->di_state = ack->dl_current_state;
	info->di_mactype = ack->dl_mac_type;
	info->di_timeout = dh->timeout;
	strcpy(info->di_linkname, dh->linkname);
	if (dh->bound) {
		at = handle_answer_at(&a, ack->dl_addr_offset, dh->addrlen);
		if (!at)
			return DLPI_EBADMSG;
		memcpy(info->di_physaddr, at, dh->addrlen);
		info->di_physaddrlen = dh->addrlen;
		info->di_sap = dh->sap;
	}
	at = handle_answer_at(&a, ack->dl_brdcst_addr_offset, ack->dl_brdcst_addr_length);
	if (!at || ack->dl_brdcst_addr_length > DLPI_PHYSADDR_MAX)
		return DLPI_EBADMSG;
	memcpy(info->di_bcastaddr, at, ack->dl_brdcst_addr_length);
	info->di_bcastaddrlen = ack->dl_brdcst_addr_length;
	return DLPI_SUCCESS;
}

static int bind_to(struct dlpi_handle *dh, unsigned int sap, unsigned int *bound)
{
	union dlpi_answer a = {
		.prim.bind_req = {
			.dl_primitive = DL_BIND_REQ, .dl_sap = sap,
			.dl_service_mode = DL_CLDLS,
		},
	};
	int err = handle_request(dh, &a, sizeof(dl_bind_req_t), DL_BIND_ACK,
			       sizeof(dl_bind_ack_t));

	if (err == DLPI_SUCCESS)
		*bound = a.prim.bind_ack.dl_sap;
	return err;
}

int dlpi_bind(dlpi_handle_t dh, unsigned int sap, unsigned int *boundsap)
{
	unsigned int bound = 0;
	int err;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (sap == DLPI_ANY_SAP) {
		err = bind_to(dh, SAP_802_3, &bound);
		if (err == DL_BADSAP)
			err = bind_to(dh, SAP_NO_HEADER, &bound);
	} else {
		err = bind_to(dh, sap, &bound);
	}
	if (err != DLPI_SUCCESS)
		return err;
	dh->bound = true;
	dh->sap = bound;
	if (boundsap)
		*boundsap = bound;
	else if (sap != DLPI_ANY_SAP && bound != sap)
		return dlpi_unbind(dh) == DLPI_SUCCESS ? DLPI_EUNAVAILSAP : DLPI_FAILURE;
	return DLPI_SUCCESS;
}

/* Sends a primitive whose answer carries no data. */
static int request_ok(struct dlpi_handle *dh, union dlpi_answer *a, size_t len)
{
	return handle_request(dh, a, len, DL_OK_ACK, sizeof(dl_ok_ack_t));
}

int dlpi_unbind(dlpi_handle_t dh)
{
	union dlpi_answer a = { .prim.dl_primitive = DL_UNBIND_REQ };
	int err;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	err = request_ok(dh, &a, sizeof(dl_unbind_req_t));
	if (err == DLPI_SUCCESS) {
		dh->bound = false;
		dh->sap = 0;
	}
	return err;
}

/* Sends a primitive with a physical address behind it: all of these have the same form. */
static int request_addr(struct dlpi_handle *dh, unsigned int prim, const void *addr,
			size_t len)
{
	union dlpi_answer a = {
		.prim.enabmulti_req = {
			.dl_primitive = prim, .dl_addr_length = len,
			.dl_addr_offset = sizeof(dl_enabmulti_req_t),
		},
	};

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (!addr || !len || len > DLPI_PHYSADDR_MAX)
		return DLPI_EINVAL;
	memcpy(a.bytes + sizeof(dl_enabmulti_req_t), addr, len);
	return request_ok(dh, &a, sizeof(dl_enabmulti_req_t) + len);
}

int dlpi_enabmulti(dlpi_handle_t dh, const void *addr, size_t len)
{
	return request_addr(dh, DL_ENABMULTI_REQ, addr, len);
}

int dlpi_disabmulti(dlpi_handle_t dh, const void *addr, size_t len)
{
	return request_addr(dh, DL_DISABMULTI_REQ, addr, len);
}

int dlpi_set_physaddr(dlpi_handle_t dh, unsigned int type, const void *addr, size_t len)
{
	if (type != DL_CURR_PHYS_ADDR)
		return DLPI_EINVAL;
	return request_addr(dh, DL_SET_PHYS_ADDR_REQ, addr, len);
}

static int request_promisc(struct dlpi_handle *dh, unsigned int prim, unsigned int level)
{
	union dlpi_answer a = {
		.prim.promiscon_req = { .dl_primitive = prim, .dl_level = level },
	};

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	return request_ok(dh, &a, sizeof(dl_promiscon_req_t));
}

int dlpi_promiscon(dlpi_handle_t dh, unsigned int level)
{
	return request_promisc(dh, DL_PROMISCON_REQ, level);
}

int dlpi_promiscoff(dlpi_handle_t dh, unsigned int level)
{
	return request_promisc(dh, DL_PROMISCOFF_REQ, level);
}

int dlpi_get_physaddr(dlpi_handle_t dh, unsigned int type, void *addr, size_t *lenp)
{
	union dlpi_answer a = {
		.prim.physaddr_req = {
			.dl_primitive = DL_PHYS_ADDR_REQ, .dl_addr_type = type,
		},
	};
	const dl_phys_addr_ack_t *ack = &a.prim.physaddr_ack;
	const void *at;
	int err;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (!addr || !lenp || *lenp < DLPI_PHYSADDR_MAX)
		return DLPI_EINVAL;
	err = handle_request(dh, &a, sizeof(dl_phys_addr_req_t), DL_PHYS_ADDR_ACK,
			     sizeof(*ack));
	if (err == DL_NOADDR) {
		*lenp = 0;
		return DLPI_SUCCESS;
	}
	if (err != DLPI_SUCCESS)
		return err;
	at = handle_answer_at(&a, ack->dl_addr_offset, ack->dl_addr_length);
	if (!at || ack->dl_addr_length > DLPI_PHYSADDR_MAX)
		return DLPI_EBADMSG;
	memcpy(addr, at, ack->dl_addr_length);
	*lenp = ack->dl_addr_length;
	return DLPI_SUCCESS;
}
