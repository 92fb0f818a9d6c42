// SPDX-License-Identifier: GPL-2.0-only
/* xti-shared.c - several users of one endpoint, on a provider that the test plays */
#include "xti-cots.h"

#include <dlfcn.h>
#include <sys/syscall.h>

/*
 * Makes a system call as the C library's syscall(), which this program replaces
 * below.
 */
static long kernel(long number, long a, long b, long c, long d, long e, long f)
{
	static long (*enter)(long number, ...);

	if (!enter)
		enter = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return enter(number, a, b, c, d, e, f);
}

static int kernel_ioctl(int fd, unsigned long request, void *arg)
{
	return kernel(SYS_ioctl, fd, request, (long)arg, 0, 0, 0);
}

static void *receiver(void *arg)
{
	struct provider *p = arg;
	char b[16];
	int f;

	TIS(t_rcv(p->user, b, sizeof(b), &f), 4);
	return NULL;
}

static void *requester(void *arg)
{
	struct provider *p = arg;
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 8), .flags = T_CHECK };
	int i;

	for (i = 0; i < 100; i++) {
		TIS(t_optmgmt(p->user, &opt, NULL), 0);
		TIS(t_snd(p->user, data_buf, 16, 0), 16);
	}
	return NULL;
}

/*
 * While one thread waits, others send, and make requests on the same endpoint.
 */
static void run_threads(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	pthread_t waits, asks[2], cancelled;
	int i;

	go(p, T_DATAXFER);
	cancelled = thread_asleep(receiver, p);
	pthread_cancel(cancelled);
	pthread_join(cancelled, NULL);
	pthread_create(&waits, NULL, receiver, p);
	for (i = 0; i < 2; i++)
		pthread_create(&asks[i], NULL, requester, p);
	for (i = 0; i < 200; i++)
		IS(provider_got(p, T_DATA_REQ).data_len, 16);
	for (i = 0; i < 2; i++)
		pthread_join(asks[i], NULL);
	provider_data_ind(p, T_DATA_IND, false, "done");
	pthread_join(waits, NULL);
	provider_free(p);
}

/*
 * Another process with the same endpoint takes the message that the library has
 * just seen, or is about to take, so that the next message is another one.
 */
static struct {
	struct provider *from;		/* NULL: nothing is taken */
	void (*then)(struct provider *p);
	bool seen;			/* taken only after it was looked at */
	int looks;			/* looks that see it before it is taken */
	char bytes[1024];
	int taken;
} thief;

/* A stream has no room for a message, and a thread waits for room meanwhile. */
static struct {
	struct provider *of;
	bool now;			/* false: it has room */
	int after;			/* messages that there is room for */
	void (*meanwhile)(struct provider *p);	/* NULL: no thread waits */
} full;

static void fill(struct provider *p, int after, void (*meanwhile)(struct provider *p))
{
	full.after = after;
	full.meanwhile = meanwhile;
	full.of = p;
	full.now = true;
}

/* Checks that the stream was full. */
static void filled(void)
{
	TRUE(!full.now);
}

/*
 * Returns whether a message would be one too many; a message that waits for
 * room has it then.
 */
static bool is_full(int fd, unsigned long request, const struct strio_msg *msg, int *ret)
{
	struct provider *p = full.of;

	if (!full.now || fd != p->user || request != STRIO_PUTMSG)
		return false;
	if (msg->flags & STRIO_ROOM && full.meanwhile) {
		full.now = false;
		full.meanwhile(p);
		*ret = 0;
		return true;
	}
	if (full.after > 0) {
		full.after--;
		return false;
	}
	/* With O_NONBLOCK */
	if (msg->flags & STRIO_ROOM)
		full.now = false;
	errno = EAGAIN;
	*ret = -1;
	return true;
}

/* Runs while a thread that has locked the endpoint looks at it. */
static void (*while_peeking)(void);

static void take_it(struct provider *p)
{
	struct strio_msg msg = {
		.ctl = { .maxlen = sizeof(thief.bytes), .buf = (uintptr_t)thief.bytes },
		.data = { .maxlen = sizeof(thief.bytes), .buf = (uintptr_t)thief.bytes },
		.flags = MSG_ANY,
	};

	thief.from = NULL;
	IS(kernel_ioctl(p->user, STRIO_GETMSG, &msg), 0);
	thief.taken++;
	if (thief.then)
		thief.then(p);
}

static int played_ioctl(int fd, unsigned long request, void *arg)
{
	struct provider *p = thief.from;
	bool his = p && fd == p->user;
	int ret;

	if (is_full(fd, request, arg, &ret))
		return ret;
	if (request == I_PEEK && while_peeking) {
		void (*happens)(void) = while_peeking;

		while_peeking = NULL;
		happens();
	}
	/* The thread expects the message to be there. */
	if (his && request == STRIO_GETMSG && !thief.seen)
		take_it(p);
	ret = kernel_ioctl(fd, request, arg);
	if (his && thief.from && request == I_PEEK && ret == 1 && !thief.looks--)
		take_it(p);
	return ret;
}

/*
 * Replaces the C library's ioctl(), for libxti too, which uses this and
 * syscall().
 */
int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return played_ioctl(fd, request, arg);
}

long syscall(long number, ...)
{
	va_list args;
	long a[6];
	int i;

	va_start(args, number);
	for (i = 0; i < (number == SYS_ioctl ? 3 : 6); i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_ioctl)
		return played_ioctl(a[0], a[1], (void *)a[2]);
	return kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void steal(struct provider *p, void (*then)(struct provider *p))
{
	IS(thief.taken, 0);
	thief.from = p;
	thief.then = then;
	thief.seen = false;
	thief.looks = 0;
}

/* Checks that the message was taken. */
static void stolen(void)
{
	IS(thief.taken, 1);
	thief.taken = 0;
}

static void more_data(struct provider *p)
{
	provider_data_ind(p, T_DATA_IND, false, "more");
}

static void no_data(struct provider *p)
{
	provider_discon_ind(p, 9, -1, "end");
}

static void urgent(struct provider *p)
{
	provider_data_ind(p, T_EXDATA_IND, false, "urgent");
}

static void another_call(struct provider *p)
{
	provider_conn_ind(p, 32, NULL);
}

static void call_is_gone(struct provider *p)
{
	provider_discon_ind(p, 9, 31, NULL);
}

/* A call that waits for data continues to wait, and takes the next message. */
static void steal_data(struct provider *p)
{
	char d[32];
	int f;

	provider_data_ind(p, T_DATA_IND, false, "data");
	steal(p, NULL);
	TINTERRUPTED(t_rcv(p->user, d, sizeof(d), &f));
	stolen();
	provider_data_ind(p, T_DATA_IND, false, "data");
	test_nonblock(p->user, true);
	steal(p, NULL);
	TFAILS(t_rcv(p->user, d, sizeof(d), &f), TNODATA);
	stolen();
	test_nonblock(p->user, false);
	provider_data_ind(p, T_DATA_IND, false, "data");
	steal(p, more_data);
	receives(p, sizeof(d), "more", 0);
	stolen();
	provider_data_ind(p, T_DATA_IND, false, "data");
	steal(p, urgent);
	receives(p, sizeof(d), "urgent", T_EXPEDITED);
	stolen();
	urgent(p);
	steal(p, more_data);
	thief.seen = true;
	receives(p, sizeof(d), "more", 0);
	stolen();
	/* The rest of a message is taken by the other thread. */
	provider_data_ind(p, T_DATA_IND, false, "data");
	receives(p, 2, "da", T_MORE);
	steal(p, more_data);
	receives(p, sizeof(d), "more", 0);
	stolen();
}

/* A release in place of expected data stays to be received, and the other way round. */
static void steal_release(struct provider *p)
{
	char d[32];
	int f;

	provider_ordrel_ind(p, NULL);
	steal(p, NULL);
	TFAILS(t_rcvrel(p->user), TNOREL);
	stolen();
	TIS(t_getstate(p->user), T_DATAXFER);
	provider_data_ind(p, T_DATA_IND, false, "data");
	steal(p, no_data);
	TFAILS(t_rcv(p->user, d, sizeof(d), &f), TLOOK);
	stolen();
	steal(p, more_data);
	TFAILS(t_rcvdis(p->user, NULL), TNODIS);
	stolen();
	receives(p, sizeof(d), "more", 0);
}

/* A listener takes the next call, or reports that it was withdrawn. */
static void steal_call(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char a[16], o[16], d[32];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };

	go(p, T_IDLE);
	provider_conn_ind(p, 31, NULL);
	steal(p, another_call);
	/* The other thread takes the message before this one waits. */
	thief.looks = 1;
	TIS(t_listen(p->user, &from), 0);
	stolen();
	IS(from.sequence, 32);
	provider_conn_ind(p, 31, NULL);
	steal(p, call_is_gone);
	thief.looks = 1;
	TFAILS(t_listen(p->user, &from), TLOOK);
	stolen();
	TIS(t_rcvdis(p->user, NULL), 0);
	provider_free(p);
}

/* Another thread takes the message that a call waits for. */
static void run_stolen(void)
{
	struct provider *p = provider_new(T_COTS_ORD);

	go(p, T_DATAXFER);
	steal_data(p);
	steal_release(p);
	provider_free(p);
	steal_call();

	p = provider_new(T_COTS_ORD);
	go(p, T_OUTCON);
	provider_conn_con(p, NULL);
	steal(p, no_data);
	TFAILS(t_rcvconnect(p->user, NULL), TLOOK);
	stolen();
	TIS(t_rcvdis(p->user, NULL), 0);
	TIS(t_getstate(p->user), T_IDLE);
	provider_free(p);
}

static void next_datagram(struct provider *p)
{
	struct T_unitdata_ind ind = { .PRIM_type = T_UNITDATA_IND };

	provider_put(p, &ind, sizeof(ind), "next", 4, 0);
}

static void not_delivered(struct provider *p)
{
	struct T_uderror_ind ind = { .PRIM_type = T_UDERROR_IND, .ERROR_type = 9 };

	provider_put(p, &ind, sizeof(ind), NULL, 0, 0);
}

static void run_stolen_datagrams(void)
{
	struct provider *p = provider_new(T_CLTS);
	struct t_uderr error = { .addr.maxlen = 0 };
	char a[16], o[16], d[32];
	struct t_unitdata u = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	int f;

	go(p, T_IDLE);
	next_datagram(p);
	steal(p, NULL);
	TINTERRUPTED(t_rcvudata(p->user, &u, &f));
	stolen();
	next_datagram(p);
	steal(p, not_delivered);
	TFAILS(t_rcvudata(p->user, &u, &f), TLOOK);
	stolen();
	steal(p, next_datagram);
	TFAILS(t_rcvuderr(p->user, &error), TNOUDERR);
	stolen();
	TIS(t_rcvudata(p->user, &u, &f), 0);
	IS(u.udata.len, 4);
	not_delivered(p);
	TIS(t_rcvuderr(p->user, &error), 0);
	IS(error.error, 9);
	provider_free(p);
}

static void *releases(void *arg)
{
	*(int *)arg = t_sndrel(full.of->user) ? t_errno : 0;
	return NULL;
}

static void *sends(void *arg)
{
	*(int *)arg = t_snd(full.of->user, data_buf, 3, 0) < 0 ? t_errno : 0;
	return NULL;
}

/*
 * Checks that nothing came: all that was sent has come when this request is
 * answered.
 */
static void nothing_came(struct provider *p)
{
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 8), .flags = T_CHECK };

	TIS(t_optmgmt(p->user, &opt, NULL), 0);
	TRUE(provider_got_nothing(p));
}

static pthread_t others[2];
static int results[2];

static void others_come(struct provider *p)
{
	/* Both threads have to wait for their turn. */
	others[0] = thread_asleep(releases, &results[0]);
	others[1] = thread_asleep(sends, &results[1]);
	TIS(t_getstate(p->user), T_DATAXFER);
	TRUE(provider_got_nothing(p));
}

/* A thread that waits for room gets its turn, and the others find its changes. */
static void run_released(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	int i;

	go(p, T_DATAXFER);
	fill(p, 0, others_come);
	TIS(t_sndrel(p->user), 0);
	filled();
	for (i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
	IS(results[0], TOUTSTATE);
	IS(results[1], TOUTSTATE);
	provider_got(p, T_ORDREL_REQ);
	nothing_came(p);
	TIS(t_getstate(p->user), T_OUTREL);
	provider_free(p);
}

static void breaks_off(struct provider *p)
{
	TIS(t_snddis(p->user, NULL), 0);
}

static void connects_again(struct provider *p)
{
	struct t_call to = { .addr = NETBUF(addr_buf, 7) };

	provider_got(p, T_DATA_REQ);
	breaks_off(p);
	provider_got(p, T_DISCON_REQ);
	provider_conn_con(p, NULL);
	TIS(t_connect(p->user, &to, NULL), 0);
	provider_got(p, T_CONN_REQ);
}

/* A connection is aborted at once, and none of its data is sent on another. */
static void run_broken_off(void)
{
	struct provider *p = provider_new(T_COTS_ORD);

	go(p, T_DATAXFER);
	fill(p, 0, breaks_off);
	TFAILS(t_snd(p->user, data_buf, 3, 0), TOUTSTATE);
	filled();
	provider_got(p, T_DISCON_REQ);
	nothing_came(p);
	provider_free(p);

	p = provider_new(T_COTS_ORD);
	p->info.TSDU_size = 0;
	TIS(t_sync(p->user), T_UNBND);
	go(p, T_DATAXFER);
	/* The second of three messages has no room. */
	fill(p, 1, connects_again);
	TIS(t_snd(p->user, data_buf, 300, 0), 100);
	filled();
	TIS(t_getstate(p->user), T_DATAXFER);
	nothing_came(p);
	provider_free(p);
}

static void unbinds(struct provider *p)
{
	TIS(t_unbind(p->user), 0);
}

static void unbinds_and_binds(struct provider *p)
{
	struct t_bind req = { .addr = NETBUF(addr_buf, 7) };

	unbinds(p);
	TIS(t_bind(p->user, &req, NULL), 0);
}

/* An address is taken away before the datagram that waits for room. */
static void run_unbound(void)
{
	struct t_unitdata u = { .addr = NETBUF(addr_buf, 7), .udata = NETBUF(data_buf, 9) };
	struct provider *p = provider_new(T_CLTS);

	go(p, T_IDLE);
	fill(p, 0, unbinds_and_binds);
	TIS(t_sndudata(p->user, &u), 0);
	filled();
	provider_got(p, T_UNITDATA_REQ);
	fill(p, 0, unbinds);
	TFAILS(t_sndudata(p->user, &u), TOUTSTATE);
	filled();
	TIS(t_getstate(p->user), T_UNBND);
	nothing_came(p);
	provider_free(p);
}

/*
 * With O_NONBLOCK a full stream is TFLOW, and the waiting message is looked at
 * first.
 */
static void run_no_room(void)
{
	struct provider *p = provider_new(T_COTS_ORD);

	go(p, T_DATAXFER);
	test_nonblock(p->user, true);
	fill(p, 0, NULL);
	TFAILS(t_snd(p->user, data_buf, 3, 0), TFLOW);
	filled();
	test_nonblock(p->user, false);
	provider_data_ind(p, T_EXDATA_IND, false, "urgent");
	TIS(t_snd(p->user, data_buf, 3, 0), 3);
	provider_got(p, T_DATA_REQ);
	receives(p, 9, "urgent", T_EXPEDITED);
	fill(p, 0, no_data);
	TFAILS(t_snd(p->user, data_buf, 3, 0), TLOOK);
	filled();
	nothing_came(p);
	provider_free(p);
}

/* A message that another process has read has no rest, and is not urgent. */
static void run_rest(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char d[32];

	go(p, T_DATAXFER);
	provider_data_ind(p, T_EXDATA_IND, true, "urgent");
	receives(p, 2, "ur", T_EXPEDITED | T_MORE);
	steal(p, more_data);
	TIS(t_look(p->user), T_EXDATA);
	stolen();
	/*
	 * The data is read in parts: the rest of this message does not belong
	 * to the one before.
	 */
	receives(p, 2, "mo", T_MORE);
	TIS(t_look(p->user), T_DATA);
	receives(p, sizeof(d), "re", 0);
	provider_data_ind(p, T_EXDATA_IND, true, "urgent");
	receives(p, 2, "ur", T_EXPEDITED | T_MORE);
	IS(read(p->user, d, sizeof(d)), 4);
	TIS(t_sync(p->user), T_DATAXFER);
	IS(write(p->fd, "plain", 5), 5);
	TIS(t_look(p->user), T_DATA);
	receives(p, 10, "plain", 0);
	provider_free(p);
}

static struct provider *closed, *next;
static int kept;

static void *looks(void *arg)
{
	*(int *)arg = t_look(closed->user) < 0 ? t_errno : 0;
	return NULL;
}

static void *asks(void *arg)
{
	*(int *)arg = t_getinfo(closed->user, NULL) ? t_errno : 0;
	return NULL;
}

/*
 * Two threads wait for their turn; then the descriptor becomes another
 * endpoint's.
 */
static void close_and_open(void)
{
	others[0] = thread_asleep(looks, &results[0]);
	others[1] = thread_asleep(asks, &results[1]);
	kept = dup(closed->user);
	TIS(t_close(closed->user), 0);
	IS(dup2(next->user, closed->user), closed->user);
}

/*
 * A thread that waited for its turn on an endpoint closed meanwhile does not
 * act on the next endpoint with that number.
 */
static void run_closed(void)
{
	int i;

	closed = provider_new(T_COTS_ORD);
	next = provider_new(T_COTS_ORD);
	go(next, T_DATAXFER);
	provider_data_ind(next, T_DATA_IND, false, "data");
	while_peeking = close_and_open;
	t_look(closed->user);
	for (i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
	IS(results[0], TBADF);
	IS(results[1], TBADF);
	receives(next, 10, "data", 0);
	IS(dup2(kept, closed->user), closed->user);
	close(kept);
	TIS(t_sync(closed->user), T_UNBND);
	provider_free(closed);
	provider_free(next);
}

static const struct test_case cases[] = {
	{ "threads", run_threads }, { "stolen", run_stolen },
	{ "stolen-datagrams", run_stolen_datagrams }, { "released", run_released },
	{ "broken-off", run_broken_off }, { "unbound", run_unbound },
	{ "no-room", run_no_room }, { "rest-of-message", run_rest },
	{ "closed", run_closed },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
