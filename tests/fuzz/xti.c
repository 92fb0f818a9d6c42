// SPDX-License-Identifier: GPL-2.0-only
/*
 * libxti against a provider that lies: about lengths, offsets, types and the order
 * of its messages
 *
 * The library is whole; the system calls below it are those in xti_stream.c. Each
 * buffer has exactly the size that the call is given.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "xti_stream.h"

#define STEPS	40

static void *bytes(size_t n)
{
	/* Of 0 bytes too there is a place, and nothing may be stored there. */
	return memset(malloc(n), 0x5a, n);
}

/* A buffer to be filled; how large is the input's choice. */
static void room(struct input *in, struct netbuf *b)
{
	static const unsigned short sizes[] = { 0, 1, 4, 16, 64, 128, 1024, 8192 };

	b->maxlen = sizes[input_below(in, 8)];
	b->len = 0;
	b->buf = bytes(b->maxlen);
}

/* One to be sent */
static void sent(struct input *in, struct netbuf *b)
{
	unsigned int how = input_byte(in);

	b->maxlen = 0;
	b->len = how < 0xf0 ? how & 31 : input_short(in);
	b->buf = bytes(b->len);
	if (b->len >= sizeof(struct t_opthdr) && how & 0x40)
		*(struct t_opthdr *)b->buf = (struct t_opthdr){
			.len = input_odd(in), .level = 1, .name = 1,
		};
}

static void filled(struct netbuf *b, int ret)
{
	if (!ret && b->len > b->maxlen)
		fuzz_die("more bytes than there is room for");
	free(b->buf);
}

static void call_room(struct input *in, struct t_call *call)
{
	room(in, &call->addr);
	room(in, &call->opt);
	room(in, &call->udata);
	call->sequence = input_byte(in);
}

static void call_filled(struct t_call *call, int ret)
{
	filled(&call->addr, ret);
	filled(&call->opt, ret);
	filled(&call->udata, ret);
}

static void call_sent(struct input *in, struct t_call *call)
{
	sent(in, &call->addr);
	sent(in, &call->opt);
	sent(in, &call->udata);
	call->sequence = input_byte(in) & 1 ? xti_last_seq : input_byte(in);
}

static void call_free(struct t_call *call)
{
	free(call->addr.buf);
	free(call->opt.buf);
	free(call->udata.buf);
}

/* Several places for data, of some sizes */
static unsigned int vector(struct input *in, struct t_iovec *iov)
{
	unsigned int n = input_below(in, T_IOV_MAX + 2), i;

	for (i = 0; i < n && i < T_IOV_MAX; i++) {
		iov[i].iov_len = input_byte(in) * (i & 1 ? 37 : 1);
		iov[i].iov_base = bytes(iov[i].iov_len);
	}
	return n;
}

static void vector_gone(struct t_iovec *iov, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && i < T_IOV_MAX; i++)
		free(iov[i].iov_base);
}

static int bind(struct input *in, int fd)
{
	struct t_bind req, ret;
	unsigned int how = input_byte(in);
	int err;

	sent(in, &req.addr);
	req.qlen = input_below(in, 4);
	room(in, &ret.addr);
	err = t_bind(fd, how & 1 ? NULL : &req, how & 2 ? NULL : &ret);
	free(req.addr.buf);
	filled(&ret.addr, err);
	return err;
}

static int connect(struct input *in, int fd)
{
	struct t_call to, from;
	int err;

	call_sent(in, &to);
	call_room(in, &from);
	err = t_connect(fd, &to, input_byte(in) & 1 ? NULL : &from);
	call_free(&to);
	call_filled(&from, err);
	return err;
}

static int receive_call(struct input *in, int fd,
			int (*func)(int fd, struct t_call *call))
{
	struct t_call call;
	int err;

	call_room(in, &call);
	err = func(fd, &call);
	call_filled(&call, err);
	return err;
}

static int accept(struct input *in, int fd, int resfd)
{
	struct t_call call;
	int err;

	call_sent(in, &call);
	err = t_accept(fd, resfd, &call);
	call_free(&call);
	return err;
}

static int send_data(struct input *in, int fd)
{
	struct t_iovec iov[T_IOV_MAX];
	unsigned int n = input_short(in);
	int flags = input_byte(in), ret;
	void *data;

	if (flags & 0x40) {
		n = vector(in, iov);
		ret = t_sndv(fd, iov, n, flags & 7);
		vector_gone(iov, n);
		return ret;
	}
	data = bytes(n);
	ret = t_snd(fd, data, n, flags & 7);
	free(data);
	if (ret > (int)n)
		fuzz_die("t_snd() has sent more than there is");
	return ret;
}

static int receive_data(struct input *in, int fd)
{
	struct t_iovec iov[T_IOV_MAX];
	unsigned int n = input_byte(in) & 1 ? input_short(in) : input_byte(in);
	int flags, ret;
	void *data;

	if (input_byte(in) & 1) {
		n = vector(in, iov);
		ret = t_rcvv(fd, iov, n, &flags);
		vector_gone(iov, n);
		return ret;
	}
	data = bytes(n);
	ret = t_rcv(fd, data, n, &flags);
	free(data);
	if (ret > (int)n)
		fuzz_die("t_rcv() has received more than there is room for");
	return ret;
}

static int send_unitdata(struct input *in, int fd)
{
	struct t_iovec iov[T_IOV_MAX];
	struct t_unitdata u;
	unsigned int n;
	int ret;

	sent(in, &u.addr);
	sent(in, &u.opt);
	sent(in, &u.udata);
	if (input_byte(in) & 1) {
		n = vector(in, iov);
		ret = t_sndvudata(fd, &u, iov, n);
		vector_gone(iov, n);
	} else {
		ret = t_sndudata(fd, &u);
	}
	free(u.addr.buf);
	free(u.opt.buf);
	free(u.udata.buf);
	return ret;
}

static int receive_unitdata(struct input *in, int fd)
{
	struct t_iovec iov[T_IOV_MAX];
	struct t_unitdata u;
	unsigned int n;
	int flags, ret;

	room(in, &u.addr);
	room(in, &u.opt);
	room(in, &u.udata);
	if (input_byte(in) & 1) {
		n = vector(in, iov);
		ret = t_rcvvudata(fd, &u, iov, n, &flags);
		vector_gone(iov, n);
		if (ret > 0)
			ret = 0;
	} else {
		ret = t_rcvudata(fd, &u, &flags);
	}
	filled(&u.addr, ret);
	filled(&u.opt, ret);
	filled(&u.udata, ret);
	return ret;
}

static int receive_uderr(struct input *in, int fd)
{
	struct t_uderr u;
	int ret;

	room(in, &u.addr);
	room(in, &u.opt);
	ret = t_rcvuderr(fd, input_byte(in) & 1 ? NULL : &u);
	filled(&u.addr, ret);
	filled(&u.opt, ret);
	return ret;
}

static int receive_end(struct input *in, int fd,
		       int (*func)(int fd, struct t_discon *discon))
{
	struct t_discon d;
	int ret;

	room(in, &d.udata);
	ret = func(fd, input_byte(in) & 1 ? NULL : &d);
	filled(&d.udata, ret);
	return ret;
}

static int send_end(struct input *in, int fd)
{
	struct t_discon d;
	struct t_call call;
	int ret;

	if (input_byte(in) & 1) {
		sent(in, &d.udata);
		ret = t_sndreldata(fd, &d);
		free(d.udata.buf);
		return ret;
	}
	call_sent(in, &call);
	ret = t_snddis(fd, input_byte(in) & 1 ? NULL : &call);
	call_free(&call);
	return ret;
}

static int manage(struct input *in, int fd)
{
	static const t_scalar_t actions[] = { T_NEGOTIATE, T_CHECK, T_DEFAULT, T_CURRENT };
	struct t_optmgmt req, ret;
	int err;

	sent(in, &req.opt);
	req.flags = actions[input_byte(in) & 3];
	room(in, &ret.opt);
	err = t_optmgmt(fd, &req, input_byte(in) & 1 ? NULL : &ret);
	free(req.opt.buf);
	filled(&ret.opt, err);
	return err;
}

static int addresses(struct input *in, int fd)
{
	struct t_bind bound, peer;
	int err;

	room(in, &bound.addr);
	room(in, &peer.addr);
	err = t_getprotaddr(fd, &bound, &peer);
	filled(&bound.addr, err);
	filled(&peer.addr, err);
	return err;
}

/* A lie about sizes may ask for more memory than there is. */
static int allocate(struct input *in, int fd)
{
	int type = input_below(in, 9), fields = input_byte(in) & 7;
	void *ptr = t_alloc(fd, type, fields == 7 ? T_ALL : fields);

	if (!ptr)
		return -1;
	t_free(ptr, type);
	return 0;
}

static int one(struct input *in, int fd, int other)
{
	struct t_info info;

	switch (input_below(in, 24)) {
	case 0:
		return bind(in, fd);
	case 1:
		return t_unbind(fd);
	case 2:
		return connect(in, fd);
	case 3:
		return receive_call(in, fd, t_rcvconnect);
	case 4:
		return receive_call(in, fd, t_listen);
	case 5:
		return accept(in, fd, input_byte(in) & 1 ? fd : other);
	case 6:
		return send_data(in, fd);
	case 7:
	case 8:
		return receive_data(in, fd);
	case 9:
		return send_unitdata(in, fd);
	case 10:
	case 11:
		return receive_unitdata(in, fd);
	case 12:
		return receive_uderr(in, fd);
	case 13:
		return receive_end(in, fd, t_rcvdis);
	case 14:
		return receive_end(in, fd, t_rcvreldata);
	case 15:
		return send_end(in, fd);
	case 16:
		return manage(in, fd);
	case 17:
		return addresses(in, fd);
	case 18:
		return allocate(in, fd);
	case 19:
		return t_getinfo(fd, &info);
	case 20:
		return t_sync(fd);
	case 21:
		return t_look(fd);
	case 22:
		return t_getstate(fd);
	default:
		xti_other_process(fd);
		return 0;
	}
}

/* Errors are those that there are. */
static void check_error(int ret)
{
	if (ret != -1)
		return;
	if (t_errno < TBADADDR || t_errno > TPROTO)
		fuzz_die("t_errno is none of its values");
	if (t_errno == TSYSERR && !errno)
		fuzz_die("TSYSERR without an errno");
}

void fuzz_one(struct input *in)
{
	int fd[2] = { -1, -1 }, which, ret;
	unsigned int n = STEPS;

	xti_stream_begin(in);
	while (in->left && n--) {
		which = input_byte(in) & 1;
		++*fuzz_calls;
		errno = 0;
		if (fd[which] < 0) {
			fd[which] = t_open("/dev/streams/fuzz", O_RDWR |
					   (input_byte(in) & 1 ? O_NONBLOCK : 0),
					   NULL);
			check_error(fd[which]);
			continue;
		}
		ret = one(in, fd[which], fd[!which]);
		check_error(ret);
		if ((input_byte(in) & 31) == 31) {
			check_error(t_close(fd[which]));
			fd[which] = -1;
		}
	}
	for (which = 0; which < 2; which++)
		if (fd[which] >= 0)
			t_close(fd[which]);
	xti_stream_end();
}

int fuzz_start(void)
{
	/* The library's own sockets are another provider. */
	setenv("XTI_PROVIDER", "streams", 1);
	return 0;
}
