// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow.c - flow control, and the order of many senders' messages
 *
 * The rules are those of streams(4), putmsg(3) and strmod(7): no task sleeps
 * that could continue, a blocked writer holds no more memory than the marks
 * say, each class of messages keeps its order and overtakes those below it.
 */
#include "proc.h"
#include "stream-device.h"

#include <limits.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "../../../kmod/test/strperim.h"

static void push(int fd, const char *module, int times)
{
	while (times--)
		IS(ioctl(fd, I_PUSH, module), 0);
}

/*
 * Makes a pair of loop, of which one stream is below a multiplexor: fds[0] is
 * its upper stream.
 */
static void mux_pair(int fds[2])
{
	int up = dev(MUX_DEVICE);

	loop_pair(fds);
	TRUE(ioctl(up, I_LINK, fds[0]) > 0);
	close(fds[0]);
	fds[0] = up;
}

static pthread_t start(void *(*func)(void *arg), void *arg)
{
	pthread_t thread;

	IS(pthread_create(&thread, NULL, func, arg), 0);
	return thread;
}

/*
 * Tests order: messages cross from one stream to another, both ways, by
 * messages of high priority that lead into the other stream from within the
 * first.
 */
struct crossing {
	int fd;
	unsigned int n;			/* messages of each direction */
	atomic_bool *over;
};

static void *cross_write(void *arg)
{
	const struct crossing *c = arg;
	unsigned int i;

	for (i = 0; i < c->n; i++)
		IS(write(c->fd, &i, sizeof(i)), sizeof(i));
	return NULL;
}

static void *cross_hurry(void *arg)
{
	const struct crossing *c = arg;
	struct strbuf ctl = { .len = sizeof(unsigned int) };
	unsigned int i;

	ctl.buf = (char *)&i;
	/*
	 * Other classes get no turn while a message of high priority is always
	 * first.
	 */
	for (i = 1; !atomic_load(c->over); i++) {
		IS(putmsg(c->fd, &ctl, NULL, RS_HIPRI), 0);
		usleep(i % 100);
	}
	return NULL;
}

static void *cross_read(void *arg)
{
	const struct crossing *c = arg;
	unsigned int next = 0, high = 0, n, m;
	struct strbuf ctl = { .maxlen = sizeof(m), .buf = (char *)&m };
	struct strbuf data = { .maxlen = sizeof(n), .buf = (char *)&n };

	while (next < c->n) {
		int flags = 0;

		IS(getmsg(c->fd, &ctl, &data, &flags), 0);
		if (flags == RS_HIPRI) {
			/*
			 * Some messages are dropped: the head keeps one at a
			 * time.
			 */
			if (m <= high)
				test_fail(__FILE__, __LINE__,
					  "high priority: %u after %u", m,
					  high);
			high = m;
		} else if (n != next++) {
			test_fail(__FILE__, __LINE__, "%u instead of %u", n,
				  next - 1);
		}
	}
	return NULL;
}

static void cross(void (*make)(int fds[2]), const char *module, unsigned int n)
{
	pthread_t readers[2], writers[2], hurry[2];
	struct crossing c[2];
	atomic_bool over = false;
	int fds[2], i;

	make(fds);
	for (i = 0; i < 2; i++) {
		push(fds[i], module, 1);
		c[i] = (struct crossing){ fds[i], n, &over };
	}
	for (i = 0; i < 2; i++) {
		readers[i] = start(cross_read, &c[i]);
		writers[i] = start(cross_write, &c[i]);
		hurry[i] = start(cross_hurry, &c[i]);
	}
	for (i = 0; i < 2; i++) {
		IS(pthread_join(writers[i], NULL), 0);
		IS(pthread_join(readers[i], NULL), 0);
	}
	over = true;
	/* After the close of one end the other fails. */
	for (i = 0; i < 2; i++)
		IS(pthread_join(hurry[i], NULL), 0);
	for (i = 0; i < 2; i++)
		close(fds[i]);
	printf("%s: %u messages crossed both ways\n", module, n);
	fflush(stdout);
}

static void crossing(void)
{
	unsigned int n = test_scaled(10000);

	cross(loop_pair, "nullmod", n);
	/* The module strplain stays in its perimeter for a while. */
	cross(loop_pair, "strplain", n / 4 + 1);
	cross(mux_pair, "nullmod", n / 4 + 1);
}

/*
 * Tests wakeups: writers and readers of one stream block each other. A round is
 * a write() that slept, and continued.
 */
#define PARTIES		8
#define RECORD		4096
#define QUIT		UINT_MAX

struct game {
	int in, out;
	unsigned long rounds;		/* wanted */
	atomic_ulong slept;		/* rounds there were */
	atomic_ulong waited;		/* the same, of read() */
	atomic_ulong sent;		/* records */
	atomic_ulong received;
	atomic_ulong sum;		/* of their numbers, sent less received */
};

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void *game_write(void *arg)
{
	unsigned int record[RECORD / sizeof(int)] = { };
	struct game *g = arg;
	long was = switches(), now;

	while (atomic_load(&g->slept) < g->rounds) {
		record[0] = atomic_fetch_add(&g->sent, 1) % QUIT;
		atomic_fetch_add(&g->sum, record[0]);
		IS(write(g->in, record, sizeof(record)), sizeof(record));
		now = switches();
		if (now != was)
			atomic_fetch_add(&g->slept, 1);
		was = now;
	}
	return NULL;
}

static void *game_read(void *arg)
{
	unsigned int record[RECORD / sizeof(int)];
	struct game *g = arg;
	long was = switches(), now;

	for (;;) {
		IS(read(g->out, record, sizeof(record)), sizeof(record));
		if (record[0] == QUIT)
			return NULL;
		atomic_fetch_sub(&g->sum, record[0]);
		atomic_fetch_add(&g->received, 1);
		now = switches();
		if (now != was)
			atomic_fetch_add(&g->waited, 1);
		was = now;
	}
}

/* One of the threads makes progress until all have finished. */
static void game_join(struct game *g, pthread_t *threads, const char *who)
{
	unsigned long last = 0, now;
	struct timespec until;
	int i, err;

	for (i = 0; i < PARTIES; i++) {
		do {
			clock_gettime(CLOCK_REALTIME, &until);
			until.tv_sec += WAIT_SECONDS;
			err = pthread_timedjoin_np(threads[i], NULL, &until);
			now = g->sent + g->received;
			if (err && now == last)
				test_fail(__FILE__, __LINE__,
					  "%s asleep for good: %lu of %lu rounds, %lu records sent, %lu received",
					  who, g->slept, g->rounds, g->sent,
					  g->received);
			last = now;
		} while (err);
	}
}

static void play(const char *name, int in, int out, unsigned long rounds)
{
	struct game g = { .in = in, .out = out, .rounds = rounds };
	pthread_t writers[PARTIES], readers[PARTIES];
	unsigned int record[RECORD / sizeof(int)] = { QUIT };
	int i;

	for (i = 0; i < PARTIES; i++) {
		writers[i] = start(game_write, &g);
		readers[i] = start(game_read, &g);
	}
	game_join(&g, writers, "writers");
	for (i = 0; i < PARTIES; i++)
		IS(write(in, record, sizeof(record)), sizeof(record));
	game_join(&g, readers, "readers");
	IS(g.received, g.sent);
	IS(g.sum, 0);
	TRUE(g.slept >= rounds);
	printf("%s: %lu writes slept, %lu reads, of %lu records\n", name,
	       g.slept, g.waited, g.sent);
}

static void wakeups(unsigned long rounds)
{
	int fds[2];

	IS(strpipe(fds), 0);
	play("pipe", fds[1], fds[0], rounds);
	push(fds[0], "srvmod", 1);
	push(fds[1], "srvmod", 2);
	play("pipe with 3 modules", fds[1], fds[0], rounds);
	close(fds[0]);
	close(fds[1]);

	IS(test_fifo(fds, 0), 0);
	play("FIFO", fds[1], fds[0], rounds);
	close(fds[0]);
	close(fds[1]);

	loop_pair(fds);
	push(fds[0], "srvmod", 2);
	push(fds[1], "srvmod", 1);
	play("loop with 3 modules", fds[0], fds[1], rounds);
	close(fds[0]);
	close(fds[1]);
}

static void wakeups_short(void)
{
	wakeups(test_scaled(1500));
}

static void wakeups_long(void)
{
	wakeups(test_scaled(250000));
}

/*
 * Tests the amount that a writer can write while no task reads, and the memory
 * that takes.
 */
#define PIPES		32

/*
 * Returns whether all n streams are full for good: all messages on their way
 * have arrived.
 */
static bool stay_full(const int *fds, int n)
{
	struct pollfd p[PIPES];
	int i;

	for (i = 0; i < n; i++)
		p[i] = (struct pollfd){ .fd = fds[i], .events = POLLOUT };
	/*
	 * No event reports that messages on their way have arrived: the test
	 * pauses.
	 */
	return !poll(p, n, 50);
}

/*
 * Writes messages of len bytes until no pipe has room. Returns the bytes in
 * each.
 */
static void fill(const int *fds, long len, long *total)
{
	static char bytes[65536];
	struct strbuf data = { .len = len, .buf = bytes };
	int i;

	do {
		for (i = 0; i < PIPES; i++) {
			test_nonblock(fds[i], true);
			while (!putmsg(fds[i], NULL, &data, 0))
				total[i] += len;
			TRUE(errno == EAGAIN);
		}
	} while (!stay_full(fds, PIPES));
}

/*
 * Fills a module. len: the bytes of a message; count: the bytes it counts for,
 * and maybe up to a quarter more; marks: the high water marks on the way, each
 * of which one message may exceed.
 */
static void hold_back(const char *module, long len, long count, long marks,
		      int queues)
{
	long most = marks + queues * count, used, taken, total[PIPES] = { };
	int fds[PIPES][2], full[PIPES], i;

	sync();
	for (i = 0; i < PIPES; i++) {
		IS(strpipe(fds[i]), 0);
		push(fds[i][1], module, 2);
		push(fds[i][0], module, 1);
		full[i] = fds[i][1];
	}
	used = memory_free();
	fill(full, len, total);
	for (i = 0; i < PIPES; i++) {
		taken = total[i] / len * count;
		if (taken > most || taken < marks - marks / 5)
			test_fail(__FILE__, __LINE__,
				  "%s, messages of %ld bytes: %ld taken, of %ld to %ld",
				  module, len, taken, marks - marks / 5, most);
	}
	used -= memory_free();
	printf("%s, messages of %ld bytes: %ld bytes taken of %ld, in %ld of memory\n",
	       module, len, taken, most, used / PIPES);
	/*
	 * Messages count for four fifths of their memory at least; other
	 * objects use memory too. A debug kernel's allocations are much larger.
	 */
	if (!getenv("STRSOCK_TEST_SCALE"))
		TRUE(used < PIPES * (most + most / 4) + (1 << 20));
	for (i = 0; i < PIPES; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
}

static void held(void)
{
	/* The bytes of messages, and the bytes that they count for */
	static const long sizes[][2] = {
		{ 1, 256 }, { 100, 256 }, { 1000, 1000 }, { 4096, 4096 },
		{ 16384, 16384 }, { 65536, 65536 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		hold_back("nullmod", sizes[i][0], sizes[i][1], 65536, 1);
		hold_back("srvmod", sizes[i][0], sizes[i][1], 65536 + 3 * 2048,
			  4);
	}
}

/*
 * Messages of higher bands overtake on a way that is full of band 0, with
 * queues on it.
 */
static void put_band(int fd, int band, char value)
{
	struct strbuf ctl = { .len = 1, .buf = &value };

	IS(putpmsg(fd, &ctl, NULL, band, MSG_BAND), 0);
}

static char next_is(int fd, int want_flags, int want_band)
{
	char value = 0, bytes[1000];
	struct strbuf ctl = { .maxlen = 1, .buf = &value };
	struct strbuf data = { .maxlen = sizeof(bytes), .buf = bytes };
	int band = 0, flags = MSG_ANY;

	IS(getpmsg(fd, &ctl, &data, &band, &flags), 0);
	IS(flags, want_flags);
	IS(band, want_band);
	return ctl.len > 0 ? value : bytes[0];
}

static void overtake(int in, int out)
{
	char value = 'h', bytes[1000];
	struct strbuf ctl = { .len = 1, .buf = &value };
	struct strbuf data = { .len = sizeof(bytes), .buf = bytes };
	int n = 0, i, before;

	push(in, "srvmod", 2);
	push(out, "srvmod", 1);
	test_nonblock(in, true);
	do {
		memset(bytes, n % 100, sizeof(bytes));
		while (!putmsg(in, NULL, &data, 0))
			memset(bytes, ++n % 100, sizeof(bytes));
		TRUE(errno == EAGAIN);
	} while (!stay_full(&in, 1));
	TRUE(n > 5);
	IS(ioctl(in, I_CANPUT, 0), 0);
	IS(ioctl(in, I_CANPUT, 1), 1);
	before = ioctl(out, I_NREAD, &i);
	put_band(in, 1, 'a');
	put_band(in, 7, 'b');
	put_band(in, 1, 'c');
	put_band(in, 7, 'd');
	IS(putmsg(in, &ctl, NULL, RS_HIPRI), 0);
	/* Service procedures may still be running after the call. */
	UNTIL(ioctl(out, I_NREAD, &i) >= before + 5);
	IS(next_is(out, MSG_HIPRI, 0), 'h');
	IS(next_is(out, MSG_BAND, 7), 'b');
	IS(next_is(out, MSG_BAND, 7), 'd');
	IS(next_is(out, MSG_BAND, 1), 'a');
	IS(next_is(out, MSG_BAND, 1), 'c');
	for (i = 0; i < n; i++)
		IS(next_is(out, MSG_BAND, 0), i % 100);
	close(in);
	close(out);
}

static void overtaking(void)
{
	int fds[2];

	IS(strpipe(fds), 0);
	overtake(fds[1], fds[0]);
	loop_pair(fds);
	overtake(fds[0], fds[1]);
	mux_pair(fds);
	overtake(fds[0], fds[1]);
}

/*
 * Tests senders while a perimeter on the way is held, also with messages of
 * high priority, which no queue counts: in is written to, out is read from;
 * held is a stream of the module whose perimeter that is.
 */
struct refusal {
	int in, out, held;
	int native[2];			/* a native pipe, to splice from */
	int release;			/* a stream of another module */
};

static int put_number(int fd, int n, int flags)
{
	struct strbuf part = { .len = sizeof(n), .buf = (char *)&n };

	return flags ? putmsg(fd, &part, NULL, flags) : putmsg(fd, NULL, &part, 0);
}

static int get_number(int fd)
{
	int n = -1, flags = 0;
	struct strbuf data = { .maxlen = sizeof(n), .buf = (char *)&n };

	IS(getmsg(fd, NULL, &data, &flags), 0);
	IS(data.len, sizeof(n));
	return n;
}

static int get_urgent(int fd)
{
	int n = -1, flags = RS_HIPRI;
	struct strbuf ctl = { .maxlen = sizeof(n), .buf = (char *)&n };

	IS(getmsg(fd, &ctl, NULL, &flags), 0);
	IS(ctl.len, sizeof(n));
	return n;
}

/* Each task has a file of its own, without O_NONBLOCK. */
static int reopened(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return dev(path);
}

static void *urgent_waits(void *arg)
{
	const struct refusal *r = arg;
	int fd = reopened(r->in);

	IS(put_number(fd, INT_MAX, RS_HIPRI), 0);
	close(fd);
	return NULL;
}

static void *putmsg_waits(void *arg)
{
	const struct refusal *r = arg;
	int fd = reopened(r->in);

	IS(put_number(fd, INT_MAX, 0), 0);
	close(fd);
	return NULL;
}

static void *write_waits(void *arg)
{
	const struct refusal *r = arg;
	int fd = reopened(r->in), n = INT_MAX;

	IS(write(fd, &n, sizeof(n)), sizeof(n));
	close(fd);
	return NULL;
}

static void *splice_waits(void *arg)
{
	const struct refusal *r = arg;
	int fd = reopened(r->in);

	IS(splice(r->native[0], NULL, fd, NULL, sizeof(int), 0), sizeof(int));
	close(fd);
	return NULL;
}

/*
 * Calls that may not wait fail; an edge-triggered poller has reason to try
 * again.
 */
static int refuse(const struct refusal *r)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };
	static const char block[2 * PIPE_BUF];
	int poller = epoll_create1(0), n = 0;

	IS(epoll_ctl(poller, EPOLL_CTL_ADD, r->in, &event), 0);
	IS(epoll_wait(poller, &event, 1, -1), 1);
	while (!put_number(r->in, n, 0))
		n++;
	TRUE(errno == EAGAIN);
	IS(epoll_wait(poller, &event, 1, WAIT_LIMIT_MS), 1);
	TRUE(n > 100);
	FAILS(put_number(r->in, n, RS_HIPRI), EAGAIN);
	FAILS(write(r->in, block, 1), EAGAIN);
	FAILS(write(r->in, block, sizeof(block)), EAGAIN);
	FAILS(splice(r->native[0], NULL, r->in, NULL, sizeof(int), SPLICE_F_NONBLOCK),
	      EAGAIN);
	IS(epoll_wait(poller, &event, 1, WAIT_LIMIT_MS), 1);
	close(poller);
	return n;
}

/* The messages that were sent arrive, in order, and no others. */
static void refuse_held(const char *module, struct refusal *r)
{
	void *(*const waits[])(void *arg) = {
		putmsg_waits, write_waits, splice_waits, urgent_waits,
	};
	pthread_t threads[4];
	int n, last = INT_MAX, i;
	pid_t tid;

	test_nonblock(r->in, true);
	IS(write(r->native[1], &last, sizeof(last)), sizeof(last));
	IS(send_ioctl(r->held, STRPERIM_HOLD, NULL, 0), 0);
	n = refuse(r);
	for (i = 0; i < 4; i++) {
		threads[i] = thread_begin(waits[i], r, &tid);
		UNTIL(task_state(getpid(), tid) == 'D');
	}
	IS(send_ioctl(r->release, STRPERIM_RELEASE, NULL, 0), 0);
	IS(get_urgent(r->out), last);
	for (i = 0; i < n; i++)
		IS(get_number(r->out), i);
	for (i = 0; i < 3; i++)
		IS(get_number(r->out), last);
	for (i = 0; i < 4; i++)
		IS(pthread_join(threads[i], NULL), 0);
	UNTIL(!put_number(r->in, n, 0));
	IS(get_number(r->out), n);
	test_nonblock(r->out, true);
	FAILS(read(r->out, &n, 1), EAGAIN);
	test_nonblock(r->out, false);
	printf("%s: %d messages sent before EAGAIN\n", module, n);
}

static void refused(void)
{
	int fds[2], others[2], release[2];
	struct refusal r;

	IS(strpipe(fds), 0);
	IS(strpipe(others), 0);
	IS(strpipe(release), 0);
	IS(pipe(r.native), 0);
	r.in = fds[1];
	r.out = fds[0];
	r.release = release[0];
	push(r.release, "strqpair", 1);
	push(r.out, "strplain", 1);
	r.held = r.out;
	refuse_held("strplain", &r);
	IS(ioctl(r.out, I_POP, 0), 0);
	push(r.out, "strpermod", 1);
	push(others[0], "strpermod", 1);
	r.held = others[0];
	refuse_held("strpermod", &r);
}

static atomic_bool crowd_ends;

static void *write_on(void *arg)
{
	static const char block[PIPE_BUF + 900];

	while (!crowd_ends) {
		if (write(*(int *)arg, block, sizeof(block)) < 0 &&
		    errno != EAGAIN)
			test_fail(__FILE__, __LINE__, "write: %s", strerror(errno));
	}
	return NULL;
}

/*
 * Writers of more than PIPE_BUF bytes that do not wait take the room from each
 * other: a writer that finds no room returns.
 */
static void crowded(void)
{
	pthread_t writer[3];
	char buf[3000];
	int fds[2], i;

	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	for (i = 0; i < 3; i++)
		IS(pthread_create(&writer[i], NULL, write_on, &fds[1]), 0);
	for (i = 0; i < 3000; i++)
		TRUE(read(fds[0], buf, 1 + i % sizeof(buf)) > 0);
	crowd_ends = true;
	for (i = 0; i < 3; i++)
		IS(pthread_join(writer[i], NULL), 0);
	close(fds[0]);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "crossing", crossing },
	{ "wakeups", wakeups_short },
	{ "wakeups_long", wakeups_long },
	{ "held", held },
	{ "overtaking", overtaking },
	{ "refused", refused },
	{ "crowded", crowded },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
