// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input for the terminal's reader, processed as the settings ask for
 *
 * POSIX.1-2017, 11.1 and 11.2.2; the flags and characters beyond it as in termios(3). A
 * terminal of Linux is the model where they leave a choice.
 */
#include <linux/ctype.h>
#include <linux/signal.h>

#include "echo.h"
#include "erase.h"
#include "input.h"
#include "output.h"
#include "reading.h"

/* Drops the input that no read() has got, here and at the stream head. */
void input_drop(struct ldterm *l)
{
	l->len = 0;
	l->erasing = false;
	reading_drop(l);
	flushq(l->rq, FLUSHDATA);
	putnextctl1(l->rq, M_FLUSH, FLUSHR);
}

/* Drops the output that waits here and below. An ioctl that waited for it continues. */
void output_drop(struct ldterm *l)
{
	echo_drop(l);
	flushq(WR(l->rq), FLUSHDATA);
	putnextctl1(WR(l->rq), M_FLUSH, FLUSHW);
	qenable(WR(l->rq));
}

/* Sends a signal; without NOFLSH, input and output that wait are dropped. */
static void send_signal(struct ldterm *l, int sig)
{
	putnextctl1(l->rq, M_PCSIG, sig);
	if (lflag(l, NOFLSH))
		return;
	output_drop(l);
	input_drop(l);
}

/* Returns whether the byte stops or starts the output. */
static bool flow_character(struct ldterm *l, unsigned char c)
{
	if (!iflag(l, IXON))
		return false;
	if (is_cc(l, c, VSTART)) {
		output_start(l, false);
		echo_pass(l);
		return true;
	}
	if (!is_cc(l, c, VSTOP))
		return false;
	output_stop(l, false);
	return true;
}

/* Returns whether the byte sends a signal. */
static bool signal_character(struct ldterm *l, unsigned char c)
{
	if (!lflag(l, ISIG))
		return false;
	if (is_cc(l, c, VINTR))
		send_signal(l, SIGINT);
	else if (is_cc(l, c, VQUIT))
		send_signal(l, SIGQUIT);
	else if (is_cc(l, c, VSUSP))
		send_signal(l, SIGTSTP);
	else
		return false;
	if (iflag(l, IXON))
		output_start(l, false);
	if (lflag(l, ECHO))
		echo_char(l, c);
	return true;
}

/* Adds a byte to the line. One that is full keeps room for its end: the last byte is lost. */
static void line_add(struct ldterm *l, unsigned char c)
{
	if (l->len == LINE_MOST)
		l->len--;
	l->line[l->len++] = c;
}

static void input_add(struct ldterm *l, unsigned char c)
{
	if (lflag(l, ICANON))
		line_add(l, c);
	else
		reading_add(l, c);
}

/* Adds a byte of input. With PARMRK the byte 0377 is doubled, as a single one begins a mark. */
static void add_marked(struct ldterm *l, unsigned char c)
{
	if (c == 0377 && iflag(l, PARMRK))
		input_add(l, c);
	input_add(l, c);
}

/* Shows the line again. */
static void reprint(struct ldterm *l, unsigned char c)
{
	unsigned int i;

	erase_finish(l);
	echo_char(l, c);
	echo_raw(l, '\n');
	for (i = 0; i < l->len; i++)
		echo_char(l, l->line[i]);
}

static void literal_begin(struct ldterm *l)
{
	l->literal = true;
	if (!lflag(l, ECHO))
		return;
	erase_finish(l);
	if (lflag(l, ECHOCTL)) {
		echo_raw(l, '^');
		echo_raw(l, '\b');
	}
}

/* Returns whether the byte changes the line that is edited. */
static bool editing_character(struct ldterm *l, unsigned char c)
{
	if (is_cc(l, c, VERASE))
		erase_character(l);
	else if (is_cc(l, c, VWERASE) && lflag(l, IEXTEN))
		erase_word(l);
	else if (is_cc(l, c, VKILL))
		erase_line(l);
	else
		return false;
	/* Each of these looks at the line, which may be long. */
	l->work += l->len;
	return true;
}

/* Echoes a byte of the line or of raw input. */
static void echo_input(struct ldterm *l, unsigned char c)
{
	if (!lflag(l, ECHO))
		return;
	erase_finish(l);
	if (!l->len)
		l->line_column = l->column;
	echo_char(l, c);
}

/* Returns whether the byte ends the line. */
static bool line_end(struct ldterm *l, unsigned char c)
{
	if (c == '\n') {
		if (lflag(l, ECHO | ECHONL))
			echo_raw(l, '\n');
		line_add(l, c);
	} else if (is_cc(l, c, VEOF)) {
		/* The line ends without it. */
	} else if (is_cc(l, c, VEOL) || (is_cc(l, c, VEOL2) && lflag(l, IEXTEN))) {
		if (lflag(l, ECHO)) {
			if (!l->len)
				l->line_column = l->column;
			echo_char(l, c);
		}
		add_marked(l, c);
	} else {
		return false;
	}
	reading_line(l);
	return true;
}

/* Handles a byte in canonical mode. Returns whether it was one of the special ones. */
static bool canonical_byte(struct ldterm *l, unsigned char c)
{
	if (editing_character(l, c))
		return true;
	if (is_cc(l, c, VLNEXT) && lflag(l, IEXTEN)) {
		literal_begin(l);
		return true;
	}
	if (is_cc(l, c, VREPRINT) && lflag(l, ECHO) && lflag(l, IEXTEN)) {
		reprint(l, c);
		return true;
	}
	return line_end(l, c);
}

/* Returns whether a carriage return is dropped; else it, or a newline, is mapped. */
static bool map_line_ends(const struct ldterm *l, unsigned char *c)
{
	if (*c == '\r') {
		if (iflag(l, IGNCR))
			return true;
		if (iflag(l, ICRNL))
			*c = '\n';
	} else if (*c == '\n' && iflag(l, INLCR)) {
		*c = '\r';
	}
	return false;
}

/* Handles one byte of input. */
void input_byte(struct ldterm *l, unsigned char c)
{
	unsigned char was;

	if (iflag(l, ISTRIP))
		c &= 0177;
	if (iflag(l, IUCLC) && lflag(l, IEXTEN))
		c = tolower(c);
	if (l->literal) {
		l->literal = false;
		echo_input(l, c);
		add_marked(l, c);
		return;
	}
	if (flow_character(l, c) || signal_character(l, c))
		return;
	if (l->stopped && iflag(l, IXON) && iflag(l, IXANY)) {
		output_start(l, false);
		echo_pass(l);
	}
	was = c;
	if (map_line_ends(l, &c))
		return;
	if (lflag(l, ICANON) && canonical_byte(l, c))
		return;
	/* A newline that a carriage return became is echoed as one in any mode. */
	if (c == '\n' && c != was && lflag(l, ECHO)) {
		erase_finish(l);
		echo_raw(l, c);
	} else {
		echo_input(l, c);
	}
	add_marked(l, c);
}

/* Handles a break, which an M_BREAK reports: POSIX.1-2017, 11.2.2. */
void input_break(struct ldterm *l)
{
	if (iflag(l, IGNBRK))
		return;
	if (iflag(l, BRKINT)) {
		send_signal(l, SIGINT);
		return;
	}
	if (iflag(l, PARMRK)) {
		input_add(l, 0377);
		input_add(l, 0);
	}
	input_add(l, 0);
}
