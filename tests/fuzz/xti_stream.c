// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of a provider that lies
 *
 * The linker has these functions called in place of open(), ioctl(), syscall() and the
 * like. The kernel's part is kept to: a message comes as it was sent, in the parts that
 * there is room for; all that a provider decides is the input's choice. When the input
 * has ended the streams have failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stropts.h>
#include <sys/stat.h>
#include <sys/strio.h>
#include <sys/syscall.h>
#include <sys/tihdr.h>
#include <sys/timod.h>

#include "xti_stream.h"

#define STREAMS		2
#define CTL_MOST	5000	/* bytes of a control part */
#define DATA_MOST	70000

/* Calls after the end of the input: the library has to give up. */
#define PATIENCE	1000

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
int __real_ioctl(int fd, unsigned long cmd, ...);
long __real_syscall(long number, ...);
int __real_poll(struct pollfd *p, nfds_t n, int timeout);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
int __wrap_ioctl(int fd, unsigned long cmd, ...);
long __wrap_syscall(long number, ...);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout);

struct message {
	bool there;
	bool high;
	int ctl_len, ctl_at;	/* bytes, -1: no such part; bytes read */
	int data_len, data_at;
	char ctl[CTL_MOST];
};

static struct stream {
	int fd;			/* -1: not open */
	struct message first;
	t_scalar_t asked;	/* the last request, or -1 */
	bool timod;
} streams[STREAMS] = { { .fd = -1 }, { .fd = -1 } };

static struct input *input;
static unsigned int patience;
int xti_last_seq;

void fuzz_die(const char *why)
{
	fprintf(stderr, "fuzz: %s\n", why);
	abort();
}

static struct stream *stream_of(int fd)
{
	int i;

	for (i = 0; fd >= 0 && i < STREAMS; i++)
		if (streams[i].fd == fd)
			return &streams[i];
	return NULL;
}

/* Whether the input says no more; the library may not go on for ever then. */
static bool is_over(void)
{
	if (input->left)
		return false;
	if (!patience--)
		fuzz_die("a call that does not end");
	return true;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* The usual answer to a request */
static t_scalar_t answer_to(t_scalar_t request)
{
	static const signed char answers[] = {
		[T_CONN_REQ] = T_OK_ACK,
		[T_CONN_RES] = T_OK_ACK,
		[T_DISCON_REQ] = T_OK_ACK,
		[T_INFO_REQ] = T_INFO_ACK,
		[T_BIND_REQ] = T_BIND_ACK,
		[T_UNBIND_REQ] = T_OK_ACK,
		[T_OPTMGMT_REQ] = T_OPTMGMT_ACK,
		[T_ADDR_REQ] = T_ADDR_ACK,
		[T_CAPABILITY_REQ] = T_CAPABILITY_ACK,
	};

	if (request < 0 || request >= (t_scalar_t)sizeof(answers) ||
	    !answers[request])
		return -1;
	return answers[request];
}

/* Bytes of the fixed part of a primitive */
static size_t size_of(t_scalar_t type)
{
	switch (type) {
	case T_CONN_IND:
		return sizeof(struct T_conn_ind);
	case T_INFO_ACK:
		return sizeof(struct T_info_ack);
	case T_CAPABILITY_ACK:
		return sizeof(struct T_capability_ack);
	case T_UDERROR_IND:
		return sizeof(struct T_uderror_ind);
	case T_CONN_CON:
	case T_UNITDATA_IND:
	case T_ADDR_ACK:
		return sizeof(struct T_unitdata_ind);
	case T_DATA_IND:
	case T_EXDATA_IND:
	case T_OK_ACK:
		return sizeof(struct T_data_ind);
	case T_DISCON_IND:
		return sizeof(struct T_discon_ind);
	case T_ORDREL_IND:
		return sizeof(struct T_ordrel_ind);
	default:
		return sizeof(struct T_error_ack);
	}
}

static void info_fill(struct T_info_ack *info, unsigned int b)
{
	static const t_scalar_t services[] = { T_CLTS, T_COTS, T_COTS_ORD, T_COTS_ORD };

	*info = (struct T_info_ack){
		.PRIM_type = T_INFO_ACK,
		.TSDU_size = b & 4 ? 0 : 65536,
		.ETSDU_size = b & 8 ? T_INVALID : 64,
		.CDATA_size = 64,
		.DDATA_size = 64,
		.ADDR_size = b & 16 ? T_INFINITE : 16,
		.OPT_size = 512,
		.TIDU_size = b & 32 ? 4096 : 65536,
		.SERV_type = services[b & 3],
		.CURRENT_state = b & 64 ? input_byte(input) % 18 : TS_UNBND,
		.PROVIDER_flag = b & 128 ? SENDZERO | XPG4_1 : 0,
	};
}

/* The fields of a primitive as an honest provider has them, or nearly */
static void fill(t_scalar_t *word, t_scalar_t type, t_scalar_t asked, size_t fixed,
		 size_t tail)
{
	unsigned int b = input_byte(input);

	word[0] = type;
	switch (type) {
	case T_ERROR_ACK:
		word[1] = asked;
		word[2] = b & 31;
		word[3] = input_byte(input);
		break;
	case T_OK_ACK:
		word[1] = asked;
		break;
	case T_CAPABILITY_ACK:
		word[1] = b & 3;
		word[13] = b;
		info_fill((struct T_info_ack *)(word + 2), b);
		break;
	case T_INFO_ACK:
		info_fill((struct T_info_ack *)word, b);
		break;
	case T_DATA_IND:
	case T_EXDATA_IND:
	case T_DISCON_IND:
		word[1] = b & 1;
		break;
	case T_ORDREL_IND:
		break;
	case T_OPTDATA_IND:
		word[1] = b & 3;
		break;
	case T_BIND_ACK:
	case T_OPTMGMT_ACK:
		word[1] = tail;
		word[2] = fixed;
		word[3] = b;
		break;
	default:
		/* An address, then options, then a number */
		word[1] = b & 1 ? tail : tail / 2;
		word[2] = fixed;
		word[3] = tail - word[1];
		word[4] = fixed + word[1];
		if (fixed > 5 * sizeof(word[0]))
			word[5] = b;
	}
	if (type == T_DISCON_IND)
		word[2] = b & 2 ? -1 : xti_last_seq;
	if (type == T_CONN_IND)
		xti_last_seq = word[5];
}

/* The control part of a message: bytes, or -1 */
static int control(char *ctl, size_t most, t_scalar_t asked)
{
	static const signed char types[] = {
		T_CONN_IND, T_CONN_CON, T_DISCON_IND, T_DATA_IND, T_DATA_IND,
		T_EXDATA_IND, T_UNITDATA_IND, T_UNITDATA_IND, T_UDERROR_IND,
		T_ORDREL_IND, T_OPTDATA_IND, T_CONN_IND, T_CONN_CON, T_DATA_IND,
	};
	unsigned int how = input_byte(input), lie = input_byte(input);
	t_scalar_t type = answer_to(asked), word[32] = { };
	size_t fixed, tail, size;

	if (type < 0)
		type = types[how % sizeof(types)];
	else if ((how & 7) == 7)
		type = T_ERROR_ACK;
	fixed = size_of(type);
	tail = how & 0x10 ? input_byte(input) : how & 0x20 ? 16 : 0;
	if (lie == 0xff)
		tail = input_short(input);
	size = fixed + tail < most ? fixed + tail : most;
	fill(word, type, asked, fixed, tail);
	/* One field is a lie; or the type; or the length. */
	if (lie & 0x80)
		word[lie % (fixed / sizeof(word[0]))] = input_odd(input);
	memset(ctl, 't', size);
	memcpy(ctl, word, fixed < size ? fixed : size);
	if ((lie & 0xc0) == 0x40)
		size = input_byte(input) % (size + 1);
	return lie == 0x3f ? -1 : (int)size;
}

/* The provider sends something, or nothing. */
static void arrive(struct stream *s)
{
	struct message *m = &s->first;
	unsigned int how;

	if (m->there || is_over())
		return;
	how = input_byte(input);
	if ((how & 7) == 7)
		return;
	m->there = true;
	m->high = answer_to(s->asked) >= 0 ? !(how & 8) || how & 16 : how & 8 && how & 16;
	m->ctl_at = 0;
	m->data_at = 0;
	m->ctl_len = control(m->ctl, sizeof(m->ctl), s->asked);
	m->data_len = -1;
	if (how & 0x20 || m->ctl_len < 0)
		m->data_len = how & 0x40 ? input_short(input) : input_byte(input);
	if (m->ctl_len < 0)
		m->high = false;
	if (m->high)
		s->asked = -1;
}

/* One part into a caller's buffer; bytes of it that are left */
static int take_part(int len, int *at, const char *from, int maxlen, void *buf,
		     int *taken)
{
	int n;

	*taken = -1;
	if (len < 0 || maxlen < 0)
		return len < 0 ? 0 : len - *at + 1;
	n = len - *at < maxlen ? len - *at : maxlen;
	if (n && from)
		memcpy(buf, from + *at, n);
	else if (n)
		memset(buf, 'd', n);
	*at += n;
	*taken = n;
	return len - *at;
}

static t_scalar_t first_word(const struct message *m)
{
	t_scalar_t word = 0;
	int n = m->ctl_len - m->ctl_at;

	if (m->ctl_len < 0)
		return -1;
	memcpy(&word, m->ctl + m->ctl_at, n < (int)sizeof(word) ? n : (int)sizeof(word));
	return word;
}

static int do_peek(struct stream *s, struct strpeek *p)
{
	struct message *m = &s->first, seen;

	arrive(s);
	if (is_over())
		return fail(EIO);
	if (!m->there || (p->flags == RS_HIPRI && !m->high))
		return 0;
	seen = *m;
	take_part(m->ctl_len, &seen.ctl_at, m->ctl, p->ctlbuf.maxlen,
		  p->ctlbuf.buf, &p->ctlbuf.len);
	take_part(m->data_len, &seen.data_at, NULL, p->databuf.maxlen,
		  p->databuf.buf, &p->databuf.len);
	p->flags = m->high ? RS_HIPRI : 0;
	return 1;
}

static int do_getmsg(struct stream *s, struct strio_msg *msg)
{
	struct message *m = &s->first;
	int ctl, data;

	arrive(s);
	if (is_over())
		return fail(EIO);
	/* Another process may have taken it. */
	if (m->there && (input_byte(input) & 31) == 31)
		m->there = false;
	if (msg->flags != STRIO_PEEKED)
		fuzz_die("a message is taken that was not looked at");
	if (!m->there || first_word(m) != msg->band)
		return fail(EAGAIN);
	ctl = take_part(m->ctl_len, &m->ctl_at, m->ctl, msg->ctl.maxlen,
			(void *)(uintptr_t)msg->ctl.buf, &msg->ctl.len);
	data = take_part(m->data_len, &m->data_at, NULL, msg->data.maxlen,
			 (void *)(uintptr_t)msg->data.buf, &msg->data.len);
	msg->flags = m->high ? MSG_HIPRI : MSG_BAND;
	msg->band = 0;
	if (!ctl)
		m->ctl_len = -1;
	if (!data)
		m->data_len = -1;
	m->there = ctl || data;
	return (ctl ? MORECTL : 0) | (data ? MOREDATA : 0);
}

static int failed(void)
{
	static const unsigned char errors[] = {
		EAGAIN, EINTR, EBADMSG, EPROTO, EIO, ENXIO, ERANGE, EINVAL, ENOSR,
		EPIPE, ENOTTY, EFAULT,
	};
	unsigned int b = input_byte(input);

	return b < 0xd0 ? 0 : errors[b % sizeof(errors)];
}

/* All that is sent can be read. */
static void touch(const void *from, int n)
{
	if (n > 0)
		fuzz_touch(from, n);
}

static void request(struct stream *s, const void *ctl, int len)
{
	t_scalar_t type = -1;

	if (len >= (int)sizeof(type))
		memcpy(&type, ctl, sizeof(type));
	/* Others are not answered. */
	if (answer_to(type) >= 0)
		s->asked = type;
}

static int do_putmsg(struct stream *s, const struct strio_msg *msg)
{
	int error = failed();

	if (is_over())
		return fail(EIO);
	touch((void *)(uintptr_t)msg->ctl.buf, msg->ctl.len);
	touch((void *)(uintptr_t)msg->data.buf, msg->data.len);
	if (error || msg->flags & STRIO_ROOM)
		return error ? fail(error) : 0;
	request(s, (void *)(uintptr_t)msg->ctl.buf, msg->ctl.len);
	return 0;
}

static int do_fdinsert(struct stream *s, const struct strfdinsert *f)
{
	int error = failed();

	if (is_over())
		return fail(EIO);
	touch(f->ctlbuf.buf, f->ctlbuf.len);
	touch(f->databuf.buf, f->databuf.len);
	if (!stream_of(f->fildes) || f->offset < 0 ||
	    f->offset + 4 > f->ctlbuf.len)
		fuzz_die("I_FDINSERT of a place that is not in the message");
	if (error)
		return fail(error);
	request(s, f->ctlbuf.buf, f->ctlbuf.len);
	return 0;
}

/* timod: its answers are no longer than it says. */
static int do_str(struct stream *s, struct strioctl *ioc)
{
	int error = failed(), len;
	t_scalar_t asked;

	if (is_over())
		return fail(EIO);
	touch(ioc->ic_dp, ioc->ic_len);
	if (error || ioc->ic_len < (int)sizeof(asked))
		return fail(error ? error : EINVAL);
	memcpy(&asked, ioc->ic_dp, sizeof(asked));
	if ((input_byte(input) & 15) == 15)
		return input_short(input);
	len = control(ioc->ic_dp, CTL_MOST, asked);
	ioc->ic_len = len < 0 ? 0 : len;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long cmd, ...)
{
	struct stream *s = stream_of(fd);
	va_list ap;
	void *arg;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!s)
		return __real_ioctl(fd, cmd, arg);
	switch (cmd) {
	case STRIO_ISASTREAM:
		return 1;
	case I_FIND:
		return s->timod;
	case I_PUSH:
		s->timod = input_byte(input) & 1;
		return s->timod ? 0 : fail(EAGAIN);
	case I_CANPUT:
		return input_byte(input) & 1;
	case I_PEEK:
		return do_peek(s, arg);
	case STRIO_GETMSG:
		return do_getmsg(s, arg);
	case STRIO_PUTMSG:
		return do_putmsg(s, arg);
	case I_FDINSERT:
		return do_fdinsert(s, arg);
	case I_STR:
		return do_str(s, arg);
	default:
		return fail(EINVAL);
	}
}

long __wrap_syscall(long number, ...)
{
	va_list ap;
	long a[6];
	int i;

	va_start(ap, number);
	for (i = 0; i < (number == SYS_ioctl ? 3 : 6); i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_ioctl)
		return __wrap_ioctl(a[0], a[1], (void *)a[2]);
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	static const short events[] = {
		POLLIN, POLLPRI | POLLIN, POLLOUT, POLLHUP, POLLERR, POLLIN | POLLHUP,
		POLLRDNORM, POLLRDBAND, POLLOUT | POLLWRBAND, 0,
	};
	unsigned int b;

	if (!n || !stream_of(p[0].fd))
		return __real_poll(p, n, timeout);
	p[0].revents = POLLHUP | POLLERR;
	if (n > 1)
		p[1].revents = 0;
	if (is_over())
		return 1;
	b = input_byte(input);
	if (b == 0xff)
		return fail(EINTR);
	p[0].revents = b & 0x80 ? events[b % 10] : p[0].events;
	return p[0].revents ? 1 : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	int fd, i;

	if (strcmp(path, "/dev/streams/fuzz"))
		return __real_open(path, flags, 0600);
	for (i = 0; i < STREAMS && streams[i].fd >= 0; i++)
		continue;
	if (i == STREAMS)
		return fail(EMFILE);
	fd = __real_open("/dev/null", flags);
	memset(&streams[i], 0, sizeof(streams[i]));
	streams[i].fd = fd;
	streams[i].asked = -1;
	return fd;
}

int __wrap_close(int fd)
{
	struct stream *s = stream_of(fd);

	if (s)
		s->fd = -1;
	return __real_close(fd);
}

void xti_other_process(int fd)
{
	struct stream *s = stream_of(fd);
	unsigned int how = input_byte(input);

	if (how & 1)
		s->first.there = false;
	else
		s->asked = how >> 1 & 31;
}

void xti_stream_begin(struct input *in)
{
	input = in;
	patience = PATIENCE;
	xti_last_seq = 0;
}

void xti_stream_end(void)
{
	int i;

	for (i = 0; i < STREAMS; i++)
		if (streams[i].fd >= 0)
			fuzz_die("an endpoint is open that was closed");
}
