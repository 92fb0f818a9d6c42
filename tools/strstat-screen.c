// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-screen.c - strstat --watch on a terminal, sorted and filtered by keys */
#include <err.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "strstat-sample.h"
#include "strstat-table.h"
#include "strstat-watch.h"
#include "text.h"

#define LINE	512

enum { COLOR_SOME = 1, COLOR_MUCH, COLOR_FULL };

/* The settings that keys change */
struct screen {
	enum order order;
	bool reverse;
	bool paused;
	bool over;
	bool typing;		/* the text to look for */
	size_t first;		/* the first stream that is shown */
	char text[64];
};

static void leave(void)
{
	if (!isendwin())
		endwin();
}

static void enter(void)
{
	setlocale(LC_CTYPE, "");
	/* Unlike initscr(), it does not end the program for a terminal it does not know. */
	if (!newterm(NULL, stdout, stdin))
		errx(EXIT_FAILURE, "the terminal is not known: set TERM, or use a pipe to cat(1)");
	/* An error's message is to be read on the terminal as it was. */
	atexit(leave);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(COLOR_SOME, COLOR_GREEN, -1);
		init_pair(COLOR_MUCH, COLOR_YELLOW, -1);
		init_pair(COLOR_FULL, COLOR_RED, -1);
	}
}

/* Puts a line on the screen, without what could confuse the terminal. */
static void put_line(int y, const char *line)
{
	char clean[LINE];
	const char *shown;
	size_t n = 0, len;

	for (; *line && n + 4 < sizeof(clean); line += len) {
		shown = text_next(line, false, &len);
		memcpy(clean + n, shown, shown == line ? len : 1);
		n += shown == line ? len : 1;
	}
	clean[n] = '\0';
	move(y, 0);
	addnstr(clean, COLS);
	clrtoeol();
}

static int color_of(unsigned int fill)
{
	return !fill ? 0 : COLOR_PAIR(fill < 50 ? COLOR_SOME : fill < 90 ? COLOR_MUCH : COLOR_FULL);
}

static void draw_streams(const struct sample *sample, struct screen *screen, int y)
{
	char line[LINE];
	size_t i, n = 0;

	for (i = 0; i < sample->n && y < LINES - 1; i++) {
		const struct sample_stream *s = &sample->streams[i];

		table_stream(s, line, sizeof(line));
		if (!strstr(line, screen->text) || n++ < screen->first)
			continue;
		attron(color_of(s->fill));
		put_line(y++, line);
		attroff(color_of(s->fill));
	}
	/* The last streams may have been closed. */
	if (n <= screen->first)
		screen->first = n ? n - 1 : 0;
}

static void draw(struct sample *sample, struct screen *screen)
{
	char line[LINE];
	int y = 0;
	size_t i;

	table_sort(sample, screen->order, screen->reverse);
	erase();
	snprintf(line, sizeof(line), "strstat: %zu streams, by %s%s%s%s%s", sample->n,
		 order_name(screen->order), screen->reverse ? ", reversed" : "",
		 screen->paused ? ", paused" : "", *screen->text ? ", with " : "", screen->text);
	put_line(y++, line);
	for (i = 0; y < LINES - 4 && table_total(sample, i, line, sizeof(line)); i++)
		put_line(y++, line);
	table_title(line, sizeof(line));
	attron(A_REVERSE);
	put_line(y++, line);
	attroff(A_REVERSE);
	draw_streams(sample, screen, y);
	snprintf(line, sizeof(line), "%s%s", screen->typing ? "show lines with: " :
		 "q quit  s sort  r reverse  / only lines with a text  p pause  arrows move",
		 screen->typing ? screen->text : "");
	put_line(LINES - 1, line);
	refresh();
}

static void type_key(struct screen *screen, int key)
{
	size_t len = strlen(screen->text);

	if (key == '\n' || key == KEY_ENTER)
		screen->typing = false;
	else if ((key == KEY_BACKSPACE || key == '\b' || key == 127) && len)
		screen->text[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < sizeof(screen->text))
		screen->text[len] = key;
}

static void move_key(struct screen *screen, int key)
{
	size_t page = LINES > 6 ? LINES - 6 : 1;
	size_t by = key == KEY_UP || key == KEY_DOWN ? 1 : page;

	if (key == KEY_DOWN || key == KEY_NPAGE)
		screen->first += by;
	else if (key == KEY_HOME)
		screen->first = 0;
	else
		screen->first -= by < screen->first ? by : screen->first;
}

static void take_key(struct screen *screen, int key)
{
	if (screen->typing) {
		type_key(screen, key);
		return;
	}
	switch (key) {
	case 'q':
		screen->over = true;
		break;
	case 's':
		screen->order = (screen->order + 1) % ORDER_MAX;
		break;
	case 'r':
		screen->reverse = !screen->reverse;
		break;
	case 'p':
		screen->paused = !screen->paused;
		break;
	case '/':
		memset(screen->text, 0, sizeof(screen->text));
		screen->typing = true;
		break;
	case KEY_UP:
	case KEY_DOWN:
	case KEY_PPAGE:
	case KEY_NPAGE:
	case KEY_HOME:
		move_key(screen, key);
		break;
	}
}

/* Takes keys until the next sample is due, or the end is asked for. */
static void wait_for_keys(struct screen *screen, struct sample *sample, double until)
{
	double left;
	int key;

	while (!screen->over && (left = until - sample_clock(CLOCK_MONOTONIC)) > 0) {
		timeout(left * 1000 + 1);
		key = getch();
		if (key == ERR)
			continue;
		take_key(screen, key);
		draw(sample, screen);
	}
}

/* Sorts a sample by id again, as the rates of the next one need it. */
static void next_sample(struct sample *sample, const struct watch *watch)
{
	struct sample before = *sample;

	table_sort(&before, ORDER_ID, false);
	sample_take(sample, &before, &watch->filter, watch->counters);
	sample_free(&before);
}

void watch_screen(const struct watch *watch)
{
	struct screen screen = { };
	struct sample sample;
	unsigned long n = 0;

	sample_take(&sample, NULL, &watch->filter, watch->counters);
	enter();
	do {
		draw(&sample, &screen);
		wait_for_keys(&screen, &sample, sample_clock(CLOCK_MONOTONIC) + watch->seconds);
		if (!screen.paused && !screen.over)
			next_sample(&sample, watch);
	} while (!screen.over && ++n != watch->count);
	sample_free(&sample);
	leave();
}
