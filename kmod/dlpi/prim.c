// SPDX-License-Identifier: GPL-2.0-only
/* The primitives of the data link provider: the state in which each is allowed */
#include "ack.h"
#include "end.h"
#include "life.h"
#include "llc.h"
#include "local.h"
#include "prim.h"
#include "send.h"
#include "up.h"

#define IN(state)	(1U << (state))
#define ATTACHED	(IN(DL_UNBOUND) | IN(DL_IDLE))
#define ANY		(~0U)

/*
 * A primitive that is answered at once, not by the work item, has no pending
 * state.
 */
#define NOW		0xff

/* The rule for a primitive: when it is allowed, and what it does */
struct prim_rule {
	u16 prim;
	u8 size;		/* of its fixed part */
	u8 pending;		/* the state while the work item does it, or NOW */
	u32 states;
};

static const struct prim_rule rules[] = {
	{ DL_INFO_REQ, sizeof(dl_info_req_t), NOW, ANY },
	/* These primitives report a wrong state by an error of their own. */
	{ DL_UNITDATA_REQ, sizeof(dl_unitdata_req_t), NOW, ANY },
	{ DL_ATTACH_REQ, sizeof(dl_attach_req_t), DL_ATTACH_PENDING,
	  IN(DL_UNATTACHED) },
	{ DL_DETACH_REQ, sizeof(dl_detach_req_t), DL_DETACH_PENDING,
	  IN(DL_UNBOUND) },
	{ DL_BIND_REQ, sizeof(dl_bind_req_t), DL_BIND_PENDING, IN(DL_UNBOUND) },
	{ DL_UNBIND_REQ, sizeof(dl_unbind_req_t), DL_UNBIND_PENDING,
	  IN(DL_IDLE) },
	{ DL_SUBS_BIND_REQ, sizeof(dl_subs_bind_req_t), DL_SUBS_BIND_PND,
	  IN(DL_IDLE) },
	{ DL_SUBS_UNBIND_REQ, sizeof(dl_subs_unbind_req_t), DL_SUBS_UNBIND_PND,
	  IN(DL_IDLE) },
	{ DL_UDQOS_REQ, sizeof(dl_udqos_req_t), NOW, IN(DL_IDLE) },
	{ DL_XID_REQ, sizeof(dl_xid_req_t), NOW, IN(DL_IDLE) },
	{ DL_XID_RES, sizeof(dl_xid_res_t), NOW, IN(DL_IDLE) },
	{ DL_TEST_REQ, sizeof(dl_test_req_t), NOW, IN(DL_IDLE) },
	{ DL_TEST_RES, sizeof(dl_test_res_t), NOW, IN(DL_IDLE) },
	/* The state does not change. */
	{ DL_ENABMULTI_REQ, sizeof(dl_enabmulti_req_t), 0, ATTACHED },
	{ DL_DISABMULTI_REQ, sizeof(dl_disabmulti_req_t), 0, ATTACHED },
	{ DL_PROMISCON_REQ, sizeof(dl_promiscon_req_t), 0, ATTACHED },
	{ DL_PROMISCOFF_REQ, sizeof(dl_promiscoff_req_t), 0, ATTACHED },
	{ DL_PHYS_ADDR_REQ, sizeof(dl_phys_addr_req_t), 0, ATTACHED },
	{ DL_SET_PHYS_ADDR_REQ, sizeof(dl_set_phys_addr_req_t), 0, ATTACHED },
	{ DL_GET_STATISTICS_REQ, sizeof(dl_get_statistics_req_t), 0, ATTACHED },
	{ DL_NOTIFY_REQ, sizeof(dl_notify_req_t), 0, ATTACHED },
};

static const struct prim_rule *prim_find(u32 prim)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].prim == prim)
			return &rules[i];
	}
	return NULL;
}

/* The requests of services that this provider does not have */
static bool prim_is_others(u32 prim)
{
	switch (prim) {
	case DL_CONNECT_REQ:
	case DL_CONNECT_RES:
	case DL_TOKEN_REQ:
	case DL_DISCONNECT_REQ:
	case DL_RESET_REQ:
	case DL_RESET_RES:
	case DL_DATA_ACK_REQ:
	case DL_REPLY_REQ:
	case DL_REPLY_UPDATE_REQ:
		return true;
	default:
		return false;
	}
}

/* Acts on a primitive whose size and state its rule allows. */
static bool prim_now(queue_t *q, mblk_t *mp, u32 prim)
{
	switch (prim) {
	case DL_INFO_REQ:
		strtpi_reply(q, dlpi_info_req(dlpi_end(q), mp));
		return true;
	case DL_UNITDATA_REQ:
		return dlpi_unitdata_req(q, mp);
	case DL_UDQOS_REQ:
		/* No quality of service can be chosen. */
		strtpi_reply(q, dlpi_error_ack(mp, DL_BADQOSTYPE, 0));
		return true;
	default:
		return dlpi_llc_req(q, mp, prim);
	}
}

/* Returns the error of a primitive before its contents are checked, or -1. */
static int prim_refused(const struct dlpi_end *ep, const mblk_t *mp, u32 prim,
			const struct prim_rule *rule)
{
	if (prim_is_others(prim))
		return DL_NOTSUPPORTED;
	if (ep->named && (prim == DL_ATTACH_REQ || prim == DL_DETACH_REQ))
		return DL_NOTSUPPORTED;
	if (!rule || MBLKL(mp) < rule->size)
		return DL_BADPRIM;
	/* A high-priority message could not be made to wait. */
	if (DB_TYPE(mp) == M_PCPROTO && rule->pending == NOW &&
	    prim != DL_INFO_REQ)
		return DL_BADPRIM;
	if (!(rule->states & IN(ep->state)))
		return DL_OUTSTATE;
	return -1;
}

/**
 * dlpi_prim() - act on a primitive
 * @q: the write queue
 * @mp: an M_PROTO or M_PCPROTO; consumed, unless false is returned
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room in the send buffer.
 */
bool dlpi_prim(queue_t *q, mblk_t *mp)
{
	struct dlpi_end *ep = dlpi_end(q);
	u32 prim = tpi_type(mp);
	const struct prim_rule *rule;
	int error;

	/* Nearly all primitives are DL_UNITDATA_REQ. */
	if (likely(prim == DL_UNITDATA_REQ && DB_TYPE(mp) == M_PROTO &&
		   MBLKL(mp) >= sizeof(dl_unitdata_req_t)))
		return dlpi_unitdata_req(q, mp);
	rule = prim_find(prim);
	error = prim_refused(ep, mp, prim, rule);
	if (error >= 0) {
		strtpi_reply(q, dlpi_error_ack(mp, error, 0));
		return true;
	}
	if (rule->pending == NOW)
		return prim_now(q, mp, prim);
	dlpi_end_defer(ep, mp, rule->pending ?: ep->state);
	return true;
}

/**
 * dlpi_prim_finish() - send the answer the work item has made, if it has
 * @q: the write queue
 *
 * Context: inside the perimeter.
 */
void dlpi_prim_finish(queue_t *q)
{
	struct dlpi_end *ep = dlpi_end(q);
	mblk_t *mp;

	/* The flag is read before the answer: see dlpi_end_work(). */
	if (!ep->busy || !smp_load_acquire(&ep->answered))
		return;
	mp = ep->answer;
	ep->answer = NULL;
	ep->busy = false;
	ep->state = ep->next_state;
	/*
	 * Frames that arrived before the primitive are sent up before its
	 * answer.
	 */
	dlpi_up_waiting(ep);
	strtpi_reply(q, mp);
}
