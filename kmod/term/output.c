// SPDX-License-Identifier: GPL-2.0-only
/* Output, processed as the settings ask for: POSIX.1-2017, 11.2.3 */
#include <linux/ctype.h>

#include "column.h"
#include "output.h"

/* The bytes that one can become: a tab is 8 spaces. */
#define EXPANSION	8

/*
 * Returns the bytes as they are sent, in one block; or NULL without memory, and then the
 * column is as it was.
 */
mblk_t *output_data(struct ldterm *l, const unsigned char *from, size_t n)
{
	bool tabs = oflag(l, TABDLY) == XTABS;
	mblk_t *mp = allocb(n * (tabs ? EXPANSION : 2), BPRI_MED);
	const unsigned char *end = from + n;

	if (!mp)
		return NULL;
	mp->b_flag |= MSGOBJECT;
	while (from < end)
		mp->b_wptr += column_output(l, *from++, mp->b_wptr);
	return mp;
}

/* Returns whether output of a band can be passed on now. */
bool output_may_pass(const struct ldterm *l, unsigned char band)
{
	return !l->stopped && bcanputnext(WR(l->rq), band);
}

/* Stops the output, by TCOOFF or by the character STOP. */
void output_stop(struct ldterm *l, bool tc)
{
	if (tc)
		l->stopped_tc = true;
	if (l->stopped)
		return;
	l->stopped = true;
	putnextctl(WR(l->rq), M_STOP);
}

/* Continues the output: by TCOON, or by a character, which does not undo TCOOFF. */
void output_start(struct ldterm *l, bool tc)
{
	if (!l->stopped || (l->stopped_tc && !tc))
		return;
	l->stopped = false;
	l->stopped_tc = false;
	putnextctl(WR(l->rq), M_START);
	qenable(WR(l->rq));
}

/*
 * Sends STOP or START, the characters that the settings have, to the other side. Returns
 * whether there was room and memory.
 */
bool output_special(struct ldterm *l, unsigned int index)
{
	mblk_t *mp;

	if (!l->set.c_cc[index])
		return true;
	if (!canputnext(WR(l->rq)))
		return false;
	mp = allocb(1, BPRI_HI);
	if (!mp)
		return false;
	mp->b_flag |= MSGOBJECT;
	*mp->b_wptr++ = l->set.c_cc[index];
	putnext(WR(l->rq), mp);
	return true;
}
