// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-wait.c - tasks that wait at a stream head, and the events that end
 * the wait: a message, or room, of the kind waited for, a hangup, an error; not
 * other kinds
 */
#include "streamio.h"

#define MISSED	(-2)		/* still waiting: it was ended by a signal */

static char data[1024];

/* A thread that waits in a call */
static struct waiter {
	int fd;
	long (*call)(int fd);
	long got;
	int error;
	volatile bool done;
	pthread_t thread;
	pid_t tid;
} w;

static void *run(void *arg)
{
	w.got = w.call(w.fd);
	w.error = errno;
	w.done = true;
	return arg;
}

static void begin(int fd, long (*call)(int fd))
{
	signal(SIGPIPE, SIG_IGN);
	test_nonblock(fd, false);
	w = (struct waiter){ .fd = fd, .call = call };
	w.thread = thread_begin(run, NULL, &w.tid);
	UNTIL(thread_rests(w.tid));
	TRUE(!w.done);
}

/* No event has ended the wait: a thread that was woken sleeps again. */
static bool waits(void)
{
	UNTIL(thread_rests(w.tid));
	return !w.done;
}

/* Ends the wait, whatever it is for. */
static void stop(void)
{
	struct sigaction act = { .sa_handler = interrupter_ignore };

	sigaction(SIGUSR1, &act, NULL);
	while (!w.done) {
		pthread_kill(w.thread, SIGUSR1);
		usleep(10000);
	}
	pthread_join(w.thread, NULL);
}

/* Returns the result of the call. */
static long got(void)
{
	bool done;
	int i;

	for (i = 0; i < WAIT_SECONDS * 100 && !w.done; i++)
		usleep(10000);
	done = w.done;
	stop();
	errno = w.error;
	return done ? w.got : MISSED;
}

/* The function does not wait for messages that a driver holds. */
static void end(int fd)
{
	test_nonblock(fd, true);
	close(fd);
}

static long call_read(int fd)
{
	return read(fd, data, sizeof(data));
}

static long call_write(int fd)
{
	return write(fd, data, sizeof(data));
}

/* A message of no bytes gives 0, another one the first byte of its data. */
static long call_getmsg(int fd)
{
	struct strbuf c = { .maxlen = 8, .buf = data + 8 }, d = { .maxlen = 8, .buf = data };
	int flags = 0, ret = getmsg(fd, &c, &d, &flags);

	return ret ?: c.len | d.len ? *data : 0;
}

static long call_getpmsg(int fd)
{
	struct strbuf d = { .maxlen = 8, .buf = data };
	int flags = MSG_BAND, band = 2, ret = getpmsg(fd, NULL, &d, &band, &flags);

	return ret < 0 ? ret : band;
}

static long call_urgent(int fd)
{
	struct strbuf c = { .maxlen = 8, .buf = data };
	int flags = RS_HIPRI, ret = getmsg(fd, &c, NULL, &flags);

	return ret < 0 ? ret : flags;
}

static long call_putpmsg(int fd)
{
	return send_band(fd, NULL, "x", 3, MSG_BAND);
}

static short wanted;

static long call_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = wanted };

	return poll(&p, 1, -1) < 0 ? -1 : p.revents;
}

static void tell(int fd, unsigned char type, unsigned char band)
{
	send_up(fd, type, band, 0, "x", 1);
}

static void break_both(int fd)
{
	send_up(fd, M_ERROR, 0, 0, (char[]){ EDOM, EDOM }, 2);
}

static int empty(void)
{
	return probe(0);
}

/* Returns a stream that has no room in bands 0 and 3. */
static int full(void)
{
	int fd = probe(O_NONBLOCK);

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	TRUE(fill_band(fd, 3) > 0);
	TRUE(fill_band(fd, 0) > 0);
	return fd;
}

static void flush_band(int fd, int band)
{
	struct bandinfo info = { .bi_pri = band, .bi_flag = FLUSHW };

	IS(ioctl(fd, I_FLUSHBAND, &info), 0);
}

static void messages(void)
{
	int fd = empty();

	begin(fd, call_read);
	tell(fd, M_DATA, 0);
	GIVES("read", "waits for data", got(), 1);
	begin(fd, call_getmsg);
	tell(fd, M_DATA, 0);
	GIVES("getmsg", "waits for a message", got(), 'x');
	begin(fd, call_getpmsg);
	tell(fd, M_DATA, 0);
	tell(fd, M_DATA, 1);
	GIVES("getpmsg", "not for one of a lower band", waits(), true);
	tell(fd, M_DATA, 4);
	GIVES("getpmsg", "waits for a band", got(), 4);
	begin(fd, call_urgent);
	tell(fd, M_DATA, 200);
	GIVES("getmsg", "RS_HIPRI: not for a band", waits(), true);
	tell(fd, M_PCPROTO, 0);
	GIVES("getmsg", "RS_HIPRI: for high priority", got(), RS_HIPRI);
	end(fd);
}

static void room(void)
{
	int fd = full();

	begin(fd, call_write);
	flush_band(fd, 3);
	GIVES("write", "not for room in a band", waits(), true);
	flush_band(fd, 0);
	GIVES("write", "waits for room", got(), sizeof(data));
	end(fd);
	fd = full();
	begin(fd, call_putpmsg);
	flush_band(fd, 0);
	GIVES("putpmsg", "not for room in band 0", waits(), true);
	flush_band(fd, 3);
	GIVES("putpmsg", "waits for room in its band", got(), 0);
	end(fd);
}

/* Each call that waits, the stream it waits at, and its end after a hangup */
static const struct {
	const char *name;
	long (*call)(int fd);
	int (*at)(void);
	int hung_up;			/* 0, or an error */
} calls[] = {
	{ "read", call_read, empty, 0 },
	{ "getmsg", call_getmsg, empty, 0 },
	{ "write", call_write, full, ENXIO },
	{ "putpmsg", call_putpmsg, full, ENXIO },
};

static void hangups(void)
{
	unsigned int i;
	int fd;

	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		fd = calls[i].at();
		begin(fd, calls[i].call);
		hang_up(fd);
		if (calls[i].hung_up)
			FAILS_WITH(calls[i].name, ENXIO, "a hangup while it waits", got());
		else
			GIVES(calls[i].name, "0 at a hangup while it waits", got(), 0);
		end(fd);
	}
}

static void errors(void)
{
	unsigned int i;
	int fd;

	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		fd = calls[i].at();
		begin(fd, calls[i].call);
		break_both(fd);
		FAILS_WITH(calls[i].name, EDOM, "an error while it waits", got());
		end(fd);
	}
	/* The error is only the other side's. */
	fd = empty();
	begin(fd, call_read);
	send_up(fd, M_ERROR, 0, 0, (char[]){ -1, EDOM }, 2);
	GIVES("read", "not for an error of writing", waits(), true);
	stop();
	end(fd);
}

/* Waits by poll() for one event: first other events occur, then that one. */
static void start_poll(int fd, short events)
{
	wanted = events;
	begin(fd, call_poll);
}

static void poll_room(void)
{
	int fd = full();

	start_poll(fd, POLLOUT);
	flush_band(fd, 3);
	GIVES("poll", "POLLOUT: not for room in a band", waits(), true);
	flush_band(fd, 0);
	GIVES("poll", "POLLOUT: for room in band 0", got(), POLLOUT);
	end(fd);
	fd = full();
	start_poll(fd, POLLWRBAND);
	flush_band(fd, 0);
	GIVES("poll", "POLLWRBAND: not for room in band 0", waits(), true);
	flush_band(fd, 3);
	GIVES("poll", "POLLWRBAND: for room in a band", got(), POLLWRBAND);
	end(fd);
}

static void poll_unasked(void)
{
	int fd = full();

	start_poll(fd, 0);
	hang_up(fd);
	GIVES("poll", "POLLHUP, unasked", got(), POLLHUP);
	end(fd);
	fd = empty();
	start_poll(fd, POLLIN);
	break_both(fd);
	GIVES("poll", "POLLERR, unasked", got(), POLLERR);
	end(fd);
}

static void polling(void)
{
	int fd = empty();

	start_poll(fd, POLLPRI);
	tell(fd, M_DATA, 0);
	tell(fd, M_DATA, 9);
	GIVES("poll", "POLLPRI: not for data", waits(), true);
	tell(fd, M_PCPROTO, 0);
	GIVES("poll", "POLLPRI: for high priority", got(), POLLPRI);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);

	start_poll(fd, POLLRDBAND);
	tell(fd, M_DATA, 0);
	tell(fd, M_PCPROTO, 0);
	GIVES("poll", "POLLRDBAND: not for band 0, nor high priority", waits(), true);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	tell(fd, M_DATA, 9);
	GIVES("poll", "POLLRDBAND: for a band", got(), POLLRDBAND);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);

	start_poll(fd, POLLRDNORM);
	tell(fd, M_DATA, 9);
	tell(fd, M_PCPROTO, 0);
	GIVES("poll", "POLLRDNORM: not for a band, nor high priority", waits(), true);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	tell(fd, M_PROTO, 0);
	GIVES("poll", "POLLRDNORM: for band 0", got(), POLLRDNORM);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);

	start_poll(fd, POLLIN);
	tell(fd, M_PCPROTO, 0);
	GIVES("poll", "POLLIN: not for high priority", waits(), true);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	tell(fd, M_DATA, 9);
	GIVES("poll", "POLLIN: for a band", got(), POLLIN);
	end(fd);

	poll_room();
	poll_unasked();
}

static const struct test_case cases[] = {
	{ "messages", messages },
	{ "room-in-bands", room },
	{ "hangups", hangups },
	{ "errors", errors },
	{ "polling", polling },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
