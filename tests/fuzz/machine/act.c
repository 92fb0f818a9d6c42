// SPDX-License-Identifier: GPL-2.0-only
/* Calls on descriptors, with any arguments */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/bufmod.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mux.h>
#include <sys/pfmod.h>
#include <sys/sad.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <sys/timod.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "calls.h"
#include "oracle.h"

static const char *const modules[] = {
	"nullmod", "pipemod", "bufmod", "pfmod", "timod", "tirdwr", "connld", "sockmod",
	"count", "ratelimit", "delay", "tee", "match", "tlidlpi", "ptem", "ldterm",
	"no-such-module",
};

static size_t length(struct draw *d)
{
	static const size_t sizes[] = { 0, 1, 2, 8, 64, 512, 4096, 5000, 16384 };

	return sizes[draw_below(d, 9)];
}

static void act_read(struct draw *d, struct player *p, int fd)
{
	size_t n = length(d);
	struct iovec v[2];

	if (draw_below(d, 4)) {
		oracle_read("read()", read(fd, memory_arg(d, n), n));
		return;
	}
	v[0] = (struct iovec){ memory_arg(d, n), n };
	v[1] = (struct iovec){ memory_arg(d, 64), 64 };
	oracle_read("readv()", readv(fd, v, 2));
}

static void act_write(struct draw *d, struct player *p, int fd)
{
	size_t n = length(d);
	struct iovec v[2];

	if (draw_below(d, 4)) {
		oracle_wrote("write()", write(fd, memory_arg(d, n), n));
		return;
	}
	v[0] = (struct iovec){ memory_arg(d, n), n };
	v[1] = (struct iovec){ memory_arg(d, 64), 64 };
	oracle_wrote("writev()", writev(fd, v, 2));
}

static void act_getmsg(struct draw *d, struct player *p, int fd)
{
	static const unsigned int flags[] = { MSG_ANY, MSG_HIPRI, MSG_BAND, STRIO_PEEKED };
	struct strio_msg *m = memory_good(d, sizeof(*m));
	size_t ctl = length(d), data = length(d);

	m->ctl.maxlen = draw_below(d, 8) ? (int)ctl : (int)odd_number(d);
	m->ctl.buf = (uintptr_t)memory_arg(d, ctl);
	m->data.maxlen = draw_below(d, 8) ? (int)data : (int)odd_number(d);
	m->data.buf = (uintptr_t)memory_arg(d, data);
	m->flags = draw_below(d, 8) ? flags[draw_below(d, 4)] : odd_number(d);
	m->band = draw_below(d, 3) ? 0 : odd_number(d);
	oracle_read("getmsg()", ioctl(fd, STRIO_GETMSG, draw_below(d, 32) ? m :
				      memory_arg(d, sizeof(*m))));
}

static void act_putmsg(struct draw *d, struct player *p, int fd)
{
	struct strio_msg *m = memory_good(d, sizeof(*m));
	char *ctl = memory_good(d, 1024);
	size_t data = length(d);

	m->ctl.len = prim_fill(d, ctl);
	m->ctl.buf = (uintptr_t)ctl;
	m->data.len = -1;
	if (draw_below(d, 3)) {
		m->data.len = data;
		m->data.buf = (uintptr_t)memory_arg(d, data);
	}
	if (!draw_below(d, 8))
		m->ctl.len = draw_below(d, 2) ? -1 : (int)odd_number(d);
	switch (draw_below(d, 8)) {
	case 0:
		m->flags = MSG_HIPRI;
		break;
	case 1:
		m->flags = MSG_BAND;
		m->band = draw_below(d, 4);
		break;
	case 2:
		m->flags = odd_number(d);
		m->band = odd_number(d);
		break;
	}
	if (!draw_below(d, 8))
		m->flags |= STRIO_NOWAIT << draw_below(d, 2);
	oracle_wrote("putmsg()", ioctl(fd, STRIO_PUTMSG, draw_below(d, 32) ? m :
				       memory_arg(d, sizeof(*m))));
}

static void act_push(struct draw *d, struct player *p, int fd)
{
	const char *name = modules[draw_below(d, sizeof(modules) / sizeof(*modules))];

	switch (draw_below(d, 6)) {
	case 0:
	case 1:
		ioctl(fd, I_POP, 0);
		break;
	case 2:
		ioctl(fd, I_FIND, name);
		break;
	case 3:
		ioctl(fd, I_LOOK, memory_arg(d, 32));
		break;
	default:
		ioctl(fd, I_PUSH, draw_below(d, 16) ? name : memory_arg(d, 32));
	}
}

/* Writes settings of a module, or text that is nearly such. Returns its length. */
static int settings_fill(struct draw *d, char *text)
{
	static const char *const settings[] = {
		"ratelimit:rate=1M:burst=1k:dir=both", "ratelimit:rate=0",
		"ratelimit:rate=1:dir=in",
		"delay:latency=1:jitter=3:loss=20.5:reorder=yes", "delay:latency=0:dir=out",
		"tee:dir=out", "tee:dir=both", "match:pattern=%00:action=count:dir=both",
		"match:pattern=a%61ab:action=log", "match:pattern=b%Ff:action=hangup:dir=in",
	};
	static const char special[] = ":=%,.0k";
	int n = sprintf(text, "%s", settings[draw_below(d, 10)]);

	if (!draw_below(d, 3))
		text[draw_below(d, n)] =
			draw_below(d, 2) ? special[draw_below(d, 7)] : (char)draw(d);
	return n;
}

static void act_str(struct draw *d, struct player *p, int fd)
{
	static const int cmds[] = {
		TI_GETINFO, TI_BIND, TI_UNBIND, TI_OPTMGMT, TI_SYNC, TI_GETADDRS,
		TI_CAPABILITY, SBIOCSTIME, SBIOCSCHUNK, SBIOCSSNAP, SBIOCSFLAGS,
		SBIOCGFLAGS, PFIOCSETF, I_LIST, STRIO_PARAM, 1, 2,
	};
	struct strioctl *s = memory_good(d, sizeof(*s));
	char *data = memory_good(d, 2048);

	s->ic_cmd = draw_below(d, 8) ? cmds[draw_below(d, 17)] : (int)odd_number(d);
	s->ic_timout = draw_below(d, 4) ? 1 : (int)odd_number(d);
	s->ic_len = prim_fill(d, data);
	if (draw_below(d, 3))
		memory_fill(d, data, 256);
	if (s->ic_cmd == STRIO_PARAM)
		s->ic_len = settings_fill(d, data);
	s->ic_dp = draw_below(d, 8) ? data : memory_arg(d, 256);
	if (!draw_below(d, 4))
		s->ic_len = odd_number(d);
	ioctl(fd, I_STR, s);
}

/* Makes a terminal of a stream, and calls what terminals have, from either side. */
static void act_terminal(struct draw *d, struct player *p, int fd)
{
	static const unsigned int sets[] = {
		TCSETS, TCSETSW, TCSETSF, TCSETA, TCSETAW, TCSETAF, TIOCSWINSZ,
	};
	static const unsigned int others[] = {
		TCGETS, TCGETA, TIOCGWINSZ, TCXONC, TCFLSH, TCSBRK, TIOCSTI, TIOCOUTQ,
	};
	struct termios *t = memory_good(d, 64);

	if (!draw_below(d, 4)) {
		ioctl(fd, I_PUSH, "pipemod");
		ioctl(fd, I_PUSH, "ptem");
		ioctl(fd, I_PUSH, "ldterm");
	} else if (draw_below(d, 2)) {
		memory_fill(d, (char *)t, 64);
		if (draw_below(d, 2))
			t->c_lflag |= ICANON | ISIG | ECHO;
		if (draw_below(d, 2))
			t->c_lflag &= ~ICANON;
		/* No read() waits for long. */
		t->c_cc[VMIN] &= 3;
		t->c_cc[VTIME] &= 1;
		ioctl(fd, sets[draw_below(d, 7)], draw_below(d, 8) ? t : memory_arg(d, 64));
	} else {
		ioctl(fd, others[draw_below(d, 8)],
		      draw_below(d, 2) ? memory_arg(d, 64) : (void *)(long)draw_below(d, 5));
	}
}

static void act_link(struct draw *d, struct player *p, int fd)
{
	static const int cmds[] = { I_LINK, I_LINK, I_PLINK, I_UNLINK, I_PUNLINK, I_UNLINK };
	int which = draw_below(d, 6);

	ioctl(fd, cmds[which], which < 3 ? any_fd(d, p) :
			       draw_below(d, 2) ? MUXID_ALL : (int)draw_below(d, 8));
}

/* Every ioctl of the stream head, and of others, with anything */
static void act_ioctl(struct draw *d, struct player *p, int fd)
{
	static const unsigned int cmds[] = {
		I_NREAD, I_FLUSH, I_SRDOPT, I_GRDOPT, I_SETSIG, I_GETSIG, I_PEEK,
		I_FDINSERT, I_SWROPT, I_GWROPT, I_LIST, I_ANCHOR, I_FLUSHBAND,
		I_CKBAND, I_GETBAND, I_ATMARK, I_SETCLTIME, I_GETCLTIME, I_CANPUT,
		I_SERROPT, I_GERROPT, I_ESETSIG, I_EGETSIG, SAD_SAP, SAD_GAP, SAD_VML,
		STRIO_ISASTREAM, STRIO_PIPE, STRIO_NAMED, STRIO_BARE,
		STRIO_GETPIPE_SZ, STRIO_SETPIPE_SZ, FIONREAD, FIONBIO, FIOASYNC,
		TI_GETMYNAME, TI_GETPEERNAME, I_LOOK, I_FIND,
	};
	unsigned int cmd = cmds[draw_below(d, sizeof(cmds) / sizeof(*cmds))];

	long arg = draw_below(d, 3) ? (long)memory_arg(d, 512) : (long)(int)odd_number(d);
	long ret;

	if (!draw_below(d, 32))
		cmd = 'S' << 8 | draw_below(d, 256);
	ret = ioctl(fd, cmd, arg);
	switch (cmd) {
	case I_FLUSH:
		if (arg != FLUSHW)
			oracle_read("I_FLUSH of what is to be read", ret);
		break;
	case I_PEEK:
		oracle_read("I_PEEK", ret);
		break;
	case I_SRDOPT:
		oracle_read("I_SRDOPT", ret);
		break;
	case I_SWROPT:
		oracle_wrote("I_SWROPT", ret);
		break;
	}
}

/* Calls I_PEEK with valid buffers, which random memory seldom describes. */
static void act_peek(struct draw *d, struct player *p, int fd)
{
	struct strpeek *peek = memory_good(d, sizeof(*peek));

	peek->ctlbuf = (struct strbuf){ .maxlen = 64, .buf = memory_good(d, 64) };
	peek->databuf = (struct strbuf){ .maxlen = 512, .buf = memory_good(d, 512) };
	oracle_read("I_PEEK", ioctl(fd, I_PEEK, peek));
}

static void act_fdinsert(struct draw *d, struct player *p, int fd)
{
	struct strfdinsert *f = memory_good(d, sizeof(*f));
	char *ctl = memory_good(d, 1024);

	f->ctlbuf.len = prim_fill(d, ctl);
	f->ctlbuf.buf = ctl;
	f->databuf.len = -1;
	f->fildes = any_fd(d, p);
	f->offset = draw_below(d, 4) ? 4 : (int)odd_number(d);
	oracle_wrote("I_FDINSERT", ioctl(fd, I_FDINSERT, f));
}

/* Descriptors in flight: over a stream, and over a Unix socket */
static void act_sendfd(struct draw *d, struct player *p, int fd)
{
	struct strrecvfd *r = memory_good(d, sizeof(*r));

	if (draw_below(d, 2)) {
		oracle_wrote("I_SENDFD", ioctl(fd, I_SENDFD, any_fd(d, p)));
		return;
	}
	r->fd = -1;
	if (!ioctl(fd, I_RECVFD, r)) {
		oracle_read("I_RECVFD", 0);
		keep_fd(d, p, r->fd);
	}
}

static void act_unix(struct draw *d, struct player *p, int fd)
{
	union {
		struct cmsghdr c;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} u = { };
	char byte = 0;
	struct iovec v = { &byte, 1 };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1,
		.msg_control = &u, .msg_controllen = sizeof(u),
	};
	int fds[2] = { fd, any_fd(d, p) }, n;

	if (draw_below(d, 2)) {
		u.c.cmsg_level = SOL_SOCKET;
		u.c.cmsg_type = SCM_RIGHTS;
		u.c.cmsg_len = CMSG_LEN(sizeof(fds));
		memcpy(CMSG_DATA(&u.c), fds, sizeof(fds));
		sendmsg(p->mesh[0], &m, MSG_DONTWAIT);
		return;
	}
	if (recvmsg(p->mesh[1], &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0 ||
	    !CMSG_FIRSTHDR(&m) || u.c.cmsg_type != SCM_RIGHTS)
		return;
	n = (u.c.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(&u.c), n * sizeof(int));
	while (n--)
		keep_fd(d, p, fds[n]);
}

static void act_close(struct draw *d, struct player *p, int fd)
{
	int at = place_of(d, p);
	int old = __atomic_exchange_n(&p->fd[at], -1, __ATOMIC_SEQ_CST);

	if (old >= 0)
		close(old);
}

static void act_dup(struct draw *d, struct player *p, int fd)
{
	keep_fd(d, p, fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

static void act_fcntl(struct draw *d, struct player *p, int fd)
{
	switch (draw_below(d, 6)) {
	case 0:
		fcntl(fd, F_SETFL, (draw_below(d, 2) ? O_NONBLOCK : 0) |
				   (draw_below(d, 4) ? 0 : O_ASYNC) |
				   (draw_below(d, 8) ? 0 : O_DIRECT));
		break;
	case 1:
		fcntl(fd, F_SETOWN, getpid());
		break;
	case 2:
		fcntl(fd, F_SETPIPE_SZ, odd_number(d));
		break;
	case 3:
		fcntl(fd, F_GETPIPE_SZ);
		break;
	case 4:
		lseek(fd, 0, SEEK_SET);
		break;
	default:
		fsync(fd);
	}
}

static void act_poll(struct draw *d, struct player *p, int fd)
{
	struct pollfd pf[3];
	int i;

	for (i = 0; i < 3; i++)
		pf[i] = (struct pollfd){ i ? any_fd(d, p) : fd, draw(d), 0 };
	poll(pf, 3, draw_below(d, 3));
}

static void act_epoll(struct draw *d, struct player *p, int fd)
{
	int e = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event ev = { .events = draw(d) };

	if (e < 0)
		return;
	epoll_ctl(e, EPOLL_CTL_ADD, fd, &ev);
	epoll_wait(e, &ev, 1, 0);
	/* It watches on. */
	keep_fd(d, p, e);
}

static void act_splice(struct draw *d, struct player *p, int fd)
{
	int other = any_fd(d, p);

	switch (draw_below(d, 4)) {
	case 0:
		/* A splice of 0 bytes does not check the mode. */
		oracle_read("splice()", splice(fd, NULL, other, NULL, length(d),
					       SPLICE_F_NONBLOCK) ?: -1);
		break;
	case 1:
		tee(fd, other, length(d), SPLICE_F_NONBLOCK);
		break;
	case 2:
		sendfile(fd, other, NULL, length(d));
		break;
	default: {
		size_t n = length(d);
		struct iovec v = { memory_arg(d, n), n };

		vmsplice(fd, &v, 1, SPLICE_F_NONBLOCK);
	}
	}
}

static void act_socket(struct draw *d, struct player *p, int fd)
{
	struct sockaddr_storage ss;
	socklen_t n = address_draw(d, &ss);

	switch (draw_below(d, 6)) {
	case 0:
		bind(fd, (struct sockaddr *)&ss, n);
		break;
	case 1:
		connect(fd, (struct sockaddr *)&ss, n);
		break;
	case 2:
		listen(fd, draw_below(d, 4));
		break;
	case 3:
		keep_fd(d, p, accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
		break;
	case 4:
		shutdown(fd, draw_below(d, 4));
		break;
	default:
		getsockname(fd, memory_arg(d, 128), memory_arg(d, 4));
	}
}

static void act_sockopt(struct draw *d, struct player *p, int fd)
{
	static const int levels[] = {
		SOL_SOCKET, IPPROTO_IP, IPPROTO_UDP, IPPROTO_TCP, IPPROTO_IPV6,
	};
	int level = levels[draw_below(d, 5)], name = draw_below(d, 80);

	if (draw_below(d, 2))
		setsockopt(fd, level, name, memory_arg(d, 64), draw_below(d, 65));
	else
		getsockopt(fd, level, name, memory_arg(d, 64), memory_arg(d, 4));
}

static void act_send(struct draw *d, struct player *p, int fd)
{
	struct labelled *to = memory_good(d, sizeof(*to));
	struct sockaddr_storage ss;
	socklen_t n = address_draw(d, &ss);
	size_t len = length(d);
	struct iovec v[2] = {
		{ to, sizeof(*to) },
		{ draw_below(d, 8) ? memory_arg(d, len) : late_page(d), len % 4097 },
	};
	struct msghdr m = {
		.msg_name = draw_below(d, 3) ? &ss : NULL,
		.msg_namelen = n,
		.msg_iov = v, .msg_iovlen = 2,
	};

	if (m.msg_name)
		label(to, &ss);
	if (!draw_below(d, 4)) {
		m.msg_control = memory_arg(d, 64);
		m.msg_controllen = draw_below(d, 65);
	}
	sendmsg(fd, &m, MSG_NOSIGNAL | (draw_below(d, 2) ? MSG_DONTWAIT : 0) |
			(draw_below(d, 8) ? 0 : (int)odd_number(d)));
}

static void act_recv(struct draw *d, struct player *p, int fd)
{
	struct labelled *to = memory_good(d, sizeof(*to));
	size_t len = length(d);
	struct iovec v[2] = { { to, sizeof(*to) }, { memory_arg(d, len), len } };
	struct msghdr m = {
		.msg_name = draw_below(d, 2) ? memory_arg(d, 128) : NULL,
		.msg_namelen = 128,
		.msg_iov = v, .msg_iovlen = 2,
		.msg_control = draw_below(d, 2) ? memory_arg(d, 256) : NULL,
		.msg_controllen = draw_below(d, 257),
	};
	int flags = (draw_below(d, 2) ? MSG_DONTWAIT : 0) |
		    (draw_below(d, 4) ? 0 : MSG_PEEK) |
		    (draw_below(d, 8) ? 0 : MSG_ERRQUEUE);
	ssize_t n = recvmsg(fd, &m, flags);

	/* The number may be another socket's by now, unless the descriptor is held. */
	if (n > 0 && !(flags & MSG_ERRQUEUE) && oracle_holds())
		label_check(fd, to, n);
}

/* Changes the route of a socket, by which another thread may be sending. */
static void act_reconnect(struct draw *d, struct player *p, int fd)
{
	struct sockaddr_storage ss;
	int type, times = 8;
	socklen_t len = sizeof(type);

	/* Sockets of other types would wait for a connection each time. */
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) || type != SOCK_DGRAM)
		return;
	while (times--) {
		socklen_t n = address_draw(d, &ss);

		connect(fd, (struct sockaddr *)&ss, n);
	}
}

static void act_signal(struct draw *d, struct player *p, int fd)
{
	static const int signals[] = { SIGUSR1, SIGURG, SIGPOLL, SIGWINCH };

	pid_t pid = shared->pid[draw_below(d, PROCESSES)];

	/* -1 would be all processes that there are. */
	if (pid > 0)
		kill(pid, signals[draw_below(d, 4)]);
}

static void act_proc(struct draw *d, struct player *p, int fd)
{
	static const char *const files[] = {
		"/proc/streams/open", "/proc/streams/modules", "/proc/streams/counters",
		"/proc/streams/drivers", "/proc/self/fdinfo/5",
	};
	char text[2048];
	int f = open(files[draw_below(d, 5)], O_RDONLY | O_CLOEXEC);

	if (f < 0)
		return;
	(void)!read(f, text, sizeof(text));
	close(f);
}

void act_one(struct draw *d, struct player *p)
{
	static void (*const acts[])(struct draw *d, struct player *p, int fd) = {
		act_read, act_read, act_write, act_write, act_write, act_getmsg,
		act_getmsg, act_getmsg, act_putmsg, act_putmsg, act_putmsg, act_putmsg,
		act_push, act_push, act_str, act_terminal, act_link, act_ioctl, act_ioctl,
		act_ioctl, act_peek,
		act_fdinsert, act_sendfd, act_sendfd, act_unix, act_unix, act_close,
		act_dup, act_fcntl, act_poll, act_epoll, act_splice, act_socket,
		act_sockopt, act_send, act_send, act_recv, act_recv, act_reconnect,
		act_signal, act_proc, act_uring, act_uring,
	};

	static void (*const crowds[])(struct draw *d, struct player *p) = {
		crowd_streams, crowd_modules, crowd_names, crowd_sends, crowd_bytes,
		crowd_bytes, crowd_bytes,
	};
	bool held = !draw_below(d, 4);
	int fd = any_fd(d, p);

	if (!draw_below(d, 128)) {
		crowds[draw_below(d, sizeof(crowds) / sizeof(*crowds))](d, p);
		return;
	}
	if (held)
		fd = oracle_hold(fd);
	acts[draw_below(d, sizeof(acts) / sizeof(*acts))](d, p, fd);
	if (held)
		oracle_release(fd);
}
