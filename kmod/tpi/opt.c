// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of transport providers
 *
 * A T_OPTMGMT_REQ has a list of options, which all providers walk and answer
 * alike; a provider says which options it has, and reads and sets one of them.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "opt.h"
#include "tpi.h"

/*
 * The seconds that the provider lingers by its own choice: as long as any close
 * waits.
 */
#define LINGER_SECONDS	15

/* Bytes of options in one answer: 4 KiB with the header before them. */
#define ANSWER_MAX	(4096 - sizeof(struct T_optmgmt_ack))

/* The options of an answer, one after the other */
struct answer {
	const struct tpi_opts *opts;
	void *end;		/* the owner of the options */
	u8 *buf;		/* ANSWER_MAX bytes, zeroed */
	size_t len;
	bool full;
	t_scalar_t worst;	/* T_SUCCESS ... */
};

/**
 * strtpi_opt_next() - take the next option off a list
 * @at: where the list begins; moved behind the option
 * @len: bytes left of it
 * @oh: set to the option's header
 * @value: set to where its value begins, oh->len - sizeof(*oh) bytes
 *
 * Return: 1; 0 at the end of the list; -EINVAL when there is no valid option.
 * XTI (XNS Issue 5), chapter 6, format of options.
 */
int strtpi_opt_next(const void **at, size_t *len, struct T_opthdr *oh,
		    const void **value)
{
	size_t step;

	if (!*len)
		return 0;
	if (*len < sizeof(*oh))
		return -EINVAL;
	memcpy(oh, *at, sizeof(*oh));
	if (oh->len < sizeof(*oh) || oh->len > *len)
		return -EINVAL;
	*value = *at + sizeof(*oh);
	step = min_t(size_t, _TPI_ALIGN_OPT(oh->len), *len);
	*at += step;
	*len -= step;
	return 1;
}
EXPORT_SYMBOL_GPL(strtpi_opt_next);

/**
 * strtpi_opt_value() - read an option's number
 * @at: where it is, at any alignment
 * @len: its length, bytes: programs differ
 * @value: the destination
 *
 * Return: 0, or -EINVAL when it is not a number of 32 bits.
 */
int strtpi_opt_value(const void *at, size_t len, u32 *value)
{
	u64 wide;

	switch (len) {
	case sizeof(u8):
		*value = *(const u8 *)at;
		return 0;
	case sizeof(u32):
		memcpy(value, at, sizeof(u32));
		return 0;
	case sizeof(u64):
		memcpy(&wide, at, sizeof(wide));
		*value = wide;
		return wide > U32_MAX ? -EINVAL : 0;
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL_GPL(strtpi_opt_value);

static bool level_known(const struct tpi_opts *opts, u32 level)
{
	unsigned int i;

	for (i = 0; i < opts->count; i++)
		if (opts->opt[i].level == level)
			return true;
	return false;
}

static const struct tpi_opt *opt_find(const struct tpi_opts *opts, u32 level,
				      u32 name)
{
	unsigned int i;

	for (i = 0; i < opts->count; i++)
		if (opts->opt[i].level == level && opts->opt[i].name == name)
			return &opts->opt[i];
	return NULL;
}

/* Ranks the results of single options from the best to the worst: XTI, t_optmgmt(). */
static int status_rank(t_scalar_t status)
{
	switch (status) {
	case T_SUCCESS:
		return 0;
	case T_PARTSUCCESS:
		return 1;
	case T_FAILURE:
		return 2;
	case T_READONLY:
		return 3;
	default:
		return 4;
	}
}

/**
 * strtpi_opt_put() - write an option
 * @at: where, at any alignment; its padding is not written
 * @level: T_INET_IP ...
 * @name: T_IP_TOS ...
 * @status: T_SUCCESS ...
 * @value: its value
 * @len: bytes of that
 *
 * Return: the place for the next one. XTI (XNS Issue 5), chapter 6.
 */
void *strtpi_opt_put(void *at, u32 level, u32 name, t_scalar_t status, const void *value,
		     size_t len)
{
	struct T_opthdr oh = {
		.len = sizeof(oh) + len,
		.level = level,
		.name = name,
		.status = status,
	};

	memcpy(at, &oh, sizeof(oh));
	if (len)
		memcpy(at + sizeof(oh), value, len);
	return at + _TPI_ALIGN_OPT(oh.len);
}
EXPORT_SYMBOL_GPL(strtpi_opt_put);

static void answer_add(struct answer *a, u32 level, u32 name, t_scalar_t status,
		       const void *value, size_t len)
{
	size_t step = _TPI_ALIGN_OPT(sizeof(struct T_opthdr) + len);

	if (step > ANSWER_MAX - a->len) {
		a->full = true;
		return;
	}
	strtpi_opt_put(a->buf + a->len, level, name, status, value, len);
	a->len += step;
	if (status_rank(status) > status_rank(a->worst))
		a->worst = status;
}

/* Converts the requested value to the value that the option then has. */
static int linger_check(struct tpi_linger *l)
{
	if (l->onoff != T_YES && l->onoff != T_NO)
		return -EINVAL;
	/* Any number of seconds is accepted where lingering is off. */
	if (l->onoff == T_NO)
		l->seconds = 0;
	else if (l->seconds == T_UNSPEC)
		l->seconds = LINGER_SECONDS;
	return l->seconds >= 0 || l->seconds == T_INFINITE ? 0 : -EINVAL;
}

/* Checks whether a value is one that the option can have, and copies it to v. */
static int value_check(const struct tpi_opt *o, const void *value, size_t len,
		       union strtpi_opt_value *v)
{
	int err;

	if (o->flags & TPI_OPT_BYTES) {
		if (len > sizeof(v->bytes))
			return -EINVAL;
		memcpy(v->bytes, value, len);
		return 0;
	}
	if (o->flags & TPI_OPT_LINGER) {
		if (len != sizeof(v->linger))
			return -EINVAL;
		memcpy(&v->linger, value, len);
		return linger_check(&v->linger);
	}
	err = strtpi_opt_value(value, len, &v->number);
	if (!err && (v->number < o->min || v->number > o->max))
		err = -EINVAL;
	return err;
}

static t_scalar_t set_status(int err)
{
	switch (err) {
	case 0:
		return T_SUCCESS;
	case -EACCES:
	case -EPERM:
		return T_READONLY;
	default:
		return T_FAILURE;
	}
}

static bool is_number(const struct tpi_opt *o)
{
	return o->size == sizeof(u32) &&
	       !(o->flags & (TPI_OPT_BOOL | TPI_OPT_BYTES | TPI_OPT_LINGER));
}

static t_scalar_t opt_set(struct answer *a, const struct tpi_opt *o,
			  const void *value, size_t len)
{
	union strtpi_opt_value v, now;
	int err;

	if (o->flags & TPI_OPT_READONLY)
		return T_READONLY;
	err = value_check(o, value, len, &v);
	if (!err)
		err = a->opts->set(a->end, o, &v, len);
	if (err || !is_number(o))
		return set_status(err);
	/* Buffers have limits, which then replace the value. */
	a->opts->current_value(a->end, o, &now);
	return now.number == v.number ? T_SUCCESS : T_PARTSUCCESS;
}

static t_scalar_t opt_check(const struct tpi_opt *o, const void *value,
			    size_t len)
{
	union strtpi_opt_value v;

	if (o->flags & TPI_OPT_READONLY)
		return T_READONLY;
	return !len || !value_check(o, value, len, &v) ? T_SUCCESS : T_FAILURE;
}

static t_scalar_t read_status(const struct tpi_opt *o)
{
	return o->flags & TPI_OPT_READONLY ? T_READONLY : T_SUCCESS;
}

/*
 * Returns whether T_IPV6_V6ONLY of a bound endpoint has its default, which the
 * address determines. To ask for the default does not make that the value it
 * has without the address.
 */
static bool opt_is_forced(struct answer *a, const struct tpi_opt *o,
			  const union strtpi_opt_value *v)
{
	union strtpi_opt_value now;

	if (!tpi_opt_is_v6only(o))
		return false;
	a->opts->current_value(a->end, o, &now);
	return now.number == v->number;
}

static void opt_manage(struct answer *a, const struct tpi_opt *o,
		       t_scalar_t action, const void *value, size_t len)
{
	union strtpi_opt_value v;
	t_scalar_t status;

	switch (action) {
	case T_CURRENT:
		status = read_status(o);
		len = a->opts->current_value(a->end, o, &v);
		break;
	case T_DEFAULT:
		status = read_status(o);
		len = a->opts->default_value(a->end, o, &v);
		break;
	case T_CHECK:
		status = opt_check(o, value, len);
		answer_add(a, o->level, o->name, status, value, len);
		return;
	default:
		if (!len) {
			len = a->opts->default_value(a->end, o, &v);
			value = &v;
		}
		status = value == &v && opt_is_forced(a, o, &v) ?
			 T_SUCCESS : opt_set(a, o, value, len);
		len = a->opts->current_value(a->end, o, &v);
	}
	answer_add(a, o->level, o->name, status, &v, len);
}

/* Manages all options of a level; a read-only one does not make setting them fail. */
static void level_manage(struct answer *a, u32 level, t_scalar_t action)
{
	unsigned int i;

	for (i = 0; i < a->opts->count; i++) {
		const struct tpi_opt *o = &a->opts->opt[i];

		if (o->level != level)
			continue;
		if (action == T_NEGOTIATE && o->flags & TPI_OPT_READONLY)
			continue;
		opt_manage(a, o, action, NULL, 0);
	}
}

/* Returns a TLI error, or 0. */
static int list_manage(struct answer *a, t_scalar_t action, const void *at,
		       size_t len)
{
	const struct tpi_opt *o;
	struct T_opthdr oh;
	const void *value;
	int ret;

	while ((ret = strtpi_opt_next(&at, &len, &oh, &value)) > 0) {
		size_t size = oh.len - sizeof(oh);

		if (!level_known(a->opts, oh.level))
			return TBADOPT;
		o = opt_find(a->opts, oh.level, oh.name);
		if (oh.name == T_ALLOPT)
			level_manage(a, oh.level, action);
		else if (o)
			opt_manage(a, o, action, value, size);
		else
			answer_add(a, oh.level, oh.name, T_NOTSUPPORT, value,
				   action == T_CHECK || action == T_NEGOTIATE ?
				   size : 0);
		if (a->full)
			return TBUFOVFLW;
	}
	return ret ? TBADOPT : 0;
}

static bool action_known(t_scalar_t action)
{
	return action == T_NEGOTIATE || action == T_CHECK ||
	       action == T_DEFAULT || action == T_CURRENT;
}

/*
 * Allocates the answer before any option is changed: when memory is short no
 * option is.
 */
static mblk_t *optmgmt_ack_alloc(struct answer *a, gfp_t gfp)
{
	size_t size = sizeof(struct T_optmgmt_ack) + ANSWER_MAX;
	mblk_t *mp = allocb_gfp(size, gfp | __GFP_NOWARN);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PCPROTO;
	memset(mp->b_rptr, 0, size);
	a->buf = mp->b_rptr + sizeof(struct T_optmgmt_ack);
	return mp;
}

/*
 * The answer is moved to a block no larger than it needs, if there is memory
 * for one.
 */
static mblk_t *optmgmt_ack_fill(mblk_t *mp, const struct answer *a,
				gfp_t gfp)
{
	struct T_optmgmt_ack *ack = (struct T_optmgmt_ack *)mp->b_rptr;
	mblk_t *small;
	size_t size;

	ack->PRIM_type = T_OPTMGMT_ACK;
	ack->OPT_length = a->len;
	ack->OPT_offset = a->len ? sizeof(*ack) : 0;
	ack->MGMT_flags = a->worst;
	mp->b_wptr += sizeof(*ack) + a->len;
	size = MBLKL(mp);
	small = allocb_gfp(size, gfp | __GFP_NOWARN);
	if (!small)
		return mp;
	DB_TYPE(small) = DB_TYPE(mp);
	memcpy(small->b_wptr, mp->b_rptr, size);
	small->b_wptr += size;
	freeb(mp);
	return small;
}

/**
 * strtpi_optmgmt() - act on a T_OPTMGMT_REQ
 * @opts: the options that the provider has
 * @end: the owner of the options, for the provider's functions
 * @mp: the primitive, consumed
 * @gfp: allocation flags: whether this may sleep
 *
 * Return: the answer or NULL, for strtpi_reply(); TSYSERR with ENOSR when memory
 * is short. TPI version 2, T_OPTMGMT_REQ; XTI (XNS Issue 5), t_optmgmt().
 */
mblk_t *strtpi_optmgmt(const struct tpi_opts *opts, void *end, mblk_t *mp,
		       gfp_t gfp)
{
	struct answer a = { .opts = opts, .end = end, .worst = T_SUCCESS };
	struct T_optmgmt_req req;
	int tli = TSYSERR;
	const void *list;
	mblk_t *ack;

	if (!tpi_get(mp, &req, sizeof(req)))
		return strtpi_error_ack(mp, TSYSERR, EINVAL);
	if (!action_known(req.MGMT_flags))
		return strtpi_error_ack(mp, TBADFLAG, 0);
	list = tpi_span(mp, req.OPT_offset, req.OPT_length);
	if (!list)
		return strtpi_error_ack(mp, TBADOPT, 0);
	ack = optmgmt_ack_alloc(&a, gfp);
	if (ack)
		tli = list_manage(&a, req.MGMT_flags, list, req.OPT_length);
	if (tli) {
		freemsg(ack);
		return strtpi_error_ack(mp, tli, ENOSR);
	}
	freemsg(mp);
	return optmgmt_ack_fill(ack, &a, gfp);
}
EXPORT_SYMBOL_GPL(strtpi_optmgmt);
