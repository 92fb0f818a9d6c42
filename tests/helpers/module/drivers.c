// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers.c - the drivers echo, loop and nuls, the modules pipemod and bufmod
 *
 * Their rules are those of strdrv(4), pipemod(4) and bufmod(4).
 */
#include "proc.h"
#include "stream-device.h"

#include <sys/bufmod.h>
#include <time.h>

static void echo(void)
{
	int fd = dev(DEVICE("echo")), flags = 0;
	char text[] = "data", back[8];
	struct strbuf ctl = { .maxlen = 8, .len = 4, .buf = (char []){ "ctl" } };
	struct strbuf got = { .maxlen = sizeof(back), .buf = back };

	IS(write(fd, "there", 5), 5);
	is_read(fd, "there");
	IS(putmsg(fd, &ctl, NULL, 0), 0);
	IS(getmsg(fd, &got, NULL, &flags), 0);
	IS(got.len, 4);
	IS(flags, 0);
	IS(putmsg(fd, &ctl, NULL, RS_HIPRI), 0);
	flags = 0;
	IS(getmsg(fd, &got, NULL, &flags), 0);
	IS(flags, RS_HIPRI);
	IS(strcmp(back, "ctl"), 0);
	IS(send_ioctl(fd, 77, text, sizeof(text)), 0);
	IS(strcmp(text, "data"), 0);
	FAILS(ioctl(fd, I_PUSH, "echo"), EINVAL);
}

/* A full echo stops its writer, and a flush empties it. */
static void echo_full(void)
{
	int fd = dev(DEVICE("echo")), total = 0;
	char block[1024] = "";

	test_nonblock(fd, true);
	while (write(fd, block, sizeof(block)) == sizeof(block) &&
	       total < 1 << 20)
		total += sizeof(block);
	TRUE(errno == EAGAIN);
	TRUE(total >= 65536 && total < 200000);
	for (int got = 0; got < total;) {
		ssize_t n = read(fd, block, sizeof(block));

		if (n < 0 && errno == EAGAIN && readable(fd, WAIT_LIMIT_MS))
			continue;
		TRUE(n > 0);
		got += n;
	}
	FAILS(read(fd, block, sizeof(block)), EAGAIN);
	while (write(fd, block, sizeof(block)) == sizeof(block))
		;
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	/*
	 * The answer comes behind the flush; a message that is left would be
	 * read first.
	 */
	IS(send_ioctl(fd, 77, NULL, 0), 0);
	IS(write(fd, "again", 5), 5);
	is_read(fd, "again");
}

static void nuls(void)
{
	int fd = dev(DEVICE("nuls")), i;
	struct strbuf ctl = { .len = 4, .buf = (char []){ "ctl" } };
	char block[4096] = "";

	for (i = 0; i < 1000; i++)
		IS(write(fd, block, sizeof(block)), sizeof(block));
	IS(putmsg(fd, &ctl, NULL, RS_HIPRI), 0);
	FAILS(send_ioctl(fd, 77, NULL, 0), EINVAL);
	TRUE(!readable(fd, 0));
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	FAILS(ioctl(fd, I_PUSH, "nuls"), EINVAL);
}

static void loop(void)
{
	int a = dev(LOOP_DEVICE), b = dev(LOOP_DEVICE), c = dev(LOOP_DEVICE);
	int na = send_ioctl(a, LOOP_GET, NULL, 0);
	int nb = send_ioctl(b, LOOP_GET, NULL, 0);
	struct strbuf ctl = { .maxlen = 8, .len = 4, .buf = (char []){ "ctl" } };
	char back[8];
	struct strbuf got = { .maxlen = sizeof(back), .buf = back };
	int n = 0, flags = 0;

	TRUE(na > 0 && nb > 0 && na != nb);
	FAILS(send_ioctl(a, LOOP_SET, &n, sizeof(n)), ENXIO);
	FAILS(send_ioctl(a, LOOP_SET, &na, sizeof(na)), EINVAL);
	FAILS(send_ioctl(a, LOOP_SET, &nb, 1), EINVAL);
	FAILS(send_ioctl(a, LOOP_SET, NULL, 0), EINVAL);
	FAILS(send_ioctl(a, 77, NULL, 0), EINVAL);
	/* Data written before the join waits. */
	IS(write(a, "early", 5), 5);
	IS(send_ioctl(a, LOOP_SET, &nb, sizeof(nb)), 0);
	is_read(b, "early");
	IS(write(b, "answer", 6), 6);
	is_read(a, "answer");
	IS(putmsg(a, &ctl, NULL, RS_HIPRI), 0);
	IS(getmsg(b, &got, NULL, &flags), 0);
	IS(flags, RS_HIPRI);
	FAILS(send_ioctl(c, LOOP_SET, &nb, sizeof(nb)), EBUSY);
	FAILS(send_ioctl(b, LOOP_SET, &na, sizeof(na)), EBUSY);
	/* A flush of the write side drops the data that waits at the other stream. */
	IS(write(a, "unread", 6), 6);
	TRUE(readable(b, WAIT_LIMIT_MS));
	IS(ioctl(a, I_FLUSH, FLUSHW), 0);
	UNTIL(!readable(b, 0));
	IS(write(b, "unread", 6), 6);
	TRUE(readable(a, WAIT_LIMIT_MS));
	IS(ioctl(a, I_FLUSH, FLUSHR), 0);
	UNTIL(!readable(a, 0));
	/* The other stream's close is a hangup, after the data it wrote. */
	IS(write(a, "last", 4), 4);
	TRUE(readable(b, WAIT_LIMIT_MS));
	close(a);
	is_read(b, "last");
	IS(read(b, back, sizeof(back)), 0);
	FAILS(write(b, "x", 1), ENXIO);
	close(b);
	FAILS(send_ioctl(c, LOOP_SET, &nb, sizeof(nb)), ENXIO);
}

static void loop_user(void)
{
	int theirs = dev(LOOP_DEVICE), n, mine;

	n = send_ioctl(theirs, LOOP_GET, NULL, 0);
	TRUE(n > 0);
	IS(setuid(65534), 0);
	mine = dev(LOOP_DEVICE);
	FAILS(send_ioctl(mine, LOOP_SET, &n, sizeof(n)), EPERM);
}

/*
 * A slow reader of one stream holds up the writer of the other; no data is
 * lost.
 */
static void loop_flow(void)
{
	int a = dev(LOOP_DEVICE), b = dev(LOOP_DEVICE);
	int nb = send_ioctl(b, LOOP_GET, NULL, 0);
	unsigned int n = test_scaled(100000), i, got;
	pid_t pid;

	IS(send_ioctl(a, LOOP_SET, &nb, sizeof(nb)), 0);
	IS(ioctl(a, I_PUSH, "srvmod"), 0);
	IS(ioctl(b, I_PUSH, "srvmod"), 0);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		close(b);
		for (i = 0; i < n; i++)
			if (write(a, &i, sizeof(i)) != sizeof(i))
				_exit(1);
		_exit(0);
	}
	/* The writer is held up, or has finished. */
	UNTIL(process_sleeps(pid) || process_ended(pid));
	for (i = 0; i < n; i++) {
		/* Four bytes are a message, and messages are not split. */
		if (read(b, &got, sizeof(got)) != sizeof(got) || got != i)
			test_fail(__FILE__, __LINE__, "%u instead of %u", got,
				  i);
	}
	IS(waitpid(pid, NULL, 0), pid);
}

/*
 * I_FLUSH on a pipe: FLUSHW at one end is FLUSHR at the other. Modules with
 * queues are on both ends, so that messages pass through them.
 */
static int messages(int fd)
{
	int bytes;

	return ioctl(fd, I_NREAD, &bytes);
}

static void pipe_flush(int with_pipemod)
{
	int fds[2];

	IS(strpipe(fds), 0);
	if (with_pipemod)
		IS(ioctl(fds[0], I_PUSH, "pipemod"), 0);
	IS(ioctl(fds[0], I_PUSH, "srvmod"), 0);
	IS(ioctl(fds[1], I_PUSH, "srvmod"), 0);

	IS(write(fds[0], "to 1", 4), 4);
	IS(write(fds[1], "to 0", 4), 4);
	TRUE(readable(fds[0], WAIT_LIMIT_MS) && readable(fds[1], WAIT_LIMIT_MS));
	IS(ioctl(fds[0], I_FLUSH, FLUSHW), 0);
	if (!with_pipemod) {
		/* Data written after the flush arrives after it. */
		IS(write(fds[0], "more", 4), 4);
		UNTIL(messages(fds[1]) == 2);
		IS(messages(fds[0]), 1);
		return;
	}
	UNTIL(!messages(fds[1]));
	IS(messages(fds[0]), 1);

	IS(write(fds[0], "to 1", 4), 4);
	TRUE(readable(fds[1], WAIT_LIMIT_MS));
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	UNTIL(!messages(fds[0]));
	IS(messages(fds[1]), 1);
	/* The end without the module sends as well. */
	IS(write(fds[1], "to 0", 4), 4);
	TRUE(readable(fds[0], WAIT_LIMIT_MS));
	IS(ioctl(fds[1], I_FLUSH, FLUSHW), 0);
	UNTIL(!messages(fds[0]));
	IS(messages(fds[1]), 1);
	IS(write(fds[1], "to 0", 4), 4);
	TRUE(readable(fds[0], WAIT_LIMIT_MS));
	IS(ioctl(fds[1], I_FLUSH, FLUSHRW), 0);
	UNTIL(!messages(fds[0]) && !messages(fds[1]));
	IS(write(fds[1], "still", 5), 5);
	is_read(fds[0], "still");
}

static void pipemod(void)
{
	pipe_flush(1);
}

/* Without pipemod the wrong side is flushed. */
static void no_pipemod(void)
{
	pipe_flush(0);
}

static int buffered(int fd)
{
	IS(ioctl(fd, I_PUSH, "bufmod"), 0);
	IS(ioctl(fd, I_SRDOPT, RMSGD), 0);
	return fd;
}

/* The ioctl returns no data: libpcap takes a length for an error. */
static void set(int fd, int cmd, unsigned int n)
{
	struct strioctl ic = {
		.ic_cmd = cmd,
		.ic_timout = IOCTL_SECONDS,
		.ic_len = sizeof(n),
		.ic_dp = (char *)&n,
	};

	IS(ioctl(fd, I_STR, &ic), 0);
	IS(ic.ic_len, 0);
}

static void set_time(int fd, long sec, long usec)
{
	struct sb_time t = { .tv_sec = sec, .tv_usec = usec };

	IS(send_ioctl(fd, SBIOCSTIME, &t, sizeof(t)), 0);
}

/* The data written has come back, to the module at least: this message came after it. */
static void all_echoed(int fd)
{
	IS(send_ioctl(fd, 77, NULL, 0), 0);
}

static unsigned int get(int fd, int cmd)
{
	unsigned int n = 12345;

	IS(send_ioctl(fd, cmd, &n, sizeof(n)), 0);
	return n;
}

static void bufmod_ioctls(void)
{
	int fd = buffered(dev(DEVICE("echo")));
	struct sb_time t = { .tv_sec = -1 };
	unsigned int n;

	IS(get(fd, SBIOCGCHUNK), SB_DFLT_CHUNK);
	IS(get(fd, SBIOCGSNAP), 0);
	IS(get(fd, SBIOCGFLAGS), 0);
	FAILS(send_ioctl(fd, SBIOCGTIME, &t, sizeof(t)), EINVAL);
	FAILS(send_ioctl(fd, SBIOCSTIME, &t, sizeof(t)), EINVAL);
	t.tv_sec = 0;
	t.tv_usec = 1000000;
	FAILS(send_ioctl(fd, SBIOCSTIME, &t, sizeof(t)), EINVAL);
	t.tv_usec = -1;
	FAILS(send_ioctl(fd, SBIOCSTIME, &t, sizeof(t)), EINVAL);
	FAILS(send_ioctl(fd, SBIOCSTIME, &t, 8), EINVAL);
	set_time(fd, 3, 500000);
	IS(send_ioctl(fd, SBIOCGTIME, &t, sizeof(t)), 0);
	IS(t.tv_sec, 3);
	IS(t.tv_usec, 500000);
	IS(send_ioctl(fd, SBIOCCTIME, NULL, 0), 0);
	FAILS(send_ioctl(fd, SBIOCGTIME, &t, sizeof(t)), EINVAL);
	set(fd, SBIOCSCHUNK, 100);
	IS(get(fd, SBIOCGCHUNK), 100);
	set(fd, SBIOCSSNAP, 50);
	IS(get(fd, SBIOCGSNAP), 50);
	set(fd, SBIOCSFLAGS, SB_NO_HEADER | SB_NO_DROPS);
	IS(get(fd, SBIOCGFLAGS), SB_NO_HEADER | SB_NO_DROPS);
	n = 32;
	FAILS(send_ioctl(fd, SBIOCSFLAGS, &n, sizeof(n)), EINVAL);
	set(fd, SBIOCSCHUNK, 65536);
	n = 65537;
	FAILS(send_ioctl(fd, SBIOCSCHUNK, &n, sizeof(n)), EINVAL);
	n = -1;
	FAILS(send_ioctl(fd, SBIOCSCHUNK, &n, sizeof(n)), EINVAL);
	FAILS(send_ioctl(fd, SBIOCSCHUNK, &n, 1), EINVAL);
	FAILS(send_ioctl(fd, SBIOCGCHUNK, NULL, 0), EINVAL);
	set_time(fd, 0, 0);
	IS(get(fd, SBIOCGCHUNK), 0);
	/* Commands that the module does not know are passed on to the driver. */
	IS(send_ioctl(fd, SBIOC | 77, NULL, 0), 0);
}

/*
 * The text is at the module when the function returns: it does not fit behind
 * the text gathered before it, which the module then sends up.
 */
static void gathered_behind(int fd, char *text, int band)
{
	struct strbuf first = { .len = 5, .buf = (char []){ "first" } };
	struct strbuf second = { .len = strlen(text), .buf = text };

	set(fd, SBIOCSFLAGS, SB_NO_HEADER);
	set(fd, SBIOCSCHUNK, second.len + 4);
	IS(putpmsg(fd, NULL, &first, band, MSG_BAND), 0);
	IS(putpmsg(fd, NULL, &second, band, MSG_BAND), 0);
	is_read(fd, "first");
}

/* Full chunks have messages without headers. */
static void bufmod_chunks(void)
{
	int fd = buffered(dev(DEVICE("echo")));
	char data[64];

	set(fd, SBIOCSFLAGS, SB_NO_HEADER);
	set(fd, SBIOCSCHUNK, 10);
	IS(write(fd, "1234", 4), 4);
	IS(write(fd, "5678", 4), 4);
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	/* The third message does not fit: the first two are sent. */
	IS(write(fd, "abcd", 4), 4);
	is_read(fd, "12345678");
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	/* The messages fit exactly: the chunk is full. */
	IS(write(fd, "efghij", 6), 6);
	is_read(fd, "abcdefghij");
	/* A message longer than a chunk is sent alone. */
	IS(write(fd, "longer than a chunk", 19), 19);
	is_read(fd, "longer than a chunk");
	/*
	 * A chunk is sent before a message that must not overtake it, and a pop
	 * loses no data.
	 */
	IS(write(fd, "rest", 4), 4);
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	IS(ioctl(fd, I_POP, 0), 0);
	is_read(fd, "rest");
	buffered(fd);
	gathered_behind(fd, "flushed", 0);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	IS(ioctl(fd, I_POP, 0), 0);
	all_echoed(fd);
	test_nonblock(fd, true);
	FAILS(read(fd, data, sizeof(data)), EAGAIN);
}

/* Returns the bytes of a message with its header. */
static size_t whole_words(size_t n)
{
	return (sizeof(struct sb_hdr) + n + 7) / 8 * 8;
}

static void bufmod_headers(void)
{
	int fd = buffered(dev(DEVICE("echo"))), i;
	union {
		struct sb_hdr hdr;
		char bytes[256];
	} chunk;
	struct sb_hdr *hdr;
	time_t now = time(NULL);
	ssize_t n, at = 0;

	set(fd, SBIOCSSNAP, 5);
	set(fd, SBIOCSCHUNK, whole_words(3) + whole_words(5) + whole_words(1));
	IS(write(fd, "abc", 3), 3);
	IS(write(fd, "abcdefgh", 8), 8);
	IS(write(fd, "x", 1), 1);
	TRUE(readable(fd, WAIT_LIMIT_MS));
	n = read(fd, chunk.bytes, sizeof(chunk));
	for (i = 0; i < 3; i++) {
		static const unsigned int orig[] = { 3, 8, 1 };
		static const unsigned int kept[] = { 3, 5, 1 };

		TRUE(at + sizeof(*hdr) <= (size_t)n);
		hdr = (struct sb_hdr *)(chunk.bytes + at);
		IS(hdr->sbh_origlen, orig[i]);
		IS(hdr->sbh_msglen, kept[i]);
		IS(hdr->sbh_totlen % 8, 0);
		TRUE(hdr->sbh_totlen >= sizeof(*hdr) + kept[i]);
		IS(hdr->sbh_drops, 0);
		TRUE(labs(hdr->sbh_timestamp.tv_sec - now) < 60);
		IS(memcmp(hdr + 1, "abcde", i == 2 ? 0 : kept[i]), 0);
		at += hdr->sbh_totlen;
	}
	IS(at, n);
}

static long ms_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Messages that come within the time are gathered, and passed when it is over. */
static bool gathers(int fd)
{
	long start;

	set(fd, SBIOCSFLAGS, SB_NO_HEADER);
	set_time(fd, 2, 0);
	start = ms_now();
	IS(write(fd, "a", 1), 1);
	IS(write(fd, "b", 1), 1);
	if (ms_now() - start > 1900)
		return false;
	is_read(fd, "ab");
	TRUE(ms_now() - start >= 1990);
	return true;
}

/* The first message passes at once, those soon after it are gathered. */
static bool defers(int fd)
{
	long start;

	set(fd, SBIOCSFLAGS, SB_NO_HEADER | SB_DEFER_CHUNK);
	set_time(fd, 2, 500000);
	start = ms_now();
	IS(write(fd, "e", 1), 1);
	is_read(fd, "e");
	if (ms_now() - start > 2400)
		return false;
	IS(write(fd, "f", 1), 1);
	IS(write(fd, "g", 1), 1);
	if (ms_now() - start > 2400)
		return false;
	is_read(fd, "fg");
	TRUE(ms_now() - start >= 2490);
	return true;
}

/* The case is repeated until the machine was not too busy to be in time. */
static int timely(bool (*attempt)(int fd))
{
	int fd;

	while (fd = buffered(dev(DEVICE("echo"))), !attempt(fd))
		close(fd);
	return fd;
}

static void bufmod_timeout(void)
{
	int fd = timely(gathers);
	char first[64];

	/* Without a time each message is sent by itself, at once. */
	set_time(fd, 0, 0);
	IS(write(fd, "c", 1), 1);
	is_read(fd, "c");
	IS(write(fd, "d", 1), 1);
	is_read(fd, "d");
	close(fd);
	fd = timely(defers);
	/* A write sends the gathered messages. */
	IS(send_ioctl(fd, SBIOCCTIME, NULL, 0), 0);
	set(fd, SBIOCSFLAGS, SB_NO_HEADER | SB_SEND_ON_WRITE);
	IS(write(fd, "h", 1), 1);
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	/* The first of the messages may arrive earlier than the echo. */
	UNTIL(write(fd, "i", 1) == 1 && readable(fd, 0));
	TRUE(read(fd, first, sizeof(first)) >= 1);
	IS(first[0], 'h');
}

static void bufmod_proto(void)
{
	int fd = buffered(dev(DEVICE("echo"))), flags = 0;
	struct strbuf ctl = { .maxlen = 8, .len = 3, .buf = (char []){ "ctl" } };
	char back[8];
	struct strbuf got = { .maxlen = sizeof(back), .buf = back };

	set(fd, SBIOCSFLAGS, SB_NO_HEADER);
	set(fd, SBIOCSCHUNK, 5);
	IS(putmsg(fd, &ctl, NULL, 0), 0);
	IS(write(fd, "de", 2), 2);
	is_read(fd, "ctlde");
	set(fd, SBIOCSFLAGS, SB_NO_HEADER | SB_NO_PROTO_CVT);
	IS(write(fd, "first", 4), 4);
	IS(putmsg(fd, &ctl, NULL, 0), 0);
	is_read(fd, "firs");
	IS(getmsg(fd, &got, NULL, &flags), 0);
	IS(got.len, 3);
	/* A message of high priority overtakes the gathered messages. */
	IS(write(fd, "late", 4), 4);
	IS(putmsg(fd, &ctl, NULL, RS_HIPRI), 0);
	IS(getmsg(fd, &got, NULL, &flags), 0);
	IS(flags, RS_HIPRI);
	IS(ioctl(fd, I_POP, 0), 0);
	is_read(fd, "late");
}

/* Without a reader, messages are dropped and counted, or their sender waits. */
static void bufmod_drops(void)
{
	int fd = buffered(dev(DEVICE("echo"))), sent = 0, got = 0;
	char block[1024] = "", chunk[2048];
	struct sb_hdr hdr = {};

	test_nonblock(fd, true);
	set(fd, SBIOCSCHUNK, 1);
	for (; sent < 100; sent++)
		UNTIL(write(fd, block, 1000) == 1000);
	all_echoed(fd);
	/* The last of a row of drops is counted by the next message. */
	while (!got || got + (int)hdr.sbh_drops != sent) {
		TRUE(got + (int)hdr.sbh_drops < sent);
		if (!readable(fd, 0)) {
			IS(write(fd, block, 1000), 1000);
			sent++;
			TRUE(readable(fd, WAIT_LIMIT_MS));
		}
		IS(read(fd, chunk, sizeof(chunk)), 1024);
		memcpy(&hdr, chunk, sizeof(hdr));
		got++;
	}
	TRUE(hdr.sbh_drops);

	set(fd, SBIOCSFLAGS, SB_NO_DROPS);
	set(fd, SBIOCSCHUNK, 1);
	for (sent = 0; write(fd, block, 1000) == 1000 && sent < 10000; sent++)
		;
	TRUE(sent < 10000);
	for (got = 0; got < sent;) {
		if (read(fd, chunk, sizeof(chunk)) == 1024)
			got++;
		else
			TRUE(readable(fd, WAIT_LIMIT_MS));
	}
	all_echoed(fd);
	TRUE(!readable(fd, 0));
}

static void flush_band(int fd, int band, int what)
{
	struct bandinfo bi = { .bi_pri = band, .bi_flag = what };

	IS(ioctl(fd, I_FLUSHBAND, &bi), 0);
}

/* A flush of a band leaves the messages of another, gathered or waiting. */
static void bufmod_bands(void)
{
	int fd = buffered(dev(DEVICE("echo"))), sent, got;
	struct strbuf part = { .len = 4, .buf = (char []){ "band" } };
	char block[1024] = "", back[64];
	ssize_t n;

	gathered_behind(fd, "kept", 0);
	flush_band(fd, 3, FLUSHR);
	flush_band(fd, 3, FLUSHRW);
	/* The writes fill the chunk. */
	IS(write(fd, "more", 4), 4);
	is_read(fd, "keptmore");
	IS(ioctl(fd, I_POP, 0), 0);
	buffered(fd);
	gathered_behind(fd, "gone", 0);
	flush_band(fd, 0, FLUSHR);
	IS(ioctl(fd, I_POP, 0), 0);
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	/* A message of band 3 is sent alone. */
	buffered(fd);
	set(fd, SBIOCSFLAGS, SB_NO_HEADER);
	IS(putpmsg(fd, NULL, &part, 3, MSG_BAND), 0);
	flush_band(fd, 0, FLUSHR);
	IS(ioctl(fd, I_POP, 0), 0);
	is_read(fd, "band");
	buffered(fd);
	gathered_behind(fd, "band", 3);
	flush_band(fd, 3, FLUSHR);
	IS(ioctl(fd, I_POP, 0), 0);
	all_echoed(fd);
	TRUE(!readable(fd, 0));
	/* Messages in the module wait for room above. */
	buffered(fd);
	test_nonblock(fd, true);
	set(fd, SBIOCSFLAGS, SB_NO_DROPS | SB_NO_HEADER);
	set(fd, SBIOCSCHUNK, 0);
	for (sent = 0; write(fd, block, 1000) == 1000 && sent < 10000; sent++)
		;
	TRUE(sent > 80 && sent < 10000);
	flush_band(fd, 3, FLUSHR);
	for (got = 0; got < sent; got++) {
		TRUE(readable(fd, WAIT_LIMIT_MS));
		n = read(fd, block, sizeof(block));
		IS(n, 1000);
	}
	all_echoed(fd);
	FAILS(read(fd, back, sizeof(back)), EAGAIN);
}

/* Messages of all sizes, cut and whole, come out unchanged. */
static void bufmod_sizes(void)
{
	static uint64_t place[8192];
	static char block[20000];
	char *chunk = (char *)place;
	int fd = buffered(dev(DEVICE("echo"))), size, i;
	unsigned int snap;

	for (i = 0; i < (int)sizeof(block); i++)
		block[i] = 'a' + i % 26;
	set(fd, SBIOCSFLAGS, SB_NO_DROPS);
	for (snap = 0; snap <= 3000; snap = 3 * snap + 100) {
		set(fd, SBIOCSSNAP, snap);
		set(fd, SBIOCSCHUNK, 40000);
		for (size = 1; size < (int)sizeof(block); size = 2 * size + 27) {
			unsigned int kept = snap && snap < (unsigned int)size ?
					    snap : (unsigned int)size;
			size_t sum = 3 * (whole_words(6) + whole_words(kept));
			size_t n, at = 0;

			for (i = 0; i < 3; i++) {
				IS(write(fd, "little", 6), 6);
				IS(write(fd, block, size), size);
			}
			/* Sends the gathered messages */
			set(fd, SBIOCSCHUNK, 0);
			set(fd, SBIOCSCHUNK, 40000);
			while (at < sum) {
				ssize_t got;

				TRUE(readable(fd, WAIT_LIMIT_MS));
				got = read(fd, chunk + at, sizeof(place) - at);
				TRUE(got > 0);
				at += got;
			}
			for (n = 0, i = 0; i < 6; i++) {
				struct sb_hdr *hdr = (struct sb_hdr *)(chunk + n);
				unsigned int want = i % 2 ? kept : 6;

				IS(hdr->sbh_origlen, i % 2 ? size : 6);
				IS(hdr->sbh_msglen, want);
				IS(memcmp(hdr + 1, i % 2 ? block : "little", want), 0);
				IS(hdr->sbh_drops, 0);
				n += hdr->sbh_totlen;
				IS(chunk[n - 1] != 0, (want + sizeof(*hdr)) % 8 == 0);
			}
			IS(n, at);
		}
	}
}

#define PIPES	16

/*
 * The part cut off is not kept in memory, and messages of a byte do not use
 * many times the memory they count for: the pipes' readers sleep and leave them
 * little.
 */
static long gathered(unsigned int snap, size_t size, long most)
{
	static char block[65536];
	int fds[PIPES][2], i;
	long before, used;

	for (i = 0; i < PIPES; i++) {
		IS(strpipe(fds[i]), 0);
		buffered(fds[i][0]);
		set(fds[i][0], SBIOCSFLAGS, SB_NO_DROPS);
		set(fds[i][0], SBIOCSCHUNK, 65536);
		set(fds[i][0], SBIOCSSNAP, snap);
		test_nonblock(fds[i][1], true);
	}
	before = memory_free() / 1024;
	for (i = 0; i < PIPES; i++) {
		long n;

		for (n = 0; n < most; n++)
			if (write(fds[i][1], block, size) != (ssize_t)size)
				break;
		TRUE(n > 100);
	}
	used = before - memory_free() / 1024;
	for (i = 0; i < PIPES; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
	return used;
}

static void bufmod_memory(void)
{
	long small = gathered(0, 1, 10000), cut = gathered(1, 65536, 101);

	printf("16 pipes: messages of a byte %ld KiB, of 64 KiB cut to one %ld KiB\n",
	       small, cut);
	TRUE(small < 16384);
	TRUE(cut < 16384);
}

static const struct test_case cases[] = {
	{ "echo", echo },
	{ "echo_full", echo_full },
	{ "nuls", nuls },
	{ "loop", loop },
	{ "loop_flow", loop_flow },
	{ "loop_user", loop_user },
	{ "pipemod", pipemod },
	{ "no_pipemod", no_pipemod },
	{ "bufmod_ioctls", bufmod_ioctls },
	{ "bufmod_chunks", bufmod_chunks },
	{ "bufmod_headers", bufmod_headers },
	{ "bufmod_timeout", bufmod_timeout },
	{ "bufmod_proto", bufmod_proto },
	{ "bufmod_drops", bufmod_drops },
	{ "bufmod_bands", bufmod_bands },
	{ "bufmod_sizes", bufmod_sizes },
	{ "bufmod_memory", bufmod_memory },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
