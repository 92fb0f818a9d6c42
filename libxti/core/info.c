// SPDX-License-Identifier: LGPL-2.1-or-later
/* Information about a provider */
#include "info.h"
#include "receive.h"

static bool service_known(t_scalar_t type)
{
	return type == T_COTS || type == T_COTS_ORD || type == T_CLTS;
}

/*
 * A correct field is not written: other threads read the field without a lock,
 * and a provider does not change.
 */
static void info_keep(struct endpoint *ep, const struct T_info_ack *ack)
{
	struct t_info info = {
		.addr = ack->ADDR_size,
		.options = ack->OPT_size,
		.tsdu = ack->TSDU_size,
		.etsdu = ack->ETSDU_size,
		.connect = ack->CDATA_size,
		.discon = ack->DDATA_size,
		.servtype = ack->SERV_type,
		/* A provider's other flags have other meanings. */
		.flags = ack->PROVIDER_flag & SENDZERO ? T_SENDZERO : 0,
	};
	bool xti_options = ack->PROVIDER_flag & XPG4_1;

	if (memcmp(&ep->info, &info, sizeof(info)))
		ep->info = info;
	if (ep->xti_options != xti_options)
		ep->xti_options = xti_options;
	if (ep->tidu != ack->TIDU_size)
		ep->tidu = ack->TIDU_size;
}

int info_fetch(struct endpoint *ep, int cmd, int *current)
{
	static const struct T_info_req prim = { .PRIM_type = T_INFO_REQ };
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = cmd,
		.want = T_INFO_ACK,
		.least = sizeof(struct T_info_ack),
	};
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &req, &ack);
	if (!error && !service_known(ack.prim->info_ack.SERV_type))
		error = TPROTO;
	if (!error) {
		info_keep(ep, &ack.prim->info_ack);
		*current = ack.prim->info_ack.CURRENT_state;
	}
	tpi_free(&ack);
	return error;
}
