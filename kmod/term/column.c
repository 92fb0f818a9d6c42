// SPDX-License-Identifier: GPL-2.0-only
/* The bytes that a byte of output becomes, and the column in which the cursor is then */
#include <linux/ctype.h>
#include <linux/string.h>

#include "column.h"

static void column_zero(struct ldterm *l)
{
	l->column = 0;
	l->line_column = 0;
}

static unsigned int newline(struct ldterm *l, unsigned char *to)
{
	unsigned int n = 0;

	if (oflag(l, ONLRET))
		l->column = 0;
	if (oflag(l, ONLCR)) {
		l->column = 0;
		to[n++] = '\r';
	}
	l->line_column = l->column;
	to[n++] = '\n';
	return n;
}

static unsigned int carriage_return(struct ldterm *l, unsigned char *to)
{
	if (oflag(l, ONOCR) && !l->column)
		return 0;
	*to = '\r';
	if (oflag(l, OCRNL)) {
		*to = '\n';
		if (oflag(l, ONLRET))
			column_zero(l);
	} else {
		column_zero(l);
	}
	return 1;
}

static unsigned int tab(struct ldterm *l, unsigned char *to)
{
	unsigned int spaces = TAB_STOP - l->column % TAB_STOP;

	l->column += spaces;
	if (oflag(l, TABDLY) != XTABS) {
		*to = '\t';
		return 1;
	}
	memset(to, ' ', spaces);
	return spaces;
}

/**
 * column_output() - process one byte of output
 * @l: the instance, whose column follows
 * @c: the byte
 * @to: receives at most 8 bytes
 *
 * Return: how many. POSIX.1-2017, 11.2.3; OLCUC and XTABS as in termios(3).
 */
unsigned int column_output(struct ldterm *l, unsigned char c, unsigned char *to)
{
	if (oflag(l, OPOST)) {
		switch (c) {
		case '\n':
			return newline(l, to);
		case '\r':
			return carriage_return(l, to);
		case '\t':
			return tab(l, to);
		case '\b':
			if (l->column)
				l->column--;
			break;
		default:
			if (iscntrl(c))
				break;
			if (oflag(l, OLCUC))
				c = toupper(c);
			if (!is_continuation(l, c))
				l->column++;
		}
	}
	*to = c;
	return 1;
}
