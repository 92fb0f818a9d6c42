// SPDX-License-Identifier: GPL-2.0-only
/* pipe-records.c - the writes of a full-duplex pipe while it has its rings */
#include <poll.h>
#include <pthread.h>

#include "missing.h"

#define PAGE	4096

static int fds[2];
static char sent[65536], got[65536];

static void pipe_make(void)
{
	size_t i;

	IS(strpipe(fds), 0);
	for (i = 0; i < sizeof(sent); i++)
		sent[i] = i % 251;
}

/* getmsg() of a message of data alone; its length, or -1. */
static int get(int fd)
{
	struct strbuf data = { .maxlen = sizeof(got), .len = -7, .buf = got };
	int flags = 0;

	return getmsg(fd, NULL, &data, &flags) ? -1 : data.len;
}

/* Bytes that were read are gone, also of a part of one; the others are messages. */
static void messages(void)
{
	static const int size[] = { 1, 3000, 4096, 7, 9000, 152, 16000, 2 };
	int i;

	pipe_make();
	test_nonblock(fds[1], true);
	for (i = 0; i < 8; i++)
		IS(write(fds[0], sent + i, size[i]), size[i]);
	IS(read(fds[1], got, 1001), 1001);
	TRUE(got[0] == sent[0] && !memcmp(got + 1, sent + 1, 1000));
	IS(get(fds[1]), 2000);
	TRUE(!memcmp(got, sent + 1 + 1000, 2000));
	for (i = 2; i < 8; i++) {
		IS(get(fds[1]), size[i]);
		TRUE(!memcmp(got, sent + i, size[i]));
	}
	FAILS(read(fds[1], got, 1), EAGAIN);
}

/* Some read as bytes, more than the ring keeps ends of, before others are messages. */
static void many(void)
{
	int i, len;

	pipe_make();
	for (i = 0; i < 2000; i++) {
		len = 1 + i % 700;
		IS(write(fds[1], sent + i, len), len);
		if (i % 3)
			continue;
		len = i ? 1 + (i - 2) % 700 + 1 + (i - 1) % 700 + len : len;
		IS(read(fds[0], got, sizeof(got)), len);
		TRUE(got[len - 1] == sent[i + i % 700]);
	}
	/* i % 3 == 0 was the last to be read. */
	IS(get(fds[0]), 1 + 1999 % 700);
	TRUE(!memcmp(got, sent + 1999, 1 + 1999 % 700));
}

/*
 * A write that does not find room is refused only where poll() says so, and as
 * messages they take no more memory than a pipe may hold.
 */
static void full(void)
{
	struct pollfd p = { .events = POLLOUT };
	static const int size[] = { 1, 100, 300, 4096, 5000 };
	static const int counts[] = { 256, 256, 563, 4096, 8812 };
	int i, n, out;

	for (i = 0; i < 5; i++) {
		pipe_make();
		test_nonblock(fds[0], true);
		test_nonblock(fds[1], true);
		p.fd = fds[0];
		for (n = 0; poll(&p, 1, 0) == 1; n++)
			IS(write(fds[0], sent, size[i]), size[i]);
		TRUE(n > 1 && (n - 1) * counts[i] < 65536);
		FAILS(write(fds[0], sent, PAGE), EAGAIN);
		for (out = 0; get(fds[1]) == size[i]; out++)
			;
		IS(out, n);
		IS(poll(&p, 1, 0), 1);
		close(fds[0]);
		close(fds[1]);
	}
}

static void *reads(void *page)
{
	IS(read(fds[0], page, 1), 1);
	return NULL;
}

static void *writes(void *page)
{
	IS(write(fds[0], page, 7), 7);
	return NULL;
}

/* The other end waits for no memory of a reader, */
static void reader(void)
{
	struct strbuf data = { .len = 1, .buf = (char[]){ 'm' } };
	struct missing m = missing_page();
	pthread_t thread;

	pipe_make();
	test_nonblock(fds[1], true);
	IS(write(fds[1], "bytes", 5), 5);
	IS(pthread_create(&thread, NULL, reads, m.page), 0);
	missing_await(&m);
	IS(putmsg(fds[1], NULL, &data, 0), 0);
	missing_bring(&m);
	IS(pthread_join(thread, NULL), 0);
	IS(m.page[0], 'b');
	IS(get(fds[0]), 4);
	IS(get(fds[0]), 1);
}

/* nor of a writer. */
static void writer(void)
{
	struct missing m = missing_page();
	pthread_t thread;

	pipe_make();
	test_nonblock(fds[1], true);
	IS(pthread_create(&thread, NULL, writes, m.page), 0);
	missing_await(&m);
	FAILS(get(fds[1]), EAGAIN);
	memcpy(m.bytes, "present", 7);
	missing_bring(&m);
	IS(pthread_join(thread, NULL), 0);
	IS(get(fds[1]), 7);
	TRUE(!memcmp(got, "present", 7));
}

static const struct test_case cases[] = {
	{ "messages", messages },
	{ "many", many },
	{ "full", full },
	{ "reader", reader },
	{ "writer", writer },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
