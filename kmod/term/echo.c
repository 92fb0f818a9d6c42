// SPDX-License-Identifier: GPL-2.0-only
/*
 * The echo of input
 *
 * Echo is gathered while input is processed, and sent as one message. While the output is
 * stopped, or has no room, it waits; what exceeds ECHO_MOST then is dropped, as the reader
 * of the output may never read on. Two terminals at the ends of one pipe would echo each
 * other's echo for ever: it is marked, and not echoed again.
 */
#include <linux/ctype.h>

#include "column.h"
#include "echo.h"
#include "output.h"

/* Sends what has been gathered, if the output may continue. */
void echo_pass(struct ldterm *l)
{
	mblk_t *mp;

	if (!l->echo.len || !output_may_pass(l, 0))
		return;
	mp = chain_take(&l->echo);
	mp->b_flag |= MSGOBJECT | MSGECHO;
	putnext(WR(l->rq), mp);
}

/* Adds a byte as it is sent. Without memory or room it is dropped. */
static void echo_add(struct ldterm *l, unsigned char c)
{
	if (l->echoed)
		return;
	l->work++;
	if (l->echo.len >= ECHO_MOST)
		echo_pass(l);
	if (l->echo.len < ECHO_MOST && chain_room(&l->echo, 1))
		chain_add(&l->echo, c);
}

/* Remembers where the cursor is before the gathered echo, in case that is dropped. */
static void begin(struct ldterm *l)
{
	if (l->echo.len)
		return;
	l->echo_column = l->column;
	l->echo_line_column = l->line_column;
}

/* Echoes a byte as if the program had written it; Linux's terminals never map 0377. */
void echo_raw(struct ldterm *l, unsigned char c)
{
	unsigned char bytes[TAB_STOP];
	unsigned int i, n;

	begin(l);
	if (c == 0377) {
		echo_add(l, c);
		l->column++;
		return;
	}
	n = column_output(l, c, bytes);
	for (i = 0; i < n; i++)
		echo_add(l, bytes[i]);
}

/* Echoes a byte of input: with ECHOCTL, a control character as ^ and a letter. */
void echo_char(struct ldterm *l, unsigned char c)
{
	if (!lflag(l, ECHOCTL) || !iscntrl(c) || c == '\t') {
		echo_raw(l, c);
		return;
	}
	begin(l);
	echo_add(l, '^');
	echo_add(l, c ^ 0100);
	l->column += 2;
}

/* Moves the cursor back. */
void echo_back(struct ldterm *l, unsigned int columns)
{
	begin(l);
	while (columns--) {
		echo_add(l, '\b');
		if (l->column)
			l->column--;
	}
}

/* Drops what has been gathered, and the cursor is where it was before. */
void echo_drop(struct ldterm *l)
{
	if (l->echo.len) {
		l->column = l->echo_column;
		l->line_column = l->echo_line_column;
	}
	freemsg(chain_take(&l->echo));
}
