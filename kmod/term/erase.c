// SPDX-License-Identifier: GPL-2.0-only
/*
 * Erasing in the line that is edited: POSIX.1-2017, 11.1.9, with ECHOKE, ECHOPRT and IUTF8
 * as in termios(3)
 */
#include <linux/ctype.h>

#include "column.h"
#include "echo.h"
#include "erase.h"

/* Ends the echo of erased characters between \ and /, ECHOPRT. */
void erase_finish(struct ldterm *l)
{
	if (!l->erasing)
		return;
	echo_raw(l, '/');
	l->erasing = false;
}

/* Returns where the last character of the line begins; of UTF-8 it may have several bytes. */
static unsigned int last_character(const struct ldterm *l)
{
	unsigned int at = l->len - 1;

	while (at && is_continuation(l, l->line[at]))
		at--;
	return at;
}

/*
 * Moves the cursor back over a tab, which was the last character of the line: its width
 * follows from the characters since the tab before it, or since the column where the line
 * began.
 */
static void back_over_tab(struct ldterm *l)
{
	unsigned int at = l->len, columns = 0;
	bool behind_tab = false;

	while (at && !behind_tab) {
		unsigned char c = l->line[--at];

		if (c == '\t')
			behind_tab = true;
		else if (iscntrl(c))
			columns += lflag(l, ECHOCTL) ? 2 : 0;
		else if (!is_continuation(l, c))
			columns++;
	}
	if (!behind_tab)
		columns += l->line_column;
	echo_back(l, TAB_STOP - columns % TAB_STOP);
}

static void rub_out(struct ldterm *l)
{
	echo_raw(l, '\b');
	echo_raw(l, ' ');
	echo_raw(l, '\b');
}

/* Shows that n bytes are gone, which were the character c and followed the line. */
static void echo_erased(struct ldterm *l, unsigned char c, unsigned int n, bool shown)
{
	unsigned int i;

	if (lflag(l, ECHOPRT)) {
		if (!l->erasing)
			echo_raw(l, '\\');
		l->erasing = true;
		echo_char(l, c);
		/* Only the first byte of a character takes a column. */
		for (i = 1; i < n; i++) {
			echo_raw(l, l->line[l->len + i]);
			if (l->column)
				l->column--;
		}
	} else if (!shown) {
		echo_char(l, l->set.c_cc[VERASE]);
	} else if (c == '\t') {
		back_over_tab(l);
	} else {
		if (iscntrl(c) && lflag(l, ECHOCTL))
			rub_out(l);
		if (!iscntrl(c) || lflag(l, ECHOCTL))
			rub_out(l);
	}
}

/* Erases the last character; shown: it disappears, rather than ERASE being echoed. */
static void erase_last(struct ldterm *l, bool shown)
{
	unsigned int at = last_character(l), n = l->len - at;

	l->len = at;
	if (lflag(l, ECHO))
		echo_erased(l, l->line[at], n, shown);
}

static void erase_ends(struct ldterm *l)
{
	if (!l->len && lflag(l, ECHO))
		erase_finish(l);
}

/* Returns whether the line ends with bytes that no character begins. */
static bool nothing_to_erase(const struct ldterm *l)
{
	return !l->len || is_continuation(l, l->line[last_character(l)]);
}

void erase_character(struct ldterm *l)
{
	if (!l->len)
		return;
	if (!nothing_to_erase(l))
		erase_last(l, lflag(l, ECHOE));
	erase_ends(l);
}

/* Erases the last word: letters, digits and underscores, and all that follows them. */
void erase_word(struct ldterm *l)
{
	bool word = false;

	if (!l->len)
		return;
	while (!nothing_to_erase(l)) {
		unsigned char c = l->line[last_character(l)];

		if (isalnum(c) || c == '_')
			word = true;
		else if (word)
			break;
		erase_last(l, true);
	}
	erase_ends(l);
}

void erase_line(struct ldterm *l)
{
	if (!l->len)
		return;
	if (!lflag(l, ECHO)) {
		l->len = 0;
		return;
	}
	if (!lflag(l, ECHOK) || !lflag(l, ECHOKE) || !lflag(l, ECHOE)) {
		l->len = 0;
		erase_finish(l);
		echo_char(l, l->set.c_cc[VKILL]);
		if (lflag(l, ECHOK))
			echo_raw(l, '\n');
		return;
	}
	while (!nothing_to_erase(l))
		erase_last(l, true);
	erase_ends(l);
}
