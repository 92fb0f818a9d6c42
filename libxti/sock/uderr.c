// SPDX-License-Identifier: LGPL-2.1-or-later
/* Errors of datagrams that wait to be reported: T_UDERROR_IND */
#include <stdlib.h>

#include "uderr.h"

void sock_uderr_add(struct sock_end *s, const struct sock_addr *dest, int error)
{
	struct sock_uderr *e = malloc(sizeof(*e)), **at;

	if (!e)
		return;
	*e = (struct sock_uderr){ .error = error, .dest = *dest };
	lock_take(&s->lock);
	if (atomic_load(&s->nerrors) < UDERR_MAX) {
		for (at = &s->errors; *at; at = &(*at)->next)
			;
		*at = e;
		atomic_fetch_add(&s->nerrors, 1);
		e = NULL;
	}
	lock_drop(&s->lock);
	free(e);
}

static struct sock_uderr *sock_uderr_next(struct sock_end *s)
{
	struct sock_uderr *e;

	lock_take(&s->lock);
	e = s->errors;
	if (e) {
		s->errors = e->next;
		atomic_fetch_sub(&s->nerrors, 1);
	}
	lock_drop(&s->lock);
	return e;
}

int sock_uderr_take(struct sock_end *s, struct tpi_msg *msg)
{
	struct sock_uderr *e = sock_uderr_next(s);
	struct T_uderror_ind *ind;

	if (!e)
		return TNODATA;
	ind = sock_fill(msg, sizeof(*ind));
	*ind = (struct T_uderror_ind){
		.PRIM_type = T_UDERROR_IND,
		.DEST_length = e->dest.len,
		.ERROR_type = e->error,
	};
	ind->DEST_offset = sock_append(msg, e->dest.bytes, e->dest.len);
	free(e);
	return 0;
}

void sock_uderr_drop_all(struct sock_end *s)
{
	struct sock_uderr *e;

	while ((e = sock_uderr_next(s)))
		free(e);
}
