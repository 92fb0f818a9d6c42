// SPDX-License-Identifier: GPL-2.0-only
/* putmsg() and getmsg() without a message: what call/direct.c decides, and a putmsg() */
#include <linux/types.h>

#include "streams/call/direct.h"
#include "direct.h"
#include "provider.h"
#include "sock.h"

/* direct.c's condition; its callers copy between a user's memory and these. */
bool fuzz_is_straight(const struct stream *sd)
{
	return !sd->sd_nown && perim_idle(sd->sd_perim);
}

bool str_get_is_next(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	return str_errand_waits(sd) && !str_rq(sd)->q_first && fuzz_is_straight(sd);
}

size_t str_up_waits(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	return fuzz_is_straight(sd) ? str_rq(sd)->q_count : SIZE_MAX;
}

void fuzz_direct_put(struct input *in, struct fuzz_stream *s)
{
	struct str_errands *e = s->sd.sd_errands;
	unsigned char data[STR_DIRECT_DATA] = { };
	struct kvec vec = { .iov_base = data };
	struct iov_iter from;
	mblk_t *mp;

	mp = prim_make(in, &provider_kind, s);
	vec.iov_len = input_short(in) % sizeof(data);
	if (mp && MBLKL(mp) > 0 && MBLKL(mp) <= STR_DIRECT_CTL &&
	    fuzz_is_straight(&s->sd)) {
		iov_iter_kvec(&from, ITER_SOURCE, &vec, 1, vec.iov_len);
		e->ops->put(e->rq, mp->b_rptr, MBLKL(mp), &from);
	}
	freemsg(mp);
}
