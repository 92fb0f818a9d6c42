// SPDX-License-Identifier: GPL-2.0-only
/* xti-shared.c - several that use one endpoint, on a provider that the test plays */
#include "xti-cots.h"

#include <sys/syscall.h>

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

/* While one waits others send, and make requests of the same endpoint. */
static void run_threads(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	pthread_t waits, asks[2], cancelled;
	int i;

	go(p, T_DATAXFER);
	pthread_create(&cancelled, NULL, receiver, p);
	usleep(50000);
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
 * Another process of the same endpoint takes the message that the library has just
 * seen, and what comes next is another one.
 */
static struct {
	struct provider *from;		/* NULL: nothing is taken */
	void (*then)(struct provider *p);
	int looks;			/* that see it before it is */
	char bytes[1024];
	int taken;
} thief;

/* In the place of the C library's, for libxti too */
int ioctl(int fd, unsigned long request, ...)
{
	struct strio_msg msg = {
		.ctl = { .maxlen = sizeof(thief.bytes), .buf = (uintptr_t)thief.bytes },
		.data = { .maxlen = sizeof(thief.bytes), .buf = (uintptr_t)thief.bytes },
		.flags = MSG_ANY,
	};
	struct provider *p = thief.from;
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	ret = syscall(SYS_ioctl, fd, request, arg);
	if (request != I_PEEK || ret != 1 || !p || fd != p->user || thief.looks--)
		return ret;
	thief.from = NULL;
	IS(syscall(SYS_ioctl, fd, STRIO_GETMSG, &msg), 0);
	thief.taken++;
	if (thief.then)
		thief.then(p);
	return ret;
}

static void steal(struct provider *p, void (*then)(struct provider *p))
{
	IS(thief.taken, 0);
	thief.from = p;
	thief.then = then;
	thief.looks = 0;
}

/* It was. */
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

/* What waits goes on waiting, and the next message is what it is. */
static void run_stolen(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	char a[16], o[16], d[32];
	struct t_call from = { .addr = NETBUF(a, 0), .opt = NETBUF(o, 0), .udata = NETBUF(d, 0) };
	int f;

	go(p, T_DATAXFER);
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
	/* The rest of a message */
	provider_data_ind(p, T_DATA_IND, false, "data");
	receives(p, 2, "da", T_MORE);
	steal(p, more_data);
	receives(p, sizeof(d), "more", 0);
	stolen();
	/* An end in the place of data stays to be received, and the other way round. */
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
	provider_free(p);

	p = provider_new(T_COTS_ORD);
	go(p, T_IDLE);
	provider_conn_ind(p, 31, NULL);
	steal(p, another_call);
	/* Before it waits too */
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

static const struct test_case cases[] = {
	{ "threads", run_threads }, { "stolen", run_stolen },
	{ "stolen-datagrams", run_stolen_datagrams },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
