// SPDX-License-Identifier: GPL-2.0-only
/* xti-sockets.c - XTI's providers that are made of the kernel's sockets */
#include "xti-test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <sys/un.h>

static char data[300000], got[300000];

static int endpoint(const char *device)
{
	int fd = t_open(device, O_RDWR | O_CLOEXEC, NULL);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

/* A provider, and its server's address */
struct provider {
	const char *device;
	union {
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		char name[128];
	} addr;
	unsigned int len;
	bool orderly;
};

static struct provider providers[] = {
	{ .device = "/dev/tcp", .orderly = true, .len = sizeof(struct sockaddr_in),
	  .addr.in = { .sin_family = AF_INET } },
	{ .device = "/dev/tcp6", .orderly = true, .len = sizeof(struct sockaddr_in6),
	  .addr.in6 = { .sin6_family = AF_INET6 } },
	{ .device = "/dev/ticots", .len = 10, .addr.name = "the server" },
	{ .device = "/dev/ticotsord", .orderly = true, .len = 10,
	  .addr.name = "the server" },
};

static struct provider *provider;

static struct netbuf address(void)
{
	return (struct netbuf){ sizeof(provider->addr), provider->len, &provider->addr };
}

static int listener(unsigned int qlen)
{
	struct t_bind b = { .addr = address(), .qlen = qlen };
	int fd = endpoint(provider->device);

	provider->addr.in.sin_port = provider->addr.in.sin_family == AF_INET ||
				     provider->addr.in.sin_family == AF_INET6 ?
				     0 : provider->addr.in.sin_port;
	if (provider->addr.in.sin_family == AF_INET)
		provider->addr.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (provider->addr.in.sin_family == AF_INET6)
		provider->addr.in6.sin6_addr = in6addr_loopback;
	TIS(t_bind(fd, &b, &b), 0);
	IS(b.qlen, qlen);
	return fd;
}

static int caller(void)
{
	struct t_call to = { .addr = address() };
	int fd = endpoint(provider->device);

	TIS(t_bind(fd, NULL, NULL), 0);
	test_nonblock(fd, true);
	TFAILS(t_connect(fd, &to, NULL), TNODATA);
	TIS(t_getstate(fd), T_OUTCON);
	return fd;
}

/*
 * Checks that the descriptor is ready when there is an event, and which event
 * that is.
 */
static void becomes_ready(int fd, short events, int event)
{
	struct pollfd p = { .fd = fd, .events = events };

	/*
	 * An event that is incomplete, as may happen on TCP, is not reported
	 * yet.
	 */
	UNTIL(poll(&p, 1, WAIT_LIMIT_MS) == 1 && t_look(fd) == event);
	TIS(t_look(fd), event);
}

static void is_quiet(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	IS(poll(&p, 1, 0), 0);
	TIS(t_look(fd), 0);
}

static void sends(int from, int to)
{
	int flags;

	TIS(t_snd(from, data, 100, 0), 100);
	becomes_ready(to, POLLIN, T_DATA);
	TIS(t_rcv(to, got, sizeof(got), &flags), 100);
	TRUE(!memcmp(data, got, 100));
	is_quiet(to);
}

static void ends(int from, int to)
{
	if (provider->orderly) {
		TIS(t_sndrel(from), 0);
		becomes_ready(to, POLLIN, T_ORDREL);
		TIS(t_rcvrel(to), 0);
		sends(to, from);
		TIS(t_sndrel(to), 0);
		becomes_ready(from, POLLIN, T_ORDREL);
		TIS(t_rcvrel(from), 0);
	} else {
		TIS(t_snddis(from, NULL), 0);
		becomes_ready(to, POLLIN, T_DISCONNECT);
		TIS(t_rcvdis(to, NULL), 0);
	}
	TIS(t_getstate(from), T_IDLE);
	TIS(t_getstate(to), T_IDLE);
}

/*
 * Accepts a connection on another endpoint or, where res is the listener,
 * there.
 */
static void accepts(int fd, int res)
{
	struct t_call call = {};

	becomes_ready(fd, POLLIN, T_LISTEN);
	TIS(t_listen(fd, &call), 0);
	TIS(t_getstate(fd), T_INCON);
	TIS(t_accept(fd, res, &call), 0);
	TIS(t_getstate(res), T_DATAXFER);
}

/* Events on each descriptor can be waited for with poll(). */
static void polls(void)
{
	int fd = listener(2), client = caller(), server = endpoint(provider->device);

	accepts(fd, server);
	TIS(t_getstate(fd), T_IDLE);
	is_quiet(fd);
	becomes_ready(client, POLLIN | POLLOUT, T_CONNECT);
	TIS(t_rcvconnect(client, NULL), 0);
	sends(client, server);
	sends(server, client);
	ends(client, server);
	/* Both endpoints have had a connection, and make another one. */
	TIS(t_close(client), 0);
	client = caller();
	accepts(fd, server);
	TIS(t_rcvconnect(client, NULL), 0);
	sends(server, client);
	/*
	 * A process that has ended has aborted the connection, or released it
	 * as the kernel does.
	 */
	TIS(t_close(client), 0);
	becomes_ready(server, POLLIN, provider->len == 10 ? T_DISCONNECT : T_ORDREL);
	TIS(t_close(server), 0);
	TIS(t_close(fd), 0);
}

/*
 * A connection is accepted on the listener, which listens again when it is
 * over.
 */
static void here(void)
{
	int fd = listener(1), client = caller(), second;

	accepts(fd, fd);
	TIS(t_rcvconnect(client, NULL), 0);
	sends(client, fd);
	sends(fd, client);
	second = caller();
	ends(client, fd);
	TIS(t_close(client), 0);
	accepts(fd, fd);
	TIS(t_rcvconnect(second, NULL), 0);
	sends(second, fd);
	TIS(t_close(second), 0);
	TIS(t_close(fd), 0);
}

/* One connection is refused, one is aborted before it is accepted. */
static void refused(void)
{
	int fd = listener(2), client = caller(), other = caller();
	struct t_call call = {}, gone = {};
	struct t_discon why = {};

	TIS(t_listen(fd, &call), 0);
	TIS(t_listen(fd, &gone), 0);
	TFAILS(t_listen(fd, &gone), TQFULL);
	TFAILS(t_snddis(fd, NULL), TBADSEQ);
	TFAILS(t_snddis(fd, &(struct t_call){ .sequence = 12345 }), TBADSEQ);
	TIS(t_snddis(fd, &call), 0);
	TIS(t_getstate(fd), T_INCON);
	/* The connection of TCP existed, and is reset. */
	test_nonblock(client, false);
	if (provider->len == 10) {
		TFAILS(t_rcvconnect(client, NULL), TLOOK);
		TIS(t_rcvdis(client, &why), 0);
		IS(why.reason, ECONNREFUSED);
	} else {
		t_rcvconnect(client, NULL);
		becomes_ready(client, POLLIN, T_DISCONNECT);
		TIS(t_rcvdis(client, &why), 0);
		IS(why.reason, ECONNRESET);
	}
	TIS(t_snddis(other, NULL), 0);
	while (!t_look(fd))
		usleep(1000);
	TIS(t_look(fd), T_DISCONNECT);
	TFAILS(t_accept(fd, fd, &gone), TLOOK);
	TIS(t_rcvdis(fd, &why), 0);
	IS(why.sequence, gone.sequence);
	TIS(t_getstate(fd), T_IDLE);
	TIS(t_close(client), 0);
	TIS(t_close(other), 0);
	TIS(t_close(fd), 0);
}

static void on_all(void (*run)(void))
{
	unsigned int i;

	for (i = 0; i < COUNT(providers); i++) {
		provider = &providers[i];
		printf("%s\n", provider->device);
		run();
	}
}

static void run_polls(void)
{
	on_all(polls);
}

static void run_here(void)
{
	on_all(here);
}

static void run_refused(void)
{
	on_all(refused);
}

/* Data is sent with the begin and the end of a connection. */
static void run_udata(void)
{
	struct t_call to = { .udata = { 0, 1024, data } }, answer = {}, con = {}, call = {};
	struct t_discon why = { .udata = { 1024, 0, got } };
	int fd, client, server, i, reject;

	for (i = 0; i < 1024; i++)
		data[i] = i * 7;
	provider = &providers[2];
	to.addr = address();
	for (reject = 0; reject < 2; reject++) {
		fd = listener(1);
		client = endpoint(provider->device);
		TIS(t_bind(client, NULL, NULL), 0);
		to.udata.len = 1025;
		TFAILS(t_connect(client, &to, NULL), TBADDATA);
		to.udata.len = 1024;
		test_nonblock(client, true);
		TFAILS(t_connect(client, &to, NULL), TNODATA);
		test_nonblock(client, false);
		memset(got, 0, 1024);
		call.udata = (struct netbuf){ 1024, 0, got };
		TIS(t_listen(fd, &call), 0);
		IS(call.udata.len, 1024);
		TRUE(!memcmp(got, data, 1024));
		answer.sequence = call.sequence;
		answer.udata = (struct netbuf){ 0, 1000, data + 24 };
		memset(got, 0, 1024);
		if (reject) {
			TIS(t_snddis(fd, &answer), 0);
			TFAILS(t_rcvconnect(client, &con), TLOOK);
			TIS(t_rcvdis(client, &why), 0);
			IS(why.reason, ECONNREFUSED);
			IS(why.udata.len, 1000);
			TRUE(!memcmp(got, data + 24, 1000));
		} else {
			server = endpoint(provider->device);
			TIS(t_accept(fd, server, &answer), 0);
			con.udata = (struct netbuf){ 10, 0, got };
			/* The connection is there; its data does not fit. */
			TFAILS(t_rcvconnect(client, &con), TBUFOVFLW);
			TIS(t_getstate(client), T_DATAXFER);
			TIS(t_snddis(client, &answer), 0);
			memset(got, 0, 1024);
			becomes_ready(server, POLLIN, T_DISCONNECT);
			TIS(t_rcvdis(server, &why), 0);
			IS(why.reason, ECONNRESET);
			IS(why.udata.len, 1000);
			TRUE(!memcmp(got, data + 24, 1000));
			TIS(t_close(server), 0);
		}
		TIS(t_close(client), 0);
		TIS(t_close(fd), 0);
	}
}

/* Addresses of ticots may be any bytes: long, free and busy ones are tried. */
static void run_names(void)
{
	char name[128] = "", any[128], other[128];
	struct t_bind b = { .addr = { 128, 128, name } };
	struct t_bind r = { .addr = { 128, 0, any } };
	int fd = endpoint("/dev/ticots"), second = endpoint("/dev/ticots"), third;

	TIS(t_bind(fd, &b, &r), 0);
	IS(r.addr.len, 128);
	TRUE(!memcmp(any, name, 128));
	TFAILS(t_bind(second, &b, NULL), TADDRBUSY);
	name[127] = 1;
	TIS(t_bind(second, &b, NULL), 0);
	TIS(t_unbind(second), 0);
	b.addr.len = 1;
	TIS(t_bind(second, &b, NULL), 0);
	/* Each of the three providers has addresses of its own. */
	third = endpoint("/dev/ticotsord");
	TIS(t_bind(third, &b, NULL), 0);
	TIS(t_close(third), 0);
	TIS(t_unbind(fd), 0);
	b.addr.len = 129;
	TFAILS(t_bind(fd, &b, NULL), TBADADDR);
	TIS(t_bind(fd, NULL, &r), 0);
	TRUE(r.addr.len > 0 && r.addr.len <= 8);
	r.addr = (struct netbuf){ 128, 0, other };
	TIS(t_getprotaddr(fd, &r, NULL), 0);
	TRUE(!memcmp(any, other, r.addr.len));
	TIS(t_close(second), 0);
	TIS(t_close(fd), 0);
}

static void *receives_tsdu(void *arg)
{
	int n = 0, flags, r;

	do {
		r = t_rcv(*(int *)arg, got + n, 7000, &flags);
		TRUE(r >= 0);
		n += r;
	} while (flags & T_MORE);
	IS(n, sizeof(data));
	return NULL;
}

/*
 * A TSDU is kept whole, however many messages it takes where there is little
 * room.
 */
static void run_tsdu(void)
{
	struct {
		struct t_opthdr hdr;
		t_uscalar_t value;
	} small = { { sizeof(small), XTI_GENERIC, XTI_SNDBUF, 0 }, 8192 };
	struct t_optmgmt o = { .opt = { sizeof(small), sizeof(small), &small },
			       .flags = T_NEGOTIATE };
	int fd, client, server, flags = -1, i;
	pthread_t t;

	for (i = 0; i < (int)sizeof(data); i++)
		data[i] = i * 13 + i / 256;
	provider = &providers[2];
	fd = listener(1);
	client = caller();
	server = endpoint(provider->device);
	accepts(fd, server);
	TIS(t_rcvconnect(client, NULL), 0);
	TIS(t_optmgmt(client, &o, &o), 0);
	IS(o.flags, T_SUCCESS);
	TIS(t_snd(client, data, 0, 0), 0);
	TIS(t_rcv(server, got, sizeof(got), &flags), 0);
	IS(flags, 0);
	test_nonblock(client, false);
	IS(pthread_create(&t, NULL, receives_tsdu, &server), 0);
	TIS(t_snd(client, data, sizeof(data), 0), sizeof(data));
	pthread_join(t, NULL);
	TRUE(!memcmp(data, got, sizeof(data)));
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
	TIS(t_close(fd), 0);
}

/* Returns the socket's name for an address of ticots, of that user. */
static socklen_t name_of(unsigned int user, const char *addr, struct sockaddr_un *name)
{
	*name = (struct sockaddr_un){ .sun_family = AF_UNIX };
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       sprintf(name->sun_path + 1, "xti/ticots/%u/%zu/%s", user, strlen(addr), addr);
}

/*
 * A caller that connects and sends nothing delays no other; a call sent later
 * is found.
 */
static void run_silent(void)
{
	static const uint32_t call[] = { 0, 0, 0, 0x6f6c6c65 };
	int fd, client, silent[20], i;
	struct t_call from = { .udata = { sizeof(got), 0, got } };
	struct sockaddr_un name;
	socklen_t len;

	provider = &providers[2];
	fd = listener(2);
	test_nonblock(fd, true);
	len = name_of(geteuid(), "the server", &name);
	for (i = 0; i < 2; i++) {
		silent[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		IS(connect(silent[i], (struct sockaddr *)&name, len), 0);
	}
	TIS(t_look(fd), 0);
	TFAILS(t_listen(fd, &from), TNODATA);
	is_quiet(fd);
	client = caller();
	accepts(fd, fd);
	TIS(t_rcvconnect(client, NULL), 0);
	sends(client, fd);
	TIS(t_close(client), 0);
	TIS(t_rcvdis(fd, NULL), 0);
	/* The caller received LOOP_LOOKED: it sends its call, and knocks. */
	IS(recv(silent[1], got, sizeof(got), MSG_DONTWAIT), 12);
	IS(send(silent[1], call, sizeof(call), 0), sizeof(call));
	IS(poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, 0), 0);
	i = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	IS(connect(i, (struct sockaddr *)&name, len), 0);
	close(i);
	becomes_ready(fd, POLLIN, T_LISTEN);
	TIS(t_listen(fd, &from), 0);
	IS(from.udata.len, 4);
	TRUE(!memcmp(got, call + 3, 4));
	TIS(t_snddis(fd, &from), 0);
	/* More callers come than are kept: the first of them are closed. */
	for (i = 2; i < (int)COUNT(silent); i++) {
		silent[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		IS(connect(silent[i], (struct sockaddr *)&name, len), 0);
		TIS(t_look(fd), 0);
	}
	IS(send(silent[0], call, sizeof(call), MSG_NOSIGNAL), -1);
	for (i = 0; i < (int)COUNT(silent); i++)
		close(silent[i]);
	TIS(t_close(fd), 0);
}

/* Another user has taken the name: the caller does not send to it. */
static void run_squatter(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), client, heard;
	struct sockaddr_un name;
	struct t_discon why;
	socklen_t len;

	provider = &providers[2];
	len = name_of(geteuid(), "the server", &name);
	IS(seteuid(65534), 0);
	IS(bind(fd, (struct sockaddr *)&name, len), 0);
	IS(listen(fd, 5), 0);
	IS(seteuid(0), 0);
	client = caller();
	becomes_ready(client, POLLIN, T_DISCONNECT);
	TIS(t_rcvdis(client, &why), 0);
	IS(why.reason, ECONNREFUSED);
	heard = accept(fd, NULL, NULL);
	TRUE(heard >= 0);
	IS(recv(heard, got, sizeof(got), 0), 0);
	close(heard);
	close(fd);
	/* Any user may call root's servers. */
	fd = listener(1);
	IS(seteuid(65534), 0);
	client = caller();
	IS(seteuid(0), 0);
	accepts(fd, fd);
	TIS(t_rcvconnect(client, NULL), 0);
	TIS(t_close(client), 0);
	TIS(t_close(fd), 0);
}

static void run_namespace(void)
{
	int fd, client;

	provider = &providers[2];
	fd = listener(1);
	IS(unshare(CLONE_NEWNET), 0);
	client = caller();
	becomes_ready(client, POLLIN, T_DISCONNECT);
	TIS(t_rcvdis(client, NULL), 0);
	TIS(t_close(client), 0);
	TIS(t_close(listener(1)), 0);
	is_quiet(fd);
	TIS(t_close(fd), 0);
}

static const char *program;

/* Continues with an endpoint in another program, where it is in that state. */
static void continues(int fd, const char *state)
{
	char number[12];
	int status;
	pid_t pid;

	snprintf(number, sizeof(number), "%d", fd);
	setenv("XTI_FD", number, 1);
	setenv("XTI_STATE", state, 1);
	snprintf(number, sizeof(number), "%u", provider->len);
	setenv("XTI_LENGTH", number, 1);
	pid = fork();
	if (!pid) {
		fcntl(fd, F_SETFD, 0);
		execl(program, program, "continued", NULL);
		_exit(2);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

static void run_continued(void)
{
	int fd = atoi(getenv("XTI_FD")), state = atoi(getenv("XTI_STATE"));
	struct t_bind b = { .addr = { sizeof(got), 0, got } };

	TIS(t_getstate(fd), state);
	TIS(t_sync(fd), state);
	if (state == T_DATAXFER)
		TIS(t_snd(fd, "over", 4, 0), 4);
	if (state == T_IDLE) {
		becomes_ready(fd, POLLIN, T_LISTEN);
		TIS(t_getprotaddr(fd, &b, NULL), 0);
		IS(b.addr.len, strtoul(getenv("XTI_LENGTH"), NULL, 10));
	}
}

static void continued(void)
{
	int fd = endpoint(provider->device), client, server, flags;

	continues(fd, "1");
	TIS(t_close(fd), 0);
	fd = listener(1);
	client = caller();
	continues(fd, "2");
	TIS(t_close(client), 0);
	TIS(t_close(fd), 0);
	fd = listener(1);
	client = caller();
	server = endpoint(provider->device);
	accepts(fd, server);
	continues(server, "5");
	TIS(t_rcvconnect(client, NULL), 0);
	test_nonblock(client, false);
	TIS(t_rcv(client, got, sizeof(got), &flags), 4);
	if (provider->len != 10) {
		TIS(t_sndrel(server), 0);
		continues(server, "6");
	}
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
	TIS(t_close(fd), 0);
}

static void run_exec(void)
{
	on_all(continued);
}

static const struct test_case cases[] = {
	{ "polls", run_polls }, { "here", run_here }, { "refused", run_refused },
	{ "udata", run_udata }, { "names", run_names }, { "tsdu", run_tsdu },
	{ "silent", run_silent }, { "squatter", run_squatter },
	{ "namespace", run_namespace },
	{ "exec", run_exec }, { "continued", run_continued },
	{}
};

int main(int argc, char **argv)
{
	program = argv[0];
	setenv("XTI_PROVIDER", "sockets", 1);
	return test_main(argc, argv, cases);
}
