// SPDX-License-Identifier: LGPL-2.1-or-later
/* t_optmgmt() */
#include <stddef.h>

#include "core/receive.h"
#include "sync.h"

static bool is_action_known(t_scalar_t flags)
{
	return flags == T_NEGOTIATE || flags == T_CHECK ||
	       flags == T_DEFAULT || flags == T_CURRENT;
}

static int manage_options(struct endpoint *ep, const struct t_optmgmt *req,
			  struct t_optmgmt *ret)
{
	const struct T_optmgmt_req prim = {
		.PRIM_type = T_OPTMGMT_REQ,
		.MGMT_flags = req->flags,
	};
	const struct tpi_req tpi = {
		.prim = &prim,
		.size = sizeof(prim),
		.part = {
			{ &req->opt, offsetof(struct T_optmgmt_req, OPT_length) },
		},
		.cmd = TI_OPTMGMT,
		.want = T_OPTMGMT_ACK,
		.least = sizeof(struct T_optmgmt_ack),
	};
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &tpi, &ack);
	/* The options are longer than a message can be. */
	if (error == TSYSERR && errno == ERANGE)
		error = TBADOPT;
	if (!error && ret) {
		ret->flags = ack.prim->optmgmt_ack.MGMT_flags;
		error = tpi_copy_part(&ack, ack.prim->optmgmt_ack.OPT_offset,
				      ack.prim->optmgmt_ack.OPT_length, &ret->opt);
	}
	tpi_free(&ack);
	return error;
}

/**
 * t_optmgmt() - ask for options, or set them
 * @fd: the endpoint, in any state
 * @req: options, and what to do: T_NEGOTIATE, T_CHECK, T_DEFAULT, T_CURRENT
 * @ret: set to the options as negotiated; or NULL
 *
 * Return: 0 or -1. XNS Issue 5, t_optmgmt() and chapter 6.
 */
int t_optmgmt(int fd, const struct t_optmgmt *req, struct t_optmgmt *ret)
{
	struct endpoint *ep;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	if (!req)
		return endpoint_result(ep, xti_system(EINVAL));
	if (!is_action_known(req->flags))
		return endpoint_result(ep, TBADFLAG);
	if (req->opt.len > TPI_DATA_MAX - sizeof(struct T_optmgmt_req))
		return endpoint_result(ep, TBADOPT);
	lock_take(&ep->in);
	error = manage_options(ep, req, ret);
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}
