// SPDX-License-Identifier: GPL-2.0-only
/* xti.c - XTI on /dev/streams/udp */
#include "xti-test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

#define DEVICE	"/dev/streams/udp"
#define MAX	65507

static char big[MAX + 1], got[MAX + 1];

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static struct netbuf netbuf(void *buf, unsigned int maxlen, unsigned int len)
{
	return (struct netbuf){ .maxlen = maxlen, .len = len, .buf = buf };
}

static int endpoint(void)
{
	int fd = t_open(DEVICE, O_RDWR | O_CLOEXEC, NULL);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

/* Bound to a free port of 127.0.0.1 */
static int bound(struct sockaddr_in *sin)
{
	struct t_bind bind = { .addr = netbuf(sin, sizeof(*sin), sizeof(*sin)) };
	int fd = endpoint();

	*sin = loopback(0);
	TIS(t_bind(fd, &bind, &bind), 0);
	TRUE(sin->sin_port);
	return fd;
}

static int native(struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	*sin = loopback(0);
	IS(bind(fd, (struct sockaddr *)sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)sin, &len), 0);
	return fd;
}

static int send_to(int fd, struct sockaddr_in *to, const void *data, unsigned int len)
{
	struct t_unitdata u = {
		.addr = netbuf(to, sizeof(*to), sizeof(*to)),
		.udata = netbuf((void *)data, len, len),
	};

	return t_sndudata(fd, &u);
}

static int receive_from(int fd, struct sockaddr_in *from, void *data, unsigned int room,
			unsigned int *len, int *flags)
{
	struct t_unitdata u = {
		.addr = netbuf(from, from ? sizeof(*from) : 0, 0),
		.udata = netbuf(data, room, 0),
	};
	int ret = t_rcvudata(fd, &u, flags);

	*len = u.udata.len;
	return ret;
}

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
	/* As System V has it */
	fd = t_open("/dev/udp", O_RDWR | O_CLOEXEC, NULL);
	TRUE(fd >= 0);
	TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	TIS(t_close(fd), 0);
	TFAILS(t_open("/root/nosuch/x", O_RDWR, NULL), TBADNAME);
	TIS(t_sysconf(_SC_T_IOV_MAX), T_IOV_MAX);
	TFAILS(t_sysconf(_SC_PAGESIZE), TBADFLAG);
}

/* Every function but t_open() and those without an endpoint, as an index */
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
	case 27: return t_alloc(fd, T_BIND, T_ALL) ? 0 : -1;
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

	/* A socket, and an endpoint that close() has closed. */
	fds[3] = socket(AF_INET, SOCK_DGRAM, 0);
	fds[4] = endpoint();
	IS(close(fds[4]), 0);
	for (i = 0; i < (int)COUNT(fds); i++) {
		fd_of_call = fds[i];
		/* Nothing of these asks the stream. */
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

static void run_bind(void)
{
	struct sockaddr_in sin, other, peer;
	struct t_bind b = { .addr = netbuf(&sin, sizeof(sin), sizeof(sin)), .qlen = 7 };
	struct t_bind c = { .addr = netbuf(&other, sizeof(other), sizeof(other)) };
	struct t_bind p = { .addr = netbuf(&peer, sizeof(peer), 1) };
	unsigned int len;
	int fd = endpoint(), fd2 = endpoint(), flags;
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
	/* Bound, but there is no room to say where */
	c.addr.maxlen = 15;
	TFAILS(t_bind(fd2, NULL, &c), TBUFOVFLW);
	TIS(t_getstate(fd2), T_IDLE);
	TFAILS(t_getprotaddr(fd2, &c, NULL), TBUFOVFLW);
	/* Who has none at all does not ask. */
	c.addr.maxlen = 0;
	TIS(t_getprotaddr(fd2, &c, NULL), 0);
	TIS(t_close(fd2), 0);
	/* A datagram that waits is not thrown away unread. */
	fd2 = bound(&other);
	TIS(send_to(fd2, &other, "x", 1), 0);
	while (!t_look(fd2))
		usleep(1000);
	TFAILS(t_unbind(fd2), TLOOK);
	TIS(receive_from(fd2, NULL, got, 10, &len, &flags), 0);
	TIS(t_unbind(fd2), 0);
	TIS(t_close(fd2), 0);
	TIS(t_close(fd), 0);
	/* Only who may */
	IS(seteuid(65534), 0);
	fd = endpoint();
	other = loopback(17);
	c.addr = netbuf(&other, sizeof(other), sizeof(other));
	TFAILS(t_bind(fd, &c, NULL), TACCES);
	TIS(t_close(fd), 0);
	IS(seteuid(0), 0);
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
	/* Named, but not of this provider */
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

static struct {
	struct t_opthdr hdr;
	union {
		t_uscalar_t word;
		uint64_t wide;
	};
} option;

static int manage(int fd, t_scalar_t action, t_uscalar_t level, t_uscalar_t name, int size,
		  struct t_optmgmt *ret)
{
	struct t_optmgmt req = { .opt = netbuf(&option, 0, sizeof(option.hdr) + size),
				 .flags = action };

	option.hdr = (struct t_opthdr){ .len = sizeof(option.hdr) + size, .level = level,
					.name = name };
	ret->opt = netbuf(got, 4096, 0);
	return t_optmgmt(fd, &req, ret);
}

static t_uscalar_t value(const struct t_optmgmt *ret)
{
	struct t_opthdr *h = T_OPT_FIRSTHDR(&ret->opt);
	t_uscalar_t v;

	TRUE(h && h->len >= sizeof(*h) + sizeof(v));
	memcpy(&v, T_OPT_DATA(h), sizeof(v));
	return v;
}

static void options_of(int fd)
{
	struct t_optmgmt ret, bad = { .opt = netbuf(got, 0, 0) };
	struct t_opthdr *h;
	int n = 0;

	TIS(manage(fd, T_CURRENT, T_INET_UDP, T_UDP_CHECKSUM, 0, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	IS(value(&ret), T_YES);
	/* As programs have it that take a long for an integer */
	option.wide = T_NO;
	TIS(manage(fd, T_NEGOTIATE, T_INET_UDP, T_UDP_CHECKSUM, 8, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	IS(value(&ret), T_NO);
	option.word = T_YES;
	TIS(manage(fd, T_NEGOTIATE, T_INET_UDP, T_UDP_CHECKSUM, 4, &ret), 0);
	IS(value(&ret), T_YES);
	TIS(manage(fd, T_DEFAULT, T_INET_IP, T_IP_TOS, 0, &ret), 0);
	IS(value(&ret), 0);
	option.word = 300;
	TIS(manage(fd, T_CHECK, T_INET_IP, T_IP_TOS, 4, &ret), 0);
	IS(ret.flags, T_FAILURE);
	TIS(manage(fd, T_CURRENT, XTI_GENERIC, 0x7777, 0, &ret), 0);
	IS(ret.flags, T_NOTSUPPORT);
	option.word = 5;
	TIS(manage(fd, T_NEGOTIATE, XTI_GENERIC, XTI_SNDLOWAT, 4, &ret), 0);
	IS(ret.flags, T_READONLY);
	TIS(manage(fd, T_CURRENT, XTI_GENERIC, T_ALLOPT, 0, &ret), 0);
	for (h = T_OPT_FIRSTHDR(&ret.opt); h; h = T_OPT_NEXTHDR(ret.opt.buf, ret.opt.len, h), n++)
		IS(h->level, XTI_GENERIC);
	IS(n, 6);
	TFAILS(manage(fd, T_CURRENT, 99, 1, 0, &ret), TBADOPT);
	bad.flags = 0;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADFLAG);
	bad.flags = T_CURRENT | T_CHECK;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADFLAG);
	bad.flags = T_CURRENT;
	memset(&option, 0, sizeof(option));
	option.hdr.len = 3;
	bad.opt = netbuf(&option, 0, sizeof(option.hdr));
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADOPT);
	bad.opt.len = 70000;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADOPT);
	option.hdr.len = sizeof(option.hdr);
	option.hdr.level = XTI_GENERIC;
	bad.opt.len = sizeof(option.hdr);
	ret.opt.maxlen = 20;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBUFOVFLW);
	ret.opt.maxlen = 0;
	TIS(t_optmgmt(fd, &bad, &ret), 0);
	TIS(t_optmgmt(fd, &bad, NULL), 0);
	TERRNO(t_optmgmt(fd, NULL, NULL), EINVAL);
}

/* With a datagram */
static void run_options(void)
{
	struct sockaddr_in sin, from;
	struct t_unitdata u = { .addr = netbuf(&sin, 16, 16), .opt = netbuf(&option, 0, 20),
				.udata = netbuf("ttl", 3, 3) };
	struct t_unitdata r = { .addr = netbuf(&from, 16, 0), .opt = netbuf(got, 512, 0),
				.udata = netbuf(got + 512, 16, 0) };
	struct t_optmgmt ret;
	struct t_opthdr *h;
	int fd = endpoint(), flags;

	options_of(fd);
	TIS(t_getstate(fd), T_UNBND);
	TIS(t_close(fd), 0);
	fd = bound(&sin);
	options_of(fd);
	TIS(t_getstate(fd), T_IDLE);
	option.word = T_YES;
	TIS(manage(fd, T_NEGOTIATE, T_INET_IP, T_IP_RECVTTL, 4, &ret), 0);
	option.hdr = (struct t_opthdr){ .len = 20, .level = T_INET_IP, .name = T_IP_TTL };
	option.word = 42;
	TIS(t_sndudata(fd, &u), 0);
	TIS(t_rcvudata(fd, &r, &flags), 0);
	h = T_OPT_FIRSTHDR(&r.opt);
	TRUE(h && h->level == T_INET_IP && h->name == T_IP_TTL);
	IS(*T_OPT_DATA(h), 42);
	IS(r.udata.len, 3);
	/* No room for the option: the datagram is lost. */
	TIS(t_sndudata(fd, &u), 0);
	TIS(send_to(fd, &sin, "next", 4), 0);
	r.opt.maxlen = 5;
	TFAILS(t_rcvudata(fd, &r, &flags), TBUFOVFLW);
	r.opt.maxlen = 0;
	TIS(t_rcvudata(fd, &r, &flags), 0);
	IS(r.udata.len, 4);
	option.hdr.len = 21;
	TFAILS(t_sndudata(fd, &u), TBADOPT);
	TIS(t_close(fd), 0);
}

static void run_transfer(void)
{
	static const unsigned int sizes[] = { 0, 1, 1000, 1473, MAX };
	struct sockaddr_in mine, theirs, from;
	struct t_unitdata u = { .addr = netbuf(&theirs, 16, 0) };
	socklen_t slen = sizeof(from);
	int fd = bound(&mine), sock = native(&theirs), flags;
	unsigned int i, len;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 31 + i / 256;
	for (i = 0; i < COUNT(sizes); i++) {
		TIS(send_to(fd, &theirs, big, sizes[i]), 0);
		IS(recvfrom(sock, got, sizeof(got), 0, (struct sockaddr *)&from, &slen), sizes[i]);
		TRUE(!memcmp(got, big, sizes[i]));
		IS(from.sin_port, mine.sin_port);
		IS(sendto(sock, big, sizes[i], 0, (struct sockaddr *)&mine, sizeof(mine)), sizes[i]);
		memset(got, 0, sizeof(got));
		flags = -1;
		TIS(receive_from(fd, &from, got, sizeof(got), &len, &flags), 0);
		IS(len, sizes[i]);
		IS(flags, 0);
		TRUE(!memcmp(got, big, len));
		IS(from.sin_port, theirs.sin_port);
	}
	/* In parts; only the first says where it comes from. */
	IS(sendto(sock, "0123456789", 10, 0, (struct sockaddr *)&mine, sizeof(mine)), 10);
	IS(sendto(sock, "next", 4, 0, (struct sockaddr *)&mine, sizeof(mine)), 4);
	memset(&from, 0, sizeof(from));
	TIS(receive_from(fd, &from, got, 4, &len, &flags), 0);
	IS(len, 4);
	IS(flags, T_MORE);
	IS(from.sin_port, theirs.sin_port);
	TIS(t_look(fd), T_DATA);
	u.addr = netbuf(&from, 16, 5);
	u.udata = netbuf(got, 0, 9);
	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(u.udata.len, 0);
	IS(u.addr.len, 0);
	IS(flags, T_MORE);
	u.udata.maxlen = 6;
	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(u.udata.len, 6);
	IS(flags, 0);
	TRUE(!memcmp(got, "456789", 6));
	/* No room for the address: it is lost, all of it. */
	u.addr.maxlen = 15;
	u.udata.maxlen = 2;
	TFAILS(t_rcvudata(fd, &u, &flags), TBUFOVFLW);
	TIS(t_look(fd), 0);
	/* What cannot be sent */
	TFAILS(send_to(fd, &theirs, big, MAX + 1), TBADDATA);
	u = (struct t_unitdata){ .addr = netbuf(&theirs, 16, 0), .udata = netbuf(big, 1, 1) };
	TFAILS(t_sndudata(fd, &u), TBADADDR);
	u.addr = netbuf(big, 17, 17);
	TFAILS(t_sndudata(fd, &u), TBADADDR);
	u.addr = netbuf(&theirs, 16, 16);
	u.opt = netbuf(big, 7, 7);
	TFAILS(t_sndudata(fd, &u), TBADOPT);
	u.opt.len = 513;
	TFAILS(t_sndudata(fd, &u), TBADOPT);
	TIS(t_close(fd), 0);
	close(sock);
}

static void run_vectors(void)
{
	struct sockaddr_in mine, theirs, from;
	struct t_unitdata u = { .addr = netbuf(&theirs, 16, 16) };
	struct t_unitdata r = { .addr = netbuf(&from, 16, 0) };
	struct t_iovec v[T_IOV_MAX + 1], in[3] = { { got, 3 }, { got + 100, 0 }, { got + 200, 5 } };
	int fd = bound(&mine), sock = native(&theirs), flags, i;

	for (i = 0; i <= T_IOV_MAX; i++)
		v[i] = (struct t_iovec){ big + i * 20, i % 2 ? 20 : 3 };
	for (i = 0; i < (int)sizeof(big); i++)
		big[i] = 'a' + i % 20;
	TIS(t_sndvudata(fd, &u, v, T_IOV_MAX), 0);
	IS(recv(sock, got, sizeof(got), 0), 8 * 23);
	for (i = 0; i < 8; i++)
		TRUE(!memcmp(got + i * 23, "abcabcdefghijklmnopqrst", 23));
	TFAILS(t_sndvudata(fd, &u, v, 0), TBADDATA);
	TFAILS(t_sndvudata(fd, &u, v, T_IOV_MAX + 1), TBADDATA);
	v[0].iov_len = MAX;
	v[1].iov_len = 1;
	TFAILS(t_sndvudata(fd, &u, v, 2), TBADDATA);
	v[1].iov_len = (size_t)-1;
	TFAILS(t_sndvudata(fd, &u, v, 2), TBADDATA);
	v[0].iov_len = 0;
	TIS(t_sndvudata(fd, &u, v, 1), 0);
	IS(recv(sock, got, sizeof(got), 0), 0);
	IS(sendto(sock, "abcdefghij", 10, 0, (struct sockaddr *)&mine, sizeof(mine)), 10);
	memset(got, 0, 300);
	TIS(t_rcvvudata(fd, &r, in, 3, &flags), 8);
	IS(flags, T_MORE);
	IS(from.sin_port, theirs.sin_port);
	TRUE(!memcmp(got, "abc", 4) && !got[100] && !memcmp(got + 200, "defgh", 6));
	TIS(t_rcvvudata(fd, &r, in, 3, &flags), 2);
	IS(flags, 0);
	IS(r.addr.len, 0);
	TFAILS(t_rcvvudata(fd, &r, in, 0, &flags), TBADDATA);
	TFAILS(t_rcvvudata(fd, &r, v, T_IOV_MAX + 1, &flags), TBADDATA);
	TIS(t_close(fd), 0);
	close(sock);
}

/* To where nobody is: its error comes back, and stands before all else. */
static void refused(int fd, struct sockaddr_in *to)
{
	int i;

	TIS(send_to(fd, to, "anybody?", 8), 0);
	for (i = 0; i < 5000 && t_look(fd) != T_UDERR; i++)
		usleep(1000);
	TIS(t_look(fd), T_UDERR);
}

static void run_uderr(void)
{
	struct sockaddr_in mine, nobody, to;
	struct t_uderr e = { .addr = netbuf(&to, 16, 0), .opt = netbuf(got, 512, 5) };
	struct t_unitdata u = { .addr = netbuf(&nobody, 16, 16), .udata = netbuf(got, 5, 5) };
	struct t_iovec v = { got, 5 };
	int fd = bound(&mine), flags;
	unsigned int len;

	close(native(&nobody));
	TFAILS(t_rcvuderr(fd, &e), TNOUDERR);
	refused(fd, &nobody);
	TFAILS(receive_from(fd, &to, got, 10, &len, &flags), TLOOK);
	TFAILS(t_rcvvudata(fd, &u, &v, 1, &flags), TLOOK);
	TFAILS(send_to(fd, &mine, "x", 1), TLOOK);
	TFAILS(t_sndvudata(fd, &u, &v, 1), TLOOK);
	TIS(t_rcvuderr(fd, &e), 0);
	IS(e.error, ECONNREFUSED);
	IS(e.addr.len, 16);
	IS(to.sin_port, nobody.sin_port);
	IS(e.opt.len, 0);
	TIS(t_look(fd), 0);
	refused(fd, &nobody);
	e.addr.maxlen = 15;
	TFAILS(t_rcvuderr(fd, &e), TBUFOVFLW);
	TIS(t_look(fd), 0);
	refused(fd, &nobody);
	TIS(t_rcvuderr(fd, NULL), 0);
	TFAILS(t_rcvuderr(fd, NULL), TNOUDERR);
	/* What the provider finds wrong with an address comes so too. */
	nobody.sin_family = AF_INET6;
	TIS(t_sndudata(fd, &u), 0);
	e.addr.maxlen = 16;
	TIS(t_rcvuderr(fd, &e), 0);
	IS(e.error, EINVAL);
	TIS(t_close(fd), 0);
}

static void run_waiting(void)
{
	struct sockaddr_in mine;
	int fd = bound(&mine), flags;
	unsigned int len;

	alarm_in(100);
	TERRNO(receive_from(fd, NULL, got, 10, &len, &flags), EINTR);
	test_nonblock(fd, true);
	TFAILS(receive_from(fd, NULL, got, 10, &len, &flags), TNODATA);
	TIS(send_to(fd, &mine, "now", 3), 0);
	while (!t_look(fd))
		usleep(1000);
	TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
	IS(len, 3);
	TFAILS(receive_from(fd, NULL, got, 10, &len, &flags), TNODATA);
	TIS(t_close(fd), 0);
}

#define DATAGRAMS	500

static struct sockaddr_in shared;
static int shared_fd;
static atomic_int received;

static void *sends(void *arg)
{
	int i;

	for (i = 0; i < DATAGRAMS; i++) {
		while (send_to(shared_fd, &shared, &i, sizeof(i)))
			IS(t_errno, TFLOW);
		/* What is lost for want of room is UDP's affair. */
		if (i % 20 == 0)
			usleep(1000);
	}
	return NULL;
}

static void *takes(void *arg)
{
	unsigned int len;
	int flags, n;

	for (;;) {
		TIS(receive_from(shared_fd, NULL, &n, sizeof(n), &len, &flags), 0);
		if (len == 1)
			return NULL;
		IS(len, sizeof(n));
		received++;
	}
}

static void *asks(void *arg)
{
	struct t_bind b = { .addr = netbuf((char[16]){}, 16, 0) };
	int i;

	for (i = 0; i < 200; i++) {
		TIS(t_getprotaddr(shared_fd, &b, NULL), 0);
		IS(b.addr.len, 16);
		TIS(t_getstate(shared_fd), T_IDLE);
		/* Each thread has its own. */
		TFAILS(t_bind(shared_fd, NULL, NULL), TOUTSTATE);
		t_errno = i;
		sched_yield();
		IS(t_errno, i);
	}
	return NULL;
}

static void *opens(void *arg)
{
	struct sockaddr_in sin;
	unsigned int len;
	int i, fd, flags;
	char c;

	for (i = 0; i < 20; i++) {
		fd = bound(&sin);
		TIS(send_to(fd, &sin, "x", 1), 0);
		TIS(receive_from(fd, &sin, &c, 1, &len, &flags), 0);
		TIS(t_close(fd), 0);
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t t[8];
	int i;

	shared_fd = bound(&shared);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, takes, NULL);
	pthread_create(&t[2], NULL, sends, NULL);
	pthread_create(&t[3], NULL, sends, NULL);
	pthread_create(&t[4], NULL, asks, NULL);
	for (i = 5; i < 8; i++)
		pthread_create(&t[i], NULL, opens, NULL);
	for (i = 2; i < 8; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < 2; i++)
		TIS(send_to(shared_fd, &shared, "e", 1), 0);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	IS(received, 2 * DATAGRAMS);
	/* One that is cancelled while it waits leaves the endpoint to others. */
	pthread_create(&t[0], NULL, takes, NULL);
	usleep(100000);
	pthread_cancel(t[0]);
	pthread_join(t[0], NULL);
	TIS(t_look(shared_fd), 0);
	TIS(t_close(shared_fd), 0);
}

static void in_child(void (*run)(int fd), int fd)
{
	int status;
	pid_t pid = fork();

	TRUE(pid >= 0);
	if (!pid) {
		run(fd);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

static void unbinds(int fd)
{
	TIS(t_getstate(fd), T_IDLE);
	TIS(t_unbind(fd), 0);
	TIS(t_getstate(fd), T_UNBND);
	TIS(t_close(fd), 0);
}

static void *waits(void *arg)
{
	unsigned int len;
	int flags;

	TIS(receive_from(shared_fd, NULL, got, 10, &len, &flags), 0);
	return NULL;
}

/* The parent's threads are not in the child. */
static void sends_one(int fd)
{
	TIS(send_to(fd, &shared, "child", 5), 0);
	TIS(t_look(fd) < 0, 0);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
}

static void run_fork(void)
{
	pthread_t t;

	shared_fd = bound(&shared);
	pthread_create(&t, NULL, waits, NULL);
	usleep(50000);
	in_child(sends_one, shared_fd);
	pthread_join(t, NULL);
	in_child(unbinds, shared_fd);
	/* What the child did is known after t_sync(). */
	TIS(t_getstate(shared_fd), T_IDLE);
	TIS(t_sync(shared_fd), T_UNBND);
	TIS(t_bind(shared_fd, NULL, NULL), 0);
	TIS(t_close(shared_fd), 0);
}

static const char *program;

static void executes(int fd)
{
	char number[12];

	snprintf(number, sizeof(number), "%d", fd);
	setenv("XTI_FD", number, 1);
	execl(program, program, "executed", NULL);
	_exit(2);
}

static void run_exec(void)
{
	struct sockaddr_in sin;
	unsigned int len;
	int fd = bound(&sin), flags, copy;

	fcntl(fd, F_SETFD, 0);
	TIS(send_to(fd, &sin, "half of it", 10), 0);
	TIS(receive_from(fd, NULL, got, 4, &len, &flags), 0);
	IS(flags, T_MORE);
	in_child(executes, fd);
	TIS(t_look(fd), 0);
	/* A copy of the descriptor is no endpoint before t_sync(). */
	copy = dup(fd);
	TFAILS(t_getstate(copy), TBADF);
	TIS(t_sync(copy), T_IDLE);
	TIS(t_close(fd), 0);
	TIS(send_to(copy, &sin, "copy", 4), 0);
	TIS(t_close(copy), 0);
}

/* The other program: the rest of the datagram is here. */
static void run_executed(void)
{
	unsigned int len;
	int fd = atoi(getenv("XTI_FD")), flags;

	TFAILS(t_getstate(fd), TBADF);
	TFAILS(receive_from(fd, NULL, got, 10, &len, &flags), TBADF);
	TIS(t_sync(fd), T_IDLE);
	TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
	IS(len, 6);
	TRUE(!memcmp(got, " of it", 6));
	IS(flags, 0);
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
	/* The last one is like the first. */
	TIS(t_close(fds[n - 1]), 0);
	fds[n - 1] = bound(&sin);
	TIS(send_to(fds[n - 1], &sin, "far", 3), 0);
	TIS(receive_from(fds[n - 1], NULL, got, 10, &len, &flags), 0);
	for (i = 0; i < n; i++)
		TIS(t_close(fds[i]), 0);
	free(fds);
}

/* Whether timod is there or not, or was and is taken away. */
static void run_timod(void)
{
	struct sockaddr_in sin;
	int fd = bound(&sin);

	if (ioctl(fd, I_FIND, "timod") == 1)
		IS(ioctl(fd, I_POP, 0), 0);
	IS(ioctl(fd, I_FIND, "timod"), 0);
	options_of(fd);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	TIS(t_unbind(fd), 0);
	TIS(t_bind(fd, NULL, NULL), 0);
	TIS(t_sync(fd), T_IDLE);
	TIS(t_close(fd), 0);
}

static void run_pushed(void)
{
	struct str_mlist names[4];
	struct str_list list = { .sl_nmods = COUNT(names), .sl_modlist = names };
	struct sockaddr_in sin;
	int fd = bound(&sin);

	IS(ioctl(fd, I_LIST, &list), 0);
	IS(list.sl_nmods, 2);
	TRUE(!strcmp(names[0].l_name, "timod"));
	options_of(fd);
	TIS(t_close(fd), 0);
}

/* What t_error() writes. */
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
	{ "bind", run_bind }, { "alloc", run_alloc }, { "options", run_options },
	{ "transfer", run_transfer }, { "vectors", run_vectors }, { "uderr", run_uderr },
	{ "waiting", run_waiting }, { "threads", run_threads }, { "fork", run_fork },
	{ "exec", run_exec }, { "executed", run_executed }, { "many", run_many },
	{ "timod", run_timod }, { "texts", run_texts },
	{ "pushed", run_pushed },
	{}
};

int main(int argc, char **argv)
{
	program = argv[0];
	return test_main(argc, argv, cases);
}
