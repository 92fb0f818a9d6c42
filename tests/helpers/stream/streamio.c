// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio.c - each ioctl of a stream head, its success and each of its errors
 *
 * POSIX.1-2001 ioctl(), and SVR4.2 for those it lacks. On pipes, and on
 * /dev/streams/strprobe (kmod/test/strprobe.h) where a driver is needed.
 */
#include "streamio.h"
#include "../../../kmod/test/strtest.h"

#define MODULE	"nullmod"

static void nread(void)
{
	int fds[2], n = -1;

	IS(strpipe(fds), 0);
	GIVES("I_NREAD", "no message", ioctl(fds[0], I_NREAD, &n), 0);
	GIVES("I_NREAD", "no bytes then", n, 0);
	IS(write(fds[1], "12345", 5), 5);
	IS(write(fds[1], "678", 3), 3);
	GIVES("I_NREAD", "messages", ioctl(fds[0], I_NREAD, &n), 2);
	GIVES("I_NREAD", "bytes of the first", n, 5);
	FAILS_WITH("I_NREAD", EFAULT, "bad arg", ioctl(fds[0], I_NREAD, BAD_POINTER));
	close_pipe(fds);
}

static void openfail_returns(const char *value)
{
	int fd = open("/sys/module/openfail/parameters/error", O_WRONLY);

	IS(write(fd, value, strlen(value)), strlen(value));
	close(fd);
}

static void names(void)
{
	struct str_mlist list[4];
	struct str_list l = { .sl_nmods = 4, .sl_modlist = list };
	char name[STRNAMESZ];
	int fd = probe(0), i;

	FAILS_WITH("I_LOOK", EINVAL, "no module", ioctl(fd, I_LOOK, name));
	FAILS_WITH("I_POP", EINVAL, "no module", ioctl(fd, I_POP, 0));
	FAILS_WITH("I_PUSH", EINVAL, "no such module", ioctl(fd, I_PUSH, "no_such"));
	FAILS_WITH("I_PUSH", EFAULT, "bad arg", ioctl(fd, I_PUSH, BAD_POINTER));
	FAILS_WITH("I_PUSH", EDOM, "the module's, which does not open",
		   ioctl(fd, I_PUSH, "openfail"));
	openfail_returns("-22");
	FAILS_WITH("I_PUSH", EINVAL, "the module's, with Linux's sign",
		   ioctl(fd, I_PUSH, "openfail"));
	openfail_returns("-1");
	FAILS_WITH("I_PUSH", ENXIO, "OPENFAIL", ioctl(fd, I_PUSH, "openfail"));
	openfail_returns("5000");
	FAILS_WITH("I_PUSH", ENXIO, "no error number", ioctl(fd, I_PUSH, "openfail"));
	openfail_returns("33");
	GIVES("I_PUSH", "a module", ioctl(fd, I_PUSH, MODULE), 0);
	GIVES("I_LOOK", "a module", ioctl(fd, I_LOOK, name), 0);
	GIVES("I_LOOK", "its name", strcmp(name, MODULE), 0);
	FAILS_WITH("I_LOOK", EFAULT, "bad arg", ioctl(fd, I_LOOK, BAD_POINTER));
	GIVES("I_FIND", "there", ioctl(fd, I_FIND, MODULE), 1);
	GIVES("I_FIND", "not there", ioctl(fd, I_FIND, "other"), 0);
	FAILS_WITH("I_FIND", EINVAL, "no name", ioctl(fd, I_FIND, ""));
	FAILS_WITH("I_FIND", EFAULT, "bad arg", ioctl(fd, I_FIND, BAD_POINTER));
	GIVES("I_LIST", "how many", ioctl(fd, I_LIST, NULL), 2);
	GIVES("I_LIST", "names", ioctl(fd, I_LIST, &l), 0);
	GIVES("I_LIST", "of the module and the driver",
	      l.sl_nmods == 2 && !strcmp(list[0].l_name, MODULE) &&
	      !strcmp(list[1].l_name, "strprobe"), 1);
	l.sl_nmods = 0;
	FAILS_WITH("I_LIST", EINVAL, "room for none", ioctl(fd, I_LIST, &l));
	FAILS_WITH("I_LIST", EFAULT, "bad arg", ioctl(fd, I_LIST, BAD_POINTER));
	GIVES("I_POP", "a module", ioctl(fd, I_POP, 0), 0);
	for (i = 0; i < 100 && ioctl(fd, I_PUSH, MODULE) == 0; i++)
		;
	GIVES("I_PUSH", "9 modules at least", i >= 9, 1);
	FAILS_WITH("I_PUSH", EINVAL, "too many", ioctl(fd, I_PUSH, MODULE));
	hang_up(fd);
	FAILS_WITH("I_PUSH", ENXIO, "hung up", ioctl(fd, I_PUSH, MODULE));
	FAILS_WITH("I_POP", ENXIO, "hung up", ioctl(fd, I_POP, 0));
	close(fd);
}

static void anchor(void)
{
	int fd = probe(0), fds[2], status;

	IS(ioctl(fd, I_PUSH, MODULE), 0);
	GIVES("I_ANCHOR", "on a driver", ioctl(fd, I_ANCHOR, 0), 0);
	IS(ioctl(fd, I_PUSH, MODULE), 0);
	if (!fork()) {
		TRUE(!geteuid() ? setuid(65534) == 0 : true);
		GIVES("I_ANCHOR", "modules above it can be popped", ioctl(fd, I_POP, 0), 0);
		FAILS_WITH("I_POP", EPERM, "through the anchor", ioctl(fd, I_POP, 0));
		_exit(cover_failed);
	}
	wait(&status);
	cover_failed |= status;
	if (!geteuid()) {
		GIVES("I_POP", "through the anchor, with privileges", ioctl(fd, I_POP, 0), 0);
		IS(ioctl(fd, I_PUSH, MODULE), 0);
	}
	close(fd);
	IS(strpipe(fds), 0);
	FAILS_WITH("I_ANCHOR", EINVAL, "on a pipe", ioctl(fds[0], I_ANCHOR, 0));
	close_pipe(fds);
}

/* A FIFO's bytes count as band 0, whether they are messages or not. */
static void flush_fifo(void)
{
	struct bandinfo info = { .bi_pri = 1, .bi_flag = FLUSHR };
	int fifo[2];

	IS(test_fifo(fifo, O_NONBLOCK), 0);
	IS(write(fifo[1], "bytes", 5), 5);
	GIVES("I_FLUSHBAND", "a FIFO's band 1", ioctl(fifo[0], I_FLUSHBAND, &info), 0);
	GIVES("I_FLUSHBAND", "is not its bytes", ioctl(fifo[0], I_CKBAND, 0), 1);
	info.bi_pri = 0;
	GIVES("I_FLUSHBAND", "a FIFO's band 0", ioctl(fifo[0], I_FLUSHBAND, &info), 0);
	GIVES("I_FLUSHBAND", "is its bytes", ioctl(fifo[0], I_CKBAND, 0), 0);
	close_pipe(fifo);
}

/* A driver's queue is flushed; its messages of other bands stay. */
static void flush_driver(void)
{
	struct bandinfo info = { .bi_pri = 2, .bi_flag = FLUSHRW };
	int fd = probe(O_NONBLOCK), n;

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	n = fill_band(fd, 2);
	TRUE(n > 0);
	IS(ioctl(fd, I_CANPUT, 2), 0);
	IS(fill_band(fd, 1) > 0, true);
	GIVES("I_FLUSHBAND", "down to the driver", ioctl(fd, I_FLUSHBAND, &info), 0);
	GIVES("I_FLUSHBAND", "makes room there", ioctl(fd, I_CANPUT, 2), 1);
	GIVES("I_FLUSHBAND", "in that band", ioctl(fd, I_CANPUT, 1), 0);
	hang_up(fd);
	FAILS_WITH("I_FLUSH", ENXIO, "hung up", ioctl(fd, I_FLUSH, FLUSHRW));
	FAILS_WITH("I_FLUSHBAND", ENXIO, "hung up", ioctl(fd, I_FLUSHBAND, &info));
	close(fd);
}

static void flush(void)
{
	struct bandinfo info = { .bi_pri = 3, .bi_flag = FLUSHR };
	int fds[2], n, i;

	IS(strpipe(fds), 0);
	IS(write(fds[1], "data", 4), 4);
	IS(write(fds[0], "back", 4), 4);
	GIVES("I_FLUSH", "unread data", ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	GIVES("I_FLUSH", "is gone", ioctl(fds[0], I_NREAD, &n), 0);
	GIVES("I_FLUSH", "written data stays", ioctl(fds[1], I_NREAD, &n), 1);
	GIVES("I_FLUSH", "written data", ioctl(fds[0], I_FLUSH, FLUSHW), 0);
	GIVES("I_FLUSH", "is gone too", ioctl(fds[1], I_NREAD, &n), 0);
	GIVES("I_FLUSH", "both", ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	FAILS_WITH("I_FLUSH", EINVAL, "none", ioctl(fds[0], I_FLUSH, 0));
	FAILS_WITH("I_FLUSH", EINVAL, "no such flag", ioctl(fds[0], I_FLUSH, 8));

	for (i = 0; i < 5; i++)
		IS(send_band(fds[1], NULL, "x", i, MSG_BAND), 0);
	GIVES("I_FLUSHBAND", "one band", ioctl(fds[0], I_FLUSHBAND, &info), 0);
	GIVES("I_FLUSHBAND", "is gone", ioctl(fds[0], I_CKBAND, 3), 0);
	GIVES("I_FLUSHBAND", "others stay", ioctl(fds[0], I_NREAD, &n), 4);
	info.bi_pri = 0;
	info.bi_flag = FLUSHW;
	GIVES("I_FLUSHBAND", "of the other end", ioctl(fds[1], I_FLUSHBAND, &info), 0);
	GIVES("I_FLUSHBAND", "band 0 is gone", ioctl(fds[0], I_CKBAND, 0), 0);
	GIVES("I_FLUSHBAND", "others stay again", ioctl(fds[0], I_NREAD, &n), 3);
	/* M_FLUSH passes through a module that queues. */
	IS(ioctl(fds[1], I_PUSH, MODULE), 0);
	info.bi_pri = 4;
	info.bi_flag = FLUSHRW;
	GIVES("I_FLUSHBAND", "through a module", ioctl(fds[0], I_FLUSHBAND, &info), 0);
	info.bi_flag = 0;
	FAILS_WITH("I_FLUSHBAND", EINVAL, "none", ioctl(fds[0], I_FLUSHBAND, &info));
	info.bi_flag = 8;
	FAILS_WITH("I_FLUSHBAND", EINVAL, "no such flag", ioctl(fds[0], I_FLUSHBAND, &info));
	FAILS_WITH("I_FLUSHBAND", EFAULT, "bad arg", ioctl(fds[0], I_FLUSHBAND, BAD_POINTER));
	close_pipe(fds);

	flush_fifo();
	flush_driver();
}

static void options(void)
{
	int fds[2], opt = -1;

	IS(strpipe(fds), 0);
	GIVES("I_GRDOPT", "at first", ioctl(fds[0], I_GRDOPT, &opt) ?: opt, RNORM | RPROTNORM);
	GIVES("I_SRDOPT", "messages", ioctl(fds[0], I_SRDOPT, RMSGN | RPROTDIS), 0);
	GIVES("I_GRDOPT", "as set", ioctl(fds[0], I_GRDOPT, &opt) ?: opt, RMSGN | RPROTDIS);
	GIVES("I_SRDOPT", "without a way with control", ioctl(fds[0], I_SRDOPT, RMSGD | RFILL), 0);
	GIVES("I_GRDOPT", "that stays", ioctl(fds[0], I_GRDOPT, &opt) ?: opt,
	      RMSGD | RPROTDIS | RFILL);
	FAILS_WITH("I_SRDOPT", EINVAL, "two modes", ioctl(fds[0], I_SRDOPT, RMSGD | RMSGN));
	FAILS_WITH("I_SRDOPT", EINVAL, "two ways with control",
		   ioctl(fds[0], I_SRDOPT, RPROTDAT | RPROTDIS));
	FAILS_WITH("I_SRDOPT", EINVAL, "no such option", ioctl(fds[0], I_SRDOPT, 0x1000));
	FAILS_WITH("I_GRDOPT", EFAULT, "bad arg", ioctl(fds[0], I_GRDOPT, BAD_POINTER));

	GIVES("I_SWROPT", "options", ioctl(fds[0], I_SWROPT, SNDZERO | SNDPIPE), 0);
	GIVES("I_GWROPT", "as set", ioctl(fds[0], I_GWROPT, &opt) ?: opt, SNDZERO | SNDPIPE);
	FAILS_WITH("I_SWROPT", EINVAL, "no such option", ioctl(fds[0], I_SWROPT, 0x1000));
	FAILS_WITH("I_GWROPT", EFAULT, "bad arg", ioctl(fds[0], I_GWROPT, BAD_POINTER));

	GIVES("I_GERROPT", "at first", ioctl(fds[0], I_GERROPT, &opt) ?: opt,
	      RERRNORM | WERRNORM);
	GIVES("I_SERROPT", "one side", ioctl(fds[0], I_SERROPT, RERRNONPERSIST), 0);
	GIVES("I_GERROPT", "the other stays", ioctl(fds[0], I_GERROPT, &opt) ?: opt,
	      RERRNONPERSIST | WERRNORM);
	FAILS_WITH("I_SERROPT", EINVAL, "both of reading",
		   ioctl(fds[0], I_SERROPT, RERRNORM | RERRNONPERSIST));
	FAILS_WITH("I_SERROPT", EINVAL, "both of writing",
		   ioctl(fds[0], I_SERROPT, WERRNORM | WERRNONPERSIST));
	FAILS_WITH("I_SERROPT", EINVAL, "no such option", ioctl(fds[0], I_SERROPT, 0x10));
	FAILS_WITH("I_GERROPT", EFAULT, "bad arg", ioctl(fds[0], I_GERROPT, BAD_POINTER));
	close_pipe(fds);
}

/* An error that does not persist is reported once, on its own side. */
static void once(void)
{
	char sides[2] = { EDOM, EIO }, c;
	int fd = probe(O_NONBLOCK);

	IS(ioctl(fd, I_SERROPT, RERRNONPERSIST | WERRNORM), 0);
	send_up(fd, M_ERROR, 0, 0, sides, 2);
	FAILS_WITH("I_SERROPT", EDOM, "reading, once", read(fd, &c, 1));
	FAILS_WITH("I_SERROPT", EAGAIN, "then no more", read(fd, &c, 1));
	FAILS_WITH("I_SERROPT", EIO, "writing", write(fd, "x", 1));
	FAILS_WITH("I_SERROPT", EIO, "writing, always", write(fd, "x", 1));
	close(fd);
	fd = probe(O_NONBLOCK);
	IS(ioctl(fd, I_SERROPT, RERRNORM | WERRNONPERSIST), 0);
	send_up(fd, M_ERROR, 0, 0, sides, 2);
	FAILS_WITH("I_SERROPT", EIO, "writing, once", write(fd, "x", 1));
	GIVES("I_SERROPT", "then it succeeds", write(fd, "x", 1), 1);
	FAILS_WITH("I_SERROPT", EDOM, "reading", read(fd, &c, 1));
	FAILS_WITH("I_SERROPT", EDOM, "reading, always", read(fd, &c, 1));
	close(fd);
}

static void bands(void)
{
	int fds[2], fifo[2], band = -1;

	IS(strpipe(fds), 0);
	FAILS_WITH("I_GETBAND", ENODATA, "no message", ioctl(fds[0], I_GETBAND, &band));
	GIVES("I_CKBAND", "no message", ioctl(fds[0], I_CKBAND, 0), 0);
	IS(write(fds[1], "0", 1), 1);
	IS(send_band(fds[1], NULL, "7", 7, MSG_BAND), 0);
	GIVES("I_GETBAND", "the first's", ioctl(fds[0], I_GETBAND, &band) ?: band, 7);
	FAILS_WITH("I_GETBAND", EFAULT, "bad arg", ioctl(fds[0], I_GETBAND, BAD_POINTER));
	GIVES("I_CKBAND", "band 7", ioctl(fds[0], I_CKBAND, 7), 1);
	GIVES("I_CKBAND", "band 0 behind it", ioctl(fds[0], I_CKBAND, 0), 1);
	GIVES("I_CKBAND", "band 6", ioctl(fds[0], I_CKBAND, 6), 0);
	FAILS_WITH("I_CKBAND", EINVAL, "band 256", ioctl(fds[0], I_CKBAND, 256));
	FAILS_WITH("I_CKBAND", EINVAL, "band -1", ioctl(fds[0], I_CKBAND, -1L));
	IS(send_band(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	GIVES("I_GETBAND", "of high priority", ioctl(fds[0], I_GETBAND, &band) ?: band, 0);
	close_pipe(fds);

	/* A FIFO's bytes need not become messages for this command. */
	IS(test_fifo(fifo, O_NONBLOCK), 0);
	FAILS_WITH("I_GETBAND", ENODATA, "an empty FIFO", ioctl(fifo[0], I_GETBAND, &band));
	IS(write(fifo[1], "bytes", 5), 5);
	band = -1;
	GIVES("I_GETBAND", "a FIFO's bytes", ioctl(fifo[0], I_GETBAND, &band) ?: band, 0);
	GIVES("I_CKBAND", "a FIFO's bytes", ioctl(fifo[0], I_CKBAND, 0), 1);
	GIVES("I_CKBAND", "a FIFO's band 1", ioctl(fifo[0], I_CKBAND, 1), 0);
	GIVES("I_ATMARK", "a FIFO's bytes", ioctl(fifo[0], I_ATMARK, ANYMARK), 0);
	close_pipe(fifo);

	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	GIVES("I_CANPUT", "an empty pipe", ioctl(fds[1], I_CANPUT, 0), 1);
	TRUE(fill_band(fds[1], 0) > 0);
	GIVES("I_CANPUT", "a full pipe", ioctl(fds[1], I_CANPUT, 0), 0);
	GIVES("I_CANPUT", "another band", ioctl(fds[1], I_CANPUT, 9), 1);
	FAILS_WITH("I_CANPUT", EINVAL, "band 256", ioctl(fds[1], I_CANPUT, 256));
	close_pipe(fds);
}

/* Tests marks with getmsg(), I_PEEK and a mode that discards data. */
static void marked_messages(void)
{
	int fd = probe(O_NONBLOCK), flags = 0;
	char data[32];
	struct strbuf two = { .maxlen = 2, .buf = data }, all = { .maxlen = 32, .buf = data };
	struct strpeek p = { .ctlbuf = { .maxlen = -1 }, .databuf = all };

	send_up(fd, M_DATA, 3, MSGMARK, "marked", 6);
	GIVES("I_ATMARK", "a band's", ioctl(fd, I_ATMARK, LASTMARK), 1);
	IS(ioctl(fd, I_PEEK, &p), 1);
	GIVES("I_ATMARK", "I_PEEK leaves it", ioctl(fd, I_ATMARK, LASTMARK), 1);
	IS(getmsg(fd, NULL, &two, &flags), MOREDATA);
	GIVES("I_ATMARK", "getmsg() of a part leaves it", ioctl(fd, I_ATMARK, ANYMARK), 1);
	IS(getmsg(fd, NULL, &all, &flags), 0);
	GIVES("I_ATMARK", "getmsg() of the rest takes it", ioctl(fd, I_ATMARK, ANYMARK), 0);
	/* A mark behind the first message does not count yet. */
	send_up(fd, M_DATA, 0, MSGMARK, "low", 3);
	send_up(fd, M_DATA, 1, 0, "high", 4);
	GIVES("I_ATMARK", "a higher band before it", ioctl(fd, I_ATMARK, ANYMARK), 0);
	GIVES("I_ATMARK", "read() of that stops there", read(fd, data, sizeof(data)), 4);
	GIVES("I_ATMARK", "then it is first", ioctl(fd, I_ATMARK, LASTMARK), 1);
	IS(ioctl(fd, I_SRDOPT, RMSGD), 0);
	GIVES("I_ATMARK", "RMSGD, a part", read(fd, data, 1), 1);
	GIVES("I_ATMARK", "RMSGD: gone with the rest", ioctl(fd, I_ATMARK, ANYMARK), 0);
	send_up(fd, M_PROTO, 0, MSGMARK, "ctl", 3);
	GIVES("I_ATMARK", "a control part's", ioctl(fd, I_ATMARK, LASTMARK), 1);
	close(fd);
}

static void marks(void)
{
	int fd = probe(O_NONBLOCK);
	char data[32];

	GIVES("I_ATMARK", "no message", ioctl(fd, I_ATMARK, ANYMARK), 0);
	FAILS_WITH("I_ATMARK", EINVAL, "none", ioctl(fd, I_ATMARK, 0));
	FAILS_WITH("I_ATMARK", EINVAL, "no such mark", ioctl(fd, I_ATMARK, 4));
	send_up(fd, M_DATA, 0, 0, "plain", 5);
	send_up(fd, M_DATA, 0, MSGMARK, "mark", 4);
	send_up(fd, M_DATA, 0, MSGMARK, "last", 4);
	send_up(fd, M_DATA, 0, 0, "end", 3);
	GIVES("I_ATMARK", "not yet", ioctl(fd, I_ATMARK, ANYMARK), 0);
	GIVES("I_ATMARK", "read() stops before it", read(fd, data, sizeof(data)), 5);
	GIVES("I_ATMARK", "a mark", ioctl(fd, I_ATMARK, ANYMARK), 1);
	GIVES("I_ATMARK", "not the last", ioctl(fd, I_ATMARK, LASTMARK), 0);
	GIVES("I_ATMARK", "one or the other", ioctl(fd, I_ATMARK, ANYMARK | LASTMARK), 1);
	GIVES("I_ATMARK", "read() stops behind it", read(fd, data, sizeof(data)), 4);
	GIVES("I_ATMARK", "the last", ioctl(fd, I_ATMARK, LASTMARK), 1);
	GIVES("I_ATMARK", "a part of it", read(fd, data, 1), 1);
	GIVES("I_ATMARK", "leaves the mark", ioctl(fd, I_ATMARK, LASTMARK), 1);
	GIVES("I_ATMARK", "the rest of it", read(fd, data, sizeof(data)), 3);
	GIVES("I_ATMARK", "no more", ioctl(fd, I_ATMARK, ANYMARK), 0);
	GIVES("I_ATMARK", "the data behind it", read(fd, data, sizeof(data)), 3);
	close(fd);
	marked_messages();
}

static void peek(void)
{
	char ctl[16], data[16];
	struct strpeek p = {
		.ctlbuf = { .maxlen = 16, .buf = ctl },
		.databuf = { .maxlen = 4, .buf = data },
	};
	int fds[2], n;

	IS(strpipe(fds), 0);
	GIVES("I_PEEK", "no message", ioctl(fds[0], I_PEEK, &p), 0);
	IS(send_band(fds[1], "control", "datadata", 3, MSG_BAND), 0);
	GIVES("I_PEEK", "a message", ioctl(fds[0], I_PEEK, &p), 1);
	GIVES("I_PEEK", "its control", p.ctlbuf.len == 7 && !memcmp(ctl, "control", 7), 1);
	GIVES("I_PEEK", "as much data as fits", p.databuf.len == 4 && !memcmp(data, "data", 4), 1);
	GIVES("I_PEEK", "leaves it", ioctl(fds[0], I_NREAD, &n), 1);
	p.flags = RS_HIPRI;
	GIVES("I_PEEK", "none of high priority", ioctl(fds[0], I_PEEK, &p), 0);
	p.flags = 2;
	FAILS_WITH("I_PEEK", EINVAL, "no such flag", ioctl(fds[0], I_PEEK, &p));
	FAILS_WITH("I_PEEK", EFAULT, "bad arg", ioctl(fds[0], I_PEEK, BAD_POINTER));
	p.flags = 0;
	p.databuf.buf = BAD_POINTER;
	FAILS_WITH("I_PEEK", EFAULT, "bad buffer", ioctl(fds[0], I_PEEK, &p));
	p.databuf.buf = data;
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	FAILS_WITH("I_PEEK", EBADMSG, "a passed file", ioctl(fds[0], I_PEEK, &p));
	close_pipe(fds);
}

static void command(void)
{
	static char most[65536];
	struct strioctl ic = { .ic_cmd = STRPROBE_HOLD, .ic_timout = WAIT_SECONDS };
	char error = EPROTO;
	int fd = probe(0);

	GIVES("I_STR", "answered", ioctl(fd, I_STR, &ic), 0);
	ic.ic_cmd = 0x7777;
	FAILS_WITH("I_STR", EINVAL, "an unknown command", ioctl(fd, I_STR, &ic));
	ic.ic_len = -1;
	FAILS_WITH("I_STR", EINVAL, "length -1", ioctl(fd, I_STR, &ic));
	ic.ic_len = 65537;
	FAILS_WITH("I_STR", EINVAL, "too long", ioctl(fd, I_STR, &ic));
	ic.ic_len = 0;
	ic.ic_timout = -2;
	FAILS_WITH("I_STR", EINVAL, "timeout -2", ioctl(fd, I_STR, &ic));
	ic.ic_timout = WAIT_SECONDS;
	ic.ic_len = 4;
	ic.ic_dp = BAD_POINTER;
	FAILS_WITH("I_STR", EFAULT, "bad data", ioctl(fd, I_STR, &ic));
	FAILS_WITH("I_STR", EFAULT, "bad arg", ioctl(fd, I_STR, BAD_POINTER));
	ic.ic_len = 0;
	hang_up(fd);
	FAILS_WITH("I_STR", ENXIO, "hung up", ioctl(fd, I_STR, &ic));
	close(fd);

	/* The driver answers as it is told to, or not at all. */
	fd = open("/dev/streams/strtest", O_RDWR);
	ic = (struct strioctl){ .ic_cmd = STRTEST_NAK, .ic_len = 1, .ic_dp = &error };
	FAILS_WITH("I_STR", EPROTO, "the value in M_IOCNAK", ioctl(fd, I_STR, &ic));
	ic = (struct strioctl){ .ic_cmd = STRTEST_SILENT, .ic_timout = 1 };
	FAILS_WITH("I_STR", ETIME, "no answer", ioctl(fd, I_STR, &ic));
	ic.ic_timout = -1;
	FAILS_WITH("I_STR", EINTR, "a signal", INTERRUPTED(ioctl(fd, I_STR, &ic)));
	ic = (struct strioctl){ .ic_cmd = STRTEST_ECHO, .ic_len = 1, .ic_dp = &error };
	GIVES("I_STR", "the value in M_IOCACK", ioctl(fd, I_STR, &ic), STRTEST_RVAL);
	memset(most, 'm', sizeof(most));
	ic = (struct strioctl){ .ic_cmd = STRTEST_ECHO, .ic_len = sizeof(most), .ic_dp = most };
	GIVES("I_STR", "as much data as may be", ioctl(fd, I_STR, &ic), STRTEST_RVAL);
	GIVES("I_STR", "all of it comes back", ic.ic_len == sizeof(most) &&
	      most[0] == 'm' && most[sizeof(most) - 1] == 'm', 1);
	close(fd);
}

/*
 * Returns a stream whose driver keeps the data written; ms: how long its
 * close() waits.
 */
static int held(int oflag, int ms)
{
	int fd = probe(oflag);

	IS(ioctl(fd, I_SETCLTIME, &ms), 0);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(write(fd, "stays", 5), 5);
	return fd;
}

/* A close() that does not wait never takes so long. */
#define LONG_MS		200000

static void close_time(void)
{
	int fd = probe(0), ms = -1;
	long took;

	GIVES("I_GETCLTIME", "at first", ioctl(fd, I_GETCLTIME, &ms) ?: ms, 15000);
	ms = 400;
	GIVES("I_SETCLTIME", "400 ms", ioctl(fd, I_SETCLTIME, &ms), 0);
	GIVES("I_GETCLTIME", "as set", ioctl(fd, I_GETCLTIME, &ms) ?: ms, 400);
	ms = -1;
	FAILS_WITH("I_SETCLTIME", EINVAL, "below 0", ioctl(fd, I_SETCLTIME, &ms));
	FAILS_WITH("I_SETCLTIME", EFAULT, "bad arg", ioctl(fd, I_SETCLTIME, BAD_POINTER));
	FAILS_WITH("I_GETCLTIME", EFAULT, "bad arg", ioctl(fd, I_GETCLTIME, BAD_POINTER));
	/* Without output close() does not wait. */
	ms = LONG_MS;
	IS(ioctl(fd, I_SETCLTIME, &ms), 0);
	took = close_takes(fd);
	GIVES("I_SETCLTIME", "an empty stream closes at once", took < LONG_MS, 1);
	took = close_takes(held(0, 400));
	GIVES("I_SETCLTIME", "close() waits so long for output", took >= 400, 1);
	took = close_takes(held(0, 0));
	GIVES("I_SETCLTIME", "0: it does not wait", took < 15000, 1);
	took = close_takes(held(O_NONBLOCK, LONG_MS));
	GIVES("I_SETCLTIME", "not with O_NONBLOCK", took < LONG_MS, 1);
	fd = held(0, LONG_MS);
	took = now_ms();
	INTERRUPTED(close(fd));
	took = now_ms() - took;
	GIVES("I_SETCLTIME", "a signal ends the wait", took < LONG_MS, 1);
	/* The module has no room below it to send, nor has the driver. */
	fd = probe(O_NONBLOCK);
	ms = 300;
	IS(ioctl(fd, I_SETCLTIME, &ms), 0);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	TRUE(fill_band(fd, 0) > 4);
	test_nonblock(fd, false);
	took = close_takes(fd);
	GIVES("I_SETCLTIME", "for the module and the driver, each", took >= 500, 1);
}

/* Returns a message for I_FDINSERT, whose control part has room for n bytes. */
static struct strfdinsert fdinsert(int fildes, int offset, int n)
{
	static char ctl[2000] = "control.control.control.";

	return (struct strfdinsert){
		.ctlbuf = { .len = n, .buf = ctl },
		.databuf = { .len = 4, .buf = (char[]){ "data" } },
		.fildes = fildes,
		.offset = offset,
	};
}

/* Arguments that I_FDINSERT on to refuses; fd: a stream that could be named */
static void insert_invalid(int to, int fd)
{
	static char data[70000];
	int null = open("/dev/null", O_RDWR);
	struct strfdinsert f;

	f = fdinsert(fd, 6, 16);
	FAILS_WITH("I_FDINSERT", EINVAL, "offset not aligned", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, -4, 16);
	FAILS_WITH("I_FDINSERT", EINVAL, "offset below 0", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 16, 16);
	FAILS_WITH("I_FDINSERT", EINVAL, "offset behind it", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, -1);
	FAILS_WITH("I_FDINSERT", EINVAL, "no control part", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(999, 0, 16);
	FAILS_WITH("I_FDINSERT", EINVAL, "no descriptor", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(null, 0, 16);
	FAILS_WITH("I_FDINSERT", EINVAL, "no stream", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, 16);
	f.flags = 2;
	FAILS_WITH("I_FDINSERT", EINVAL, "no such flag", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, 1025);
	FAILS_WITH("I_FDINSERT", ERANGE, "control too long", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, 16);
	f.databuf.len = 65537;
	f.databuf.buf = data;
	FAILS_WITH("I_FDINSERT", ERANGE, "data too long", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, 16);
	f.databuf.buf = BAD_POINTER;
	FAILS_WITH("I_FDINSERT", EFAULT, "bad data", ioctl(to, I_FDINSERT, &f));
	f = fdinsert(fd, 0, 16);
	f.ctlbuf.buf = BAD_POINTER;
	FAILS_WITH("I_FDINSERT", EFAULT, "bad control", ioctl(to, I_FDINSERT, &f));
	FAILS_WITH("I_FDINSERT", EFAULT, "bad arg", ioctl(to, I_FDINSERT, BAD_POINTER));
	close(null);
}

static void insert(void)
{
	unsigned int id = 0, told = 0;
	int fds[2], fifo[2], fd = probe(O_NONBLOCK), dead = probe(0), bad = probe(0);
	struct strfdinsert f = fdinsert(fd, 8, 16);
	char ctl[64], data[64], error = EDOM;
	struct strbuf c = { .maxlen = 64, .buf = ctl };
	struct strbuf d = { .maxlen = 64, .buf = data };
	int flags = 0;

	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	IS(str(fd, STRPROBE_ID, &id, 0), 0);
	GIVES("I_FDINSERT", "a message", ioctl(fds[1], I_FDINSERT, &f), 0);
	IS(getmsg(fds[0], &c, &d, &flags), 0);
	GIVES("I_FDINSERT", "as long as it was", c.len == 16 && d.len == 4, 1);
	memcpy(&told, ctl + 8, 4);
	GIVES("I_FDINSERT", "tells which stream", told && told == id, 1);
	GIVES("I_FDINSERT", "and nothing else", memcmp(ctl, "control.", 8) |
	      memcmp(ctl + 12, "rol.", 4), 0);
	f.flags = RS_HIPRI;
	GIVES("I_FDINSERT", "of high priority", ioctl(fds[1], I_FDINSERT, &f), 0);
	IS(getmsg(fds[0], &c, &d, &flags), 0);
	GIVES("I_FDINSERT", "as it was sent", flags, RS_HIPRI);

	insert_invalid(fds[1], fd);
	hang_up(dead);
	f = fdinsert(dead, 0, 16);
	FAILS_WITH("I_FDINSERT", ENXIO, "the other hung up", ioctl(fds[1], I_FDINSERT, &f));
	f = fdinsert(fd, 0, 16);
	FAILS_WITH("I_FDINSERT", ENXIO, "hung up", ioctl(dead, I_FDINSERT, &f));
	send_up(bad, M_ERROR, 0, 0, &error, 1);
	f = fdinsert(bad, 0, 16);
	FAILS_WITH("I_FDINSERT", EDOM, "the other's error", ioctl(fds[1], I_FDINSERT, &f));
	IS(test_fifo(fifo, 0), 0);
	f = fdinsert(fd, 0, 16);
	FAILS_WITH("I_FDINSERT", EBADF, "not open for writing", ioctl(fifo[0], I_FDINSERT, &f));
	close_pipe(fifo);
	TRUE(fill_band(fds[1], 0) > 0);
	f = fdinsert(fd, 0, 16);
	FAILS_WITH("I_FDINSERT", EAGAIN, "full", ioctl(fds[1], I_FDINSERT, &f));
	close_pipe(fds);
}

static const struct test_case cases[] = {
	{ "nread", nread },
	{ "names", names },
	{ "anchor", anchor },
	{ "flush", flush },
	{ "options", options },
	{ "once", once },
	{ "bands", bands },
	{ "marks", marks },
	{ "peek", peek },
	{ "command", command },
	{ "close-time", close_time },
	{ "insert", insert },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
