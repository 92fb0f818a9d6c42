// SPDX-License-Identifier: GPL-2.0-only
/* ldterm's read side: input, which is processed in its service procedure */
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <sys/stream.h>

#include "drivers/flush.h"
#include "change.h"
#include "echo.h"
#include "input.h"
#include "output.h"
#include "reading.h"
#include "retry.h"
#include "upward.h"

/* Bytes that are processed before what they became is passed on */
#define INPUT_PIECE	256
/* Bytes of echo, or of the line that is looked at, in a tick: others get the processor, too */
#define WORK_MOST	32768
/* Bytes of input that take the time of one that is echoed */
#define PLAIN		16

static void rest_over(void *arg)
{
	struct ldterm *l = arg;

	l->rest = 0;
	qenable(l->rq);
}

/* Returns whether there has been enough work for this tick, and waits for the next one then. */
static bool rest(struct ldterm *l)
{
	if (time_after(jiffies, l->tick)) {
		l->tick = jiffies;
		l->work = 0;
	}
	if (l->work < WORK_MOST)
		return false;
	if (!l->rest)
		l->rest = qtimeout(l->rq, rest_over, l, 1);
	/* Without memory for a timer the queue is served again. */
	if (!l->rest)
		qenable(l->rq);
	return true;
}

/* Returns whether all bytes are input as they are. */
static bool input_plain(const struct ldterm *l)
{
	return !lflag(l, ICANON | ISIG | ECHO) && !l->literal &&
	       !iflag(l, ISTRIP | IUCLC | INLCR | ICRNL | IGNCR | IXON | PARMRK) &&
	       l->set.c_cc[VMIN] == 1 && !l->set.c_cc[VTIME] && !l->raw.len;
}

/* Processes the front of a message. Returns how many bytes, at least one with memory. */
static size_t input_piece(struct ldterm *l, const mblk_t *mp)
{
	const unsigned char *at = mp->b_rptr;
	const unsigned char *end = at + min_t(size_t, MBLKL(mp), INPUT_PIECE);

	l->echoed = mp->b_flag & MSGECHO;
	while (at < end && l->work < WORK_MOST && reading_room(l))
		input_byte(l, *at++);
	l->echoed = false;
	l->work += DIV_ROUND_UP(at - mp->b_rptr, PLAIN);
	reading_pass(l);
	echo_pass(l);
	return at - mp->b_rptr;
}

/*
 * Processes a block of a message. Returns the block if bytes are left, else the next one;
 * memory: none was there for the next byte.
 */
static mblk_t *input_block(struct ldterm *l, mblk_t *mp, bool *memory)
{
	size_t n = input_piece(l, mp);
	mblk_t *next;

	mp->b_rptr += n;
	*memory = MBLKL(mp) && !n;
	if (MBLKL(mp))
		return mp;
	next = unlinkb(mp);
	if (next) {
		next->b_band = mp->b_band;
		next->b_flag = mp->b_flag;
	}
	freeb(mp);
	return next;
}

static void hold_off(struct ldterm *l)
{
	if (!iflag(l, IXOFF) || l->held_off)
		return;
	l->held_off = output_special(l, VSTOP);
}

static void hold_on(struct ldterm *l)
{
	if (!l->held_off)
		return;
	l->held_off = !output_special(l, VSTART);
	/* Room enables the write side, which has this tried again. */
	if (l->held_off && canputnext(WR(l->rq)))
		term_retry(l->rq, LINE_MOST);
}

/* Returns whether there is room above for a message, and for the lines that it becomes. */
static bool input_may_pass(queue_t *q, const mblk_t *mp)
{
	return canputnext(q) && (!mp->b_band || bcanputnext(q, mp->b_band));
}

int ldterm_rsrv(queue_t *q)
{
	struct ldterm *l = q->q_ptr;
	bool memory;
	mblk_t *mp;

	if (!reading_again(l)) {
		term_retry(q, LINE_MOST);
		return 0;
	}
	while ((mp = getq(q))) {
		if (!input_may_pass(q, mp)) {
			hold_off(l);
			putbq(q, mp);
			return 0;
		}
		if (DB_TYPE(mp) == M_BREAK) {
			if (!reading_room(l))
				goto memory;
			input_break(l);
			reading_pass(l);
			freemsg(mp);
			continue;
		}
		if (DB_TYPE(mp) != M_DATA || input_plain(l)) {
			putnext(q, mp);
			continue;
		}
		if (rest(l)) {
			putbq(q, mp);
			return 0;
		}
		mp = input_block(l, mp, &memory);
		if (!mp)
			continue;
		if (memory)
			goto memory;
		putbq(q, mp);
	}
	hold_on(l);
	return 0;

memory:
	putbq(q, mp);
	term_retry(q, LINE_MOST);
	return 0;
}

int ldterm_rput(queue_t *q, mblk_t *mp)
{
	struct ldterm *l = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_BREAK:
		/* Nothing else limits them. */
		if (!canput(q)) {
			freemsg(mp);
			return 0;
		}
		mp->b_flag |= MSGOBJECT;
		fallthrough;
	case M_DATA:
		if (!putq(q, mp))
			freemsg(mp);
		return 0;
	case M_IOCTL:
		/* No reader takes it, and its caller waits. */
		putnext(q, mp);
		return 0;
	case M_IOCACK:
	case M_IOCNAK:
		if (change_answered(l, mp)) {
			freemsg(mp);
			return 0;
		}
		break;
	case M_CTL:
		if (mp == l->marker) {
			reading_close(l);
			freemsg(mp);
			return 0;
		}
		if (change_report(mp)) {
			if (l->marker)
				change_reported(l, mp);
			freemsg(mp);
			return 0;
		}
		break;
	case M_FLUSH:
		flush_side(q, mp, FLUSHR);
		if (MBLKL(mp) >= 1 && *mp->b_rptr & FLUSHR) {
			l->len = 0;
			reading_drop(l);
		}
		break;
	}
	if (DB_TYPE(mp) >= QPCTL || (!q->q_first && input_may_pass(q, mp)))
		putnext(q, mp);
	else if (!putq(q, mp))
		freemsg(mp);
	return 0;
}
