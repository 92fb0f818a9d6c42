// SPDX-License-Identifier: LGPL-2.1-or-later
/* Connections that no endpoint has accepted yet */
#include <stdlib.h>
#include <unistd.h>

#include "pending.h"

struct sock_pending *sock_pending_find(struct sock_end *s, t_scalar_t seq)
{
	struct sock_pending *p;

	for (p = s->pending; p; p = p->next)
		if (p->reported && p->seq == seq)
			break;
	return p;
}

void sock_pending_drop(struct sock_end *s, struct sock_pending *p)
{
	struct sock_pending **at = &s->pending, *other;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	if (p->silent)
		s->nsilent--;
	else
		s->npending--;
	if (p->fd >= 0)
		close(p->fd);
	free(p);
	for (other = s->pending; other && !other->reported; other = other->next)
		;
	if (!other && sock_state(s) == TS_WRES_CIND)
		atomic_store(&s->state, TS_IDLE);
}

void sock_pending_drop_all(struct sock_end *s)
{
	while (s->pending)
		sock_pending_drop(s, s->pending);
}
