// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transport providers: streams are opened and closed, primitives sent, answers read
 * and work done in any order, while allocations fail
 */
#include <linux/types.h>

#include "streams/message/mblk.h"
#include "prim.h"
#include "provider.h"
#include "sock.h"
#include "tpi/tpi.h"

struct input *fuzz_input;

#define STEPS	100

/* The low bits of a step's first byte; then two for the stream. */
enum { OPEN, CLOSE, READ, REST, EVENT, OTHER, PRIM, PRIM_TOO };

#define STEP_KIND(b)	((b) & 7)
#define STEP_STREAM(b)	((b) >> 3 & (STREAMS - 1))
#define STEP_LATER	0x80	/* work that it has made is not done yet */
#define STEP_ALL	0x40	/* it reads all messages, closes without waiting */

/* In this input an allocation may have failed. */
static bool memory_short;

/* A request is answered once: with this type, or by an acknowledgement of it. */
static bool is_request(t_scalar_t type)
{
	switch (type) {
	case T_CONN_REQ:
	case T_CONN_RES:
	case T_DISCON_REQ:
	case T_INFO_REQ:
	case T_BIND_REQ:
	case T_UNBIND_REQ:
	case T_OPTMGMT_REQ:
	case T_ADDR_REQ:
	case T_CAPABILITY_REQ:
		return true;
	default:
		return false;
	}
}

static t_scalar_t answered(const mblk_t *mp)
{
	t_scalar_t word[2];

	memcpy(word, mp->b_rptr, sizeof(word));
	switch (word[0]) {
	case T_OK_ACK:
	case T_ERROR_ACK:
		return is_request(word[1]) ? word[1] : -1;
	case T_BIND_ACK:
		return T_BIND_REQ;
	case T_OPTMGMT_ACK:
		return T_OPTMGMT_REQ;
	case T_INFO_ACK:
		return T_INFO_REQ;
	case T_ADDR_ACK:
		return T_ADDR_REQ;
	case T_CAPABILITY_ACK:
		return T_CAPABILITY_REQ;
	default:
		return -1;
	}
}

/* Memory that was allocated and not written has these bytes: see prim.c. */
static void check_written(const mblk_t *mp)
{
	static const u32 unwritten = 0xa5a5a5a5;

	for (; mp; mp = mp->b_cont)
		if (MBLKL(mp) > 0 && memmem(mp->b_rptr, MBLKL(mp), &unwritten,
					    sizeof(unwritten)))
			fuzz_die("a message has bytes that were never written");
}

void fuzz_arrived(struct fuzz_stream *s, const mblk_t *mp)
{
	struct T_conn_ind ind;
	t_scalar_t type;

	if (DB_TYPE(mp) == M_ERROR)
		s->lossy = true;
	if (DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO)
		return;
	prim_check(mp);
	check_written(mp);
	type = answered(mp);
	if (type >= 0 && !s->owed[type]--)
		fuzz_die("an answer to no request");
	if (*(t_scalar_t *)mp->b_rptr != T_CONN_IND)
		return;
	memcpy(&ind, mp->b_rptr, sizeof(ind));
	s->seq = ind.SEQ_number;
}

/* Bytes from which on a queue takes no more, even of high priority: queue.c */
#define QUEUE_MOST	262144

static void send(struct fuzz_stream *s, mblk_t *mp)
{
	t_scalar_t type;

	/* As the stream head does */
	if (mp && s->open && !msg_hipri(mp) &&
	    !bcanputnext(str_wq(&s->sd), mp->b_band)) {
		freemsg(mp);
		return;
	}
	if (s->open && s->pair->wr.q_count > QUEUE_MOST)
		s->lossy = true;
	if (mp && (DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO)) {
		type = tpi_type(mp);
		if (is_request(type))
			s->owed[type]++;
	} else if (mp && DB_TYPE(mp) == M_FLUSH) {
		s->lossy = true;
	}
	fuzz_stream_send(s, mp);
}

/* All that was asked for has been answered, when all is read and time has passed. */
static void check_answers(void)
{
	struct fuzz_stream *s;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		provider_go_on();
		for (s = fuzz_streams; s < fuzz_streams + STREAMS; s++)
			while (fuzz_stream_read(s))
				fuzz_settle();
		fuzz_settle();
		fuzz_tick();
	}
	for (s = fuzz_streams; s < fuzz_streams + STREAMS; s++)
		for (i = 0; s->open && !s->lossy && i < ARRAY_SIZE(s->owed); i++)
			if (s->owed[i])
				fuzz_die("a request without an answer");
}

static void rest(struct input *in)
{
	unsigned int b = input_byte(in);

	switch (b & 3) {
	case 0:
		fuzz_work();
		break;
	case 1:
		fuzz_settle();
		fuzz_tick();
		break;
	default:
		stub_fail_at = 1 + (b >> 2 & 15);
		memory_short = true;
	}
}

static void step(struct input *in)
{
	unsigned int b = input_byte(in);
	struct fuzz_stream *s = &fuzz_streams[STEP_STREAM(b)];

	++*fuzz_calls;
	switch (STEP_KIND(b)) {
	case OPEN:
		fuzz_stream_open(s, fuzz_drivers[input_below(in, fuzz_ndrivers)],
				 0);
		break;
	case CLOSE:
		fuzz_stream_close(s, b & STEP_ALL ? O_NONBLOCK : 0);
		break;
	case READ:
		while (fuzz_stream_read(s) && b & STEP_ALL)
			continue;
		break;
	case REST:
		rest(in);
		break;
	case EVENT:
		provider_event(in, s);
		break;
	case OTHER:
		send(s, prim_other(in));
		break;
	default:
		send(s, prim_make(in, &provider_kind, s));
	}
	fuzz_softirq();
	if (b & STEP_LATER)
		return;
	fuzz_settle();
	for (s = fuzz_streams; s < fuzz_streams + STREAMS; s++)
		if (s->open)
			provider_check(s);
}

void fuzz_one(struct input *in)
{
	unsigned int n = STEPS;

	fuzz_input = in;
	fuzz_begin();
	memory_short = false;
	while (in->left && n--)
		step(in);
	stub_fail_at = 0;
	in->left = 0;
	if (!memory_short)
		check_answers();
	fuzz_end();
	provider_end();
}

int fuzz_start(void)
{
	return fuzz_streams_start() ?: provider_start();
}
