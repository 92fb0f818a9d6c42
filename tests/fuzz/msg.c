// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages and queues: blocks are made, shared, joined, cut, copied, queued and
 * freed in any order, while allocations fail; each message's bytes are known
 */
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>
#include <sys/strsun.h>

#include "streams/queue/flow.h"
#include "streams/queue/freeze.h"
#include "input.h"
#include "streams/message/mblk.h"
#include "streams/perim/perim.h"
#include "streams/queue/queue.h"

#define STEPS		120
#define MESSAGES	6
#define BYTES_MOST	20000

void fuzz_die(const char *why);

/* strsun.c's */
static const struct cred first_cred;
struct task_struct init_task = { .cred = &first_cred };

/* A message, and the bytes and types that it is to have */
struct known {
	mblk_t *mp;
	unsigned char *bytes;
	size_t len;
};

static struct known known[MESSAGES];
static queue_t queues[4];		/* two pairs, one behind the other */
static struct strperim perim;
static unsigned char next_byte;

/* put.c and flow.c are used as far as no procedure runs: it would be perim.c's. */
void perim_put(queue_t *q, mblk_t *mp)
{
	freemsg(mp);
}

void perim_putnext(queue_t *q, mblk_t *mp)
{
	freemsg(mp);
}

void perim_enable(queue_t *q)
{
	q->q_sched = 0;
}

void perim_enable_now(queue_t *q)
{
	perim_enable(q);
}

void fuzz_die(const char *why)
{
	fprintf(stderr, "fuzz: %s\n", why);
	abort();
}

static int keep(queue_t *q, mblk_t *mp)
{
	freemsg(mp);
	return 0;
}

static int serve(queue_t *q)
{
	return 0;
}

static struct module_info info = {
	.mi_idname = "fuzz", .mi_maxpsz = INFPSZ, .mi_hiwat = 4096, .mi_lowat = 512,
};

static struct qinit init = { .qi_putp = keep, .qi_srvp = serve, .qi_minfo = &info };

static void forget(struct known *k)
{
	free(k->bytes);
	*k = (struct known){ };
}

/* The bytes of a message as it is, in memory of their own. */
static void learn(struct known *k, mblk_t *mp)
{
	const mblk_t *bp;
	size_t at = 0;

	forget(k);
	if (!mp)
		return;
	k->mp = mp;
	k->len = msgsize(mp);
	k->bytes = malloc(k->len + 1);
	for (bp = mp; bp; bp = bp->b_cont) {
		memcpy(k->bytes + at, bp->b_rptr, mblk_len(bp));
		at += mblk_len(bp);
	}
}

/* The message has n bytes, of those from "from" on. */
static void check(const mblk_t *mp, const struct known *k, size_t from, size_t n)
{
	size_t at = 0;

	for (; mp; mp = mp->b_cont) {
		size_t len = mblk_len(mp);

		if (at + len > n || memcmp(mp->b_rptr, k->bytes + from + at, len))
			fuzz_die("a message has other bytes than before");
		if (mp->b_rptr < DB_BASE(mp) || mp->b_wptr > DB_LIM(mp))
			fuzz_die("a block's pointers are outside of its buffer");
		at += len;
	}
	if (at != n)
		fuzz_die("a message has lost bytes");
}

static void check_all(void)
{
	unsigned int i;

	for (i = 0; i < MESSAGES; i++)
		if (known[i].mp)
			check(known[i].mp, &known[i], 0, known[i].len);
}

/* Bytes of the blocks of the first one's type that a message begins with. */
static size_t lead(const mblk_t *mp)
{
	unsigned char type = DB_TYPE(mp);
	size_t n = 0;

	for (; mp && DB_TYPE(mp) == type; mp = mp->b_cont)
		n += mblk_len(mp);
	return n;
}

static void outside_free(char *arg)
{
	kfree(arg);
}

/* A block of one of the kinds that there are */
static mblk_t *block(struct input *in)
{
	unsigned int how = input_byte(in);
	size_t size = how & 0x40 ? input_short(in) % BYTES_MOST : input_byte(in);
	struct { frtn_t frtn; } *out;
	struct sk_buff *skb;
	mblk_t *mp, *pair;
	int fail;

	switch (how & 7) {
	case 0:
		out = kmalloc(sizeof(*out) + size, GFP_KERNEL);
		if (!out)
			return NULL;
		out->frtn = (frtn_t){ outside_free, (char *)out };
		mp = esballoc((unsigned char *)(out + 1), size, BPRI_MED,
			      &out->frtn);
		if (!mp)
			kfree(out);
		break;
	case 1:
		/* Not of the code under test */
		fail = stub_fail_at;
		stub_fail_at = 0;
		skb = stub_skb(how >> 3 & 7, size, 8);
		stub_fail_at = fail;
		skb->cloned = how & 0x80;
		mp = skballoc(skb, GFP_KERNEL);
		if (!mp)
			consume_skb(skb);
		return mp;
	case 2:
		mp = allocb_pair(size, input_short(in) % 1200, GFP_KERNEL);
		if (!mp)
			return NULL;
		pair = mp->b_cont;
		memset(pair->b_wptr, next_byte++, MBLKSIZE(pair) / 2);
		pair->b_wptr += MBLKSIZE(pair) / 2;
		size = min_t(size_t, size, MBLKSIZE(mp));
		break;
	default:
		mp = allocb_gfp(size, how & 8 ? GFP_KERNEL : GFP_ATOMIC);
	}
	if (!mp)
		return NULL;
	size = size ? input_short(in) % (size + 1) : 0;
	memset(mp->b_wptr, next_byte++, size);
	mp->b_wptr += size;
	DB_TYPE(mp) = how & 0x20 ? M_PROTO : M_DATA;
	if (how & 0x10)
		mp->b_band = input_byte(in);
	return mp;
}

static void make(struct input *in, struct known *k)
{
	mblk_t *mp = NULL, *bp;
	unsigned int n = 1 + input_below(in, 4);

	freemsg(k->mp);
	forget(k);
	while (n-- && (bp = block(in))) {
		if (mp)
			linkb(mp, bp);
		else
			mp = bp;
	}
	learn(k, mp);
}

/* A length around what a message has */
static ssize_t length(struct input *in, const struct known *k)
{
	unsigned int b = input_byte(in);

	if (b & 0x80)
		return (s32)input_odd(in);
	return b & 0x40 ? (ssize_t)k->len - (b & 7) : b;
}

static void pull_up(struct input *in, struct known *k, struct known *to)
{
	ssize_t len = length(in, k);
	size_t want = len == -1 ? lead(k->mp) : (size_t)len;
	bool fits = len >= -1 && want <= lead(k->mp);
	mblk_t *mp;

	if (input_byte(in) & 1) {
		if (!pullupmsg(k->mp, len))
			return;
		if (!fits || mblk_len(k->mp) < want)
			fuzz_die("pullupmsg() has pulled up other bytes");
		return;
	}
	mp = msgpullup(k->mp, len);
	if (!mp)
		return;
	if (!fits || mblk_len(mp) < want)
		fuzz_die("msgpullup() has pulled up other bytes");
	check(mp, k, 0, k->len);
	freemsg(to->mp);
	learn(to, mp);
}

static void adjust(struct input *in, struct known *k)
{
	ssize_t len = length(in, k);
	bool tail = input_byte(in) & 1;
	size_t n;

	if (tail)
		len = -len;
	if (!adjmsg(k->mp, len))
		return;
	n = len < 0 ? -(size_t)len : (size_t)len;
	if (n > k->len)
		fuzz_die("adjmsg() has trimmed more than there was");
	/* From the front, or from the end */
	check(k->mp, k, len > 0 ? n : 0, k->len - n);
	learn(k, k->mp);
}

static void copy(struct input *in, struct known *k, struct known *to)
{
	unsigned int how = input_byte(in);
	mblk_t *mp = how & 1 ? dupmsg(k->mp) : copymsg(k->mp);

	if (!mp)
		return;
	check(mp, k, 0, k->len);
	freemsg(to->mp);
	learn(to, mp);
}

/* Joins two, or takes one apart. */
static void join(struct input *in, struct known *k, struct known *to)
{
	unsigned int how = input_byte(in);
	mblk_t *bp = k->mp, *rest;

	if (how & 1) {
		if (to->mp && to != k) {
			linkb(k->mp, to->mp);
			forget(to);
			learn(k, k->mp);
		}
		return;
	}
	if (how & 2) {
		rest = unlinkb(k->mp);
		learn(k, k->mp);
		if (rest) {
			freemsg(to->mp);
			learn(to, rest);
		}
		return;
	}
	for (how >>= 2; how && bp->b_cont; how--)
		bp = bp->b_cont;
	rest = rmvb(k->mp, bp);
	if (rest == (mblk_t *)-1)
		fuzz_die("rmvb() has not found a block");
	learn(k, rest);
	freeb(bp);
}

/* Changes that modules make to a message of their own */
static void change(struct input *in, struct known *k)
{
	unsigned int how = input_byte(in);
	size_t size = input_short(in) % 3000, len = mblk_len(k->mp);
	unsigned char to[BYTES_MOST * 2];
	mblk_t *mp;

	switch (how & 3) {
	case 0:
		mp = reallocb(k->mp, size, how & 4);
		if (mp && (size_t)MBLKSIZE(mp) < size)
			fuzz_die("reallocb() has made a block that is too small");
		if (mp && how & 4 && mblk_len(mp) != len)
			fuzz_die("reallocb() has lost bytes");
		learn(k, mp ?: k->mp);
		break;
	case 1:
		mp = mexchange(NULL, k->mp, size, M_PROTO, 7);
		if (mp && mblk_len(mp) != size)
			fuzz_die("mexchange() has made another size");
		if (mp)
			memset(mp->b_rptr, next_byte++, size);
		learn(k, mp);
		break;
	case 2:
		if (k->len > sizeof(to))
			break;
		mcopymsg(k->mp, to);
		if (memcmp(to, k->bytes, k->len))
			fuzz_die("mcopymsg() has copied other bytes");
		forget(k);
		break;
	default:
		/* Pointers that cross: an empty block */
		if (DB_REF(k->mp) == 1) {
			swap(k->mp->b_rptr, k->mp->b_wptr);
			learn(k, k->mp);
		}
	}
}

/* The order and the counts of a queue are those of its messages. */
static void check_queue(queue_t *q)
{
	size_t count[256] = { }, above = 0, data = 0;
	const mblk_t *mp, *prev = NULL;
	unsigned int i, n = 0;

	for (mp = q->q_first; mp; prev = mp, mp = mp->b_next) {
		int class = msg_hipri(mp) ? 256 : mp->b_band;

		if (mp->b_prev != prev)
			fuzz_die("a queue's list is broken");
		if (prev && class > (msg_hipri(prev) ? 256 : prev->b_band))
			fuzz_die("a queue is out of order");
		count[msg_hipri(mp) ? 0 : mp->b_band] +=
			msg_count_of(mp, msgsize(mp));
		n++;
		data += DB_TYPE(mp) == M_DATA ? msgsize(mp) : msgdsize(mp);
	}
	if (q->q_msgs != n || q->q_data != data)
		fuzz_die("a queue's messages, or their data, are counted wrong");
	if (q->q_last != prev || q->q_count != count[0])
		fuzz_die("a queue's count is wrong");
	for (i = 1; i < 256; i++) {
		above += count[i];
		if (i <= q->q_nband ? q->q_bandp[i - 1].qb_count != count[i] :
				      count[i])
			fuzz_die("a band's count is wrong");
	}
	if (q->q_above != above)
		fuzz_die("the count of a queue's bands is wrong");
}

static void queued(struct input *in, struct known *k)
{
	static const int types[] = { M_DATA, M_PROTO, M_PCPROTO, M_IOCACK };
	unsigned int how = input_byte(in), i;
	queue_t *q = &queues[how >> 6 & 2];
	mblk_t *mp = k->mp, *at;
	int ok = 1;

	if (how & 0x40 && mp && DB_REF(mp) == 1)
		DB_TYPE(mp) = types[how >> 4 & 3];
	switch (how & 7) {
	case 0:
	case 1:
		ok = mp && putq(q, mp);
		break;
	case 2:
		ok = mp && putbq(q, mp);
		break;
	case 3:
		at = q->q_first;
		for (i = how >> 4 & 3; i && at; i--)
			at = at->b_next;
		ok = mp && insq(q, at, mp);
		break;
	case 4:
		at = q->q_first;
		for (i = how >> 4 & 3; i && at; i--)
			at = at->b_next;
		if (at) {
			rmvq(q, at);
			freemsg(at);
		}
		ok = 0;
		break;
	case 5:
		freemsg(getq(q));
		ok = 0;
		break;
	case 6:
		if (how & 8)
			flushband(q, input_byte(in), how & 16 ? FLUSHALL : FLUSHDATA);
		else
			flushq(q, how & 16 ? FLUSHALL : FLUSHDATA);
		ok = 0;
		break;
	default:
		strqset(q, how & 8 ? QHIWAT : QLOWAT, how & 16 ? input_byte(in) : 0,
			(s32)input_odd(in));
		bcanput(q, input_byte(in));
		ok = 0;
	}
	/* The queue has it now, or it is this one's still. */
	if (ok)
		forget(k);
	check_queue(q);
}

static void step(struct input *in)
{
	unsigned int b = input_byte(in);
	struct known *k = &known[(b >> 4) % MESSAGES];
	struct known *to = &known[input_below(in, MESSAGES)];

	++*fuzz_calls;
	if ((b & 15) >= 13 || !k->mp) {
		if ((b & 15) == 15)
			stub_fail_at = 1 + input_below(in, 8);
		else if ((b & 15) == 6)
			queued(in, k);
		else
			make(in, k);
		return;
	}
	switch (b & 15) {
	case 0:
	case 1:
		pull_up(in, k, to);
		break;
	case 2:
	case 3:
		adjust(in, k);
		break;
	case 4:
		copy(in, k, to == k ? &known[(k - known + 1) % MESSAGES] : to);
		break;
	case 5:
		join(in, k, to);
		break;
	case 6:
	case 7:
	case 8:
		queued(in, k);
		break;
	case 9:
		change(in, k);
		break;
	default:
		freemsg(k->mp);
		forget(k);
	}
}

static void queues_make(void)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		queue_init(&queues[i], &init, i & 1 ? 0 : QREADR, &perim, NULL);
	queues[1].q_next = &queues[3];
	queues[2].q_next = &queues[0];
}

void fuzz_one(struct input *in)
{
	int before = stub_alive;
	unsigned int n = STEPS, i;

	stub_fail_at = 0;
	queues_make();
	while (in->left && n--) {
		step(in);
		check_all();
	}
	stub_fail_at = 0;
	for (i = 0; i < MESSAGES; i++) {
		freemsg(known[i].mp);
		forget(&known[i]);
	}
	for (i = 0; i < 4; i++)
		queue_destroy(&queues[i]);
	if (stub_warnings || stub_locks || stub_rcu)
		fuzz_die("a kernel warning, or a lock that is left");
	if (stub_alive != before)
		fuzz_die("a block was not freed");
}

int fuzz_start(void)
{
	return mblk_init();
}
