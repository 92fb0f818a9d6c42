// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmod: a module that passes up only the messages that a filter accepts
 *
 * A filter is a program for a stack of 16-bit words, sys/pfmod.h. An operation
 * that is not defined, or not possible, rejects the message.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/pfmod.h>
#include <sys/stream.h>

#define ACTION_MASK	((1 << ENF_NBPA) - 1)

struct pfmod {
	struct packetfilt filter;
};

/* The words that a filter has pushed */
struct stack {
	unsigned int n;
	u16 words[ENMAXFILTERS];
};

/* The result of a filter's command */
enum verdict {
	GO_ON,
	ACCEPT,
	REJECT,
};

static int pfmod_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct pfmod *pf;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	pf = kzalloc(sizeof(*pf), GFP_KERNEL_ACCOUNT);
	if (!pf)
		return ENOSR;
	q->q_ptr = pf;
	WR(q)->q_ptr = pf;
	qprocson(q);
	return 0;
}

static int pfmod_close(queue_t *q, int oflag, cred_t *cr)
{
	struct pfmod *pf = q->q_ptr;

	qprocsoff(q);
	kfree(pf);
	return 0;
}

static bool data_byte(const mblk_t *mp, size_t at, u8 *byte)
{
	for (; mp; mp = mp->b_cont) {
		size_t len = MBLKL(mp) > 0 ? MBLKL(mp) : 0;

		if (at < len) {
			*byte = mp->b_rptr[at];
			return true;
		}
		at -= len;
	}
	return false;
}

/*
 * Reads word n of the data, which may be in several blocks, in the order of the
 * host.
 */
static bool data_word(const mblk_t *mp, size_t n, u16 *word)
{
	u8 bytes[2];

	if (!data_byte(mp, 2 * n, &bytes[0]) ||
	    !data_byte(mp, 2 * n + 1, &bytes[1]))
		return false;
	memcpy(word, bytes, sizeof(*word));
	return true;
}

static void push(struct stack *s, u16 word)
{
	/*
	 * Each word had a command, so the words are no more than the commands.
	 */
	s->words[s->n++] = word;
}

static enum verdict act(struct stack *s, const struct packetfilt *f,
			unsigned int *at, const mblk_t *data)
{
	unsigned int action = f->Pf_Filter[*at] & ACTION_MASK;
	u16 word = 0;

	switch (action) {
	case ENF_NOPUSH:
		return GO_ON;
	case ENF_PUSHLIT:
		if (++*at >= f->Pf_FilterLen)
			return REJECT;
		word = f->Pf_Filter[*at];
		break;
	case ENF_PUSHZERO:
		break;
	default:
		if (action < ENF_PUSHWORD ||
		    !data_word(data, action - ENF_PUSHWORD, &word))
			return REJECT;
	}
	push(s, word);
	return GO_ON;
}

static enum verdict operate(struct stack *s, unsigned int operator)
{
	u16 a, b;

	if (operator == ENF_NOP)
		return GO_ON;
	if (s->n < 2)
		return REJECT;
	b = s->words[--s->n];
	a = s->words[--s->n];
	switch (operator) {
	case ENF_COR:
		return a == b ? ACCEPT : GO_ON;
	case ENF_CAND:
		return a == b ? GO_ON : REJECT;
	case ENF_CNOR:
		return a == b ? REJECT : GO_ON;
	case ENF_CNAND:
		return a == b ? GO_ON : ACCEPT;
	case ENF_EQ:
		a = a == b;
		break;
	case ENF_NEQ:
		a = a != b;
		break;
	case ENF_LT:
		a = a < b;
		break;
	case ENF_LE:
		a = a <= b;
		break;
	case ENF_GT:
		a = a > b;
		break;
	case ENF_GE:
		a = a >= b;
		break;
	case ENF_AND:
		a &= b;
		break;
	case ENF_OR:
		a |= b;
		break;
	case ENF_XOR:
		a ^= b;
		break;
	default:
		return REJECT;
	}
	push(s, a);
	return GO_ON;
}

/* Returns whether a filter accepts a message's data. */
static bool is_accepted(const struct packetfilt *f, const mblk_t *data)
{
	struct stack s = { .n = 0 };
	enum verdict v;
	unsigned int i;

	for (i = 0; i < f->Pf_FilterLen; i++) {
		unsigned int operator = f->Pf_Filter[i] & ~ACTION_MASK;

		v = act(&s, f, &i, data);
		if (v == GO_ON)
			v = operate(&s, operator);
		if (v != GO_ON)
			return v == ACCEPT;
	}
	return !s.n || s.words[s.n - 1];
}

/* Returns the data of a message, which follow its control part. */
static const mblk_t *pfmod_data_of(const mblk_t *mp)
{
	while (mp && DB_TYPE(mp) != M_DATA)
		mp = mp->b_cont;
	return mp;
}

static int pfmod_rput(queue_t *q, mblk_t *mp)
{
	struct pfmod *pf = q->q_ptr;
	const mblk_t *data;

	if (DB_TYPE(mp) == M_DATA || DB_TYPE(mp) == M_PROTO) {
		data = pfmod_data_of(mp);
		if (data && !is_accepted(&pf->filter, data)) {
			freemsg(mp);
			return 0;
		}
	}
	putnext(q, mp);
	return 0;
}

/* A caller gives only the words that its filter has. */
static int filter_set(struct pfmod *pf, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	size_t head = offsetof(struct packetfilt, Pf_Filter);
	struct packetfilt f = {};

	if (ioc->ioc_count == TRANSPARENT || ioc->ioc_count < head ||
	    ioc->ioc_count > sizeof(f) || !mp->b_cont ||
	    MBLKL(mp->b_cont) != ioc->ioc_count)
		return EINVAL;
	memcpy(&f, mp->b_cont->b_rptr, ioc->ioc_count);
	if (ioc->ioc_count < head + f.Pf_FilterLen * sizeof(f.Pf_Filter[0]))
		return EINVAL;
	pf->filter = f;
	return 0;
}

static int pfmod_wput(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (DB_TYPE(mp) != M_IOCTL || MBLKL(mp) < sizeof(*ioc) ||
	    ioc->ioc_cmd != PFIOCSETF) {
		putnext(q, mp);
		return 0;
	}
	ioc->ioc_error = filter_set(q->q_ptr, mp);
	ioc->ioc_count = 0;
	ioc->ioc_rval = 0;
	DB_TYPE(mp) = ioc->ioc_error ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
	return 0;
}

static struct module_info pfmod_info = {
	.mi_idname = "pfmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit pfmod_rinit = {
	.qi_putp = pfmod_rput,
	.qi_qopen = pfmod_open,
	.qi_qclose = pfmod_close,
	.qi_minfo = &pfmod_info,
};

static struct qinit pfmod_winit = {
	.qi_putp = pfmod_wput,
	.qi_minfo = &pfmod_info,
};

static const struct streamtab pfmod_tab = {
	.st_rdinit = &pfmod_rinit,
	.st_wrinit = &pfmod_winit,
};

static struct strmod pfmod = {
	.name = "pfmod",
	.tab = &pfmod_tab,
	.owner = THIS_MODULE,
};

static int __init pfmod_init(void)
{
	return strmod_register(&pfmod);
}

static void __exit pfmod_exit(void)
{
	strmod_unregister(&pfmod);
}

module_init(pfmod_init);
module_exit(pfmod_exit);

MODULE_DESCRIPTION("STREAMS module that filters packets");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-pfmod");
