// SPDX-License-Identifier: GPL-2.0-only
/* xti-loopback.c - XTI on the providers within a host: both sides of connections */
#include "xti-test.h"
#include <tiuser.h>

static const char *device;
static char server_name[] = "the server";
static char data[100000], got[100000];

static int endpoint(struct t_info *info)
{
	int fd = t_open(device, O_RDWR | O_CLOEXEC, info);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

static int bound(const char *name, unsigned int qlen)
{
	struct t_bind b = { .addr = { 0, strlen(name), (void *)name }, .qlen = qlen };
	int fd = endpoint(NULL);

	TIS(t_bind(fd, &b, NULL), 0);
	return fd;
}

static void *calls(void *arg)
{
	struct t_call to = { .addr = { 0, strlen(server_name), server_name } };
	char answer[32], from[128];
	struct t_call con = { .addr = NETBUF(from, 0), .udata = NETBUF(answer, 0) };
	int fd = bound("the client", 0);

	to.udata = (struct netbuf){ .len = 5, .buf = "hello" };
	TIS(t_connect(fd, &to, &con), 0);
	TIS(t_getstate(fd), T_DATAXFER);
	IS(con.udata.len, 7);
	TRUE(!memcmp(answer, "welcome", 7));
	*(int *)arg = fd;
	return NULL;
}

/*
 * Makes a connection: returns the server's side and stores the client's in to.
 */
static int connected(int listener, int *to)
{
	struct t_call from = {}, answer = {};
	char who[128], said[32];
	pthread_t t;
	int fd = endpoint(NULL);

	from.addr = (struct netbuf)NETBUF(who, 0);
	from.udata = (struct netbuf)NETBUF(said, 0);
	pthread_create(&t, NULL, calls, to);
	TIS(t_listen(listener, &from), 0);
	IS(from.addr.len, 10);
	TRUE(!memcmp(who, "the client", 10));
	IS(from.udata.len, 5);
	TIS(t_getstate(listener), T_INCON);
	answer.sequence = from.sequence;
	answer.udata = (struct netbuf){ .len = 7, .buf = "welcome" };
	TIS(t_accept(listener, fd, &answer), 0);
	pthread_join(t, NULL);
	TIS(t_getstate(listener), T_IDLE);
	TIS(t_getstate(fd), T_DATAXFER);
	return fd;
}

static void receives(int fd, size_t len, int want)
{
	size_t n = 0;
	int f, r;

	memset(got, 0, sizeof(got));
	do {
		r = t_rcv(fd, got + n, sizeof(got) - n, &f);
		TRUE(r >= 0);
		n += r;
	} while (f & T_MORE);
	IS(n, len);
	IS(f, want);
	TRUE(!memcmp(got, data, len));
}

static void transfer(int a, int b)
{
	static const int sizes[] = { 0, 1, 1000, 65536, 65537, 100000 };
	unsigned int i;

	for (i = 0; i < COUNT(sizes); i++) {
		TIS(t_snd(a, data, sizes[i], 0), sizes[i]);
		receives(b, sizes[i], 0);
	}
	TIS(t_snd(b, data, 10, T_MORE), 10);
	TIS(t_snd(b, data + 10, 10, 0), 10);
	receives(a, 20, 0);
	TIS(t_snd(a, data, 3, T_EXPEDITED), 3);
	receives(b, 3, T_EXPEDITED);
}

/* Expedited data that is sent at once comes behind the confirmation. */
static void confirmed_first(int listener)
{
	struct t_call to = { .addr = { 0, strlen(server_name), server_name } };
	struct t_call from = {}, answer = {};
	int client = bound("the caller", 0), server = endpoint(NULL);

	test_nonblock(client, true);
	TFAILS(t_connect(client, &to, NULL), TNODATA);
	TIS(t_listen(listener, &from), 0);
	answer.sequence = from.sequence;
	TIS(t_accept(listener, server, &answer), 0);
	TIS(t_snd(server, data, 3, T_EXPEDITED), 3);
	while (!t_look(client))
		usleep(1000);
	/* All data is there, in whatever order. */
	usleep(50000);
	TIS(t_look(client), T_CONNECT);
	TIS(t_rcvconnect(client, NULL), 0);
	test_nonblock(client, false);
	receives(client, 3, T_EXPEDITED);
	TIS(t_close(client), 0);
	while (t_look(server) != T_DISCONNECT)
		usleep(1000);
	TIS(t_close(server), 0);
}

/*
 * An endpoint that is bound connects again, to one that had a connection too.
 */
static void call_again(int client, int listener, int server)
{
	struct t_call to = { .addr = { 0, strlen(server_name), server_name } };
	struct t_call from = {}, answer = {};

	test_nonblock(client, true);
	TFAILS(t_connect(client, &to, NULL), TNODATA);
	test_nonblock(client, false);
	TIS(t_listen(listener, &from), 0);
	answer.sequence = from.sequence;
	TIS(t_accept(listener, server, &answer), 0);
	TIS(t_rcvconnect(client, NULL), 0);
}

/*
 * The peer does not read, so that there is no room: the connection can be
 * aborted.
 */
static void full(int listener)
{
	int client, server = connected(listener, &client), n, f;
	struct t_discon why = {};

	test_nonblock(client, true);
	for (n = 0; n < 1000; n++)
		if (t_snd(client, data, sizeof(data), 0) < (int)sizeof(data))
			break;
	TRUE(n < 1000);
	while (t_snd(client, data, 1, 0) == 1)
		;
	IS(t_errno, TFLOW);
	test_nonblock(client, false);
	TIS(t_snddis(client, NULL), 0);
	TIS(t_getstate(client), T_IDLE);
	/* Room has returned, but no user could send. */
	TIS(t_look(client), 0);
	do {
		n = t_rcv(server, got, sizeof(got), &f);
	} while (n > 0);
	IS(n, -1);
	IS(t_errno, TLOOK);
	TIS(t_rcvdis(server, &why), 0);
	/* The next connection does not report the event either. */
	call_again(client, listener, server);
	TIS(t_look(client), 0);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
}

static void connections(const char *path, bool orderly)
{
	struct t_discon why = {};
	struct t_info info;
	int listener, client, server, i;
	struct t_bind peer = {};
	char who[128];

	device = path;
	for (i = 0; i < (int)sizeof(data); i++)
		data[i] = i * 13 + i / 256;
	TIS(t_close(endpoint(&info)), 0);
	IS(info.servtype, orderly ? T_COTS_ORD : T_COTS);
	listener = bound(server_name, 5);
	server = connected(listener, &client);
	peer.addr = (struct netbuf)NETBUF(who, 0);
	TIS(t_getprotaddr(server, NULL, &peer), 0);
	IS(peer.addr.len, 10);
	transfer(client, server);
	transfer(server, client);
	TIS(t_sync(server), T_DATAXFER);
	if (orderly) {
		TIS(t_sndrel(client), 0);
		while (t_look(server) != T_ORDREL)
			usleep(1000);
		TIS(t_sync(server), T_DATAXFER);
		TFAILS(t_snd(server, data, 9, 0), TLOOK);
		TIS(t_rcvrel(server), 0);
		TIS(t_sync(server), T_INREL);
		TIS(t_snd(server, data, 9, 0), 9);
		TIS(t_sync(client), T_OUTREL);
		receives(client, 9, 0);
		TIS(t_sndrel(server), 0);
		while (t_look(client) != T_ORDREL)
			usleep(1000);
		TIS(t_rcvrel(client), 0);
		TIS(t_getstate(client), T_IDLE);
		TIS(t_getstate(server), T_IDLE);
		TIS(t_sync(client), T_IDLE);
	} else {
		TFAILS(t_sndrel(client), TNOTSUPPORT);
		TIS(t_snddis(client, NULL), 0);
	}
	TIS(t_close(client), 0);
	if (!orderly) {
		while (t_look(server) != T_DISCONNECT)
			usleep(1000);
		TFAILS(t_snd(server, data, 1, 0), TLOOK);
		TIS(t_rcvdis(server, &why), 0);
		TIS(t_sync(server), T_IDLE);
	}
	TIS(t_close(server), 0);
	confirmed_first(listener);
	full(listener);
	/* A close breaks the connection off. */
	server = connected(listener, &client);
	TIS(t_close(client), 0);
	while (t_look(server) != T_DISCONNECT)
		usleep(1000);
	TIS(t_rcvdis(server, NULL), 0);
	TIS(t_close(server), 0);
	TIS(t_close(listener), 0);
}

static void run_cots(void)
{
	connections("/dev/streams/ticots", false);
}

static void run_cotsord(void)
{
	connections("/dev/streams/ticotsord", true);
}

/* Both sides have released, but data of the server has still to be read. */
static int releasing(int listener, int *client)
{
	int server = connected(listener, client);

	TIS(t_sndrel(*client), 0);
	while (t_look(server) != T_ORDREL)
		usleep(1000);
	TIS(t_rcvrel(server), 0);
	TIS(t_snd(server, data, sizeof(data), 0), sizeof(data));
	TIS(t_sndrel(server), 0);
	TIS(t_getstate(server), T_IDLE);
	return server;
}

static void read_rest(int client)
{
	receives(client, sizeof(data), 0);
	while (t_look(client) != T_ORDREL)
		usleep(1000);
	TIS(t_rcvrel(client), 0);
	TIS(t_getstate(client), T_IDLE);
}

/* The function that a thread is to call, and its result: 0, or t_errno. */
struct caller {
	int (*call)(int fd);
	int fd;
	int result;
	pthread_t thread;
	pid_t tid;
};

static void *caller_run(void *arg)
{
	struct caller *c = arg;

	c->result = c->call(c->fd) < 0 ? t_errno : 0;
	return NULL;
}

/* Starts a thread, and returns when its call waits. */
static void begin(struct caller *c, int (*call)(int fd), int fd)
{
	c->call = call;
	c->fd = fd;
	c->thread = thread_begin(caller_run, c, &c->tid);
	UNTIL(thread_rests(c->tid));
	IS(pthread_tryjoin_np(c->thread, NULL), EBUSY);
}

static int result(struct caller *c)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_SECONDS;
	IS(pthread_timedjoin_np(c->thread, NULL, &until), 0);
	return c->result;
}

static int connects(int fd)
{
	struct t_call to = { .addr = { 0, strlen(server_name), server_name } };

	return t_connect(fd, &to, NULL);
}

/*
 * When both sides have released, a socket has sent all: no call waits for it.
 */
static void released(int listener)
{
	struct t_call from = {};
	int client, server;

	server = releasing(listener, &client);
	TIS(t_unbind(server), 0);
	read_rest(client);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);

	server = releasing(listener, &client);
	test_nonblock(server, true);
	TFAILS(connects(server), TNODATA);
	read_rest(client);
	TIS(t_listen(listener, &from), 0);
	TIS(t_accept(listener, client, &from), 0);
	TIS(t_rcvconnect(server, NULL), 0);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);

	server = releasing(listener, &client);
	TFAILS(t_snddis(server, NULL), TOUTSTATE);
	read_rest(client);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
}

/* A connection that is being released is aborted. */
static void abort_releasing(int listener)
{
	struct caller c;
	int client, server;

	/*
	 * The other side aborts meanwhile: the endpoint has an event to handle.
	 */
	server = releasing(listener, &client);
	begin(&c, connects, server);
	TIS(t_snddis(client, NULL), 0);
	IS(result(&c), TLOOK);
	TIS(t_close(client), 0);
	TIS(t_rcvdis(server, NULL), 0);
	TIS(t_sync(server), T_IDLE);
	TIS(t_close(server), 0);

	server = releasing(listener, &client);
	TIS(t_snddis(server, NULL), 0);
	TIS(t_getstate(server), T_IDLE);
	TIS(t_unbind(server), 0);
	while (t_rcv(client, got, sizeof(got), &(int){ 0 }) > 0)
		;
	IS(t_errno, TLOOK);
	TIS(t_rcvdis(client, NULL), 0);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);

	/* No connection is left to abort. */
	server = releasing(listener, &client);
	read_rest(client);
	TFAILS(t_snddis(server, NULL), TOUTSTATE);
	TFAILS(t_snddis(listener, NULL), TOUTSTATE);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
}

/*
 * A request that T_IDLE allows waits until all data is sent, or the connection
 * is aborted.
 */
static void run_releasing(void)
{
	struct t_call from = {};
	int listener, client, server;
	struct caller c;

	device = "/dev/streams/ticotsord";
	listener = bound(server_name, 5);
	if (on_sockets()) {
		released(listener);
		TIS(t_close(listener), 0);
		return;
	}
	server = releasing(listener, &client);
	begin(&c, t_unbind, server);
	read_rest(client);
	IS(result(&c), 0);
	TIS(t_getstate(server), T_UNBND);
	TIS(t_sync(server), T_UNBND);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);

	server = releasing(listener, &client);
	begin(&c, connects, server);
	read_rest(client);
	TIS(t_listen(listener, &from), 0);
	TIS(t_accept(listener, client, &from), 0);
	IS(result(&c), 0);
	TIS(t_getstate(server), T_DATAXFER);
	TIS(t_snd(server, data, 9, 0), 9);
	receives(client, 9, 0);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);

	abort_releasing(listener);
	TIS(t_close(listener), 0);
}

static int listens(int fd)
{
	struct t_call from = {};

	return t_listen(fd, &from);
}

static int receives_datagram(int fd)
{
	struct t_unitdata u = { .udata = NETBUF(got, 0) };

	return t_rcvudata(fd, &u, &(int){ 0 });
}

/* A waiting thread learns that another thread has closed the endpoint, or unbound it. */
static void run_woken(void)
{
	struct t_bind b = { .addr = { 0, strlen(server_name), server_name } };
	struct caller c[2];
	int fd, i;

	device = "/dev/streams/ticots";
	fd = bound(server_name, 5);
	begin(&c[0], listens, fd);
	begin(&c[1], listens, fd);
	TIS(t_close(fd), 0);
	IS(result(&c[0]), TBADF);
	IS(result(&c[1]), TBADF);
	/* The address is free again. */
	for (i = 0; i < 2; i++) {
		fd = bound(server_name, 5);
		begin(&c[0], listens, fd);
		TIS(t_unbind(fd), 0);
		IS(result(&c[0]), TOUTSTATE);
		TIS(t_look(fd), 0);
		TIS(t_close(fd), 0);
	}

	device = "/dev/streams/ticlts";
	fd = bound(server_name, 0);
	begin(&c[0], receives_datagram, fd);
	begin(&c[1], receives_datagram, fd);
	TIS(t_unbind(fd), 0);
	IS(result(&c[0]), TOUTSTATE);
	IS(result(&c[1]), TOUTSTATE);
	TIS(t_bind(fd, &b, NULL), 0);
	TIS(t_close(fd), 0);
}

static void is_name(int fd, int type, const char *want)
{
	char name[128];
	struct netbuf nb = NETBUF(name, 0);

	TIS(t_getname(fd, &nb, type), 0);
	IS(nb.len, strlen(want));
	TRUE(!memcmp(name, want, nb.len));
}

static void run_getname(void)
{
	char name[4];
	struct netbuf small = NETBUF(name, 0);
	int fd, to, listener;

	device = "/dev/streams/ticotsord";
	fd = endpoint(NULL);
	is_name(fd, LOCALNAME, "");
	is_name(fd, REMOTENAME, "");
	TIS(t_close(fd), 0);
	listener = bound(server_name, 1);
	is_name(listener, LOCALNAME, server_name);
	is_name(listener, REMOTENAME, "");
	fd = connected(listener, &to);
	is_name(to, LOCALNAME, "the client");
	is_name(to, REMOTENAME, server_name);
	is_name(fd, REMOTENAME, "the client");
	TFAILS(t_getname(to, &small, REMOTENAME), TBUFOVFLW);
	TFAILS(t_getname(to, &small, REMOTENAME + 1), TBADFLAG);
	TIS(t_close(to), 0);
	TIS(t_close(fd), 0);
	TIS(t_close(listener), 0);
}

static const struct test_case cases[] = {
	{ "ticots", run_cots }, { "ticotsord", run_cotsord },
	{ "getname", run_getname }, { "releasing", run_releasing }, { "woken", run_woken },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
