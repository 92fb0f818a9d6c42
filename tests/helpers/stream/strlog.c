// SPDX-License-Identifier: GPL-2.0-only
/*
 * strlog.c - the STREAMS log: readers receive the messages of modules
 *
 * The rules are those of log(4) and strlog(9). The test driver strddi calls
 * strlog() as its ioctl requests; so do "strlog send MODULE PART LEVEL FLAGS TEXT", and
 * "strlog fill MODULE" until a reader of errors is behind.
 */
#include "cover.h"
#include "stream-device.h"

#include <sys/strlog.h>

#include "../../../kmod/test/strddi.h"

#define LOG	"/dev/streams/log"
#define MID	904

/* Returns 0 if all readers got the message, 1 if one did not. */
static int say(int mid, int sid, int level, int flags, const char *text)
{
	struct strddi_log l = {
		.mid = mid, .sid = sid, .level = level, .flags = flags,
	};
	static int fd = -1;

	if (fd < 0)
		fd = dev("/dev/streams/strddi");
	snprintf(l.text, sizeof(l.text), "%s", text);
	return send_ioctl(fd, STRDDI_LOG, &l, sizeof(l));
}

static int tracer(const struct trace_ids *ids, int n)
{
	struct trace_ids copy[TRACE_IDS_MOST];
	int fd = dev(LOG);

	memcpy(copy, ids, n * sizeof(*ids));
	GIVES("I_TRCLOG", "triples", send_ioctl(fd, I_TRCLOG, copy, n * sizeof(*ids)), 0);
	test_nonblock(fd, true);
	return fd;
}

static int error_reader(void)
{
	int fd = dev(LOG);

	GIVES("I_ERRLOG", "the only one", send_ioctl(fd, I_ERRLOG, NULL, 0), 0);
	test_nonblock(fd, true);
	return fd;
}

static bool next(int fd, struct log_ctl *ctl, char text[LOGMSGSZ])
{
	struct strbuf c = { .maxlen = sizeof(*ctl), .buf = (char *)ctl };
	struct strbuf d = { .maxlen = LOGMSGSZ, .buf = text };
	int flags = 0;

	memset(text, 0, LOGMSGSZ);
	if (getmsg(fd, &c, &d, &flags) < 0) {
		TRUE(errno == EAGAIN);
		return false;
	}
	IS(c.len, sizeof(*ctl));
	TRUE(d.len > 0 && !text[d.len - 1]);
	return true;
}

/* Waits for one of the events; poll() reports POLLERR in any case. */
static void await(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events & POLLIN };

	IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
	TRUE(p.revents & events);
}

/*
 * Checks that the next message has that text, which strddi appends ": 42" to.
 */
static struct log_ctl is_next(int fd, const char *want)
{
	char text[LOGMSGSZ], all[LOGMSGSZ];
	struct log_ctl ctl = { };

	snprintf(all, sizeof(all), "%s: 42", want);
	await(fd, POLLIN);
	if (!next(fd, &ctl, text))
		test_fail(__FILE__, __LINE__, "no message, not %s", all);
	if (strcmp(text, all))
		test_fail(__FILE__, __LINE__, "message %s, not %s", text, all);
	return ctl;
}

static void is_empty(int fd)
{
	char text[LOGMSGSZ];
	struct log_ctl ctl;

	if (next(fd, &ctl, text))
		test_fail(__FILE__, __LINE__, "unexpected message %s", text);
}

static void trace(void)
{
	const struct trace_ids ids[] = {
		{ .ti_mid = MID, .ti_sid = 1, .ti_level = 5 },
		{ .ti_mid = MID + 1, .ti_sid = -1, .ti_level = -1 },
	};
	const struct trace_ids all = { -1, -1, -1, 0 };
	int some = tracer(ids, 2), every = tracer(&all, 1);
	struct log_ctl a, b;
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	IS(say(MID, 1, 5, SL_TRACE, "fits"), 0);
	IS(say(MID, 1, 6, SL_TRACE, "level too high"), 0);
	IS(say(MID, 2, 0, SL_TRACE, "other part"), 0);
	IS(say(MID + 2, 1, 0, SL_TRACE, "other module"), 0);
	IS(say(MID + 1, 7, 127, SL_TRACE | SL_WARN, "any of it"), 0);
	IS(say(MID, 1, 0, SL_ERROR, "no trace"), 0);
	a = is_next(some, "fits");
	IS(a.mid, MID);
	IS(a.sid, 1);
	IS(a.level, 5);
	IS(a.flags, SL_TRACE);
	TRUE(a.ttime >= t.tv_sec && a.ttime <= t.tv_sec + 60);
	clock_gettime(CLOCK_BOOTTIME, &t);
	TRUE(a.ltime > 0 && a.ltime <= t.tv_sec * 1000 + 1000);
	IS(is_next(some, "any of it").flags, SL_TRACE | SL_WARN);
	is_empty(some);
	b = is_next(every, "fits");
	IS(b.seq_no, a.seq_no);
	IS(is_next(every, "level too high").seq_no, a.seq_no + 1);
	is_next(every, "other part");
	is_next(every, "other module");
	IS(is_next(every, "any of it").seq_no, a.seq_no + 4);
	is_empty(every);
	/* A second request replaces the first. */
	GIVES("I_TRCLOG", "others instead",
	      send_ioctl(some, I_TRCLOG, (void *)&all, sizeof(all)), 0);
	say(MID + 2, 1, 0, SL_TRACE, "now");
	is_next(some, "now");
	is_empty(some);
}

static void error(void)
{
	const struct trace_ids all = { -1, -1, -1, 0 };
	int one = error_reader(), two = dev(LOG), t = tracer(&all, 1);
	unsigned int nr;

	FAILS_WITH("I_ERRLOG", EBUSY, "another has them", send_ioctl(two, I_ERRLOG, NULL, 0));
	GIVES("I_ERRLOG", "asked again", send_ioctl(one, I_ERRLOG, NULL, 0), 0);
	say(MID, 3, 9, SL_ERROR | SL_FATAL | SL_NOTIFY, "bad");
	say(MID + 1, 4, 0, SL_ERROR | SL_TRACE, "both");
	say(MID, 3, 0, SL_TRACE, "trace only");
	nr = is_next(one, "bad").seq_no;
	IS(is_next(one, "both").seq_no, nr + 1);
	is_empty(one);
	is_next(t, "both");
	is_next(t, "trace only");
	is_empty(t);
	close(one);
	/* The other stream may read errors now. */
	GIVES("I_ERRLOG", "after the other's close", send_ioctl(two, I_ERRLOG, NULL, 0), 0);
	test_nonblock(two, true);
	say(MID, 3, 0, SL_ERROR, "next");
	is_next(two, "next");
}

static void lost(void)
{
	int fd = error_reader(), told = 0, missed = 0, got = 1;
	char text[LOGMSGSZ];
	struct log_ctl ctl;
	unsigned int nr;

	while (!missed && told < 10000) {
		missed = say(MID, 0, 0, SL_ERROR, "many");
		told += !missed;
	}
	IS(missed, 1);
	nr = is_next(fd, "many").seq_no;
	for (; got < told; got++) {
		await(fd, POLLIN);
		TRUE(next(fd, &ctl, text));
		IS(ctl.seq_no, nr + got);
	}
	is_empty(fd);
	IS(say(MID, 0, 0, SL_ERROR, "after"), 0);
	/* The number shows that a message is missing. */
	IS(is_next(fd, "after").seq_no, nr + told + 1);
}

static void console(void)
{
	int fd = dev(LOG);

	GIVES("I_CONSLOG", "no data", send_ioctl(fd, I_CONSLOG, NULL, 0), 0);
	test_nonblock(fd, true);
	say(MID, 0, 0, SL_CONSOLE, "to a reader");
	is_next(fd, "to a reader");
	close(fd);
	say(MID, 0, 0, SL_CONSOLE, "strlog test, to the kernel");
}

static int console_reader(void)
{
	int fd = dev(LOG);

	GIVES("I_CONSLOG", "another reader", send_ioctl(fd, I_CONSLOG, NULL, 0), 0);
	test_nonblock(fd, true);
	return fd;
}

/*
 * Each kind has its numbers, and its readers; one stream may read several
 * kinds.
 */
static void kinds(void)
{
	const struct trace_ids all = { -1, -1, -1, 0 };
	int t = tracer(&all, 1), e = error_reader(), c = console_reader(), each;
	unsigned int traces, errors, notices;

	IS(say(MID, 0, 0, SL_TRACE | SL_ERROR | SL_CONSOLE, "to all"), 0);
	traces = is_next(t, "to all").seq_no;
	errors = is_next(e, "to all").seq_no;
	notices = is_next(c, "to all").seq_no;
	IS(say(MID, 0, 0, SL_TRACE, "a trace"), 0);
	IS(say(MID, 0, 0, SL_TRACE, "a trace"), 0);
	IS(say(MID, 0, 0, SL_ERROR, "an error"), 0);
	IS(say(MID, 0, 0, SL_CONSOLE, "a notice"), 0);
	IS(is_next(t, "a trace").seq_no, traces + 1);
	IS(is_next(t, "a trace").seq_no, traces + 2);
	IS(is_next(e, "an error").seq_no, errors + 1);
	IS(is_next(c, "a notice").seq_no, notices + 1);
	is_empty(t);
	is_empty(e);
	is_empty(c);
	close(t);
	close(e);
	each = error_reader();
	GIVES("I_CONSLOG", "with I_ERRLOG", send_ioctl(each, I_CONSLOG, NULL, 0), 0);
	GIVES("I_TRCLOG", "with I_ERRLOG and I_CONSLOG",
	      send_ioctl(each, I_TRCLOG, (void *)&all, sizeof(all)), 0);
	IS(say(MID, 0, 0, SL_TRACE | SL_ERROR | SL_CONSOLE, "thrice"), 0);
	is_next(each, "thrice");
	is_next(each, "thrice");
	is_next(each, "thrice");
	is_empty(each);
	is_next(c, "thrice");
	/* A message without a matching reader is not delivered. */
	IS(say(MID, 0, 0, SL_FATAL | SL_NOTIFY | SL_WARN | SL_NOTE, "for no reader"), 0);
	is_empty(each);
	is_empty(c);
}

/* Messages have the levels of syslog(3), LOG_CRIT to LOG_DEBUG. */
static void priorities(void)
{
	static const struct {
		int flags, pri;
	} each[] = {
		{ SL_FATAL, 2 }, { SL_FATAL | SL_ERROR | SL_WARN, 2 }, { SL_ERROR, 3 },
		{ SL_ERROR | SL_WARN, 3 }, { SL_WARN, 4 }, { SL_WARN | SL_NOTE, 4 },
		{ SL_NOTE, 5 }, { 0, 7 }, { SL_NOTIFY, 7 },
	};
	const struct trace_ids all = { -1, -1, -1, 0 };
	int t = tracer(&all, 1);
	struct log_ctl ctl;
	unsigned int i;

	for (i = 0; i < sizeof(each) / sizeof(*each); i++) {
		IS(say(MID, 0, 0, SL_TRACE | each[i].flags, "of a level"), 0);
		ctl = is_next(t, "of a level");
		IS(ctl.pri, each[i].pri);
		IS(ctl.flags, SL_TRACE | each[i].flags);
	}
}

static void wrong(void)
{
	struct trace_ids many[TRACE_IDS_MOST + 1] = { };
	int fd = dev(LOG), size = sizeof(*many);

	FAILS_WITH("I_TRCLOG", EINVAL, "no triple", send_ioctl(fd, I_TRCLOG, NULL, 0));
	FAILS_WITH("I_TRCLOG", EINVAL, "a triple too short",
		   send_ioctl(fd, I_TRCLOG, many, size - 1));
	FAILS_WITH("I_TRCLOG", EINVAL, "too many triples",
		   send_ioctl(fd, I_TRCLOG, many, (TRACE_IDS_MOST + 1) * size));
	GIVES("I_TRCLOG", "as many as may be",
	      send_ioctl(fd, I_TRCLOG, many, TRACE_IDS_MOST * size), 0);
	FAILS_WITH("I_ERRLOG", EINVAL, "data", send_ioctl(fd, I_ERRLOG, many, size));
	FAILS_WITH("I_CONSLOG", EINVAL, "data", send_ioctl(fd, I_CONSLOG, many, size));
	FAILS(send_ioctl(fd, __LOGID | 99, NULL, 0), EINVAL);
	FAILS(ioctl(fd, I_PUSH, "log"), EINVAL);
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
}

/* A program's message is logged like a module's. */
static void written(void)
{
	const struct trace_ids ids = { 7, 8, -1, 0 };
	struct log_ctl ctl = {
		.mid = 7, .sid = 8, .level = 3, .flags = SL_TRACE | 0x4000,
		.pri = 5 | 0xff00,
	};
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)&ctl };
	struct strbuf d = { .len = 4, .buf = (char []){ "text" } };
	int fd = dev(LOG), t = tracer(&ids, 1);
	char text[LOGMSGSZ];

	IS(putmsg(fd, &c, &d, 0), 0);
	await(t, POLLIN);
	TRUE(next(t, &ctl, text));
	IS(strcmp(text, "text"), 0);
	IS(ctl.flags, SL_TRACE);
	IS(ctl.pri, (1 << 3) | 5);
	IS(ctl.level, 3);
	/* A longer text is cut off; a shorter one ends at its NUL. */
	memset(text, 'l', sizeof(text));
	d = (struct strbuf){ .len = LOGMSGSZ, .buf = text };
	ctl.flags = SL_TRACE;
	IS(putmsg(fd, &c, &d, 0), 0);
	await(t, POLLIN);
	TRUE(next(t, &ctl, text));
	IS(strlen(text), LOGMSGSZ - 1);
	d = (struct strbuf){ .len = 9, .buf = (char []){ "one\0 two" } };
	IS(putmsg(fd, &c, &d, 0), 0);
	await(t, POLLIN);
	TRUE(next(t, &ctl, text));
	IS(strcmp(text, "one"), 0);
	/* Messages of high priority are dropped. */
	IS(putmsg(fd, &c, &d, RS_HIPRI), 0);
	is_empty(t);
	d.len = LOGMSGSZ + 1;
	FAILS(putmsg(fd, &c, &d, 0), ERANGE);
	d.len = 4;
	/*
	 * Data without a control part, or with another one, is not delivered.
	 */
	IS(write(fd, "data", 4), 4);
	await(fd, POLLERR);
	FAILS(write(fd, "data", 4), EINVAL);
	close(fd);
	fd = dev(LOG);
	c.len = sizeof(ctl) - 1;
	IS(putmsg(fd, &c, &d, 0), 0);
	await(fd, POLLERR);
	FAILS(putmsg(fd, &c, &d, 0), EINVAL);
	is_empty(t);
}

static void unprivileged(void)
{
	struct log_ctl ctl = { .flags = SL_TRACE };
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)&ctl };
	struct strbuf d = { .len = 4, .buf = (char []){ "text" } };
	struct trace_ids all = { -1, -1, -1, 0 };
	int t = tracer(&all, 1), fd;

	IS(setresgid(65534, 65534, 65534), 0);
	IS(setresuid(65534, 65534, 65534), 0);
	fd = dev(LOG);
	FAILS_WITH("I_TRCLOG", EPERM, "no privileges", send_ioctl(fd, I_TRCLOG, &all, sizeof(all)));
	FAILS_WITH("I_ERRLOG", EPERM, "no privileges", send_ioctl(fd, I_ERRLOG, NULL, 0));
	FAILS_WITH("I_CONSLOG", EPERM, "no privileges", send_ioctl(fd, I_CONSLOG, NULL, 0));
	IS(putmsg(fd, &c, &d, 0), 0);
	await(fd, POLLERR);
	FAILS(putmsg(fd, &c, &d, 0), EPERM);
	is_empty(t);
}

/*
 * Logs errors until a reader misses one. Returns the number that the reader
 * got.
 */
static int fill(int mid)
{
	char text[32];
	int n = 0;

	for (; n < 100000; n++) {
		snprintf(text, sizeof(text), "error %d", n);
		if (say(mid, 0, 0, SL_ERROR, text))
			break;
	}
	printf("%d\n", n);
	return n == 100000;
}

static const struct test_case cases[] = {
	{ "trace", trace },
	{ "error", error },
	{ "lost", lost },
	{ "console", console },
	{ "kinds", kinds },
	{ "priorities", priorities },
	{ "wrong", wrong },
	{ "written", written },
	{ "unprivileged", unprivileged },
	{ }
};

int main(int argc, char **argv)
{
	if (argc == 7 && !strcmp(argv[1], "send"))
		return say(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]),
			   strtol(argv[5], NULL, 0), argv[6]) != 0;
	if (argc == 3 && !strcmp(argv[1], "fill"))
		return fill(atoi(argv[2]));
	return cover_main(argc, argv, cases);
}
