// SPDX-License-Identifier: GPL-2.0-only
/* freezestr(), and the operations permitted on a frozen queue */
#include "unit.h"

#include "streams/queue/freeze.h"

static queue_t pair[2];
static queue_t *const q = &pair[1];

static void setup(void)
{
	queue_init(&pair[0], &with_service, QREADR, NULL, NULL);
	queue_init(&pair[1], &with_service, 0, NULL, NULL);
}

static void teardown(void)
{
	queue_destroy(&pair[0]);
	queue_destroy(&pair[1]);
}

/* The lock stub aborts when insq() or another takes the lock again. */
static void changes_while_frozen(void)
{
	mblk_t *a = block(M_DATA, "a"), *b = block(M_DATA, "b"), *mp;
	long val = 0;

	setup();
	TRUE(putq(q, b));
	TRUE(unit_enabled(q) == 1);
	freezestr(q);
	TRUE(stub_locks == 1);
	TRUE(insq(q, q->q_first, a));
	TRUE(!strqget(q, QCOUNT, 0, &val) && val == 2);
	TRUE(!strqset(q, QHIWAT, 0, 50));
	for (mp = q->q_first; mp; mp = mp->b_next)
		val--;
	TRUE(!val);
	rmvq(q, b);
	unfreezestr(q);
	TRUE(!stub_locks);
	/* getq() has not found it empty since: the message from insq() enables it. */
	TRUE(unit_enabled(q) == 1);
	freeb(b);
	TRUE(getq(q) == a);
	TRUE(q->q_hiwat == 50);
	freeb(a);
	teardown();
}

/* A queue that a change would enable is enabled when the lock is free, not before. */
static void enables_afterwards(void)
{
	mblk_t *hi = block(M_PCPROTO, "h");

	setup();
	freezestr(q);
	TRUE(insq(q, NULL, hi));
	TRUE(!unit_enabled(q));
	unfreezestr(q);
	TRUE(unit_enabled(q) == 1);
	freezestr(q);
	unfreezestr(q);
	TRUE(!unit_enabled(q));
	freeb(getq(q));
	teardown();
}

/* The writer behind a full queue, in which rmvq() makes room. */
static void backenables_afterwards(void)
{
	queue_t behind[2];
	char text[HIWAT + 1];
	mblk_t *mp;

	memset(text, 'x', HIWAT);
	text[HIWAT] = '\0';
	setup();
	queue_init(&behind[0], &with_service, QREADR, NULL, NULL);
	queue_init(&behind[1], &with_service, 0, NULL, NULL);
	behind[1].q_next = q;
	pair[0].q_next = &behind[0];
	mp = block(M_DATA, text);
	TRUE(putq(q, mp));
	TRUE(unit_enabled(q) == 1);
	TRUE(!canputnext(&behind[1]));
	freezestr(q);
	rmvq(q, mp);
	TRUE(!unit_enabled(&behind[1]));
	unfreezestr(q);
	TRUE(unit_enabled(&behind[1]) == 1);
	freeb(mp);
	queue_destroy(&behind[0]);
	queue_destroy(&behind[1]);
	teardown();
}

/* Thawing a queue that is not frozen is reported, and changes nothing. */
static void not_frozen(void)
{
	setup();
	unfreezestr(q);
	TRUE(stub_warnings == 1);
	stub_warnings = 0;
	teardown();
}

const struct unit_test freeze_tests[] = {
	{ "insq, rmvq, strqget and strqset work on a frozen queue",
	  changes_while_frozen },
	{ "insq enables when the queue is thawed", enables_afterwards },
	{ "rmvq back-enables when the queue is thawed",
	  backenables_afterwards },
	{ "unfreezestr of a queue that is not frozen is reported", not_frozen },
	{ }
};
