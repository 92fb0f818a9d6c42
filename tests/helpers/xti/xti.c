// SPDX-License-Identifier: GPL-2.0-only
/* xti.c - XTI's endpoints, on /dev/streams/udp */
#include "xti-udp.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void run_open(void)
{
	static const char *const names[] = {
		"", "/dev/streams/nosuch", "/dev/null", "/etc/passwd/x", "/dev/nosuch",
	};
	struct t_info info;
	unsigned int i;
	int fd;

	TFAILS(t_open(DEVICE, O_RDONLY, NULL), TBADFLAG);
	TFAILS(t_open(DEVICE, O_WRONLY, NULL), TBADFLAG);
	TFAILS(t_open(DEVICE, O_RDWR | O_APPEND, NULL), TBADFLAG);
	TFAILS(t_open(NULL, O_RDWR, NULL), TBADNAME);
	for (i = 0; i < COUNT(names); i++)
		TFAILS(t_open(names[i], O_RDWR, NULL), TBADNAME);
	fd = t_open(DEVICE, O_RDWR | O_NONBLOCK, &info);
	TRUE(fd >= 0);
	TRUE(fcntl(fd, F_GETFL) & O_NONBLOCK);
	TRUE(!(fcntl(fd, F_GETFD) & FD_CLOEXEC));
	IS(info.addr, sizeof(struct sockaddr_in));
	IS(info.options, 512);
	IS(info.tsdu, MAX);
	IS(info.etsdu, T_INVALID);
	IS(info.connect, T_INVALID);
	IS(info.discon, T_INVALID);
	IS(info.servtype, T_CLTS);
	IS(info.flags, T_SENDZERO);
	memset(&info, 0, sizeof(info));
	TIS(t_getinfo(fd, &info), 0);
	IS(info.tsdu, MAX);
	TIS(t_getinfo(fd, NULL), 0);
	TIS(t_getstate(fd), T_UNBND);
	TIS(t_close(fd), 0);
	TFAILS(t_close(fd), TBADF);
	/* System V has this name. */
	fd = t_open("/dev/udp", O_RDWR | O_CLOEXEC, NULL);
	TRUE(fd >= 0);
	TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	TIS(t_close(fd), 0);
	TFAILS(t_open("/nosuch/x", O_RDWR, NULL), TBADNAME);
	TIS(t_sysconf(_SC_T_IOV_MAX), T_IOV_MAX);
	TFAILS(t_sysconf(_SC_PAGESIZE), TBADFLAG);
}

static bool is_socket(int fd)
{
	struct stat st;

	IS(fstat(fd, &st), 0);
	return S_ISSOCK(st.st_mode);
}

/* The provider is chosen by name, whether it has a driver or not. */
static void run_provider(void)
{
	bool driver = !access("/dev/streams/udp", F_OK);
	int fd;

	setenv("XTI_PROVIDER", "sockets", 1);
	fd = t_open("/dev/udp", O_RDWR, NULL);
	TRUE(fd >= 0 && is_socket(fd));
	TIS(t_close(fd), 0);
	TFAILS(t_open("/dev/streams/loop", O_RDWR, NULL), TBADNAME);
	TFAILS(t_open("udp", O_RDWR, NULL), TBADNAME);
	setenv("XTI_PROVIDER", "streams", 1);
	if (driver) {
		fd = t_open("/dev/udp", O_RDWR, NULL);
		TRUE(fd >= 0 && !is_socket(fd));
		TIS(t_close(fd), 0);
	} else {
		TFAILS(t_open("/dev/udp", O_RDWR, NULL), TBADNAME);
		IS(test_errno, ENOENT);
	}
	setenv("XTI_PROVIDER", "auto", 1);
	fd = t_open("/dev/streams/udp", O_RDWR, NULL);
	TRUE(fd >= 0 && is_socket(fd) == !driver);
	TIS(t_close(fd), 0);
	/* A container may have no devices of STREAMS. */
	unsetenv("XTI_PROVIDER");
	if (driver) {
		IS(unshare(CLONE_NEWNS), 0);
		IS(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
		IS(mount("none", "/dev/streams", "tmpfs", 0, NULL), 0);
	}
	fd = t_open("/dev/tcp6", O_RDWR, NULL);
	TRUE(fd >= 0 && is_socket(fd));
	TIS(t_close(fd), 0);
}

/* The stream never answers, and would keep its close waiting too. */
static void run_stranger(void)
{
	time_t start = time(NULL);

	TFAILS(t_open("/dev/streams/loop", O_RDWR, NULL), TBADNAME);
	IS(test_errno, ETIME);
	TRUE(time(NULL) - start < 25);
}

/* Every function but t_open() and those without an endpoint, by an index */
static int fd_of_call;

static int call(int which)
{
	static char room[64];
	struct t_call c = { .addr = netbuf(room, 16, 16), .udata = netbuf(room, 16, 0) };
	struct t_unitdata u = { .addr = netbuf(room, 16, 16), .udata = netbuf(room, 16, 1) };
	struct t_optmgmt o = { .opt = netbuf(room, 0, 0), .flags = T_CURRENT };
	struct t_iovec v = { room, 4 };
	struct t_discon d = {};
	struct t_uderr e = {};
	int f, fd = fd_of_call;

	switch (which) {
	case 0: return t_accept(fd, fd, &c);
	case 1: return t_connect(fd, &c, NULL);
	case 2: return t_listen(fd, &c);
	case 3: return t_rcv(fd, room, 4, &f);
	case 4: return t_rcvconnect(fd, &c);
	case 5: return t_rcvdis(fd, &d);
	case 6: return t_rcvrel(fd);
	case 7: return t_rcvreldata(fd, &d);
	case 8: return t_rcvv(fd, &v, 1, &f);
	case 9: return t_snd(fd, room, 4, 0);
	case 10: return t_snddis(fd, NULL);
	case 11: return t_sndrel(fd);
	case 12: return t_sndreldata(fd, &d);
	case 13: return t_sndv(fd, &v, 1, 0);
	case 14: return t_rcvudata(fd, &u, &f);
	case 15: return t_rcvvudata(fd, &u, &v, 1, &f);
	case 16: return t_rcvuderr(fd, &e);
	case 17: return t_sndudata(fd, &u);
	case 18: return t_sndvudata(fd, &u, &v, 1);
	case 19: return t_unbind(fd);
	case 20: return t_bind(fd, NULL, NULL);
	case 21: return t_getinfo(fd, NULL);
	case 22: return t_getprotaddr(fd, NULL, NULL);
	case 23: return t_getstate(fd);
	case 24: return t_look(fd);
	case 25: return t_optmgmt(fd, &o, NULL);
	case 26: return t_sync(fd);
	case 27:
		return t_alloc(fd, T_BIND, T_ALL) ? 0 : -1;
	default: return t_close(fd);
	}
}

#define CALLS		29
#define CONNECTIONS	14		/* the first of them: TNOTSUPPORT */

static void run_states(void)
{
	struct sockaddr_in sin;
	int which;

	fd_of_call = endpoint();
	for (which = 0; which < 20; which++)
		TFAILS(call(which), which < CONNECTIONS ? TNOTSUPPORT : TOUTSTATE);
	for (; which < 28; which++)
		if (which != 20)
			TIS(call(which) < 0, 0);
	TIS(t_getstate(fd_of_call), T_UNBND);
	TIS(t_close(fd_of_call), 0);
	fd_of_call = bound(&sin);
	for (which = 0; which < CONNECTIONS; which++)
		TFAILS(call(which), TNOTSUPPORT);
	TFAILS(call(20), TOUTSTATE);
	for (which = 21; which < 28; which++)
		TIS(call(which) < 0, 0);
	TFAILS(call(16), TNOUDERR);
	TIS(t_getstate(fd_of_call), T_IDLE);
	TIS(call(19), 0);
	TIS(t_getstate(fd_of_call), T_UNBND);
	TIS(t_close(fd_of_call), 0);
}

static void run_badf(void)
{
	int fds[] = { -1, 0, 100000, -1, -1 }, which, i;

	/*
	 * One descriptor is a socket, one an endpoint that close() has closed.
	 */
	fds[3] = socket(AF_INET, SOCK_DGRAM, 0);
	fds[4] = endpoint();
	IS(close(fds[4]), 0);
	for (i = 0; i < (int)COUNT(fds); i++) {
		fd_of_call = fds[i];
		/* None of these calls uses the stream. */
		for (which = 0; i < 4 && which < CALLS; which++)
			TFAILS(call(which), TBADF);
		TFAILS(call(21), TBADF);
		TFAILS(call(26), TBADF);
		TFAILS(call(24), TBADF);
	}
	/* The number is an endpoint's again, which begins anew. */
	i = endpoint();
	IS(i, fds[4]);
	TIS(t_getstate(i), T_UNBND);
	TIS(t_close(i), 0);
}

/* A datagram that waits is not dropped unread. */
static void unbind_unread(void)
{
	struct sockaddr_in sin;
	int fd = bound(&sin), flags;
	unsigned int len;

	TIS(send_to(fd, &sin, "x", 1), 0);
	while (!t_look(fd))
		usleep(1000);
	TFAILS(t_unbind(fd), TLOOK);
	TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
	TIS(t_unbind(fd), 0);
	TIS(t_close(fd), 0);
}

/* A port below 1024 needs the privilege. */
static void bind_unprivileged(void)
{
	struct sockaddr_in sin = loopback(17);
	struct t_bind b = { .addr = netbuf(&sin, sizeof(sin), sizeof(sin)) };
	int fd;

	IS(seteuid(65534), 0);
	fd = endpoint();
	TFAILS(t_bind(fd, &b, NULL), TACCES);
	TIS(t_close(fd), 0);
	IS(seteuid(0), 0);
}

static void run_bind(void)
{
	struct sockaddr_in sin, other, peer;
	struct t_bind b = { .addr = netbuf(&sin, sizeof(sin), sizeof(sin)), .qlen = 7 };
	struct t_bind c = { .addr = netbuf(&other, sizeof(other), sizeof(other)) };
	struct t_bind p = { .addr = netbuf(&peer, sizeof(peer), 1) };
	int fd = endpoint(), fd2 = endpoint();
	char longer[64] = "";

	TIS(t_getprotaddr(fd, &b, &p), 0);
	IS(b.addr.len, 0);
	IS(p.addr.len, 0);
	TIS(t_bind(fd, NULL, &b), 0);
	IS(b.qlen, 0);
	IS(b.addr.len, sizeof(sin));
	TRUE(sin.sin_port);
	TIS(t_getprotaddr(fd, &c, &p), 0);
	IS(other.sin_port, sin.sin_port);
	IS(p.addr.len, 0);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	/* In use */
	TFAILS(t_bind(fd2, &c, NULL), TADDRBUSY);
	TIS(t_unbind(fd), 0);
	TIS(t_bind(fd2, &c, NULL), 0);
	TIS(t_unbind(fd2), 0);
	other.sin_family = AF_INET6;
	TFAILS(t_bind(fd2, &c, NULL), TBADADDR);
	other.sin_family = AF_INET;
	other.sin_addr.s_addr = htonl(0x01020304);
	TFAILS(t_bind(fd2, &c, NULL), TBADADDR);
	b.addr = netbuf(longer, sizeof(longer), sizeof(longer));
	TFAILS(t_bind(fd2, &b, NULL), TBADADDR);
	b.addr = netbuf(big, sizeof(big), 2000);
	TFAILS(t_bind(fd2, &b, NULL), TBADADDR);
	TIS(t_getstate(fd2), T_UNBND);
	/* The endpoint is bound, but its address does not fit. */
	c.addr.maxlen = 15;
	TFAILS(t_bind(fd2, NULL, &c), TBUFOVFLW);
	TIS(t_getstate(fd2), T_IDLE);
	TFAILS(t_getprotaddr(fd2, &c, NULL), TBUFOVFLW);
	/* A caller without a buffer does not ask for the address. */
	c.addr.maxlen = 0;
	TIS(t_getprotaddr(fd2, &c, NULL), 0);
	TIS(t_close(fd2), 0);
	TIS(t_close(fd), 0);
	unbind_unread();
	bind_unprivileged();
}

static void run_alloc(void)
{
	int fd = endpoint();
	struct t_unitdata *u = t_alloc(fd, T_UNITDATA, T_ALL);
	struct t_call *c = t_alloc(fd, T_CALL, T_ALL);
	struct t_bind *b = t_alloc(fd, T_BIND, T_ADDR);
	struct t_optmgmt *o = t_alloc(fd, T_OPTMGMT, T_OPT);
	struct t_uderr *e = t_alloc(fd, T_UDERROR, T_ADDR | T_OPT);
	struct t_discon *d = t_alloc(fd, T_DIS, T_ALL);
	struct t_info *i = t_alloc(fd, T_INFO, 0);
	struct t_unitdata *none = t_alloc(fd, T_UNITDATA, 0);

	TRUE(u && c && b && o && e && d && i && none);
	IS(u->addr.maxlen, 16);
	IS(u->opt.maxlen, 512);
	IS(u->udata.maxlen, MAX);
	IS(u->udata.len, 0);
	memset(u->udata.buf, 1, MAX);
	IS(c->addr.maxlen, 16);
	IS(c->opt.maxlen, 512);
	IS(c->udata.maxlen, 0);
	TRUE(!c->udata.buf);
	IS(b->addr.maxlen, 16);
	IS(o->opt.maxlen, 512);
	IS(e->addr.maxlen, 16);
	IS(e->opt.maxlen, 512);
	IS(d->udata.maxlen, 0);
	TRUE(!none->addr.buf && !none->opt.buf && !none->udata.buf);
	/* The field exists, and this provider does not have it. */
	t_errno = 0;
	TRUE(!t_alloc(fd, T_CALL, T_UDATA) && t_errno == TSYSERR && errno == EINVAL);
	TRUE(!t_alloc(fd, T_DIS, T_UDATA | T_ADDR) && t_errno == TSYSERR);
	TRUE(!t_alloc(fd, 0, T_ALL) && t_errno == TNOSTRUCTYPE);
	TRUE(!t_alloc(fd, 8, T_ALL) && t_errno == TNOSTRUCTYPE);
	TRUE(!t_alloc(-1, T_BIND, T_ALL) && t_errno == TBADF);
	TIS(t_free(u, T_UNITDATA), 0);
	TIS(t_free(c, T_CALL), 0);
	TIS(t_free(b, T_BIND), 0);
	TIS(t_free(o, T_OPTMGMT), 0);
	TIS(t_free(e, T_UDERROR), 0);
	TIS(t_free(d, T_DIS), 0);
	TIS(t_free(i, T_INFO), 0);
	TFAILS(t_free(none, 9), TNOSTRUCTYPE);
	TIS(t_free(none, T_UNITDATA), 0);
	TIS(t_free(NULL, T_BIND), 0);
	TIS(t_close(fd), 0);
}

static void run_many(void)
{
	struct rlimit limit;
	struct sockaddr_in sin;
	unsigned int len;
	int n = test_scaled(1000), i, flags;
	int *fds = calloc(n, sizeof(*fds));

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (i = 0; i < n; i++)
		fds[i] = endpoint();
	for (i = 0; i < n; i += 7)
		TIS(t_getstate(fds[i]), T_UNBND);
	/* The last endpoint works like the first. */
	TIS(t_close(fds[n - 1]), 0);
	fds[n - 1] = bound(&sin);
	TIS(send_to(fds[n - 1], &sin, "far", 3), 0);
	TIS(receive_from(fds[n - 1], NULL, got, 10, &len, &flags), 0);
	for (i = 0; i < n; i++)
		TIS(t_close(fds[i]), 0);
	free(fds);
}

/* Returns the output of t_error(). */
static const char *says(const char *errmsg)
{
	static char text[256];
	int fds[2], saved = dup(2), e = errno, t = t_errno;
	ssize_t n;

	IS(pipe(fds), 0);
	dup2(fds[1], 2);
	errno = e;
	TIS((t_errno = t, t_error(errmsg)), 0);
	IS(t_errno, t);
	dup2(saved, 2);
	close(saved);
	close(fds[1]);
	n = read(fds[0], text, sizeof(text) - 1);
	close(fds[0]);
	text[n < 0 ? 0 : n] = 0;
	return text;
}

static bool same(const char *a, const char *b)
{
	if (strcmp(a, b))
		printf("\"%s\", not \"%s\"\n", a, b);
	return !strcmp(a, b);
}

static void run_texts(void)
{
	char want[256];
	int i, j;

	for (i = 0; i <= TPROTO; i++) {
		TRUE(*t_strerror(i));
		for (j = 0; j < i; j++)
			TRUE(strcmp(t_strerror(i), t_strerror(j)));
	}
	TRUE(same(t_strerror(30), "30: error unknown"));
	TRUE(same(t_strerror(-1), "-1: error unknown"));
	t_errno = TLOOK;
	snprintf(want, sizeof(want), "%s\n", t_strerror(TLOOK));
	TRUE(same(says(NULL), want));
	TRUE(same(says(""), want));
	snprintf(want, sizeof(want), "t_rcv: %s\n", t_strerror(TLOOK));
	TRUE(same(says("t_rcv"), want));
	snprintf(want, sizeof(want), "t_rcv: %s: %s\n", t_strerror(TSYSERR), strerror(ENOSR));
	t_errno = TSYSERR;
	errno = ENOSR;
	TRUE(same(says("t_rcv"), want));
}

static const struct test_case cases[] = {
	{ "open", run_open }, { "states", run_states }, { "badf", run_badf },
	{ "bind", run_bind }, { "alloc", run_alloc }, { "many", run_many },
	{ "texts", run_texts }, { "stranger", run_stranger },
	{ "provider", run_provider },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
