/* SPDX-License-Identifier: GPL-2.0-only */
/* instance.h - one instance of the line discipline module */
#ifndef _TERM_INSTANCE_H
#define _TERM_INSTANCE_H

#include <linux/termios.h>
#include <sys/stream.h>

#include "chain.h"

/* Bytes of a line that is edited, with its end; Linux's terminals have as many. */
#define LINE_MOST	4096
/* Bytes of echo that wait for the output to continue */
#define ECHO_MOST	4096

struct ldterm {
	queue_t *rq;
	struct ktermios set;		/* in use */
	struct ktermios asked;		/* of the ioctl that is below */
	unsigned int asked_id;		/* ... its number, or 0 */
	int asked_cmd;
	mblk_t *marker;			/* put to the read queue by the close */

	/* Input */
	unsigned char *line;		/* being edited, LINE_MOST bytes */
	unsigned int len;		/* bytes of it */
	mblk_t *spare;			/* for one line, should memory be short at its end */
	bool literal;			/* the next byte is an ordinary one */
	bool erasing;			/* between \ and / of ECHOPRT */
	bool held_off;			/* IXOFF: STOP was sent */
	struct chain raw;		/* not canonical: bytes that wait for MIN or TIME */
	size_t wanted;			/* bytes of a read() that waits, or 0 */
	timeout_id_t timer;		/* TIME, or 0 */
	bool mode_due, empty_due;	/* not passed up for want of memory */

	/* Output */
	bool stopped;			/* by STOP, or TCOOFF */
	bool stopped_tc;		/* ... by TCOOFF: IXANY does not start it */
	unsigned int column;		/* of the cursor */
	unsigned int line_column;	/* ... where the input line began */
	struct chain echo;
	unsigned int echo_column;	/* the columns before what is gathered there */
	unsigned int echo_line_column;
	bool echoed;			/* the input is another terminal's echo */
	unsigned int work;		/* bytes echoed, or looked at, in this tick */
	unsigned long tick;		/* of the kernel's clock */
	timeout_id_t rest;		/* waits for the next one, or 0 */
	bufcall_id_t retry_in, retry_out;	/* without memory, or 0 */
};

static inline tcflag_t iflag(const struct ldterm *l, tcflag_t flags)
{
	return l->set.c_iflag & flags;
}

static inline tcflag_t oflag(const struct ldterm *l, tcflag_t flags)
{
	return l->set.c_oflag & flags;
}

static inline tcflag_t lflag(const struct ldterm *l, tcflag_t flags)
{
	return l->set.c_lflag & flags;
}

/* Returns whether a byte is a control character that the settings enable. */
static inline bool is_cc(const struct ldterm *l, unsigned char c, unsigned int index)
{
	return c == l->set.c_cc[index] && c;
}

/* Returns whether a byte continues a character of UTF-8. */
static inline bool is_continuation(const struct ldterm *l, unsigned char c)
{
	return iflag(l, IUTF8) && (c & 0xc0) == 0x80;
}

#endif /* _TERM_INSTANCE_H */
