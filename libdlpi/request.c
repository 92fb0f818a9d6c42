// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives that are answered: the answers are of high priority, before all data */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <stropts.h>

#include "handle.h"

/* Waits for a message of high priority; returns DLPI_SUCCESS when there is one. */
static int request_wait(const struct dlpi_handle *dh)
{
	struct pollfd p = { .fd = dh->fd, .events = POLLPRI };
	int n;

	do
		n = poll(&p, 1, dh->timeout < 0 ? -1 : dh->timeout * 1000);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return DL_SYSERR;
	if (!n)
		return DLPI_ETIMEDOUT;
	if (p.revents & POLLPRI)
		return DLPI_SUCCESS;
	errno = ENXIO;
	return DL_SYSERR;
}

static int request_error(const union dlpi_answer *answer, size_t len)
{
	const dl_error_ack_t *ack = &answer->prim.error_ack;

	if (answer->prim.dl_primitive != DL_ERROR_ACK || len < sizeof(*ack))
		return DLPI_EBADMSG;
	errno = ack->dl_unix_errno;
	return ack->dl_errno;
}

int handle_request(struct dlpi_handle *dh, union dlpi_answer *answer, size_t len,
		   unsigned int want, size_t want_len)
{
	struct strbuf ctl = { .len = len, .buf = (char *)answer };
	/* The answer has high priority: it does not wait behind frames. */
	int now = answer->prim.dl_primitive == DL_INFO_REQ ? RS_HIPRI : 0;
	int flags = RS_HIPRI, err;

	if (putmsg(dh->fd, &ctl, NULL, now))
		return DL_SYSERR;
	err = request_wait(dh);
	if (err != DLPI_SUCCESS)
		return err;
	ctl.maxlen = sizeof(*answer);
	memset(answer, 0, sizeof(*answer));
	if (getmsg(dh->fd, &ctl, NULL, &flags) < 0)
		return DL_SYSERR;
	if (ctl.len < (int)sizeof(answer->prim.dl_primitive))
		return DLPI_EBADMSG;
	if (answer->prim.dl_primitive != want)
		return request_error(answer, ctl.len);
	return ctl.len < (int)want_len ? DLPI_EBADMSG : DLPI_SUCCESS;
}

const void *handle_answer_at(const union dlpi_answer *answer, unsigned int offset,
			     unsigned int len)
{
	if (offset > sizeof(*answer) || len > sizeof(*answer) - offset)
		return NULL;
	return answer->bytes + offset;
}
