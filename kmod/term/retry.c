// SPDX-License-Identifier: GPL-2.0-only
/* Work that waits for memory: a queue is served again when there may be some */
#include "retry.h"

static bufcall_id_t *retry_of(queue_t *q)
{
	struct ldterm *l = q->q_ptr;

	return q == l->rq ? &l->retry_in : &l->retry_out;
}

static void term_serve(void *arg)
{
	queue_t *q = arg;

	*retry_of(q) = 0;
	qenable(q);
}

/* Has the service procedure run again when there may be memory for size bytes. */
void term_retry(queue_t *q, size_t size)
{
	bufcall_id_t *id = retry_of(q);

	if (*id)
		return;
	*id = qbufcall(q, size, BPRI_MED, term_serve, q);
	if (!*id)
		qenable(q);
}

/* Cancels that, at the close. */
void term_retry_cancel(queue_t *q)
{
	if (*retry_of(q))
		qunbufcall(q, *retry_of(q));
}
