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
	CHECK(looks(mp, "a b c d"));
	rest = unlinkb(mp);
	CHECK(looks(mp, "a") && looks(rest, "b c d"));
	CHECK(!unlinkb(mp));
	freemsg(mp);
	freemsg(rest);
}

static void rmvb_takes_any(void)
{
	mblk_t *mp = chain(M_DATA, "a b c"), *other = block(M_DATA, "x");
	mblk_t *b = mp->b_cont, *c = b->b_cont, *a = mp;

	CHECK(rmvb(mp, other) == (mblk_t *)-1);
	CHECK(looks(mp, "a b c"));
	CHECK(rmvb(mp, b) == a && looks(a, "a c") && looks(b, "b"));
	CHECK(rmvb(a, a) == c && looks(a, "a"));
	CHECK(!rmvb(c, c));
	freemsg(a);
	freemsg(b);
	freemsg(c);
	freemsg(other);
}

static void sizes(void)
{
	mblk_t *mp = chain(M_PROTO, "head er");

	linkb(mp, chain(M_DATA, "some @ data"));
	CHECK(msgdsize(mp) == 8 && msgsize(mp) == 14);
	CHECK(msgdsize(NULL) == 0);
	mp->b_rptr = mp->b_wptr + 3;
	CHECK(msgsize(mp) == 10);
	freemsg(mp);
}

/* PROTO blocks, then DATA blocks, adjusted by len: the bytes left. */
static void adj(const char *proto, const char *data, ssize_t len, int ret,
		const char *left)
{
	mblk_t *mp = *proto ? chain(M_PROTO, proto) : chain(M_DATA, data);

	if (*proto && *data)
		linkb(mp, chain(M_DATA, data));
	CHECK(adjmsg(mp, len) == ret);
	CHECK(looks(mp, left));
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
	CHECK(!!copy == ret);
	if (copy) {
		CHECK(looks(copy, left));
		CHECK(copy->b_band == 9 && copy->b_flag == MSGMARK);
		CHECK(DB_TYPE(copy) == type);
		CHECK(IS_ALIGNED((unsigned long)copy->b_rptr, 8));
		freemsg(copy);
		alive = stub_alive;
		for (round = 1; round < 10; round++) {
			stub_fail_at = round;
			copy = msgpullup(mp, len);
			freemsg(copy);
			CHECK(stub_alive == alive);
			if (stub_fail_at)
				break;
			CHECK(!copy);
		}
		CHECK(round > 1);
		stub_fail_at = 1;
		copy = copymsg(mp);
		CHECK(!copy);
		if (!pullupmsg(mp, len)) {
			unit_fail(__FILE__, __LINE__, "pulled up in place");
			freemsg(mp);
			return;
		}
	} else {
		CHECK(!pullupmsg(mp, len));
	}
	CHECK(looks(mp, left));
	CHECK(mp->b_band == 9 && mp->b_flag == MSGMARK && DB_TYPE(mp) == type);
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

	CHECK(pullupmsg(mp, 6) && pullupmsg(mp, 0) && mp->b_datap == d);
	CHECK(looks(mp, "abcdef gh"));

	/* Misaligned: moved, the rest of the block behind it. */
	mp->b_rptr++;
	stub_fail_at = 1;
	CHECK(!pullupmsg(mp, 2) && mp->b_datap == d);
	CHECK(looks(mp, "bcdef gh"));
	CHECK(pullupmsg(mp, 2) && mp->b_datap != d);
	CHECK(IS_ALIGNED((unsigned long)mp->b_rptr, 8));
	CHECK(looks(mp, "bc def gh"));
	freemsg(mp);
}

static void pullupmsg_leaves_duplicates_alone(void)
{
	mblk_t *mp = chain(M_DATA, "abc def ghi"), *dup = dupmsg(mp);

	CHECK(pullupmsg(mp, 4));
	CHECK(looks(mp, "abcd ef ghi") && looks(dup, "abc def ghi"));
	freemsg(mp);
	CHECK(looks(dup, "abc def ghi"));
	CHECK(pullupmsg(dup, -1) && looks(dup, "abcdefghi"));
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
