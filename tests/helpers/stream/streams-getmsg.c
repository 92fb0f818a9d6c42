// SPDX-License-Identifier: GPL-2.0-only
/* streams-getmsg.c - getmsg(), putmsg(), getpmsg(), putpmsg() on pipes */
#include <sys/mman.h>

#include "../../../kmod/test/latemod.h"
#include "stream-device.h"
#include "streams-message.h"

static void parts(void)
{
	pipe_make();
	IS(put_message(fds[1], "control", "data", 0), 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", "data"));
	IS(m.flags, 0);
	IS(put_message(fds[1], NULL, "data", 0), 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "data"));
	IS(put_message(fds[1], "control", NULL, 0), 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", NULL));
	IS(put_message(fds[1], "", "", 0), 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("", ""));
	/* Messages are sent both ways. */
	IS(put_message(fds[0], "there", "and back", 0), 0);
	IS(receive(fds[1], 0), 0);
	TRUE(parts_are("there", "and back"));
	/* Each putmsg() makes one message, and each write() does as well. */
	IS(write(fds[1], "one", 3), 3);
	IS(write(fds[1], "two", 3), 3);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "one"));
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "two"));
	FAILS(receive(fds[0], 0), EAGAIN);
}

static void nothing(void)
{
	struct strbuf none = { .len = -1 };

	pipe_make();
	IS(putmsg(fds[1], NULL, NULL, 0), 0);
	IS(putmsg(fds[1], &none, &none, 0), 0);
	IS(putpmsg(fds[1], NULL, NULL, 5, MSG_BAND), 0);
	FAILS(receive(fds[0], 0), EAGAIN);
	FAILS(putmsg(fds[1], NULL, NULL, RS_HIPRI), EINVAL);
}

static void flags(void)
{
	pipe_make();
	FAILS(put_message(fds[1], NULL, "data", RS_HIPRI), EINVAL);
	FAILS(put_message(fds[1], "c", "d", 2), EINVAL);
	FAILS(put_message(fds[1], "c", "d", -1), EINVAL);
	FAILS(send_band(fds[1], "c", "d", 0, 0), EINVAL);
	FAILS(send_band(fds[1], "c", "d", 0, MSG_ANY), EINVAL);
	FAILS(send_band(fds[1], "c", "d", 0, MSG_HIPRI | MSG_BAND), EINVAL);
	FAILS(send_band(fds[1], "c", "d", 1, MSG_HIPRI), EINVAL);
	FAILS(send_band(fds[1], NULL, "d", 0, MSG_HIPRI), EINVAL);
	FAILS(send_band(fds[1], "c", "d", 256, MSG_BAND), EINVAL);
	FAILS(send_band(fds[1], "c", "d", -1, MSG_BAND), EINVAL);
	FAILS(receive(fds[0], 2), EINVAL);
	FAILS(receive(fds[0], 4), EINVAL);
	FAILS(receive_band(fds[0], 0, 0), EINVAL);
	FAILS(receive_band(fds[0], 0, MSG_HIPRI | MSG_ANY), EINVAL);
	FAILS(receive_band(fds[0], 0, 8), EINVAL);
	FAILS(receive_band(fds[0], 1, MSG_HIPRI), EINVAL);
	FAILS(receive_band(fds[0], 256, MSG_BAND), EINVAL);
	FAILS(receive_band(fds[0], -1, MSG_BAND), EINVAL);
	FAILS(receive(fds[0], 0), EAGAIN);
	FAILS(receive_band(fds[0], 77, MSG_ANY), EAGAIN);
}

/* The part that does not fit stays, and is received next. */
static void rest(void)
{
	pipe_make();
	IS(put_message(fds[1], "CONTROL", "0123456789", 0), 0);
	IS(receive_some(fds[0], 3, 4, 0), MORECTL | MOREDATA);
	TRUE(parts_are("CON", "0123"));
	IS(receive_some(fds[0], 4, 1, 0), MOREDATA);
	TRUE(parts_are("TROL", "4"));
	IS(receive_some(fds[0], 10, 10, 0), 0);
	TRUE(parts_are(NULL, "56789"));
	FAILS(receive(fds[0], 0), EAGAIN);

	/* A message of higher priority that has arrived since then is received first. */
	IS(send_band(fds[1], "low", "lowdata", 1, MSG_BAND), 0);
	IS(receive_some(fds[0], 3, 3, 0), MOREDATA);
	IS(send_band(fds[1], "high", "highdata", 2, MSG_BAND), 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("high", "highdata"));
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "data"));
}

static void room(void)
{
	pipe_make();
	/*
	 * A length of 0 takes a part without bytes, and leaves a part that has
	 * some.
	 */
	IS(put_message(fds[1], "control", "", 0), 0);
	IS(receive_some(fds[0], 0, 0, 0), MORECTL);
	TRUE(parts_are("", ""));
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", NULL));

	/* A length of -1, or NULL, leaves a part, and its length, unchanged. */
	IS(put_message(fds[1], "control", "data", 0), 0);
	IS(receive_some(fds[0], -1, 10, 0), MORECTL);
	IS(m.c.len, -7);
	IS(m.d.len, 4);
	IS(receive_some(fds[0], 10, -1, 0), 0);
	IS(m.c.len, 7);
	IS(m.d.len, -7);
	IS(put_message(fds[1], "control", "data", 0), 0);
	m.flags = 0;
	IS(getmsg(fds[0], NULL, NULL, &m.flags), MORECTL | MOREDATA);
	m.c = (struct strbuf){ .maxlen = 10, .buf = m.ctl };
	IS(getmsg(fds[0], &m.c, NULL, &m.flags), MOREDATA);
	IS(m.c.len, 7);
	m.d = (struct strbuf){ .maxlen = 10, .buf = m.data };
	IS(getmsg(fds[0], NULL, &m.d, &m.flags), 0);
	IS(m.d.len, 4);
	FAILS(receive(fds[0], 0), EAGAIN);
}

static void bands(void)
{
	int band, from;

	pipe_make();
	/* Higher bands overtake, each in its order. */
	IS(put_message(fds[1], NULL, "first", 0), 0);
	IS(send_band(fds[1], NULL, "five", 5, MSG_BAND), 0);
	IS(send_band(fds[1], NULL, "nine", 9, MSG_BAND), 0);
	IS(send_band(fds[1], NULL, "five again", 5, MSG_BAND), 0);
	IS(put_message(fds[1], NULL, "second", 0), 0);
	IS(receive_band(fds[0], 0, MSG_ANY), 0);
	TRUE(parts_are(NULL, "nine"));
	IS(m.band, 9);
	IS(m.flags, MSG_BAND);
	/* The message has a band at least that high, or there is none. */
	FAILS(receive_band(fds[0], 6, MSG_BAND), EAGAIN);
	IS(receive_band(fds[0], 5, MSG_BAND), 0);
	TRUE(parts_are(NULL, "five"));
	IS(receive_band(fds[0], 3, MSG_BAND), 0);
	TRUE(parts_are(NULL, "five again"));
	FAILS(receive_band(fds[0], 1, MSG_BAND), EAGAIN);
	FAILS(receive_band(fds[0], 0, MSG_HIPRI), EAGAIN);
	IS(receive_band(fds[0], 0, MSG_BAND), 0);
	TRUE(parts_are(NULL, "first"));
	IS(m.band, 0);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "second"));
	/* All 256 bands are used, as many at a time as have room together. */
	for (from = 0; from < 5; from++) {
		for (band = from; band < 256; band += 5)
			IS(send_band(fds[1], "c", "d", band, MSG_BAND), 0);
		for (band -= 5; band >= 0; band -= 5) {
			IS(receive_band(fds[0], 0, MSG_ANY), 0);
			IS(m.band, band);
		}
		FAILS(receive(fds[0], 0), EAGAIN);
	}
}

/* All bands above 0 together hold a quarter of what band 0 may hold. */
static void bands_full(void)
{
	static char data[4096];
	struct strbuf d = { .len = sizeof(data), .buf = data };
	unsigned int sent = 0;
	int band;

	pipe_make();
	for (band = 1; band < 256; band++) {
		while (putpmsg(fds[1], NULL, &d, band, MSG_BAND) == 0)
			sent++;
		TRUE(errno == EAGAIN);
	}
	IS(sent, 4);
	IS(ioctl(fds[1], I_CANPUT, 9), 0);
	FAILS(send_band(fds[1], "c", "d", 200, MSG_BAND), EAGAIN);
	/*
	 * Higher bands do not hold up band 0, and band 0 does not hold them up.
	 */
	IS(ioctl(fds[1], I_CANPUT, 0), 1);
	while (putmsg(fds[1], NULL, &d, 0) == 0)
		;
	TRUE(errno == EAGAIN);
	for (band = 1; band < 256; band++) {
		struct bandinfo all = { .bi_pri = band, .bi_flag = FLUSHR };

		IS(ioctl(fds[0], I_FLUSHBAND, &all), 0);
	}
	IS(ioctl(fds[1], I_CANPUT, 9), 1);
	IS(send_band(fds[1], "c", "d", 200, MSG_BAND), 0);
	IS(ioctl(fds[1], I_CANPUT, 0), 0);
}

static void high(void)
{
	pipe_make();
	IS(send_band(fds[1], NULL, "band 255", 255, MSG_BAND), 0);
	IS(put_message(fds[1], "urgent", "now", RS_HIPRI), 0);
	/* The head keeps one message of high priority; the next is dropped. */
	IS(put_message(fds[1], "urgent too", NULL, RS_HIPRI), 0);
	IS(receive(fds[0], RS_HIPRI), 0);
	TRUE(parts_are("urgent", "now"));
	IS(m.flags, RS_HIPRI);
	FAILS(receive(fds[0], RS_HIPRI), EAGAIN);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "band 255"));
	FAILS(receive(fds[0], 0), EAGAIN);

	IS(send_band(fds[1], "urgent", "now", 0, MSG_HIPRI), 0);
	IS(receive_band(fds[0], 200, MSG_BAND), 0);
	IS(m.flags, MSG_HIPRI);
	IS(m.band, 0);
	IS(put_message(fds[1], "urgent", NULL, RS_HIPRI), 0);
	IS(receive_band(fds[0], 0, MSG_ANY), 0);
	IS(m.flags, MSG_HIPRI);
	IS(put_message(fds[1], "urgent", NULL, RS_HIPRI), 0);
	IS(receive_band(fds[0], 0, MSG_HIPRI), 0);
	IS(m.flags, MSG_HIPRI);

	/*
	 * The rest of a message has high priority as long as its control part
	 * lasts.
	 */
	IS(put_message(fds[1], "urgent", "now", RS_HIPRI), 0);
	IS(receive_some(fds[0], 2, 0, 0), MORECTL | MOREDATA);
	IS(m.flags, RS_HIPRI);
	IS(receive_some(fds[0], 10, 0, RS_HIPRI), MOREDATA);
	TRUE(parts_are("gent", ""));
	FAILS(receive(fds[0], RS_HIPRI), EAGAIN);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "now"));
}

/* Flow control holds up each band, never high priority. */
static void flow(void)
{
	static char data[8192];
	struct strbuf d = { .len = sizeof(data), .buf = data };
	unsigned int sent = 0, got = 0, empty = 0;

	pipe_make();
	while (putmsg(fds[1], NULL, &d, 0) == 0)
		sent++;
	TRUE(errno == EAGAIN);
	TRUE(sent >= 8 && sent <= 16);
	FAILS(put_message(fds[1], NULL, "x", 0), EAGAIN);
	FAILS(put_message(fds[1], "control alone", NULL, 0), EAGAIN);
	FAILS(put_message(fds[1], NULL, "", 0), EAGAIN);
	IS(ioctl(fds[1], I_CANPUT, 0), 0);
	IS(ioctl(fds[1], I_CANPUT, 1), 1);
	IS(send_band(fds[1], NULL, "x", 1, MSG_BAND), 0);
	IS(put_message(fds[1], "urgent", NULL, RS_HIPRI), 0);
	IS(receive(fds[0], 0), 0);
	IS(m.flags, RS_HIPRI);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "x"));
	while (receive(fds[0], 0) == 0)
		got++;
	TRUE(errno == EAGAIN);
	IS(got, sent);
	IS(ioctl(fds[1], I_CANPUT, 0), 1);
	/* Messages of no bytes cannot fill memory either. */
	while (empty < 1000000 && put_message(fds[1], "", NULL, 0) == 0)
		empty++;
	TRUE(empty && empty <= 1000);
	TRUE(errno == EAGAIN);
}

static void sizes(void)
{
	static char big[65537];
	struct strbuf c = { .len = 1024, .buf = big };
	struct strbuf d = { .len = 65536, .buf = big };

	pipe_make();
	IS(putmsg(fds[1], &c, &d, 0), 0);
	IS(receive(fds[0], 0), 0);
	IS(m.c.len, 1024);
	IS(m.d.len, 65536);
	c.len = 1025;
	FAILS(putmsg(fds[1], &c, NULL, 0), ERANGE);
	FAILS(putmsg(fds[1], &c, NULL, RS_HIPRI), ERANGE);
	d.len = 65537;
	FAILS(putmsg(fds[1], NULL, &d, 0), ERANGE);
	d.len = 0x7fffffff;
	FAILS(putmsg(fds[1], NULL, &d, 0), ERANGE);
	FAILS(receive(fds[0], 0), EAGAIN);
}

/*
 * The other end is closed: its messages are read first, then all lengths are 0.
 */
static void hangup(void)
{
	pipe_make();
	IS(put_message(fds[1], "last", "words", 0), 0);
	close(fds[1]);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("last", "words"));
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("", ""));
	IS(receive_band(fds[0], 0, MSG_ANY), 0);
	TRUE(parts_are("", ""));
	signal(SIGPIPE, SIG_IGN);
	FAILS(put_message(fds[0], "c", "d", 0), EPIPE);
	FAILS(put_message(fds[0], "c", NULL, RS_HIPRI), EPIPE);
	FAILS(send_band(fds[0], "c", "d", 1, MSG_BAND), EPIPE);
	FAILS(write(fds[0], "x", 1), EPIPE);
}

static void pointers(void)
{
	struct strbuf bad = { .maxlen = 4, .len = 4, .buf = BAD_POINTER };
	struct strbuf good = { .maxlen = 8, .len = 4, .buf = m.data };
	struct strio_msg *asked = mmap(NULL, sizeof(*asked), PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int any = 0;

	TRUE(asked != MAP_FAILED);
	asked->ctl = (struct strio_buf){ .maxlen = 8, .buf = (uintptr_t)m.ctl };
	asked->data = (struct strio_buf){ .maxlen = 8, .buf = (uintptr_t)m.data };
	asked->flags = MSG_ANY;
	IS(mprotect(asked, sizeof(*asked), PROT_READ), 0);

	pipe_make();
	FAILS(putmsg(fds[1], &bad, NULL, 0), EFAULT);
	FAILS(putmsg(fds[1], NULL, &bad, 0), EFAULT);
	FAILS(putmsg(fds[1], &good, &bad, 0), EFAULT);
	FAILS(ioctl(fds[1], STRIO_PUTMSG, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[1], STRIO_GETMSG, BAD_POINTER), EFAULT);
	FAILS(receive(fds[0], 0), EAGAIN);
	/* A message that could not be delivered is still there. */
	IS(put_message(fds[1], "control", "data", 0), 0);
	FAILS(getmsg(fds[0], &bad, &good, &any), EFAULT);
	FAILS(getmsg(fds[0], &good, &bad, &any), EFAULT);
	FAILS(getmsg(fds[0], &good, &good, NULL), EFAULT);
	/* A message whose lengths could not be stored is not lost either. */
	FAILS(ioctl(fds[0], STRIO_GETMSG, asked), EFAULT);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", "data"));
}

/* read() meets a control part. */
static void reading(void)
{
	char data[32];

	pipe_make();
	IS(put_message(fds[1], "control", "data", 0), 0);
	FAILS(read(fds[0], data, sizeof(data)), EBADMSG);
	FAILS(read(fds[0], data, sizeof(data)), EBADMSG);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", "data"));

	IS(write(fds[1], "abc", 3), 3);
	IS(put_message(fds[1], "control", "data", 0), 0);
	IS(read(fds[0], data, sizeof(data)), 3);
	IS(ioctl(fds[0], I_SRDOPT, RPROTDAT), 0);
	IS(read(fds[0], data, sizeof(data)), 11);
	IS(memcmp(data, "controldata", 11), 0);
	IS(put_message(fds[1], "control", "data", 0), 0);
	IS(ioctl(fds[0], I_SRDOPT, RPROTDIS), 0);
	IS(read(fds[0], data, sizeof(data)), 4);
	IS(memcmp(data, "data", 4), 0);
	IS(put_message(fds[1], "control alone", NULL, 0), 0);
	FAILS(read(fds[0], data, sizeof(data)), EAGAIN);
	IS(put_message(fds[1], "urgent", "data", RS_HIPRI), 0);
	IS(read(fds[0], data, sizeof(data)), 4);
	IS(ioctl(fds[0], I_SRDOPT, RPROTNORM), 0);
	IS(put_message(fds[1], "urgent", "data", RS_HIPRI), 0);
	FAILS(read(fds[0], data, sizeof(data)), EBADMSG);
}

/* A module sends each message twice: both have the same blocks. */
static void shared(void)
{
	unsigned int times = 2;
	char data[32];
	int n;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_PUSH, "latemod"), 0);
	IS(send_ioctl(fds[1], LATEMOD_TIMES, &times, sizeof(times)), 0);
	IS(put_message(fds[1], "control", "data", 0), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 2);
	/* One control part becomes data, as a whole or in part. */
	IS(ioctl(fds[0], I_SRDOPT, RPROTDAT), 0);
	IS(read(fds[0], data, 3), 3);
	IS(memcmp(data, "con", 3), 0);
	IS(read(fds[0], data, 8), 8);
	IS(memcmp(data, "troldata", 8), 0);
	/* The other message is unchanged. */
	IS(ioctl(fds[0], I_SRDOPT, RPROTNORM), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 1);
	IS(n, 4);
	FAILS(read(fds[0], data, sizeof(data)), EBADMSG);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("control", "data"));
}

static void *poll_data(void *arg)
{
	struct pollfd p = { .fd = *(int *)arg, .events = POLLIN };

	return (void *)(long)(poll(&p, 1, WAIT_LIMIT_MS) == 1 && p.revents & POLLIN);
}

/*
 * A high-priority message that read() turns into data, or whose data it leaves,
 * is reported to a task that waits for data.
 */
static void bared(int option)
{
	char data[4];
	pthread_t thread;
	void *told;

	pipe_make();
	test_nonblock(fds[0], false);
	IS(ioctl(fds[0], I_SRDOPT, option), 0);
	IS(put_message(fds[1], "urgent", "data", RS_HIPRI), 0);
	thread = thread_asleep(poll_data, &fds[0]);
	IS(read(fds[0], data, 2), 2);
	pthread_join(thread, &told);
	TRUE(told);
}

static void polling(void)
{
	bared(RPROTDAT);
	bared(RPROTDIS);
}

/* Descriptors that are not streams are refused. */
static void strangers(void)
{
	int native[2], sock[2], null = open("/dev/null", O_RDWR);
	int file = open("/proc/self/exe", O_RDONLY), path = open("/", O_PATH);
	int zero = open("/dev/zero", O_RDWR), folder = open("/tmp", O_RDONLY);
	int list[7], i, r, w;

	TRUE(pipe(native) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, sock) == 0);
	memcpy(list, (int[]){ native[0], native[1], sock[0], null, file, zero, folder },
	       sizeof(list));
	for (i = 0; i < 7; i++) {
		IS(isastream(list[i]), 0);
		FAILS(receive(list[i], 0), ENOSTR);
		FAILS(receive_band(list[i], 0, MSG_ANY), ENOSTR);
		FAILS(put_message(list[i], "c", "d", 0), ENOSTR);
		FAILS(send_band(list[i], "c", "d", 1, MSG_BAND), ENOSTR);
	}
	IS(isastream(path), 0);
	FAILS(isastream(-1), EBADF);
	FAILS(isastream(999), EBADF);
	FAILS(receive(999, 0), EBADF);
	FAILS(put_message(-1, "c", "d", 0), EBADF);
	pipe_make();
	IS(isastream(fds[0]), 1);
	IS(isastream(fds[1]), 1);
	/* A file of the device for ioctl() alone is not a stream. */
	IS(isastream(open(STRIO_PIPE_DEVICE, O_ACCMODE)), 0);
	/* Each end of a FIFO works in one direction only. */
	IS(test_fifo(fds, 0), 0);
	r = fds[0];
	w = fds[1];
	IS(isastream(r), 1);
	FAILS(put_message(r, "c", "d", 0), EBADF);
	FAILS(receive(w, 0), EBADF);
	IS(put_message(w, "c", "d", 0), 0);
	IS(receive(r, 0), 0);
	TRUE(parts_are("c", "d"));
}

/*
 * Waiting
 */
static void send_low_then_high(int fd)
{
	IS(put_message(fd, NULL, "low", 0), 0);
	UNTIL(thread_sleeps(later_for));
	IS(put_message(fd, "high", NULL, RS_HIPRI), 0);
}

static volatile int interrupts;

static void interrupt(int sig)
{
	interrupts++;
}

/*
 * A signal comes, after which the other thread waits again; then the close
 * comes.
 */
static void interrupt_and_close(int fd)
{
	syscall(SYS_tgkill, getpid(), later_for, SIGALRM);
	UNTIL(interrupts);
	UNTIL(thread_sleeps(later_for));
	close(fd);
}

static void waiting(void)
{
	struct sigaction act = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
	pthread_t thread;

	IS(strpipe(fds), 0);
	/* A message of another kind does not end the wait. */
	thread = later(fds[1], send_low_then_high);
	IS(receive(fds[0], RS_HIPRI), 0);
	TRUE(parts_are("high", NULL));
	pthread_join(thread, NULL);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are(NULL, "low"));
	/* A signal ends the wait. */
	FAILS(INTERRUPTED(receive(fds[0], 0)), EINTR);
	sigaction(SIGALRM, &act, NULL);
	thread = later(fds[1], interrupt_and_close);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("", ""));
	pthread_join(thread, NULL);
}

/* Two writers send many short messages; every one arrives, in order. */
struct numbers {
	int fd;
	int id;
	int count;
};

static void *send_numbers(void *arg)
{
	struct numbers *n = arg;
	int i;

	for (i = 0; i < n->count; i++) {
		int data[2] = { n->id, i };
		struct strbuf d = { .len = sizeof(data), .buf = (char *)data };

		if (i & 1)
			IS(putmsg(n->fd, NULL, &d, 0), 0);
		else
			IS(write(n->fd, data, sizeof(data)), sizeof(data));
	}
	return NULL;
}

/* Bytes come from a FIFO, where short writes may be joined. */
static void count_numbers(int fd, int total, bool whole)
{
	int next[2] = { 0, 0 }, got = 0;

	while (got < total) {
		int *number = (int *)m.data, i;

		IS(receive(fd, 0), 0);
		TRUE(m.d.len > 0 && m.d.len % 8 == 0);
		if (whole)
			IS(m.d.len, 8);
		for (i = 0; i < m.d.len / 4; i += 2) {
			IS(number[i + 1], next[number[i]]);
			next[number[i]]++;
			got++;
		}
	}
}

static void many(void)
{
	int count = test_scaled(50000), form;

	for (form = 0; form < 2; form++) {
		struct numbers n[2];
		pthread_t thread[2];
		int i;

		IS(form ? test_fifo(fds, 0) : strpipe(fds), 0);
		for (i = 0; i < 2; i++) {
			n[i] = (struct numbers){ fds[1], i, count };
			pthread_create(&thread[i], NULL, send_numbers, &n[i]);
		}
		count_numbers(fds[0], 2 * count, !form);
		for (i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
		close(fds[1]);
		IS(receive(fds[0], 0), 0);
		TRUE(parts_are("", ""));
		close(fds[0]);
	}
}

static const struct test_case cases[] = {
	{ "control-and-data", parts },
	{ "nothing", nothing },
	{ "flags", flags },
	{ "rest-stays", rest },
	{ "length-of-room", room },
	{ "bands", bands },
	{ "high", high },
	{ "flow", flow },
	{ "bands-full", bands_full },
	{ "sizes", sizes },
	{ "hangup", hangup },
	{ "pointers", pointers },
	{ "reading", reading },
	{ "polling", polling },
	{ "shared", shared },
	{ "strangers", strangers },
	{ "waiting", waiting },
	{ "many", many },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
