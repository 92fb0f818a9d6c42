// SPDX-License-Identifier: GPL-2.0-only
/* Whole messages */
#include <limits.h>

#include "unit.h"

static void linkb_unlinkb(void)
{
	mblk_t *mp = block(M_DATA, "a"), *rest;

	linkb(mp, chain(M_DATA, "b c"));
	linkb(mp, block(M_DATA, "d"));
	linkb(mp, NULL);
	TRUE(looks(mp, "a b c d"));
	rest = unlinkb(mp);
	TRUE(looks(mp, "a") && looks(rest, "b c d"));
	TRUE(!unlinkb(mp));
	freemsg(mp);
	freemsg(rest);
}

static void rmvb_takes_any(void)
{
	mblk_t *mp = chain(M_DATA, "a b c"), *other = block(M_DATA, "x");
	mblk_t *b = mp->b_cont, *c = b->b_cont, *a = mp;

	TRUE(rmvb(mp, other) == (mblk_t *)-1);
	TRUE(looks(mp, "a b c"));
	TRUE(rmvb(mp, b) == a && looks(a, "a c") && looks(b, "b"));
	TRUE(rmvb(a, a) == c && looks(a, "a"));
	TRUE(!rmvb(c, c));
	freemsg(a);
	freemsg(b);
	freemsg(c);
	freemsg(other);
}

static void sizes(void)
{
	mblk_t *mp = chain(M_PROTO, "head er");

	linkb(mp, chain(M_DATA, "some @ data"));
	TRUE(msgdsize(mp) == 8 && msgsize(mp) == 14);
	TRUE(msgdsize(NULL) == 0);
	mp->b_rptr = mp->b_wptr + 3;
	TRUE(msgsize(mp) == 10);
	freemsg(mp);
}

/* PROTO blocks, then DATA blocks, adjusted by len: the bytes left. */
static void adj(const char *proto, const char *data, ssize_t len, int ret,
		const char *left)
{
	mblk_t *mp = *proto ? chain(M_PROTO, proto) : chain(M_DATA, data);

	if (*proto && *data)
		linkb(mp, chain(M_DATA, data));
	TRUE(adjmsg(mp, len) == ret);
	TRUE(looks(mp, left));
	freemsg(mp);
}

static void adjmsg_trims_the_start(void)
{
	adj("", "abc def", 0, 1, "abc def");
	adj("", "abc def", 2, 1, "c def");
	adj("", "abc def", 3, 1, "@ def");
	adj("", "abc def ghi", 4, 1, "@ ef ghi");
	adj("", "abc def ghi", 6, 1, "@ ghi");
	adj("", "abc def ghi", 9, 1, "@");
	adj("", "abc def", 7, 0, "abc def");
	adj("abc", "def", 3, 1, "@ def");
	adj("abc", "def", 4, 0, "abc def");
	adj("", "abc", LONG_MAX, 0, "abc");
}

static void adjmsg_trims_the_end(void)
{
	adj("", "abc def", -2, 1, "abc d");
	adj("", "abc def", -3, 1, "abc");
	adj("", "abc def ghi", -4, 1, "abc de");
	adj("", "abc def ghi", -7, 1, "ab");
	adj("", "abc def ghi", -9, 1, "@");
	adj("", "abc def", -7, 0, "abc def");
	adj("abc", "def gh", -4, 1, "abc d");
	adj("abc", "def gh", -5, 1, "abc");
	adj("abc", "def gh", -6, 0, "abc def gh");
	adj("abc def", "", -4, 1, "ab");
	adj("", "abc", LONG_MIN, 0, "abc");
}

static void pull(const char *proto, const char *data, ssize_t len, int ret,
		 const char *left)
{
	mblk_t *mp = *proto ? chain(M_PROTO, proto) : chain(M_DATA, data);
	mblk_t *copy;
	int type = DB_TYPE(mp);
	int round, alive;

	if (*proto && *data)
		linkb(mp, chain(M_DATA, data));
	mp->b_band = 9;
	mp->b_flag = MSGMARK;
	copy = msgpullup(mp, len);
	TRUE(!!copy == ret);
	if (copy) {
		TRUE(looks(copy, left));
		TRUE(copy->b_band == 9 && copy->b_flag == MSGMARK);
		TRUE(DB_TYPE(copy) == type);
		TRUE(IS_ALIGNED((unsigned long)copy->b_rptr, 8));
		freemsg(copy);
		alive = stub_alive;
		for (round = 1; round < 10; round++) {
			stub_fail_at = round;
			copy = msgpullup(mp, len);
			freemsg(copy);
			TRUE(stub_alive == alive);
			if (stub_fail_at)
				break;
			TRUE(!copy);
		}
		TRUE(round > 1);
		stub_fail_at = 1;
		copy = copymsg(mp);
		TRUE(!copy);
		if (!pullupmsg(mp, len)) {
			unit_fail(__FILE__, __LINE__, "pulled up in place");
			freemsg(mp);
			return;
		}
	} else {
		TRUE(!pullupmsg(mp, len));
	}
	TRUE(looks(mp, left));
	TRUE(mp->b_band == 9 && mp->b_flag == MSGMARK && DB_TYPE(mp) == type);
	freemsg(mp);
}

static void pullups(void)
{
	pull("", "abc def ghi", -1, 1, "abcdefghi");
	pull("", "abc def ghi", 6, 1, "abcdef ghi");
	pull("", "abc def ghi", 5, 1, "abcde f ghi");
	pull("", "abc def ghi", 9, 1, "abcdefghi");
	pull("", "abc @ def", 4, 1, "abcd ef");
	pull("", "@ abc", 1, 1, "a bc");
	pull("", "abc", -1, 1, "abc");
	pull("", "abc def", 7, 0, "abc def");
	pull("", "abc def", -2, 0, "abc def");
	pull("ab cd", "ef gh", -1, 1, "abcd ef gh");
	pull("ab cd", "ef gh", 3, 1, "abc d ef gh");
	pull("ab cd", "ef gh", 4, 1, "abcd ef gh");
	pull("ab cd", "ef gh", 5, 0, "ab cd ef gh");
	pull("ab @", "@ ef", -1, 1, "ab @ ef");
}

static void pullupmsg_stays_put(void)
{
	mblk_t *mp = chain(M_DATA, "abcdef gh");
	dblk_t *d = mp->b_datap;

	TRUE(pullupmsg(mp, 6) && pullupmsg(mp, 0) && mp->b_datap == d);
	TRUE(looks(mp, "abcdef gh"));

	/* Misaligned: moved, the rest of the block behind it. */
	mp->b_rptr++;
	stub_fail_at = 1;
	TRUE(!pullupmsg(mp, 2) && mp->b_datap == d);
	TRUE(looks(mp, "bcdef gh"));
	TRUE(pullupmsg(mp, 2) && mp->b_datap != d);
	TRUE(IS_ALIGNED((unsigned long)mp->b_rptr, 8));
	TRUE(looks(mp, "bc def gh"));
	freemsg(mp);
}

static void pullupmsg_leaves_duplicates_alone(void)
{
	mblk_t *mp = chain(M_DATA, "abc def ghi"), *dup = dupmsg(mp);

	TRUE(pullupmsg(mp, 4));
	TRUE(looks(mp, "abcd ef ghi") && looks(dup, "abc def ghi"));
	freemsg(mp);
	TRUE(looks(dup, "abc def ghi"));
	TRUE(pullupmsg(dup, -1) && looks(dup, "abcdefghi"));
	freemsg(dup);
}

const struct unit_test msg_tests[] = {
	{ "linkb(), unlinkb()", linkb_unlinkb },
	{ "rmvb() takes any block, but not a stranger", rmvb_takes_any },
	{ "msgdsize(), msgsize()", sizes },
	{ "adjmsg() trims the start", adjmsg_trims_the_start },
	{ "adjmsg() trims the end", adjmsg_trims_the_end },
	{ "pullupmsg(), msgpullup() over blocks and types", pullups },
	{ "pullupmsg() moves only what is apart or misaligned",
	  pullupmsg_stays_put },
	{ "pullupmsg() leaves duplicates alone",
	  pullupmsg_leaves_duplicates_alone },
	{ }
};
