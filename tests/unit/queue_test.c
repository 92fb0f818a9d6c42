// SPDX-License-Identifier: GPL-2.0-only
/* Queues and their bands */
#include "unit.h"

static queue_t pair[2];
static queue_t *const rq = &pair[0], *const wq = &pair[1];

static void setup(void)
{
	queue_init(rq, &with_service, QREADR, NULL, NULL);
	queue_init(wq, &with_service, 0, NULL, NULL);
}

static void teardown(void)
{
	queue_destroy(rq);
	queue_destroy(wq);
}

static mblk_t *banded(int band, const char *text)
{
	mblk_t *mp = block(M_DATA, text);

	mp->b_band = band;
	return mp;
}

/* The messages that getq() returns, until there is none. */
static void drains(const char *order)
{
	char have[512] = "";
	mblk_t *mp;

	while ((mp = getq(rq))) {
		if (*have)
			strcat(have, " ");
		strncat(have, (char *)mp->b_rptr, MBLKL(mp));
		TRUE(!mp->b_next && !mp->b_prev);
		freemsg(mp);
	}
	if (strcmp(have, order)) {
		printf("# is: %s\n# should be: %s\n", have, order);
		TRUE(0);
	}
	TRUE(rq->q_count == 0 && !rq->q_first && !rq->q_last);
}

static void classes_in_order(void)
{
	setup();
	putq(rq, banded(0, "a"));
	putq(rq, banded(2, "b"));
	putq(rq, block(M_PCPROTO, "P"));
	putq(rq, banded(1, "c"));
	putq(rq, banded(255, "z"));
	putq(rq, banded(2, "d"));
	putq(rq, banded(0, "e"));
	putq(rq, block(M_PCPROTO, "Q"));
	putbq(rq, banded(2, "B"));
	putbq(rq, banded(0, "A"));
	putbq(rq, banded(3, "T"));
	putbq(rq, block(M_PCPROTO, "O"));
	TRUE(qsize(rq) == 12);
	TRUE(rq->q_nband == 255);
	TRUE(rq->q_count == 6);	/* 3 of high priority, 3 of band 0 */
	unit_enabled(rq);
	drains("O P Q z T B b d c A a e");
	teardown();
}

static void high_priority_has_no_band(void)
{
	mblk_t *mp = block(M_PCPROTO, "P");

	setup();
	mp->b_band = 4;
	putq(rq, mp);
	TRUE(mp->b_band == 0 && rq->q_nband == 0 && rq->q_count == 1);
	unit_enabled(rq);
	teardown();
}

static void empty_messages_count(void)
{
	bool back;

	setup();
	while (canput(rq)) {
		putq(rq, block(M_DATA, ""));
		TRUE(qsize(rq) <= HIWAT);
	}
	TRUE(qsize(rq) == HIWAT);
	unit_enabled(rq);
	freemsg(LOCKED(rq, __getq(rq, &back)));
	TRUE(rq->q_count == HIWAT - 1);
	teardown();
}

static void enabled_when_it_must_be(void)
{
	mblk_t *mp;

	setup();
	putq(rq, banded(0, "a"));
	TRUE(unit_enabled(rq) == 1);
	mp = getq(rq);
	putbq(rq, mp);			/* found no room ahead */
	TRUE(unit_enabled(rq) == 0);
	putq(rq, banded(0, "b"));	/* nor will it now */
	TRUE(unit_enabled(rq) == 0);
	putq(rq, banded(1, "c"));
	TRUE(unit_enabled(rq) == 1);
	putq(rq, block(M_PCPROTO, "P"));
	TRUE(unit_enabled(rq) == 1);
	drains("P c a b");
	putbq(rq, banded(0, "d"));	/* it waits: found nothing */
	TRUE(unit_enabled(rq) == 1);

	noenable(rq);
	TRUE(!canenable(rq));
	drains("d");
	putq(rq, banded(0, "e"));
	putq(rq, banded(7, "f"));
	TRUE(unit_enabled(rq) == 0);
	putq(rq, block(M_PCPROTO, "P"));
	TRUE(unit_enabled(rq) == 1);
	enableok(rq);
	TRUE(canenable(rq));
	TRUE(unit_enabled(rq) == 0);
	qenable(rq);
	TRUE(unit_enabled(rq) == 1);
	rq->q_sched = 1;		/* enabled, not yet served */
	qenable(rq);
	TRUE(unit_enabled(rq) == 0);
	rq->q_sched = 0;
	teardown();
	queue_init(rq, &without_service, QREADR, NULL, NULL);
	putq(rq, block(M_PCPROTO, "P"));
	qenable(rq);
	TRUE(unit_enabled(rq) == 0);
	queue_destroy(rq);
}

static void rmvq_then_putq_enables(void)
{
	mblk_t *mp = banded(0, "a");

	setup();
	putq(rq, banded(0, "b"));
	putq(rq, mp);
	TRUE(unit_enabled(rq) == 2);
	freemsg(getq(rq));		/* does not wait any more */
	rmvq(rq, mp);
	putq(rq, mp);
	TRUE(unit_enabled(rq) == 1);
	teardown();
}

static void insq_keeps_order(void)
{
	mblk_t *P = block(M_PCPROTO, "P"), *b2 = banded(2, "b"), *a = banded(0, "a");
	mblk_t *n;

	setup();
	putq(rq, P);
	putq(rq, b2);
	putq(rq, a);

	n = banded(1, "n");
	TRUE(!insq(rq, P, n) && !insq(rq, b2, n) && !insq(rq, NULL, n));
	TRUE(!n->b_next && !n->b_prev);
	TRUE(insq(rq, a, n));
	n = banded(0, "0");
	TRUE(!insq(rq, b2, n));
	TRUE(insq(rq, NULL, n));
	n = banded(2, "2");
	TRUE(insq(rq, b2, n));
	n = block(M_PCPROTO, "Q");
	TRUE(!insq(rq, a, n) && !insq(rq, NULL, n));
	TRUE(insq(rq, P, n));
	n = block(M_PCPROTO, "R");
	TRUE(insq(rq, rq->q_first->b_next->b_next, n));	/* before 2 */
	TRUE(rq->q_bandp[1].qb_first != b2 && rq->q_bandp[1].qb_last == b2);
	unit_enabled(rq);
	drains("Q P R 2 b n a 0");
	TRUE(insq(rq, NULL, block(M_DATA, "x")));
	unit_enabled(rq);
	drains("x");
	teardown();
}

static void band_memory_short(void)
{
	mblk_t *mp = banded(9, "m");
	long v;

	setup();
	stub_fail_at = 1;
	TRUE(!putq(rq, mp));
	stub_fail_at = 1;
	TRUE(!putbq(rq, mp));
	stub_fail_at = 1;
	TRUE(!insq(rq, NULL, mp));
	stub_fail_at = 1;
	TRUE(strqset(rq, QHIWAT, 9, 5) == EAGAIN);
	TRUE(!qsize(rq) && !rq->q_nband && !mp->b_next && !mp->b_prev);
	TRUE(unit_enabled(rq) == 0);
	putq(rq, banded(3, "l"));
	stub_fail_at = 1;
	TRUE(!putq(rq, mp));
	TRUE(rq->q_nband == 3 && rq->q_bandp[2].qb_count == 1);
	TRUE(putq(rq, mp) == 1);
	TRUE(!strqget(rq, QCOUNT, 3, &v) && v == 1);
	unit_enabled(rq);
	drains("m l");
	teardown();
}

static void fill(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		putq(rq, banded(i, "data"));
		mblk_t *mp = block(M_CTL, "ctl");

		mp->b_band = i;
		putq(rq, mp);
	}
	putq(rq, block(M_PCPROTO, "hidata"));
	putq(rq, block(M_IOCACK, "hictl"));
	unit_enabled(rq);
}

static void flushes(void)
{
	setup();
	fill();
	flushq(rq, FLUSHALL);
	drains("");
	fill();
	flushq(rq, FLUSHDATA);
	drains("hictl ctl ctl ctl");
	fill();
	flushband(rq, 1, FLUSHALL);
	drains("hidata hictl data ctl data ctl");
	fill();
	flushband(rq, 2, FLUSHDATA);
	drains("hidata hictl ctl data ctl data ctl");
	fill();
	flushband(rq, 0, FLUSHALL);
	drains("data ctl data ctl");
	fill();
	flushband(rq, 200, FLUSHALL);
	TRUE(qsize(rq) == 8);
	teardown();
}

/* At once, whatever there is, and each account is as that of an empty band. */
static void all_taken(void)
{
	bool back;
	mblk_t *mp;

	setup();
	fill();
	TRUE(LOCKED(rq, __putq(rq, banded(3, "more"))));
	strqset(rq, QHIWAT, 3, 1);
	TRUE(!bcanput(rq, 3));
	mp = LOCKED(rq, __getq_all(rq, &back));
	TRUE(back);
	TRUE(!rq->q_first && !rq->q_last && !rq->q_count && !rq->q_above);
	TRUE(qsize(rq) == 0 && rq->q_data == 0);
	TRUE(bcanput(rq, 3));
	str_free_many(mp);
	putq(rq, banded(0, "a"));
	putq(rq, banded(3, "b"));
	putq(rq, banded(3, "c"));
	unit_enabled(rq);
	drains("b c a");
	mp = LOCKED(rq, __getq_all(rq, &back));
	TRUE(!mp && !back);
	teardown();
}

static void fields(void)
{
	mblk_t *a = banded(0, "abc"), *b = banded(2, "de");
	long v;

	setup();
	TRUE(!strqget(rq, QHIWAT, 0, &v) && v == HIWAT);
	TRUE(!strqget(rq, QLOWAT, 77, &v) && v == LOWAT);
	TRUE(rq->q_nband == 0);
	TRUE(!strqget(rq, QMAXPSZ, 0, &v) && v == INFPSZ);
	TRUE(!strqget(rq, QMINPSZ, 0, &v) && v == 0);
	putq(rq, a);
	putq(rq, b);
	unit_enabled(rq);
	TRUE(!strqget(rq, QCOUNT, 0, &v) && v == 3);
	TRUE(!strqget(rq, QCOUNT, 2, &v) && v == 2);
	TRUE(!strqget(rq, QCOUNT, 1, &v) && v == 0);
	TRUE(!strqget(rq, QFIRST, 0, &v) && v == (long)b);
	TRUE(!strqget(rq, QLAST, 0, &v) && v == (long)a);
	TRUE(!strqget(rq, QFIRST, 2, &v) && v == (long)b);
	TRUE(!strqget(rq, QLAST, 3, &v) && v == 0);
	TRUE(!strqget(rq, QFLAG, 0, &v) && v & QREADR);
	TRUE(strqget(rq, QBAD, 0, &v) == EINVAL);
	TRUE(strqget(rq, QMAXPSZ, 2, &v) == EINVAL);
	TRUE(strqset(rq, QCOUNT, 0, 1) == EPERM);
	TRUE(strqset(rq, QFLAG, 1, 1) == EPERM);
	TRUE(strqset(rq, QBAD, 0, 1) == EINVAL);
	TRUE(strqset(rq, QHIWAT, 0, -1) == EINVAL);
	TRUE(strqset(rq, QMAXPSZ, 2, 1) == EINVAL);
	TRUE(strqset(rq, QMINPSZ, 0, -2) == EINVAL);
	TRUE(!strqset(rq, QMAXPSZ, 0, 77) && rq->q_maxpsz == 77);
	TRUE(!strqset(rq, QMINPSZ, 0, 7) && rq->q_minpsz == 7);
	TRUE(!strqset(rq, QHIWAT, 0, 3) && !canput(rq));
	TRUE(!strqset(rq, QHIWAT, 4, 9) && rq->q_bandp[3].qb_hiwat == 9);
	teardown();
}

static void in_place(void)
{
	mblk_t *mp = block(M_DATA, "0123456789");

	setup();
	putq(rq, mp);
	unit_enabled(rq);
	mp->b_rptr += 4;
	TRUE(!LOCKED(rq, __q_consumed(rq, mp, 4)) && rq->q_count == 6);
	TRUE(rq->q_data == 6 && rq->q_msgs == 1);
	mp->b_rptr += 6;
	TRUE(!LOCKED(rq, __q_consumed(rq, mp, 6)) && rq->q_count == 1);
	TRUE(!LOCKED(rq, __q_consumed(rq, mp, 0)) && rq->q_count == 1);
	*mp->b_wptr++ = 'x';
	(void)LOCKED(rq, (__q_appended(rq, mp, 1), 0));
	TRUE(rq->q_count == 1);
	mp->b_rptr++;
	TRUE(!LOCKED(rq, __q_consumed(rq, mp, 1)) && rq->q_count == 1);
	linkb(mp, block(M_DATA, "more"));
	(void)LOCKED(rq, (__q_appended(rq, mp, 4), 0));
	TRUE(rq->q_count == 4);
	linkb(mp, block(M_DATA, "still"));
	(void)LOCKED(rq, (__q_appended(rq, mp, 5), 0));
	TRUE(rq->q_count == 9 && rq->q_data == 9);
	rmvq(rq, mp);
	TRUE(rq->q_count == 0 && rq->q_data == 0 && rq->q_msgs == 0);
	freemsg(mp);

	/* Changed behind the queue's back: it counts as when it was queued. */
	mp = block(M_DATA, "1");
	putq(rq, mp);
	unit_enabled(rq);
	linkb(mp, block(M_DATA, "2"));
	rmvq(rq, mp);
	TRUE(!stub_warnings && rq->q_count == 0);
	freemsg(mp);

	/* Others stay: a warning, not a wild count of their data. */
	mp = block(M_DATA, "1");
	putq(rq, mp);
	putq(rq, block(M_DATA, "2"));
	unit_enabled(rq);
	linkb(mp, block(M_DATA, "34"));
	rmvq(rq, mp);
	TRUE(stub_warnings == 1 && rq->q_count == 1);
	TRUE(rq->q_data == 0 && rq->q_msgs == 1);
	stub_warnings = 0;
	freemsg(mp);
	teardown();
}

const struct unit_test queue_tests[] = {
	{ "high priority first, then bands, first in first out",
	  classes_in_order },
	{ "a high-priority message has no band", high_priority_has_no_band },
	{ "empty messages fill a queue too", empty_messages_count },
	{ "putq(), putbq() enable when they must", enabled_when_it_must_be },
	{ "putq() enables what rmvq() emptied", rmvq_then_putq_enables },
	{ "insq() keeps the order, and refuses to break it",
	  insq_keeps_order },
	{ "no memory for a band: the message stays the caller's",
	  band_memory_short },
	{ "flushq(), flushband()", flushes },
	{ "all messages at once", all_taken },
	{ "strqget(), strqset()", fields },
	{ "messages shrink and grow on the queue", in_place },
	{ }
};
