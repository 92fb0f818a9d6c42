// SPDX-License-Identifier: GPL-2.0-only
/* T_OPTMGMT_REQ: the options of the loopback transports */
#include <linux/kernel.h>

#include "tpi/opt.h"
#include "end.h"
#include "opt.h"

static const struct tpi_opt loop_opt[] = {
	TPI_BOOLEAN(XTI_GENERIC, XTI_DEBUG, 0, 0),
	TPI_LINGER(0, 0),
	TPI_NUMBER(XTI_GENERIC, XTI_RCVBUF, 0, 0, 0, INT_MAX),
	TPI_NUMBER(XTI_GENERIC, XTI_SNDBUF, 0, 0, 0, INT_MAX),
	TPI_FIXED(XTI_GENERIC, XTI_RCVLOWAT, 0, 0),
	TPI_FIXED(XTI_GENERIC, XTI_SNDLOWAT, 0, 0),
};

static size_t tiloop_opt_current(void *end, const struct tpi_opt *o,
				 union strtpi_opt_value *v)
{
	const struct tiloop_end *ep = end;
	long hiwat = 0;

	switch (o->name) {
	case XTI_DEBUG:
		v->number = ep->debug ? T_YES : T_NO;
		break;
	case XTI_LINGER:
		v->linger.onoff = ep->linger_onoff;
		v->linger.seconds = ep->linger_seconds;
		break;
	case XTI_RCVBUF:
		v->number = ep->rcvbuf;
		break;
	case XTI_SNDBUF:
		strqget(WR(ep->rq), QHIWAT, 0, &hiwat);
		v->number = hiwat;
		break;
	default:
		v->number = 1;
	}
	return o->size;
}

static size_t tiloop_opt_default(void *end, const struct tpi_opt *o,
				 union strtpi_opt_value *v)
{
	memset(v, 0, sizeof(*v));
	switch (o->name) {
	case XTI_RCVBUF:
	case XTI_SNDBUF:
		v->number = LOOP_BUF;
		break;
	case XTI_RCVLOWAT:
	case XTI_SNDLOWAT:
		v->number = 1;
		break;
	}
	return o->size;
}

static int tiloop_opt_set(void *end, const struct tpi_opt *o,
			  const union strtpi_opt_value *v, size_t len)
{
	struct tiloop_end *ep = end;
	size_t size;

	switch (o->name) {
	case XTI_DEBUG:
		ep->debug = v->number;
		return 0;
	case XTI_LINGER:
		ep->linger_onoff = v->linger.onoff;
		ep->linger_seconds = v->linger.seconds;
		return 0;
	}
	size = clamp_t(size_t, v->number, LOOP_BUF_MIN, LOOP_BUF_MAX);
	if (o->name == XTI_RCVBUF)
		return tiloop_end_set_head(ep, size, GFP_ATOMIC) ? 0 : -ENOSR;
	/* The low mark is set first: it is never above the high mark. */
	strqset(WR(ep->rq), QLOWAT, 0, LOOP_BUF_MIN / 4);
	strqset(WR(ep->rq), QHIWAT, 0, size);
	strqset(WR(ep->rq), QLOWAT, 0, size / 4);
	return 0;
}

static const struct tpi_opts loop_opts = TPI_OPTS(loop_opt, tiloop_opt);

mblk_t *tiloop_optmgmt(struct tiloop_end *ep, mblk_t *mp)
{
	return strtpi_optmgmt(&loop_opts, ep, mp, GFP_ATOMIC);
}

/*
 * Checks the options of a connection or datagram. The transports have only
 * options of an endpoint: a connection or datagram may name them, without a
 * change.
 */
bool tiloop_options_ok(const mblk_t *mp, t_scalar_t offset, t_scalar_t length)
{
	const void *at = tpi_span(mp, offset, length), *value;
	size_t len = length;
	struct T_opthdr oh;
	int ret;

	if (!length)
		return true;
	if (!at)
		return false;
	while ((ret = strtpi_opt_next(&at, &len, &oh, &value)) > 0)
		if (oh.level != XTI_GENERIC)
			return false;
	return !ret;
}
