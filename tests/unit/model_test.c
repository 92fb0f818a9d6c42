// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random operations on a queue, and on an array of messages that does the same
 * in the simplest way; after each the two must agree
 */
#include <stdlib.h>

#include "unit.h"

#define BANDS	6
#define MOST	200
#define STEPS	200000

struct end {
	queue_t rd, wr;
};

static struct end up, low;	/* messages are queued on up.rd */

static struct {
	mblk_t *mp[MOST];
	int n;
	size_t hiwat[BANDS], lowat[BANDS];
	bool want[BANDS];
	bool want_above;	/* a sender waits for all bands above 0 */
	int back;		/* back-enables expected */
} model;

static int class(const mblk_t *mp)
{
	return DB_TYPE(mp) >= QPCTL ? 1000 : mp->b_band;
}

static size_t count(int band)
{
	size_t n = 0;
	int i;

	for (i = 0; i < model.n; i++) {
		if (model.mp[i]->b_band == band)
			n += msgsize(model.mp[i]) ? msgsize(model.mp[i]) : 1;
	}
	return n;
}

static bool full(int band)
{
	return count(band) && count(band) >= model.hiwat[band];
}

/* Bytes in all bands above 0, and how many there may be for one of them. */
static size_t above(void)
{
	size_t n = 0;
	int band;

	for (band = 1; band < BANDS; band++)
		n += count(band);
	return n;
}

static size_t above_most(int band)
{
	size_t most = 4 * model.hiwat[0];

	return most > model.hiwat[band] ? most : model.hiwat[band];
}

static bool above_full(int band)
{
	return band && above() && above() >= above_most(band);
}

/* There may be new room in the band: bytes left it, or its marks changed. */
static void relieve_band(int band)
{
	if (model.want[band] && !full(band) &&
	    count(band) <= model.lowat[band]) {
		model.want[band] = false;
		model.back++;
	}
}

static void relieve(int band)
{
	size_t most = 4 * model.hiwat[0];

	if (band && model.want_above && above() <= most - most / 4) {
		model.want_above = false;
		model.back++;
	}
	relieve_band(band);
}

static void insert(int at, mblk_t *mp)
{
	memmove(&model.mp[at + 1], &model.mp[at],
		(model.n - at) * sizeof(mp));
	model.mp[at] = mp;
	model.n++;
}

static void take(int at)
{
	int band = model.mp[at]->b_band;

	model.n--;
	memmove(&model.mp[at], &model.mp[at + 1],
		(model.n - at) * sizeof(model.mp[0]));
	relieve(band);
}

static mblk_t *random_message(void)
{
	static const unsigned char types[] = {
		M_DATA, M_DATA, M_DATA, M_PROTO, M_CTL, M_PCPROTO, M_IOCACK
	};
	mblk_t *mp = allocb(40, BPRI_MED);

	DB_TYPE(mp) = types[rand() % sizeof(types)];
	mp->b_wptr += rand() % 40;
	mp->b_band = DB_TYPE(mp) >= QPCTL ? 0 : rand() % BANDS;
	if (rand() % 4 == 0)
		linkb(mp, block(M_DATA, "more"));
	return mp;
}

static void agree(void)
{
	queue_t *q = &up.rd;
	mblk_t *mp, *prev = NULL;
	int i = 0, band;
	size_t data = 0;

	for (mp = q->q_first; mp; prev = mp, mp = mp->b_next) {
		TRUE(i < model.n && model.mp[i] == mp);
		TRUE(mp->b_prev == prev);
		data += msgdsize(mp);
		i++;
	}
	TRUE(i == model.n && q->q_last == prev);
	TRUE(q->q_msgs == i && qsize(q) == i && q->q_data == data);
	for (band = 0; band < BANDS; band++) {
		struct qband *qb = band_find(q, band);
		mblk_t *first = NULL, *last = NULL;

		if (!band) {
			TRUE(q->q_count == count(0));
			TRUE(!!(q->q_flag & QFULL) == full(0));
			TRUE(!!(q->q_flag & QWANTW) == model.want[0]);
			continue;
		}
		if (!qb) {
			TRUE(!count(band));
			continue;
		}
		for (i = 0; i < model.n; i++) {
			if (model.mp[i]->b_band != band)
				continue;
			first = first ? first : model.mp[i];
			last = model.mp[i];
		}
		TRUE(qb->qb_count == count(band));
		TRUE(qb->qb_first == first && qb->qb_last == last);
		TRUE(!!(qb->qb_flag & QB_FULL) == full(band));
		TRUE(!!(qb->qb_flag & QB_WANTW) == model.want[band]);
	}
}

static void step_put(bool back)
{
	mblk_t *mp = random_message();
	int at = 0;

	if (model.n == MOST) {
		freemsg(mp);
		return;
	}
	while (at < model.n && (back ? class(model.mp[at]) > class(mp) :
				class(model.mp[at]) >= class(mp)))
		at++;
	TRUE((back ? putbq : putq)(&up.rd, mp));
	insert(at, mp);
}

static void step_insert(void)
{
	mblk_t *mp = random_message();
	int at = rand() % (model.n + 1);
	bool ok = model.n < MOST &&
		  (!at || class(model.mp[at - 1]) >= class(mp)) &&
		  (at == model.n || class(model.mp[at]) <= class(mp));

	if (model.n == MOST ||
	    insq(&up.rd, at < model.n ? model.mp[at] : NULL, mp) != ok) {
		TRUE(model.n == MOST);
		freemsg(mp);
	} else if (ok) {
		insert(at, mp);
	} else {
		freemsg(mp);
	}
}

static void step_get(void)
{
	mblk_t *mp = getq(&up.rd);

	TRUE(mp == (model.n ? model.mp[0] : NULL));
	if (model.n)
		take(0);
	freemsg(mp);
}

static void step_remove(void)
{
	int at = rand() % (model.n + 1);
	mblk_t *mp;

	if (at == model.n)
		return;
	mp = model.mp[at];
	rmvq(&up.rd, mp);
	take(at);
	freemsg(mp);
}

static void step_flush(void)
{
	int band = rand() % (2 * BANDS) - BANDS;	/* below 0: all */
	int flag = rand() % 2 ? FLUSHALL : FLUSHDATA;
	int i, b;
	bool hit[BANDS] = { };

	for (i = 0; i < model.n; i++) {
		mblk_t *mp = model.mp[i];

		if (band >= 0 && mp->b_band != band)
			continue;
		if (flag == FLUSHDATA && !datamsg(DB_TYPE(mp)))
			continue;
		hit[mp->b_band] = true;
		model.n--;
		memmove(&model.mp[i], &model.mp[i + 1],
			(model.n - i) * sizeof(mp));
		i--;
	}
	for (b = 0; b < BANDS; b++) {
		if (hit[b])
			relieve(b);
	}
	if (band < 0)
		flushq(&up.rd, flag);
	else
		flushband(&up.rd, band, flag);
}

static void step_marks(void)
{
	int band = rand() % BANDS;

	if (rand() % 2) {
		model.hiwat[band] = rand() % 300;
		strqset(&up.rd, QHIWAT, band, model.hiwat[band]);
	} else {
		model.lowat[band] = rand() % 100;
		strqset(&up.rd, QLOWAT, band, model.lowat[band]);
	}
	relieve_band(band);
}

static void step_ask(void)
{
	int band = rand() % BANDS;

	TRUE(!!bcanputnext(&low.rd, band) ==
	     (!full(band) && !above_full(band)));
	if (full(band))
		model.want[band] = true;
	else if (above_full(band))
		model.want_above = true;
}

/* Bytes are read from the first message, or added to the last. */
static void step_in_place(void)
{
	mblk_t *mp;
	size_t n;
	bool back;

	if (!model.n)
		return;
	if (rand() % 2) {
		size_t before;

		mp = model.mp[0];
		before = count(mp->b_band);
		n = rand() % (mblk_len(mp) + 1);
		mp->b_rptr += n;
		stub_lock(&up.rd.q_lock);
		back = __q_consumed(&up.rd, mp, n);
		stub_unlock(&up.rd.q_lock);
		if (back)
			backenable(&up.rd, mp->b_band);
		if (count(mp->b_band) != before)
			relieve(mp->b_band);
	} else {
		mp = model.mp[model.n - 1];
		n = rand() % (DB_LIM(mp) - mp->b_wptr + 1);
		n = min_t(size_t, n, 30);
		mp->b_wptr += n;
		stub_lock(&up.rd.q_lock);
		__q_appended(&up.rd, mp, n);
		stub_unlock(&up.rd.q_lock);
	}
}

static void run_model(unsigned int seed)
{
	long step;
	int band;

	srand(seed);
	queue_init(&up.rd, &without_service, QREADR | QHEAD, NULL, NULL);
	queue_init(&up.wr, &with_service, QHEAD, NULL, NULL);
	queue_init(&low.rd, &with_service, QREADR, NULL, NULL);
	queue_init(&low.wr, &with_service, 0, NULL, NULL);
	up.wr.q_next = &low.wr;
	low.rd.q_next = &up.rd;
	memset(&model, 0, sizeof(model));
	for (band = 0; band < BANDS; band++) {
		strqset(&up.rd, QHIWAT, band, HIWAT);
		model.hiwat[band] = HIWAT;
		model.lowat[band] = LOWAT;
	}
	for (step = 0; step < STEPS / 10; step++) {
		switch (rand() % 20) {
		case 0 ... 5:
			step_put(false);
			break;
		case 6:
			step_put(true);
			break;
		case 7 ... 8:
			step_insert();
			break;
		case 9 ... 12:
			step_get();
			break;
		case 13:
			step_remove();
			break;
		case 14:
			if (rand() % 8 == 0)
				step_flush();
			break;
		case 15:
			step_marks();
			break;
		case 16 ... 17:
			step_ask();
			break;
		default:
			step_in_place();
		}
		/* Once for two reasons, or for each. */
		TRUE(!unit_enabled(&low.rd) == !model.back);
		model.back = 0;
		agree();
	}
	queue_destroy(&up.rd);
	queue_destroy(&up.wr);
	queue_destroy(&low.rd);
	queue_destroy(&low.wr);
}

static void same_as_model(void)
{
	unsigned int seed;

	for (seed = 1; seed <= 10; seed++)
		run_model(seed);
}

/* Blocks are made, shared, joined, cut and freed at random; ASan watches. */
static void random_lives(void)
{
	mblk_t *slot[32] = { };
	long step;
	int i, j;

	srand(1);
	for (step = 0; step < STEPS; step++) {
		i = rand() % 32;
		j = rand() % 32;
		/* One allocation of some later step fails now and then. */
		if (rand() % 16 == 0)
			stub_fail_at = 1 + rand() % 4;
		if (!slot[i]) {
			slot[i] = allocb(rand() % 3 ? rand() % 300 :
					 rand() % 9000, BPRI_MED);
			if (slot[i])
				slot[i]->b_wptr += rand() %
					(MBLKSIZE(slot[i]) + 1);
			continue;
		}
		switch (rand() % 8) {
		case 0:
			freemsg(slot[i]);
			slot[i] = NULL;
			break;
		case 1:
			if (!slot[j])
				slot[j] = dupmsg(slot[i]);
			break;
		case 2:
			if (!slot[j])
				slot[j] = copymsg(slot[i]);
			break;
		case 3:
			if (slot[j] && i != j && msgsize(slot[i]) < 20000) {
				linkb(slot[i], slot[j]);
				slot[j] = NULL;
			}
			break;
		case 4:
			pullupmsg(slot[i], rand() % 4 ?
				  rand() % (msgsize(slot[i]) + 1) : -1);
			break;
		case 5:
			adjmsg(slot[i], rand() % 200 - 100);
			break;
		case 6:
			if (!slot[j])
				slot[j] = msgpullup(slot[i], rand() % 100);
			break;
		case 7: {
			mblk_t *mp = reallocb(slot[i], rand() % 5000,
					      rand() % 2);

			if (mp)
				slot[i] = mp;
		}
		}
	}
	for (i = 0; i < 32; i++)
		freemsg(slot[i]);
}

const struct unit_test model_tests[] = {
	{ "200,000 random queue operations agree with a simple model",
	  same_as_model },
	{ "200,000 random lives of messages, with failing allocations",
	  random_lives },
	{ }
};
