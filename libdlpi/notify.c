// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events of the link, reported to functions of the program */
#include <stdlib.h>
#include <string.h>

#include "handle.h"

#define ALL_NOTES	(DL_NOTE_LINK_DOWN | DL_NOTE_LINK_UP | DL_NOTE_PHYS_ADDR | \
			 DL_NOTE_SDU_SIZE)

/* Asks for all events with a registration; stores in *got those that will be reported. */
static int notify_ask(struct dlpi_handle *dh, unsigned int more, unsigned int *got)
{
	union dlpi_answer a = { .prim.dl_primitive = DL_NOTIFY_REQ };
	const struct dlpi_notify *n;
	unsigned int all = more;
	int err;

	for (n = dh->notify; n; n = n->next)
		all |= n->notes;
	a.prim.notify_req.dl_notifications = all;
	err = handle_request(dh, &a, sizeof(dl_notify_req_t), DL_NOTIFY_ACK,
			     sizeof(dl_notify_ack_t));
	if (err == DLPI_SUCCESS)
		*got = a.prim.notify_ack.dl_notifications;
	return err == DL_NOTSUPPORTED || err == DL_BADPRIM ? DLPI_ENOTENOTSUP : err;
}

int dlpi_enabnotify(dlpi_handle_t dh, unsigned int notes, dlpi_notifyfunc_t *func, void *arg,
		    dlpi_notifyid_t *idp)
{
	unsigned int got = 0;
	struct dlpi_notify *n;
	int err;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (!func || !idp)
		return DLPI_EINVAL;
	if (!notes || notes & ~ALL_NOTES)
		return DLPI_ENOTEINVAL;
	n = malloc(sizeof(*n));
	if (!n)
		return DL_SYSERR;
	err = notify_ask(dh, notes, &got);
	if (err == DLPI_SUCCESS && !(got & notes))
		err = DLPI_ENOTENOTSUP;
	if (err != DLPI_SUCCESS) {
		free(n);
		return err;
	}
	*n = (struct dlpi_notify){
		.notes = notes, .func = func, .arg = arg, .next = dh->notify,
	};
	dh->notify = n;
	*idp = n;
	return DLPI_SUCCESS;
}

int dlpi_disabnotify(dlpi_handle_t dh, dlpi_notifyid_t id, void **argp)
{
	struct dlpi_notify **at, *n;
	unsigned int got;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	for (at = &dh->notify; *at && *at != id; at = &(*at)->next)
		;
	n = *at;
	if (!n)
		return DLPI_ENOTEIDINVAL;
	*at = n->next;
	if (argp)
		*argp = n->arg;
	free(n);
	return notify_ask(dh, 0, &got);
}

void handle_notified(struct dlpi_handle *dh, const union dlpi_answer *ind, size_t len)
{
	const dl_notify_ind_t *note = &ind->prim.notify_ind;
	dlpi_notifyinfo_t info = { .dni_note = note->dl_notification };
	struct dlpi_notify *n, *next;
	const void *at;

	switch (note->dl_notification) {
	case DL_NOTE_SDU_SIZE:
		info.dni_size = note->dl_data;
		break;
	case DL_NOTE_PHYS_ADDR:
		at = handle_answer_at(ind, note->dl_addr_offset, note->dl_addr_length);
		if (!at || note->dl_addr_length > DLPI_PHYSADDR_MAX)
			return;
		memcpy(info.dni_physaddr, at, note->dl_addr_length);
		info.dni_physaddrlen = note->dl_addr_length;
		break;
	}
	/* A function may end its own registration. */
	for (n = dh->notify; n; n = next) {
		next = n->next;
		if (n->notes & note->dl_notification)
			n->func(dh, &info, n->arg);
	}
}
