/* SPDX-License-Identifier: GPL-2.0-only */
/* streams-message.h - messages sent and received, for tests of getmsg() and putmsg() */
#ifndef STREAMS_MESSAGE_H
#define STREAMS_MESSAGE_H

#include "streams-test.h"

/* The room for a message, and the strbufs that a call takes */
struct message {
	char ctl[70000];
	char data[70000];
	struct strbuf c;
	struct strbuf d;
	int band;
	int flags;
};

static struct message m;

__attribute__((unused))
static struct strbuf part(const char *s)
{
	return (struct strbuf){ .len = s ? (int)strlen(s) : -1, .buf = (char *)s };
}

/* Sends a message by putmsg(); NULL: without that part. */
__attribute__((unused))
static int put_message(int fd, const char *ctl, const char *data, int flags)
{
	struct strbuf c = part(ctl), d = part(data);

	return putmsg(fd, ctl ? &c : NULL, data ? &d : NULL, flags);
}

__attribute__((unused))
static int send_band(int fd, const char *ctl, const char *data, int band,
		     int flags)
{
	struct strbuf c = part(ctl), d = part(data);

	return putpmsg(fd, ctl ? &c : NULL, data ? &d : NULL, band, flags);
}

/* Calls getmsg() with room for ctl and data bytes in the parts. */
__attribute__((unused))
static int receive_some(int fd, int ctl, int data, int flags)
{
	m.c = (struct strbuf){ .maxlen = ctl, .len = -7, .buf = m.ctl };
	m.d = (struct strbuf){ .maxlen = data, .len = -7, .buf = m.data };
	m.flags = flags;
	return getmsg(fd, &m.c, &m.d, &m.flags);
}

__attribute__((unused))
static int receive(int fd, int flags)
{
	return receive_some(fd, sizeof(m.ctl), sizeof(m.data), flags);
}

__attribute__((unused))
static int receive_band(int fd, int band, int flags)
{
	m.c = (struct strbuf){ .maxlen = sizeof(m.ctl), .len = -7, .buf = m.ctl };
	m.d = (struct strbuf){ .maxlen = sizeof(m.data), .len = -7, .buf = m.data };
	m.flags = flags;
	m.band = band;
	return getpmsg(fd, &m.c, &m.d, &m.band, &m.flags);
}

/* Checks the parts of the message received last. */
__attribute__((unused))
static bool parts_are(const char *ctl, const char *data)
{
	struct strbuf c = part(ctl), d = part(data);

	if (m.c.len == c.len && (c.len <= 0 || !memcmp(m.ctl, ctl, c.len)) &&
	    m.d.len == d.len && (d.len <= 0 || !memcmp(m.data, data, d.len)))
		return true;
	printf("found control part %d '%.*s', data part %d '%.*s'\n",
	       m.c.len, m.c.len > 0 ? m.c.len : 0, m.ctl,
	       m.d.len, m.d.len > 0 ? m.d.len : 0, m.data);
	return false;
}

static int fds[2];

__attribute__((unused))
static void pipe_make(void)
{
	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	test_nonblock(fds[1], true);
}

/* Another thread acts when this one waits. */
static int later_fd;
static pid_t later_for;
static void (*later_do)(int fd);

__attribute__((unused))
static void *later_run(void *arg)
{
	UNTIL(thread_sleeps(later_for));
	later_do(later_fd);
	return arg;
}

__attribute__((unused))
static pthread_t later(int fd, void (*what)(int fd))
{
	pthread_t thread;

	later_fd = fd;
	later_for = thread_id();
	later_do = what;
	pthread_create(&thread, NULL, later_run, NULL);
	return thread;
}

#endif /* STREAMS_MESSAGE_H */
