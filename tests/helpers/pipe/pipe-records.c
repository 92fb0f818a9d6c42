// SPDX-License-Identifier: GPL-2.0-only
/* pipe-records.c - the messages of a full-duplex pipe while it has its rings */
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "missing.h"
#include "waits.h"

#define PAGE	4096

static int fds[2];
static char sent[65536], got[65536];

/* True if the writes are put on the queue before they are read. */
static bool queued;

static void pipe_make(void)
{
	size_t i;

	IS(strpipe(fds), 0);
	for (i = 0; i < sizeof(sent); i++)
		sent[i] = i % 251;
}

/* I_NREAD looks at messages: those in the rings are put on the queues. */
static void end_rings(void)
{
	int n;

	TRUE(ioctl(fds[0], I_NREAD, &n) >= 0);
}

/* Reads a message of data alone by getmsg(). Returns its length, or -1. */
static int get_at(int fd, char *buf)
{
	struct strbuf data = { .maxlen = got + sizeof(got) - buf, .len = -7, .buf = buf };
	int flags = 0;

	return getmsg(fd, NULL, &data, &flags) ? -1 : data.len;
}

static int get(int fd)
{
	return get_at(fd, got);
}

/*
 * Bytes that were read, also of a part of a write, are gone; the other writes
 * are messages.
 */
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
	if (queued)
		end_rings();
	IS(get(fds[1]), 2000);
	TRUE(!memcmp(got, sent + 1 + 1000, 2000));
	for (i = 2; i < 8; i++) {
		IS(get(fds[1]), size[i]);
		TRUE(!memcmp(got, sent + i, size[i]));
	}
	FAILS(read(fds[1], got, 1), EAGAIN);
}

/*
 * Some writes are read as bytes, more than the ring keeps lengths of, before
 * others are messages.
 */
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
	if (queued)
		end_rings();
	/* The write with i % 3 == 0 was the last to be read. */
	IS(get(fds[0]), 1 + 1999 % 700);
	TRUE(!memcmp(got, sent + 1999, 1 + 1999 % 700));
}

/*
 * Calls getmsg() at one end, with room for len bytes of data; -1: without a
 * data part.
 */
static int get_part(int len)
{
	struct strbuf ctl = { .maxlen = 8, .len = -7, .buf = got + 60000 };
	struct strbuf data = { .maxlen = len, .len = -7, .buf = got };
	int flags = 0, more;

	more = getmsg(fds[1], &ctl, &data, &flags);
	IS(more, more & MOREDATA);
	IS(flags, 0);
	IS(ctl.len, -1);
	IS(data.len, len < 0 ? -7 : data.len);
	return more ? -data.len : data.len;
}

/*
 * getmsg() takes the part that fits; the next getmsg() or read() takes the
 * rest.
 */
static void parts(void)
{
	char other[] = "message";
	struct strbuf data = { .len = 7, .buf = other };

	pipe_make();
	IS(write(fds[0], sent, 10), 10);
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	IS(putpmsg(fds[0], NULL, &data, 0, MSG_BAND), 0);
	IS(write(fds[0], sent + 3, 1), 1);
	if (queued)
		end_rings();
	IS(get_part(4), -4);
	TRUE(!memcmp(got, sent, 4));
	IS(get_part(0), 0);
	IS(get_part(-1), 7);
	IS(get_part(6), 6);
	TRUE(!memcmp(got, sent + 4, 6));
	IS(read(fds[1], got, 3), 3);
	TRUE(!memcmp(got, "mes", 3));
	IS(get_part(100), 4);
	TRUE(!memcmp(got, "sage", 4));
	IS(read(fds[1], got, 2), 2);
	IS(read(fds[1], got, 100), 6);
	TRUE(!memcmp(got, "ssage", 5) && got[5] == sent[3]);
	close(fds[0]);
	data.len = -7;
	data.maxlen = 8;
	IS(getmsg(fds[1], NULL, &data, &(int){ 0 }), 0);
	IS(data.len, 0);
}

static void *gets(void *page)
{
	struct strbuf data = { .maxlen = 8, .buf = page };

	IS(getmsg(fds[1], NULL, &data, &(int){ 0 }), 0);
	IS(data.len, 5);
	return NULL;
}

/* A getmsg() that waits is woken by a putmsg(), and a copy that fails loses nothing. */
static void woken(void)
{
	struct strbuf data = { .len = 5, .maxlen = 8, .buf = (char[]){ "hello" } };
	char *fresh = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	TRUE(fresh != MAP_FAILED);
	IS(mprotect(fresh + PAGE, PAGE, PROT_READ), 0);
	pipe_make();
	if (queued)
		end_rings();
	thread = thread_asleep(gets, fresh);
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	IS(pthread_join(thread, NULL), 0);
	TRUE(!memcmp(fresh, "hello", 6));
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	data.buf = fresh + PAGE - 4;
	FAILS(getmsg(fds[1], NULL, &data, &(int){ 0 }), EFAULT);
	IS(get(fds[1]), 5);
	TRUE(!memcmp(got, "hello", 5));
	data.buf = NULL;
	FAILS(putmsg(fds[0], NULL, &data, 0), EFAULT);
	test_nonblock(fds[1], true);
	FAILS(get(fds[1]), EAGAIN);
}

/* An empty message is kept behind those sent before. */
static void empty(void)
{
	struct strbuf data = { .len = 0, .buf = sent };

	pipe_make();
	IS(write(fds[0], sent, 3), 3);
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	data.len = 2;
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	IS(get(fds[1]), 3);
	IS(get(fds[1]), 0);
	IS(get(fds[1]), 2);
}

/* I_FLUSH drops what is unread, also of a message read in part; later ones are whole. */
static void flushed(void)
{
	struct strbuf data = { .len = 5, .buf = sent + 7 };

	pipe_make();
	IS(write(fds[0], sent, 10), 10);
	IS(write(fds[0], sent, 20), 20);
	IS(read(fds[1], got, 3), 3);
	if (queued)
		end_rings();
	IS(ioctl(fds[1], I_FLUSH, FLUSHR), 0);
	IS(write(fds[0], sent + 50, 4), 4);
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	IS(get(fds[1]), 4);
	TRUE(!memcmp(got, sent + 50, 4));
	IS(get(fds[1]), 5);
	TRUE(!memcmp(got, sent + 7, 5));
}

#define BOTH	20000

static int both_len(int i)
{
	return 1 + i % 700;
}

static void *sends(void *none)
{
	int i;

	for (i = 0; i < BOTH; i++) {
		struct strbuf data = { .len = both_len(i), .buf = sent + i % 1000 };

		if (i % 2)
			IS(putmsg(fds[0], NULL, &data, 0), 0);
		else
			IS(write(fds[0], data.buf, data.len), data.len);
	}
	return NULL;
}

/*
 * Writes are sent and taken at the same time: each arrives whole, or as the
 * part that read() left.
 */
static void both(void)
{
	pthread_t thread;
	int i, part;

	pipe_make();
	IS(pthread_create(&thread, NULL, sends, NULL), 0);
	for (i = 0; i < BOTH; i++) {
		part = i % 3 ? 0 : both_len(i) / 2;
		IS(part ? read(fds[1], got, part) : 0, part);
		IS(get_at(fds[1], got + part), both_len(i) - part);
		TRUE(!memcmp(got, sent + i % 1000, both_len(i)));
	}
	IS(pthread_join(thread, NULL), 0);
}

static void *gets_interrupted(void *at)
{
	struct strbuf data = { .maxlen = 8, .buf = at };

	FAILS(getmsg(fds[1], NULL, &data, &(int){ 0 }), EINTR);
	return NULL;
}

static void caught(int sig)
{
}

/*
 * A signal ends a getmsg() that waits; a later message stays for the next call.
 */
static void interrupted(void)
{
	struct sigaction sa = { .sa_handler = caught };
	pthread_t thread;

	IS(sigaction(SIGUSR1, &sa, NULL), 0);
	pipe_make();
	thread = thread_asleep(gets_interrupted, got);
	IS(pthread_kill(thread, SIGUSR1), 0);
	IS(pthread_join(thread, NULL), 0);
	IS(write(fds[0], sent, 6), 6);
	IS(get(fds[1]), 6);
}

/* A call with invalid arguments fails alike, wherever the messages are. */
static void invalid(void)
{
	struct strbuf data = { .len = 1, .maxlen = 8, .buf = got };
	int band = 0, flags = MSG_BAND | MSG_HIPRI;

	pipe_make();
	IS(write(fds[0], sent, 6), 6);
	if (queued)
		end_rings();
	FAILS(putpmsg(fds[0], NULL, &data, 256, MSG_BAND), EINVAL);
	FAILS(putpmsg(fds[0], NULL, &data, 0, 0), EINVAL);
	FAILS(getpmsg(fds[1], NULL, &data, &band, &flags), EINVAL);
	band = 7;
	flags = MSG_ANY;
	IS(getpmsg(fds[1], NULL, &data, &band, &flags), 0);
	IS(data.len, 6);
	IS(band, 0);
	IS(flags, MSG_BAND);
}

/*
 * A write that does not find room is refused only where poll() reports none. As
 * messages, the writes take no more memory than a pipe may hold.
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

/* The other end does not wait for a reader's memory, */
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
	end_rings();
	missing_bring(&m);
	IS(pthread_join(thread, NULL), 0);
	IS(m.page[0], 'b');
	IS(get(fds[0]), 4);
	IS(get(fds[0]), 1);
}

/* A getmsg() that waits is not disturbed. */
static void getter(void)
{
	struct strbuf data = { .len = 5, .buf = (char[]){ "later" } };
	struct missing m = missing_page();
	pthread_t thread;

	pipe_make();
	test_nonblock(fds[0], true);
	IS(write(fds[0], "bytes", 5), 5);
	IS(pthread_create(&thread, NULL, gets, m.page), 0);
	missing_await(&m);
	IS(putmsg(fds[0], NULL, &data, 0), 0);
	end_rings();
	missing_bring(&m);
	IS(pthread_join(thread, NULL), 0);
	TRUE(!memcmp(m.page, "bytes", 5));
	IS(get(fds[1]), 5);
	TRUE(!memcmp(got, "later", 5));
}

/* A writer that waits is not disturbed either. */
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
	{ "read-in-parts", parts },
	{ "woken", woken },
	{ "flushed", flushed },
	{ "invalid", invalid },
	{ "both", both },
	{ "interrupted", interrupted },
	{ "empty", empty },
	{ "ring-full", full },
	{ "reader", reader },
	{ "getter", getter },
	{ "writer", writer },
	{ }
};

int main(int argc, char **argv)
{
	/* CASE queued */
	queued = argc == 3 && !strcmp(argv[2], "queued");
	return test_main(argc - queued, argv, cases);
}
