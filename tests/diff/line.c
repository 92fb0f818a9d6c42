// SPDX-License-Identifier: GPL-2.0-only
/* line.c - the results of a step, as a line of text */
#include "line.h"
#include "fail.h"
#include "step.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct line {
	struct {
		unsigned int len;
		char text[1000];
	} field[FIELDS];
} line;

static volatile sig_atomic_t telling;

/**
 * put - more of a field of this step's line
 * @field: which
 * @format: as printf(3)
 */
void put(enum field field, const char *format, ...)
{
	char *text = line.field[field].text;
	unsigned int len = line.field[field].len, room = sizeof(line.field[0].text) - len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text + len, room, format, args);
	va_end(args);
	line.field[field].len += n < (int)room ? n : (int)room - 1;
}

/**
 * put_result - a result of a call, or the error that it left in errno
 * @name: the call, or NULL if it is that of the step
 * @ret: its return value
 */
void put_result(const char *name, long ret)
{
	int error = errno;

	if (name)
		put(RESULT, " %s ", name);
	if (ret == -1)
		put(RESULT, "%s", error_name(error));
	else
		put(RESULT, "%ld", ret);
}

/**
 * put_data - the bytes received
 * @data: where they are
 * @len: how many
 *
 * A sum of all of them, eight at a time: large ones must not take long.
 */
void put_data(const void *data, long len)
{
	const char *bytes = data;
	uint64_t word, sum = len;

	if (len <= 0)
		return;
	for (; len >= 8; len -= 8, bytes += 8) {
		memcpy(&word, bytes, 8);
		sum = (sum ^ word) * 0x9e3779b97f4a7c15;
		sum ^= sum >> 29;
	}
	word = 0;
	memcpy(&word, bytes, len);
	sum = (sum ^ word) * 0x9e3779b97f4a7c15;
	put(RESULT, " data %08x", (uint32_t)(sum >> 32));
}

/**
 * put_events - bits of poll(2) or epoll(7)
 * @field: where to
 * @events: the bits
 */
void put_events(enum field field, unsigned int events)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} names[] = {
		{ POLLIN, "in" }, { POLLPRI, "pri" }, { POLLOUT, "out" },
		{ POLLERR, "err" }, { POLLHUP, "hup" }, { POLLNVAL, "nval" },
		{ POLLRDNORM, "rdnorm" }, { POLLRDBAND, "rdband" },
		{ POLLWRNORM, "wrnorm" }, { POLLWRBAND, "wrband" },
		{ POLLRDHUP, "rdhup" },
	};
	const char *between = "";
	unsigned int i;

	if (!events)
		put(field, "none");
	for (i = 0; events && i < COUNT(names); i++) {
		if (!(events & names[i].bit))
			continue;
		put(field, "%s%s", between, names[i].name);
		between = "+";
		events &= ~names[i].bit;
	}
	if (events)
		put(field, "%s%#x", between, events);
}

/** line_begin - a step begins */
void line_begin(void)
{
	unsigned int i;

	for (i = 0; i < FIELDS; i++) {
		line.field[i].len = 0;
		line.field[i].text[0] = 0;
	}
}

/* All of it, or the player cannot continue. */
static void tell(const char *text, size_t len)
{
	ssize_t n;

	telling = true;
	for (; len; text += n, len -= n) {
		n = write(STDOUT_FILENO, text, len);
		if (n <= 0)
			_exit(1);
	}
	telling = false;
}

/**
 * line_telling - is a line being written right now?
 *
 * Return: true in a handler that must not write in the midst of it.
 */
bool line_telling(void)
{
	return telling;
}

/** lines_end - a sequence is over */
void lines_end(void)
{
	tell("end\n", 4);
}

/**
 * line_result - the result of the step so far
 *
 * Return: the text of its result
 */
const char *line_result(void)
{
	return line.field[RESULT].text;
}

/**
 * line_end - a step is over
 * @s: the step
 *
 * It is written at once: the player may not survive the next step.
 */
void line_end(const struct step *s)
{
	char out[sizeof(line) + 64];
	size_t len = sprintf(out, "%u", s->number);
	unsigned int i;

	for (i = 0; i < FIELDS; i++) {
		out[len++] = '\t';
		memcpy(out + len, line.field[i].text, line.field[i].len);
		len += line.field[i].len;
	}
	out[len++] = '\n';
	tell(out, len);
}

/**
 * line_send - hand this step's line to the parent
 * @fd: a socket
 */
void line_send(int fd)
{
	if (send(fd, &line, sizeof(line), 0) != sizeof(line))
		_exit(1);
}

/**
 * line_receive - the child has written this step's line
 * @fd: a socket
 */
void line_receive(int fd)
{
	if (recv(fd, &line, sizeof(line), 0) != sizeof(line))
		broken("no answer from the child");
}
