// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-memory.c - ENOSR: calls for which there is no memory
 *
 * /dev/streams/strddi has allocb_gfp() fail, for this process only; it changes
 * nothing else, as the repeated call shows.
 */
#include "streamio.h"
#include "../../../kmod/test/strddi.h"

static int ddi;

static void starve(bool on)
{
	IS(str(ddi, on ? STRDDI_STARVE : STRDDI_FEED, NULL, 0), 0);
}

static void judge(const char *call, bool starved, long got, long value, int line)
{
	int error = errno;

	if (starved) {
		starve(false);
		cover(call, "ENOSR: no memory", got == -1 && error == ENOSR, line,
		      "gives %ld (%s)", got, strerror(error));
	} else {
		cover(call, "after ENOSR", got == value, line,
		      "gives %ld (%s), not %ld", got, strerror(error), value);
	}
}

/* Checks that the call fails with ENOSR, and then has its result. */
#define STARVED(call, expr, value) do {					\
	int starved_;							\
	for (starved_ = 1; starved_ >= 0; starved_--) {			\
		if (starved_)						\
			starve(true);					\
		errno = 0;						\
		judge(call, starved_, expr, value, __LINE__);		\
	}								\
} while (0)

static void begin(void)
{
	ddi = open("/dev/streams/strddi", O_RDWR);
	TRUE(ddi >= 0);
}

static void head(void)
{
	struct bandinfo band = { .bi_pri = 1, .bi_flag = FLUSHRW };
	char ctl[16] = "", data[5000] = "";
	struct strbuf c = { .len = 8, .buf = ctl }, d = { .len = 8, .buf = data };
	struct strpeek peek = { .databuf = { .maxlen = 16, .buf = data } };
	struct strfdinsert insert = { .ctlbuf = c, .databuf = d };
	struct strprobe seen;
	struct strioctl ic = { .ic_cmd = STRPROBE_LOOK, .ic_len = sizeof(seen),
			       .ic_dp = (char *)&seen };
	int fd, fds[2], fifo[2];

	begin();
	fd = probe(O_NONBLOCK);
	STARVED("I_FLUSH", ioctl(fd, I_FLUSH, FLUSHRW), 0);
	STARVED("I_FLUSHBAND", ioctl(fd, I_FLUSHBAND, &band), 0);
	STARVED("I_STR", ioctl(fd, I_STR, &ic), 0);
	IS(strpipe(fds), 0);
	STARVED("putmsg", putmsg(fds[1], &c, &d, 0), 0);
	STARVED("putmsg", putmsg(fds[1], NULL, &d, 0), 0);
	STARVED("putpmsg", putpmsg(fds[1], &c, NULL, 1, MSG_BAND), 0);
	STARVED("write", write(fds[1], data, 10), 10);
	STARVED("write", write(fds[1], data, sizeof(data)), sizeof(data));
	insert.fildes = fd;
	STARVED("I_FDINSERT", ioctl(fds[1], I_FDINSERT, &insert), 0);
	/* A FIFO's bytes become messages when they are looked at. */
	IS(test_fifo(fifo, 0), 0);
	IS(write(fifo[1], data, 100), 100);
	STARVED("I_PEEK", ioctl(fifo[0], I_PEEK, &peek), 1);
	GIVES("I_PEEK", "all of it", read(fifo[0], data, 200), 100);
}

static void links(void)
{
	static const struct {
		const char *link, *unlink;
		unsigned long make, end;
	} kinds[] = {
		{ "I_LINK", "I_UNLINK", I_LINK, I_UNLINK },
		{ "I_PLINK", "I_PUNLINK", I_PLINK, I_PUNLINK },
	};
	int up, low, id, i;

	begin();
	for (i = 0; i < 2; i++) {
		up = open("/dev/streams/mux", O_RDWR);
		low = open("/dev/streams/echo", O_RDWR);
		TRUE(up >= 0 && low >= 0);
		STARVED(kinds[i].link, (id = ioctl(up, kinds[i].make, low)) > 0 ? 0 : id, 0);
		STARVED(kinds[i].unlink, ioctl(up, kinds[i].end, id), 0);
		GIVES(kinds[i].unlink, "the lower stream is free", write(low, "x", 1), 1);
		close(up);
		close(low);
	}
}

static const struct test_case cases[] = {
	{ "head", head },
	{ "links", links },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
