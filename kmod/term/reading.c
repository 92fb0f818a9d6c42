// SPDX-License-Identifier: GPL-2.0-only
/*
 * When input is passed up to the reader: POSIX.1-2017, 11.1.6 and 11.1.7
 *
 * In canonical mode a line is a message, of which a read() takes at most one (RMSGN), and an
 * empty one is the end of the file. Else input waits here for MIN bytes or for TIME. With
 * values other than MIN 1 and TIME 0, the stream head reports by M_READ that a read() waits
 * and how much it asks for.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "reading.h"

/* The bytes that one byte of input may become: PARMRK marks a break by three. */
#define MARK_MOST	3

static bool canonical(const struct ldterm *l)
{
	return lflag(l, ICANON);
}

static unsigned int minimum(const struct ldterm *l)
{
	return l->set.c_cc[VMIN];
}

static unsigned int tenths(const struct ldterm *l)
{
	return l->set.c_cc[VTIME];
}

/* Sets the stream head to the mode. Returns whether there was memory. */
static bool set_mode(struct ldterm *l)
{
	mblk_t *mp = allocb(sizeof(struct stroptions), BPRI_MED);
	bool reports = !canonical(l) && (minimum(l) != 1 || tenths(l));
	struct stroptions *so;

	if (!mp)
		return false;
	DB_TYPE(mp) = M_SETOPTS;
	so = (struct stroptions *)mp->b_wptr;
	memset(so, 0, sizeof(*so));
	so->so_flags = SO_READOPT | (reports ? SO_MREADON : SO_MREADOFF);
	so->so_readopt = canonical(l) ? RMSGN : RNORM;
	mp->b_wptr += sizeof(*so);
	putnext(l->rq, mp);
	return true;
}

/*
 * Makes room for what one byte of input may become, so that none is lost for want of memory.
 * Returns whether there is room.
 */
bool reading_room(struct ldterm *l)
{
	if (!l->spare)
		l->spare = allocb(LINE_MOST, BPRI_MED);
	if (!l->spare)
		return false;
	return canonical(l) || chain_room(&l->raw, MARK_MOST);
}

/* Passes on the line, which has ended. */
void reading_line(struct ldterm *l)
{
	mblk_t *mp = allocb(l->len, BPRI_MED);

	if (!mp) {
		mp = l->spare;
		l->spare = NULL;
	}
	mp->b_flag |= MSGOBJECT;
	memcpy(mp->b_wptr, l->line, l->len);
	mp->b_wptr += l->len;
	l->len = 0;
	putnext(l->rq, mp);
}

/* Keeps a byte that is not part of a line. */
void reading_add(struct ldterm *l, unsigned char c)
{
	chain_add(&l->raw, c);
}

static void wait_stop(struct ldterm *l)
{
	if (l->timer)
		quntimeout(l->rq, l->timer);
	l->timer = 0;
}

/* Passes on all bytes that wait. If there are none, a read() that waits returns 0. */
static void pass_all(struct ldterm *l)
{
	mblk_t *mp = chain_take(&l->raw) ?: allocb(0, BPRI_MED);

	wait_stop(l);
	if (!mp) {
		l->empty_due = true;
		return;
	}
	l->wanted = 0;
	l->empty_due = false;
	mp->b_flag |= MSGOBJECT;
	putnext(l->rq, mp);
}

/* Passes up what had no memory before. Returns whether there was memory now. */
bool reading_again(struct ldterm *l)
{
	if (l->mode_due)
		l->mode_due = !set_mode(l);
	if (l->empty_due)
		pass_all(l);
	return !l->mode_due && !l->empty_due;
}

static void time_over(void *arg)
{
	struct ldterm *l = ((queue_t *)arg)->q_ptr;

	l->timer = 0;
	if (l->raw.len || l->wanted)
		pass_all(l);
	if (l->empty_due)
		qenable(l->rq);
}

static void wait_start(struct ldterm *l)
{
	wait_stop(l);
	l->timer = qtimeout(l->rq, time_over, l->rq, DIV_ROUND_UP(tenths(l) * HZ, 10));
	/* If memory for a timer is short, its time counts as over. */
	if (!l->timer)
		pass_all(l);
}

/* Passes on the bytes that wait, if they suffice for MIN or for the read() that waits. */
void reading_pass(struct ldterm *l)
{
	size_t enough = max(minimum(l), 1u);

	if (!l->raw.len || canonical(l))
		return;
	if (l->wanted)
		enough = min(enough, l->wanted);
	if (l->raw.len >= enough)
		pass_all(l);
	else if (tenths(l))
		wait_start(l);
}

/* Handles the report that a read() waits. */
void reading_wanted(struct ldterm *l, mblk_t *mp)
{
	size_t n = 0;

	if (MBLKL(mp) >= sizeof(n))
		memcpy(&n, mp->b_rptr, sizeof(n));
	freemsg(mp);
	if (canonical(l) || !n)
		return;
	l->wanted = n;
	reading_pass(l);
	if (!l->wanted || minimum(l))
		return;
	if (tenths(l))
		wait_start(l);
	else
		pass_all(l);
	if (l->empty_due)
		qenable(l->rq);
}

/*
 * Makes the input of one mode that of the other: a line that is edited is read as it is, and
 * what waited for MIN is read before the next line.
 */
void reading_change(struct ldterm *l)
{
	if (canonical(l)) {
		if (l->raw.len)
			pass_all(l);
		l->wanted = 0;
	} else if (l->len) {
		reading_line(l);
	}
	reading_pass(l);
	l->mode_due = true;
	qenable(l->rq);
	reading_again(l);
}

/* Has the head read bytes again; a line that was not ended is read as it is. */
void reading_close(struct ldterm *l)
{
	l->marker = NULL;
	l->set.c_lflag &= ~ICANON;
	l->set.c_cc[VMIN] = 1;
	l->set.c_cc[VTIME] = 0;
	reading_change(l);
}

void reading_drop(struct ldterm *l)
{
	wait_stop(l);
	freemsg(chain_take(&l->raw));
}
