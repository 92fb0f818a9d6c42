// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules above a driver that lies: timod, tirdwr, bufmod, pfmod, pipemod, nullmod
 *
 * The driver is the target's: it answers, or not, and sends up what the input says.
 */
#include <linux/types.h>
#include <sys/bufmod.h>
#include <sys/pfmod.h>
#include <sys/timod.h>
#include <sys/xti_inet.h>

#include "prim.h"
#include "streams/streams.h"
#include "tpi/tpi.h"

#define STEPS	100

int fuzz_timod_init(void);
int fuzz_tirdwr_init(void);
int fuzz_bufmod_init(void);
int fuzz_pfmod_init(void);
int fuzz_pipemod_init(void);
int fuzz_nullmod_init(void);

static struct input *input;
static unsigned int ioctls;		/* numbers given */

/* For tirdwr: no message is lent here. */
int str_read_lock(struct stream *sd)
{
	return mutex_lock_killable(&sd->sd_read_mutex);
}

/* A primitive of a provider: its type, what it answers, and other numbers */
static mblk_t *answer_make(struct input *in)
{
	static const u8 types[] = {
		T_DATA_IND, T_DATA_IND, T_EXDATA_IND, T_ORDREL_IND, T_DISCON_IND,
		T_OK_ACK, T_ERROR_ACK, T_INFO_ACK, T_BIND_ACK, T_OPTMGMT_ACK,
		T_ADDR_ACK, T_CAPABILITY_ACK, T_CONN_IND, T_CONN_CON,
		T_UNITDATA_IND, T_UDERROR_IND, T_OPTDATA_IND,
	};
	unsigned int how = input_byte(in), i;
	t_scalar_t word[16] = { types[how % sizeof(types)] };
	size_t size = 4 * (1 + (input_byte(in) & 15));
	mblk_t *mp;

	for (i = 1; i < ARRAY_SIZE(word); i++)
		word[i] = how & 0x80 ? input_odd(in) : input_byte(in) & 31;
	mp = allocb(size, BPRI_MED);
	if (!mp)
		return NULL;
	memcpy(mp->b_wptr, word, size);
	mp->b_wptr += size;
	DB_TYPE(mp) = word[0] >= T_INFO_ACK && word[0] != T_UNITDATA_IND &&
		      !(how & 0x40) ? M_PCPROTO : M_PROTO;
	if (how & 0x20)
		mp->b_cont = prim_other(in);
	return mp;
}

/* The driver */
static int drv_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	qprocson(q);
	return 0;
}

static int drv_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static void drv_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	unsigned int how = input_byte(input);

	if (MBLKL(mp) < (ssize_t)sizeof(*ioc) || !(how & 3)) {
		freemsg(mp);
		return;
	}
	DB_TYPE(mp) = how & 1 ? M_IOCACK : M_IOCNAK;
	ioc->ioc_error = how & 4 ? EINVAL : 0;
	ioc->ioc_rval = how;
	ioc->ioc_count = mp->b_cont ? msgsize(mp->b_cont) : 0;
	qreply(q, mp);
}

static int drv_wput(queue_t *q, mblk_t *mp)
{
	mblk_t *answer;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		drv_ioctl(q, mp);
		break;
	case M_FLUSH:
		strtpi_flush(q, mp);
		break;
	case M_PROTO:
	case M_PCPROTO:
		freemsg(mp);
		answer = input_byte(input) & 1 ? answer_make(input) : NULL;
		if (answer)
			qreply(q, answer);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int drv_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info info = { .mi_idname = "fuzz", .mi_maxpsz = INFPSZ };
static struct qinit rinit = {
	.qi_putp = drv_rput, .qi_qopen = drv_open, .qi_qclose = drv_close,
	.qi_minfo = &info,
};

static struct qinit winit = { .qi_putp = drv_wput, .qi_minfo = &info };
static const struct streamtab tab = { .st_rdinit = &rinit, .st_wrinit = &winit };
static struct strdrv drv = { .name = "fuzz", .tab = &tab };

void fuzz_arrived(struct fuzz_stream *s, const mblk_t *mp)
{
}

static size_t addr(struct input *in, unsigned char *at)
{
	memset(at, 'a', 16);
	return input_below(in, 17);
}

static const u32 levels[] = { XTI_GENERIC, 0 };
static const struct prim_kind kind = { .addr = addr, .levels = levels };

/* The data of an ioctl: a primitive, numbers, or any bytes */
static mblk_t *data_make(struct input *in, const struct fuzz_stream *s,
			 unsigned int how)
{
	size_t len = how & 0x40 ? input_short(in) % 600 : 4 * input_below(in, 32), i;
	mblk_t *mp;

	if (!(how & 0xc0))
		return prim_make(in, &kind, s);
	mp = allocb(max(len, sizeof(void *)), BPRI_MED);
	if (!mp)
		return NULL;
	if (how & 0x40)
		input_bytes(in, mp->b_wptr, len);
	for (i = 0; !(how & 0x40) && i < len; i += 4) {
		u32 word = input_odd(in);

		memcpy(mp->b_wptr + i, &word, sizeof(word));
	}
	mp->b_wptr += len;
	return mp;
}

/* An ioctl as the stream head sends one: one at a time, with a number of its own */
static void ioctl(struct input *in, struct fuzz_stream *s)
{
	static const int cmds[] = {
		TI_GETINFO, TI_OPTMGMT, TI_BIND, TI_UNBIND, TI_SYNC, TI_GETADDRS,
		TI_CAPABILITY, TI_GETMYNAME, TI_GETPEERNAME, SBIOCSTIME, SBIOCGTIME,
		SBIOCCTIME, SBIOCSCHUNK, SBIOCGCHUNK, SBIOCSSNAP, SBIOCGSNAP,
		SBIOCSFLAGS, SBIOCGFLAGS, PFIOCSETF, PFIOCSETF, 77,
	};
	unsigned int how = input_byte(in);
	mblk_t *mp, *data;
	struct iocblk *ioc;

	data = data_make(in, s, how);
	mp = allocb(max(sizeof(struct iocblk), sizeof(struct copyreq)), BPRI_MED);
	if (!mp || !data) {
		freemsg(mp);
		freemsg(data);
		return;
	}
	DB_TYPE(data) = M_DATA;
	ioc = (struct iocblk *)mp->b_rptr;
	*ioc = (struct iocblk){
		.ioc_cmd = cmds[(how & 0x3f) % ARRAY_SIZE(cmds)],
		.ioc_id = ++ioctls,
		.ioc_cr = current_cred(),
		.ioc_count = msgsize(data),
		.ioc_flag = IOC_NATIVE,
	};
	DB_TYPE(mp) = M_IOCTL;
	mp->b_wptr += sizeof(*ioc);
	mp->b_cont = data;
	if (input_byte(in) & 1 && MBLKSIZE(data) >= (ssize_t)sizeof(void *)) {
		/* The argument itself */
		ioc->ioc_count = TRANSPARENT;
		data->b_rptr = DB_BASE(data);
		data->b_wptr = data->b_rptr + sizeof(void *);
		freemsg(unlinkb(data));
	}
	freemsg(s->copy);
	s->copy = NULL;
	fuzz_stream_send(s, mp);
}

static void up(struct input *in, struct fuzz_stream *s)
{
	static const u8 types[] = {
		M_HANGUP, M_ERROR, M_UNHANGUP, M_SIG, M_PCSIG, M_FLUSH, M_IOCACK,
	};
	unsigned int b = input_byte(in);
	mblk_t *mp;

	if (b < 0x80)
		mp = answer_make(in);
	else
		mp = prim_other(in);
	if (mp && b >= 0xf0)
		DB_TYPE(mp) = types[b % sizeof(types)];
	if (mp && DB_TYPE(mp) >= QPCTL)
		mp->b_band = 0;
	if (mp)
		put(&s->pair->rd, mp);
}

static void rest(struct input *in)
{
	unsigned int b = input_byte(in);

	switch (b & 3) {
	case 0:
		fuzz_settle();
		break;
	case 1:
		fuzz_tick();
		break;
	default:
		stub_fail_at = 1 + (b >> 2 & 15);
	}
}

static void step(struct input *in)
{
	unsigned int b = input_byte(in);
	struct fuzz_stream *s = &fuzz_streams[b >> 3 & 1];

	++*fuzz_calls;
	if (!s->open)
		fuzz_stream_open(s, &drv, 0);
	if (!s->open)
		return;
	switch (b & 7) {
	case 0:
		fuzz_stream_push(s, fuzz_mods[input_below(in, fuzz_nmods)]);
		break;
	case 1:
		if (b & 0x40)
			fuzz_stream_close(s, 0);
		else
			fuzz_stream_pop(s);
		break;
	case 2:
		while (fuzz_stream_read(s) && b & 0x40)
			continue;
		break;
	case 3:
		rest(in);
		break;
	case 4:
		ioctl(in, s);
		break;
	case 5:
		fuzz_stream_copied(s, in);
		break;
	case 6:
		fuzz_stream_send(s, b & 0x40 ? prim_other(in) : prim_make(in, &kind, s));
		break;
	default:
		up(in, s);
	}
	fuzz_softirq();
	if (!(b & 0x80))
		fuzz_settle();
}

void fuzz_one(struct input *in)
{
	unsigned int n = STEPS;

	input = in;
	fuzz_begin();
	while (in->left && n--)
		step(in);
	in->left = 0;
	fuzz_end();
}

int fuzz_start(void)
{
	static struct input none;
	int err = fuzz_streams_start();

	input = &none;
	return err ?: fuzz_timod_init() ?: fuzz_tirdwr_init() ?: fuzz_bufmod_init() ?:
	       fuzz_pfmod_init() ?: fuzz_pipemod_init() ?: fuzz_nullmod_init();
}
