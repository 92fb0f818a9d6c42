// SPDX-License-Identifier: GPL-2.0-only
/* Passing messages along a stream, and control messages made for that */
#include "unit.h"

static struct strperim perim;

/* The message received, its queue, and whether the perimeter was used. */
static mblk_t *came;
static const queue_t *came_to;
static bool asked;

static int arrive(queue_t *q, mblk_t *mp)
{
	TRUE(!came && stub_rcu);
	came = mp;
	came_to = q;
	asked = false;
	return 0;
}

/* In place of perim.c */
void perim_put(queue_t *q, mblk_t *mp)
{
	arrive(q, mp);
	asked = true;
}

void perim_putnext(queue_t *q, mblk_t *mp)
{
	perim_put(q->q_next, mp);
}

static struct module_info info = { .mi_idname = "put" };
static struct qinit keeps = { .qi_putp = arrive, .qi_minfo = &info };

static struct {
	queue_t rd, wr;
} head, mod, drv;

static void setup(void)
{
	queue_init(&head.rd, &keeps, QREADR | QHEAD | QMTSAFE, &perim, NULL);
	queue_init(&head.wr, &keeps, QHEAD | QMTSAFE, &perim, NULL);
	queue_init(&mod.rd, &keeps, QREADR, &perim, NULL);
	queue_init(&mod.wr, &keeps, 0, &perim, NULL);
	queue_init(&drv.rd, &keeps, QREADR, &perim, NULL);
	queue_init(&drv.wr, &keeps, 0, &perim, NULL);
	head.wr.q_next = &mod.wr;
	mod.wr.q_next = &drv.wr;
	drv.rd.q_next = &mod.rd;
	mod.rd.q_next = &head.rd;
}

static void teardown(void)
{
	queue_destroy(&head.rd);
	queue_destroy(&head.wr);
	queue_destroy(&mod.rd);
	queue_destroy(&mod.wr);
	queue_destroy(&drv.rd);
	queue_destroy(&drv.wr);
}

/* The message reached q, through the perimeter or not, is of type, and has the text. */
static bool has_come(const queue_t *q, bool through, int type, const char *text)
{
	bool good = came && came_to == q && asked == through &&
		    DB_TYPE(came) == type && !came->b_cont &&
		    MBLKL(came) == (ssize_t)strlen(text) &&
		    !memcmp(came->b_rptr, text, strlen(text));

	freemsg(came);
	came = NULL;
	return good;
}

static void passing(void)
{
	setup();
	put(&drv.wr, block(M_DATA, "in"));
	TRUE(has_come(&drv.wr, true, M_DATA, "in"));
	putnext(&head.wr, block(M_PROTO, "down"));
	TRUE(has_come(&mod.wr, true, M_PROTO, "down"));
	putnext(&drv.rd, block(M_DATA, "up"));
	TRUE(has_come(&mod.rd, true, M_DATA, "up"));
	/* Back the way it came, from either side */
	qreply(&drv.wr, block(M_IOCACK, "answer"));
	TRUE(has_come(&mod.rd, true, M_IOCACK, "answer"));
	qreply(&head.rd, block(M_FLUSH, "f"));
	TRUE(has_come(&mod.wr, true, M_FLUSH, "f"));
	/* The end of the stream: the message is freed, and the kernel warns. */
	putnext(&drv.wr, block(M_DATA, "nowhere"));
	TRUE(!came && stub_warnings == 1);
	stub_warnings = 0;
	teardown();
}

/* A stream head's procedure is called at once, unless that would overtake. */
static void at_once(void)
{
	setup();
	put(&head.rd, block(M_DATA, "free"));
	TRUE(has_come(&head.rd, false, M_DATA, "free"));
	putnext(&mod.rd, block(M_DATA, "free"));
	TRUE(has_come(&head.rd, false, M_DATA, "free"));
	qreply(&mod.wr, block(M_DATA, "free"));
	TRUE(has_come(&head.rd, false, M_DATA, "free"));
	perim.owner = &perim;
	put(&head.rd, block(M_DATA, "busy"));
	TRUE(has_come(&head.rd, true, M_DATA, "busy"));
	putnext(&mod.rd, block(M_DATA, "busy"));
	TRUE(has_come(&head.rd, true, M_DATA, "busy"));
	perim.owner = NULL;
	teardown();
}

static void control(void)
{
	static const int types[] = {
		M_HANGUP, M_UNHANGUP, M_CTL, M_BREAK, M_DELAY, M_START, M_STOP,
		M_FLUSH, M_ERROR, M_PCSIG,
	};
	unsigned int i;

	setup();
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		TRUE(putctl(&mod.wr, types[i]) == 1);
		TRUE(has_come(&mod.wr, true, types[i], ""));
		TRUE(putnextctl(&mod.wr, types[i]) == 1);
		TRUE(has_come(&drv.wr, true, types[i], ""));
		TRUE(putctl1(&mod.rd, types[i], 'b') == 1);
		TRUE(has_come(&mod.rd, true, types[i], "b"));
		TRUE(putnextctl1(&mod.rd, types[i], 'b') == 1);
		TRUE(has_come(&head.rd, false, types[i], "b"));
	}
	/* A byte of the number */
	TRUE(putctl1(&mod.rd, M_ERROR, 0x100 | 'x') == 1);
	TRUE(has_come(&mod.rd, true, M_ERROR, "x"));
	teardown();
}

static void refused(void)
{
	static const int types[] = { M_DATA, M_PROTO, M_PCPROTO };
	unsigned int i;

	setup();
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		TRUE(!putctl(&mod.wr, types[i]));
		TRUE(!putctl1(&mod.wr, types[i], 1));
		TRUE(!putnextctl(&mod.wr, types[i]));
		TRUE(!putnextctl1(&mod.wr, types[i], 1));
		TRUE(!came);
	}
	for (i = 0; i < 4; i++) {
		stub_fail_at = 1;
		TRUE(!(i == 0 ? putctl(&mod.wr, M_CTL) :
		       i == 1 ? putctl1(&mod.wr, M_CTL, 1) :
		       i == 2 ? putnextctl(&mod.wr, M_CTL) :
		       putnextctl1(&mod.wr, M_CTL, 1)));
		TRUE(!came && !stub_fail_at);
	}
	teardown();
}

const struct unit_test put_tests[] = {
	{ "put, putnext, qreply: which queue is called, and at the end none",
	  passing },
	{ "a stream head is called at once when the perimeter is idle",
	  at_once },
	{ "putctl, putctl1, putnextctl, putnextctl1: messages without a body, or of a byte",
	  control },
	{ "... 0 for types that carry data, and without memory", refused },
	{ }
};
