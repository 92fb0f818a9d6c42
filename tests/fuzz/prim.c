// SPDX-License-Identifier: GPL-2.0-only
/* Messages for a transport provider, and a look at those that it answers with */
#include <linux/types.h>

#include "prim.h"
#include "tpi/tpi.h"

#define OPTIONS_MOST	256
#define DATA_BLOCKS	20

enum field { NUMBER, ADDR_LEN, ADDR_AT, OPT_LEN, OPT_AT, SEQUENCE, ACCEPTOR, ACTION };

#define FIELDS	5

static const struct prim {
	t_scalar_t type;
	u8 n;
	u8 field[FIELDS];
} prims[] = {
	{ T_CONN_REQ, 4, { ADDR_LEN, ADDR_AT, OPT_LEN, OPT_AT } },
	{ T_CONN_RES, 4, { ACCEPTOR, OPT_LEN, OPT_AT, SEQUENCE } },
	{ T_DISCON_REQ, 1, { SEQUENCE } },
	{ T_DATA_REQ, 1, { NUMBER } },
	{ T_EXDATA_REQ, 1, { NUMBER } },
	{ T_INFO_REQ, 0 },
	{ T_BIND_REQ, 3, { ADDR_LEN, ADDR_AT, NUMBER } },
	{ T_UNBIND_REQ, 0 },
	{ T_UNITDATA_REQ, 4, { ADDR_LEN, ADDR_AT, OPT_LEN, OPT_AT } },
	{ T_OPTMGMT_REQ, 3, { OPT_LEN, OPT_AT, ACTION } },
	{ T_ORDREL_REQ, 0 },
	{ T_OPTDATA_REQ, 3, { NUMBER, OPT_LEN, OPT_AT } },
	{ T_ADDR_REQ, 0 },
	{ T_CAPABILITY_REQ, 1, { NUMBER } },
};

/* Bits of a message's second byte */
#define TWIST_FIELD	0x07	/* this field is odd; 0: none, 6: short, 7: the type */
#define TWIST_HIGH	0x08	/* M_PCPROTO */
#define TWIST_NO_ADDR	0x10
#define TWIST_OPTIONS	0x20
#define TWIST_DATA	0x40
#define TWIST_EXACT	0x80	/* the buffer ends where the primitive does */

static void exact_free(char *arg)
{
	kfree(arg);
}

/* A block whose buffer has no byte more than it needs. */
static mblk_t *exact(size_t size)
{
	struct { frtn_t frtn; } *at;
	mblk_t *mp;

	at = kmalloc(sizeof(*at) + size, GFP_ATOMIC);
	if (!at)
		return NULL;
	at->frtn = (frtn_t){ .free_func = exact_free, .free_arg = (char *)at };
	mp = esballoc((unsigned char *)(at + 1), size, BPRI_MED, &at->frtn);
	if (!mp)
		kfree(at);
	return mp;
}

size_t prim_options(struct input *in, const u32 *levels, unsigned char *at,
		    size_t most)
{
	static const u8 sizes[] = { 4, 4, 4, 0, 1, 8, 40, 41 };
	unsigned int n = 1 + input_below(in, 4), level, i;
	size_t len = 0;

	for (level = 0; levels[level];)
		level++;
	for (i = 0; i < n; i++) {
		unsigned int how = input_byte(in);
		size_t size = sizes[how & 7], step;
		struct T_opthdr oh = {
			.len = sizeof(oh) + size,
			.level = levels[(how >> 3) % level],
			.name = input_byte(in),
			.status = how & 0x80 ? input_odd(in) : 0,
		};
		u32 value = input_odd(in);

		/* T_ALLOPT, and names above a byte */
		if (oh.name >= 0xf0)
			oh.name = oh.name == 0xff ? 0 : 0x8000 | input_short(in);
		if ((how & 0xc0) == 0xc0)
			oh.len = input_odd(in);
		step = _TPI_ALIGN_OPT(sizeof(oh) + size);
		if (step > most - len)
			break;
		memset(at + len, 0, step);
		memcpy(at + len, &oh, sizeof(oh));
		memcpy(at + len + sizeof(oh), &value, min(size, sizeof(value)));
		if (size == 2 * sizeof(value)) {
			value = input_odd(in);
			memcpy(at + len + sizeof(oh) + sizeof(value), &value,
			       sizeof(value));
		}
		len += step;
	}
	return len;
}

/* Blocks of data: none, one, or many small ones. */
static mblk_t *data_make(struct input *in)
{
	unsigned int how = input_byte(in), n, i;
	mblk_t *mp = NULL, *bp;
	size_t left = STRMSGSZ;

	n = how & 0x10 ? 1 + how % DATA_BLOCKS : 1 + (how & 1);
	for (i = 0; i < n; i++) {
		size_t len = input_byte(in);

		if (how & 0x20)
			len *= 97;
		len = min(len, left);
		left -= len;
		bp = how & 0x40 ? exact(len) : allocb(len, BPRI_MED);
		if (!bp)
			break;
		memset(bp->b_wptr, 'a' + i, len);
		bp->b_wptr += len;
		if (how & 0x80 && i == 1)
			DB_TYPE(bp) = M_PROTO;
		if (mp)
			linkb(mp, bp);
		else
			mp = bp;
	}
	return mp;
}

static u32 number_of(struct input *in, const struct fuzz_stream *s,
		     enum field field)
{
	static const u32 actions[] = { T_NEGOTIATE, T_CHECK, T_DEFAULT, T_CURRENT };
	unsigned int b = input_byte(in);

	switch (field) {
	case SEQUENCE:
		return b & 1 ? s->seq - (b >> 1) : s->seq;
	case ACCEPTOR:
		return 100 + b % (STREAMS + 1);
	case ACTION:
		return actions[b % ARRAY_SIZE(actions)];
	default:
		return b;
	}
}

/* No byte is one of memory that was never written. */
static mblk_t *written(mblk_t *mp)
{
	const mblk_t *bp;
	unsigned char *at;

	for (bp = mp; bp; bp = bp->b_cont)
		for (at = bp->b_rptr; at < bp->b_wptr; at++)
			if (*at == 0xa5)
				*at = 0;
	return mp;
}

mblk_t *prim_make(struct input *in, const struct prim_kind *kind,
		  const struct fuzz_stream *s)
{
	const struct prim *p = &prims[input_below(in, ARRAY_SIZE(prims))];
	unsigned int twist = input_byte(in), odd = twist & TWIST_FIELD, i;
	unsigned char addr[PRIM_ADDR], opts[OPTIONS_MOST];
	size_t fixed = (1 + p->n) * sizeof(u32), addr_len = 0, opt_len = 0;
	u32 word[1 + FIELDS] = { p->type };
	size_t size;
	mblk_t *mp;

	if (!(twist & TWIST_NO_ADDR) && p->n && memchr(p->field, ADDR_LEN, p->n))
		addr_len = kind->addr(in, addr);
	if (twist & TWIST_OPTIONS && p->n && memchr(p->field, OPT_LEN, p->n))
		opt_len = prim_options(in, kind->levels, opts, sizeof(opts));
	for (i = 0; i < p->n; i++) {
		if (odd == i + 1)
			word[i + 1] = input_odd(in);
		else if (p->field[i] == ADDR_LEN)
			word[i + 1] = addr_len;
		else if (p->field[i] == ADDR_AT)
			word[i + 1] = fixed;
		else if (p->field[i] == OPT_LEN)
			word[i + 1] = opt_len;
		else if (p->field[i] == OPT_AT)
			word[i + 1] = fixed + addr_len;
		else
			word[i + 1] = number_of(in, s, p->field[i]);
	}
	if (odd == 7)
		word[0] = input_odd(in);
	size = fixed + addr_len + opt_len;
	mp = twist & TWIST_EXACT ? exact(size) : allocb(size, BPRI_MED);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = twist & TWIST_HIGH ? M_PCPROTO : M_PROTO;
	memcpy(mp->b_wptr, word, fixed);
	memcpy(mp->b_wptr + fixed, addr, addr_len);
	memcpy(mp->b_wptr + fixed + addr_len, opts, opt_len);
	mp->b_wptr += size;
	if (odd == 6)
		mp->b_wptr -= min(size, (size_t)input_byte(in));
	if (twist & TWIST_DATA)
		mp->b_cont = data_make(in);
	return written(mp);
}

/* An M_IOCTL as the head makes them, of any command. */
static mblk_t *ioctl_make(struct input *in)
{
	mblk_t *mp = allocb(max(sizeof(struct iocblk), sizeof(struct copyreq)),
			    BPRI_MED);
	struct iocblk *ioc;

	if (!mp)
		return NULL;
	ioc = (struct iocblk *)mp->b_rptr;
	*ioc = (struct iocblk){
		.ioc_cmd = input_odd(in),
		.ioc_id = 1,
		.ioc_cr = current_cred(),
	};
	mp->b_wptr += sizeof(*ioc);
	mp->b_cont = data_make(in);
	ioc->ioc_count = mp->b_cont ? msgsize(mp->b_cont) : 0;
	if (input_byte(in) & 1)
		ioc->ioc_count = TRANSPARENT;
	return mp;
}

/* An M_IOCDATA that nothing has asked for; only the head makes these, so it is whole. */
static mblk_t *iocdata_make(struct input *in)
{
	mblk_t *mp = allocb(sizeof(struct copyresp), BPRI_MED);

	if (!mp)
		return NULL;
	*(struct copyresp *)mp->b_rptr = (struct copyresp){
		.cp_cmd = input_odd(in),
		.cp_id = input_byte(in),
		.cp_cr = current_cred(),
		.cp_rval = input_byte(in) & 1 ? (char *)1 : NULL,
		.cp_flag = IOC_NATIVE,
	};
	mp->b_wptr += sizeof(struct copyresp);
	mp->b_cont = data_make(in);
	return mp;
}

mblk_t *prim_other(struct input *in)
{
	static const u8 types[] = {
		M_DATA, M_DATA, M_DATA, M_FLUSH, M_FLUSH, M_IOCTL, M_CTL,
		M_IOCDATA, M_READ, M_PROTO, M_PCPROTO, M_DELAY, M_STOP,
	};
	unsigned int type = types[input_below(in, ARRAY_SIZE(types))];
	mblk_t *mp, *dup;

	mp = type == M_IOCTL ? ioctl_make(in) :
	     type == M_IOCDATA ? iocdata_make(in) : data_make(in);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = type;
	mp->b_band = input_byte(in);
	if (type == M_FLUSH && MBLKL(mp) > 0)
		*mp->b_rptr = input_byte(in);
	/* Shared with a block that is gone by the time it is read, or later. */
	if (type == M_DATA && input_byte(in) & 1) {
		dup = dupmsg(mp);
		freemsg(mp);
		mp = dup;
	}
	return mp;
}

/* A part that lies in the first block, or none. */
static void part_check(const mblk_t *mp, t_scalar_t at, t_scalar_t len)
{
	if (len < 0 || (len && !tpi_span(mp, at, len)))
		fuzz_die("a part that is outside of its primitive");
}

void prim_check(const mblk_t *mp)
{
	static const u8 least[] = {
		[T_CONN_IND] = sizeof(struct T_conn_ind),
		[T_CONN_CON] = sizeof(struct T_conn_con),
		[T_DISCON_IND] = sizeof(struct T_discon_ind),
		[T_DATA_IND] = sizeof(struct T_data_ind),
		[T_EXDATA_IND] = sizeof(struct T_exdata_ind),
		[T_INFO_ACK] = sizeof(struct T_info_ack),
		[T_BIND_ACK] = sizeof(struct T_bind_ack),
		[T_ERROR_ACK] = sizeof(struct T_error_ack),
		[T_OK_ACK] = sizeof(struct T_ok_ack),
		[T_UNITDATA_IND] = sizeof(struct T_unitdata_ind),
		[T_UDERROR_IND] = sizeof(struct T_uderror_ind),
		[T_OPTMGMT_ACK] = sizeof(struct T_optmgmt_ack),
		[T_ORDREL_IND] = sizeof(struct T_ordrel_ind),
		[T_ADDR_ACK] = sizeof(struct T_addr_ack),
		[T_CAPABILITY_ACK] = sizeof(struct T_capability_ack),
	};
	t_scalar_t word[6] = { };
	t_scalar_t type = tpi_type(mp);

	if (type < 0 || type >= (t_scalar_t)sizeof(least) || !least[type] ||
	    MBLKL(mp) < least[type])
		fuzz_die("a message that is not a primitive of a provider");
	memcpy(word, mp->b_rptr, min_t(size_t, sizeof(word), MBLKL(mp)));
	switch (type) {
	case T_CONN_IND:
	case T_CONN_CON:
	case T_UNITDATA_IND:
	case T_UDERROR_IND:
	case T_ADDR_ACK:
		part_check(mp, word[2], word[1]);
		part_check(mp, word[4], word[3]);
		break;
	case T_BIND_ACK:
	case T_OPTMGMT_ACK:
		part_check(mp, word[2], word[1]);
		break;
	}
}
