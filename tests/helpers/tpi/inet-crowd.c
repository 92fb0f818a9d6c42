// SPDX-License-Identifier: GPL-2.0-only
/* Several tasks that send, read and poll at once on one stream over a kernel socket */
#include "tpi-inet.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#define WRITERS		3
#define READERS		4
#define SLEEPERS	8
#define COUNTERS	4
#define MOST		4000	/* messages of one writer */
#define RECORD		64	/* bytes */

struct record {
	int writer;		/* -1: no more messages follow */
	int number;
	char fill[RECORD - 2 * sizeof(int)];
};

static struct record record_of(int writer, int number)
{
	struct record r = { .writer = writer, .number = number };

	memset(r.fill, number * 3 + writer, sizeof(r.fill));
	return r;
}

static void check_record(const struct record *r)
{
	struct record want = record_of(r->writer, r->number);

	TRUE(r->writer >= 0 && r->writer < WRITERS);
	TRUE(r->number >= 0 && r->number < MOST);
	TRUE(!memcmp(r, &want, sizeof(want)));
}

static atomic_int sent, received, looked;
static atomic_bool done;

/* A task that only looks, by poll(), epoll or ioctl(), takes nothing from others. */
static void *looker(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int fd = *(int *)arg, ep = epoll_create1(EPOLL_CLOEXEC), n;
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLRDNORM };

	IS(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event), 0);
	while (!done) {
		TRUE(poll(&p, 1, 10) >= 0);
		TRUE(epoll_wait(ep, &event, 1, 0) >= 0);
		TRUE(ioctl(fd, I_NREAD, &n) >= 0);
		IS(ioctl(fd, FIONREAD, &n), 0);
		looked++;
	}
	close(ep);
	return NULL;
}

/* Each datagram is received once, by one of the tasks. */

static int window;		/* of those on their way */
static int count;		/* of one writer */
static struct sockaddr_in crowd;
static int crowd_fd, senders[WRITERS];
static atomic_char had[WRITERS][MOST];

static void send_record(int writer, const struct record *r)
{
	IS(put_unitdata_at_once(senders[writer], &crowd, r, sizeof(*r)), 0);
}

/* Counts one more datagram on its way, if there is room for it. */
static bool claim(void)
{
	int n = sent;

	do {
		if (n - received >= window)
			return false;
	} while (!atomic_compare_exchange_weak(&sent, &n, n + 1));
	return true;
}

static void *datagram_writer(void *arg)
{
	int writer = (intptr_t)arg, i;
	struct record r;

	for (i = 0; i < count; i++) {
		/*
		 * The number is limited: the socket's buffer would lose more.
		 */
		while (!claim())
			usleep(100);
		r = record_of(writer, i);
		send_record(writer, &r);
	}
	return NULL;
}

static void *datagram_reader(void *arg)
{
	struct pollfd p = { .fd = crowd_fd, .events = POLLIN };
	bool polls = (intptr_t)arg & 1;
	union T_primitives prim;
	char bytes[256];
	struct record r;
	struct strbuf ctl = { .maxlen = sizeof(bytes), .buf = bytes };
	struct strbuf data = { .maxlen = sizeof(r), .buf = (char *)&r };
	int flags;

	for (;;) {
		/*
		 * Another task may take the datagram then, and this one waits
		 * for the next.
		 */
		if (polls)
			IS(poll(&p, 1, -1), 1);
		flags = 0;
		IS(getmsg(crowd_fd, &ctl, &data, &flags), 0);
		memcpy(&prim, bytes, sizeof(prim.type));
		IS(prim.type, T_UNITDATA_IND);
		IS(data.len, sizeof(r));
		if (r.writer < 0)
			return NULL;
		check_record(&r);
		IS(atomic_fetch_add(&had[r.writer][r.number], 1), 0);
		received++;
	}
}

static void datagrams(int most_on_their_way, int each)
{
	const struct record last = { .writer = -1 };
	pthread_t writers[WRITERS], readers[READERS], looks;
	intptr_t i;

	window = most_on_their_way;
	count = each;
	sent = 0;
	received = 0;
	done = false;
	memset((void *)had, 0, sizeof(had));
	pthread_create(&looks, NULL, looker, &crowd_fd);
	for (i = 0; i < READERS; i++)
		pthread_create(&readers[i], NULL, datagram_reader, (void *)i);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, datagram_writer, (void *)i);
	for (i = 0; i < WRITERS; i++)
		pthread_join(writers[i], NULL);
	while (received < WRITERS * each)
		usleep(1000);
	for (i = 0; i < READERS; i++)
		send_record(0, &last);
	for (i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	done = true;
	pthread_join(looks, NULL);
	IS(received, WRITERS * each);
	receive_none(crowd_fd);
}

static void run_datagrams(void)
{
	struct sockaddr_in sin;

	inet_device = "/dev/streams/udp_s";
	crowd_fd = bound(&crowd);
	/* Two of the senders have one stream. */
	senders[0] = bound(&sin);
	senders[1] = senders[0];
	senders[2] = bound(&sin);
	datagrams(32, test_scaled(2000));
	/*
	 * The receiver is an XTI endpoint; each datagram has to wake a task, or
	 * the next is not sent.
	 */
	IS(ioctl(crowd_fd, I_PUSH, "timod"), 0);
	datagrams(1, test_scaled(400));
	TRUE(looked > 0);
	close(senders[0]);
	close(senders[2]);
	close(crowd_fd);
}

/* The endpoint is one of XTI, on which no task waits for another. */
static void crowd_open(void)
{
	struct sockaddr_in sin;

	inet_device = "/dev/streams/udp_s";
	crowd_fd = bound(&crowd);
	IS(ioctl(crowd_fd, I_PUSH, "timod"), 0);
	test_nonblock(crowd_fd, true);
	senders[0] = bound(&sin);
	received = 0;
	done = false;
}

static void crowd_close(void)
{
	receive_none(crowd_fd);
	close(senders[0]);
	close(crowd_fd);
}

/* Takes a datagram if there is one. Returns its writer, or -EAGAIN. */
static int take_now(void)
{
	char bytes[256];
	struct record r;
	struct strbuf ctl = { .maxlen = sizeof(bytes), .buf = bytes };
	struct strbuf data = { .maxlen = sizeof(r), .buf = (char *)&r };
	int flags = 0;

	if (getmsg(crowd_fd, &ctl, &data, &flags) < 0) {
		int err = errno;

		IS(err, EAGAIN);
		return -EAGAIN;
	}
	IS(data.len, sizeof(r));
	return r.writer;
}

/*
 * Several tasks are woken for one datagram: all but one find none, and sleep
 * on.
 */
static void *sleeper(void *arg)
{
	struct pollfd p = { .fd = crowd_fd, .events = POLLIN };
	int writer;

	do {
		IS(poll(&p, 1, -1), 1);
		writer = take_now();
		if (writer >= 0)
			received++;
	} while (writer != -1);
	return NULL;
}

static long cpu_ms(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

static void run_sleepers(void)
{
	const struct record last = { .writer = -1 };
	int n = test_scaled(100), i;
	pthread_t threads[SLEEPERS];
	pid_t tids[SLEEPERS];
	struct record r;
	long before;

	crowd_open();
	for (i = 0; i < SLEEPERS; i++)
		threads[i] = thread_begin(sleeper, NULL, &tids[i]);
	for (i = 0; i < n; i++) {
		r = record_of(0, i);
		send_record(0, &r);
		while (received <= i)
			usleep(500);
	}
	for (i = 0; i < SLEEPERS; i++)
		UNTIL(thread_sleeps(tids[i]));
	/*
	 * All tasks run for a second, on whatever machine, and take no
	 * processor time.
	 */
	before = cpu_ms();
	sleep(1);
	TRUE(cpu_ms() - before < 100);
	for (i = 0; i < SLEEPERS; i++)
		send_record(0, &last);
	for (i = 0; i < SLEEPERS; i++)
		pthread_join(threads[i], NULL);
	IS(received, n);
	crowd_close();
}

/* However many tasks look without end, a call that does not wait returns EAGAIN. */
static void *counter(void *arg)
{
	int n;

	while (!done)
		IS(ioctl(crowd_fd, FIONREAD, &n), 0);
	return NULL;
}

static void run_counters(void)
{
	struct pollfd p;
	pthread_t threads[COUNTERS];
	int n = test_scaled(100), i;
	struct record r;

	crowd_open();
	p = (struct pollfd){ .fd = crowd_fd, .events = POLLIN };
	for (i = 0; i < COUNTERS; i++)
		pthread_create(&threads[i], NULL, counter, NULL);
	for (i = 0; i < n; i++) {
		r = record_of(0, i);
		send_record(0, &r);
		IS(poll(&p, 1, -1), 1);
		IS(take_now(), 0);
		IS(take_now(), -EAGAIN);
	}
	done = true;
	for (i = 0; i < COUNTERS; i++)
		pthread_join(threads[i], NULL);
	crowd_close();
}

/* All records of a connection arrive whole, those of one writer in order. */

struct side {
	int fd;
	bool polls;			/* before it reads */
	int next[WRITERS];		/* numbers to come */
	char bytes[RECORD];		/* of a record that is not whole yet */
	size_t have;
};

struct byte_writer {
	struct side *side;
	int writer;
};

static void *byte_writer(void *arg)
{
	struct byte_writer *w = arg;
	struct T_data_req req = { .PRIM_type = T_DATA_REQ };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };
	struct record r;
	struct strbuf data = { .len = sizeof(r), .buf = (char *)&r };
	int i;

	for (i = 0; i < count; i++) {
		r = record_of(w->writer, i);
		/* All but the last message may wait. */
		req.MORE_flag = i % 5 != 4 && i < count - 1;
		IS(putmsg(w->side->fd, &ctl, &data, 0), 0);
	}
	return NULL;
}

static void take_bytes(struct side *s, const char *at, size_t n)
{
	struct record r;
	size_t part;

	for (; n; n -= part, at += part) {
		part = n < RECORD - s->have ? n : RECORD - s->have;
		memcpy(s->bytes + s->have, at, part);
		s->have += part;
		if (s->have < RECORD)
			continue;
		s->have = 0;
		memcpy(&r, s->bytes, sizeof(r));
		check_record(&r);
		IS(r.number, s->next[r.writer]);
		s->next[r.writer]++;
		received++;
	}
}

/*
 * The loop ends when the peer has released its side, which comes after all its
 * data.
 */
static void *byte_reader(void *arg)
{
	struct side *s = arg;
	struct T_data_ind ind;
	char bytes[1000];
	struct strbuf ctl = { .maxlen = sizeof(ind), .buf = (char *)&ind };
	struct strbuf data = { .maxlen = 1, .buf = bytes };
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	int flags;

	for (;;) {
		/* Others send on the same stream meanwhile. */
		if (s->polls)
			IS(poll(&p, 1, -1), 1);
		flags = 0;
		TRUE(getmsg(s->fd, &ctl, &data, &flags) >= 0);
		if (ctl.len >= (int)sizeof(ind.PRIM_type) &&
		    ind.PRIM_type == T_ORDREL_IND)
			return NULL;
		TRUE(data.len > 0);
		take_bytes(s, bytes, data.len);
		data.maxlen = data.maxlen * 7 % sizeof(bytes) + 1;
	}
}

static void run_bytes(void)
{
	struct side sides[2] = { };
	struct byte_writer w[2 * WRITERS];
	pthread_t writers[2 * WRITERS], readers[2], looks[2];
	struct T_ordrel_req req = { .PRIM_type = T_ORDREL_REQ };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };
	struct sockaddr_in sin;
	int i, fd = listener(&sin, 1);

	count = test_scaled(2000);
	sides[0].fd = connected(&sin);
	sides[1].fd = endpoint();
	bind_to(sides[1].fd, NULL);
	accept_on(fd, receive_conn_ind(fd, NULL), sides[1].fd);
	IS(ioctl(sides[1].fd, I_PUSH, "timod"), 0);
	sides[1].polls = true;
	for (i = 0; i < 2; i++) {
		pthread_create(&looks[i], NULL, looker, &sides[i].fd);
		pthread_create(&readers[i], NULL, byte_reader, &sides[i]);
	}
	for (i = 0; i < 2 * WRITERS; i++) {
		w[i] = (struct byte_writer){ &sides[i % 2], i / 2 };
		pthread_create(&writers[i], NULL, byte_writer, &w[i]);
	}
	for (i = 0; i < 2 * WRITERS; i++)
		pthread_join(writers[i], NULL);
	for (i = 0; i < 2; i++)
		IS(putmsg(sides[i].fd, &ctl, NULL, 0), 0);
	for (i = 0; i < 2; i++)
		pthread_join(readers[i], NULL);
	done = true;
	for (i = 0; i < 2; i++)
		pthread_join(looks[i], NULL);
	IS(received, 2 * WRITERS * count);
	for (i = 0; i < 2; i++)
		IS(sides[i].have, 0);
	close(sides[0].fd);
	close(sides[1].fd);
	close(fd);
}

/*
 * A task that sends primitives that are ignored does not affect connections
 * that wait to be accepted on the same stream.
 */
static int noisy;

static void *noise(void *arg)
{
	struct T_data_req req = { .PRIM_type = T_DATA_REQ };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };
	struct strbuf data = { .len = 5, .buf = "noise" };

	while (!done) {
		IS(putmsg(noisy, &ctl, &data, 0), 0);
		received++;
	}
	return NULL;
}

/*
 * Returns the next T_CONN_IND. The second of two answers of high priority is
 * dropped if the first has not been read yet.
 */
static int next_conn_ind(int fd)
{
	do {
		TRUE(arrives(fd, WAIT_MS));
	} while (in.prim.type == T_OK_ACK);
	IS(in.prim.type, T_CONN_IND);
	return in.prim.conn_ind.SEQ_number;
}

static void run_beside(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 2), rounds = test_scaled(200), i, acc, sock[2], seq[2];
	pthread_t threads[2];
	char c;

	noisy = fd;
	received = 0;
	done = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, noise, NULL);
	for (i = 0; i < rounds; i++) {
		sock[0] = native_connect(&sin, IPPROTO_TCP);
		seq[0] = next_conn_ind(fd);
		sock[1] = native_connect(&sin, IPPROTO_TCP);
		seq[1] = next_conn_ind(fd);
		acc = endpoint();
		/*
		 * The second connection is refused while the first may still be
		 * delivered.
		 */
		put_conn_res(fd, seq[0], acceptor_id(acc));
		put_discon(fd, seq[1]);
		becomes(acc, TS_DATA_XFER);
		put_data(acc, "heard");
		native_receive(sock[0], "heard");
		FAILS(recv(sock[1], &c, 1, 0), ECONNRESET);
		close(sock[0]);
		close(sock[1]);
		close(acc);
	}
	done = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	TRUE(received > 0);
	close(fd);
}

static const struct test_case cases[] = {
	{ "datagrams", run_datagrams },
	{ "sleepers", run_sleepers },
	{ "counters", run_counters },
	{ "bytes", run_bytes },
	{ "beside", run_beside },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
