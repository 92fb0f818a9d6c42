// SPDX-License-Identifier: GPL-2.0-only
/* Message blocks and their buffers */
#include <stdlib.h>

#include "unit.h"

/* Bytes of the largest buffer that is in one object with its blocks. */
#define INSIDE_MOST	1752

static const size_t sizes[] = {
	0, 1, 64, 152, 153, 256, 280, 281, 512, 600, 601, 920, 921, 1240, 1241,
	INSIDE_MOST, INSIDE_MOST + 1,
	1000, 2047, 2048, 2049, 4095, 4096, 4097, 65536, 65537, 4 << 20
};

#define N_SIZES	(sizeof(sizes) / sizeof(*sizes))

static void allocb_gives_any_size(void)
{
	size_t i;

	for (i = 0; i < N_SIZES; i++) {
		mblk_t *mp = allocb(sizes[i], BPRI_LO);

		TRUE(mp);
		TRUE((size_t)MBLKSIZE(mp) >= sizes[i]);
		TRUE(mp->b_rptr == DB_BASE(mp) && mp->b_wptr == DB_BASE(mp));
		TRUE(IS_ALIGNED((unsigned long)mp->b_rptr, 8));
		TRUE(!mp->b_next && !mp->b_prev && !mp->b_cont);
		TRUE(!mp->b_band && !mp->b_flag);
		TRUE(DB_TYPE(mp) == M_DATA && DB_REF(mp) == 1);
		/* Under ASan this proves that all of it is there. */
		memset(DB_BASE(mp), 0x5a, MBLKSIZE(mp));
		freeb(mp);
	}
}

static void allocb_refuses_absurd_sizes(void)
{
	TRUE(!allocb((4 << 20) + 1, BPRI_HI));
	TRUE(!allocb(SIZE_MAX, BPRI_HI));
	TRUE(!testb(SIZE_MAX, BPRI_HI));
	TRUE(testb(100, BPRI_HI));
}

static void allocb_fails_cleanly(void)
{
	size_t i;

	for (i = 0; i < N_SIZES; i++) {
		int alive = stub_alive;

		stub_fail_at = 1;
		TRUE(!allocb(sizes[i], BPRI_MED));
		stub_fail_at = 1;
		TRUE(!testb(sizes[i], BPRI_MED));
		if (sizes[i] > INSIDE_MOST) {
			stub_fail_at = 2;
			TRUE(!allocb(sizes[i], BPRI_MED));
		}
		TRUE(stub_alive == alive);
	}
}

static void buffers_are_charged(void)
{
	freeb(allocb_gfp(40000, GFP_KERNEL));
	TRUE(stub_gfp & __GFP_ACCOUNT);
	freeb(allocb_gfp(40000, GFP_ATOMIC));
	TRUE(stub_gfp & __GFP_ACCOUNT);
	freeb(allocb(40000, BPRI_MED));
	TRUE(stub_gfp & __GFP_ACCOUNT);
	TRUE(!gfpflags_allow_blocking(stub_gfp));
}

/* The bytes that a write counts for are known before there is a block. */
static void blocks_count(void)
{
	size_t n;

	for (n = 1; n < 16384 - sizeof(void *); n += n < 2500 ? 1 : 89) {
		mblk_t *mp = allocb_gfp(n, GFP_KERNEL);

		mp->b_flag |= MSGOBJECT;
		TRUE(msg_block_counts(n) == msg_count_of(mp, n));
		freeb(mp);
	}
}

/* Whatever is left between the pointers of a block */
static void memory_counts(void)
{
	mblk_t *mp = allocb_gfp(16000, GFP_KERNEL), *small = allocb_gfp(1, GFP_KERNEL);

	TRUE(msg_count_of(mp, 1) == 1);
	mp->b_flag |= MSGOBJECT;
	small->b_flag |= MSGOBJECT;
	TRUE(msg_count_of(small, 1) == 256);
	TRUE(msg_count_of(mp, 1) > 16000 - 16000 / 5);
	TRUE(msg_count_of(mp, 16000) == 16000);
	small->b_cont = mp;
	TRUE(msg_count_of(small, 1) > msg_count_of(mp, 1));
	small->b_cont = NULL;
	small->b_flag = MSGPACKET;
	TRUE(msg_count_of(small, 1) == PAGE_SIZE);
	freeb(small);
	freeb(mp);
}

static int freed;

static void free_note(char *arg)
{
	freed++;
	free(arg);
}

/* As drivers do: the structure is part of the buffer that it frees. */
struct rx_buffer {
	frtn_t frtn;
	unsigned char data[64];
};

static struct rx_buffer *rx_new(void)
{
	struct rx_buffer *rx = malloc(sizeof(*rx));

	rx->frtn = (frtn_t) { free_note, (char *)rx };
	freed = 0;
	return rx;
}

static void esballoc_frees_once_at_the_last(void)
{
	struct rx_buffer *rx = rx_new();
	mblk_t *mp = esballoc(rx->data, sizeof(rx->data), BPRI_MED, &rx->frtn);
	mblk_t *dup = dupb(mp);

	TRUE(MBLKSIZE(mp) == sizeof(rx->data) && !mblk_len(mp));
	TRUE(mp->b_rptr == rx->data);
	freeb(mp);
	TRUE(freed == 0);
	freeb(dup);
	TRUE(freed == 1);

	rx = rx_new();
	freeb(desballoc(rx->data, sizeof(rx->data), BPRI_MED, &rx->frtn));
	TRUE(freed == 1);
}

static void esballoc_refuses(void)
{
	struct rx_buffer *rx = rx_new();
	frtn_t none = { };

	TRUE(!esballoc(NULL, 1, BPRI_MED, &rx->frtn));
	TRUE(!esballoc(rx->data, 1, BPRI_MED, NULL));
	TRUE(!esballoc(rx->data, 1, BPRI_MED, &none));
	TRUE(stub_warnings == 3);
	stub_warnings = 0;
	stub_fail_at = 1;
	TRUE(!esballoc(rx->data, 1, BPRI_MED, &rx->frtn));
	TRUE(freed == 0);
	free(rx);
}

static void skballoc_takes_the_buffer(void)
{
	struct sk_buff *skb = stub_skb(42, 100, 30);
	mblk_t *mp = skballoc(skb, GFP_ATOMIC), *dup;

	TRUE(mp->b_rptr == skb->data && MBLKL(mp) == 100);
	TRUE(DB_BASE(mp) == skb->head && DB_LIM(mp) == skb->end);
	dup = dupb(mp);
	freeb(mp);
	memset(dup->b_rptr, 1, MBLKL(dup));
	freeb(dup);
}

static void skballoc_unshares(void)
{
	struct sk_buff *skb = stub_skb(2, 5, 3);
	unsigned char *before = skb->data;
	mblk_t *mp;

	memcpy(skb->data, "bytes", 5);
	skb->cloned = true;
	stub_fail_at = 1;
	TRUE(!skballoc(skb, GFP_ATOMIC));
	stub_fail_at = 2;
	TRUE(!skballoc(skb, GFP_ATOMIC));
	mp = skballoc(skb, GFP_ATOMIC);
	TRUE(mp->b_rptr != before);
	TRUE(looks(mp, "bytes"));
	freeb(mp);
}

static void skballoc_refuses(void)
{
	struct sk_buff *skb = stub_skb(0, 10, 0);

	skb->users = 2;
	TRUE(!skballoc(skb, GFP_ATOMIC));
	TRUE(stub_warnings == 1);
	stub_warnings = 0;
	skb->users = 1;
	consume_skb(skb);
}

/* Makes a buffer of "one two three four": a linear part, a fragment, and a list. */
static struct sk_buff *fragments(void)
{
	static unsigned char two[] = "two ", four[] = "four";
	struct sk_buff *skb = stub_skb(8, 4, 0), *next = stub_skb(0, 6, 0);

	memcpy(skb->data, "one ", 4);
	skb_shinfo(skb)->frags[0] = (skb_frag_t){ two, 4 };
	skb_shinfo(skb)->nr_frags = 1;
	memcpy(next->data, "three ", 6);
	skb_shinfo(next)->frags[0] = (skb_frag_t){ four, 4 };
	skb_shinfo(next)->nr_frags = 1;
	next->len += 4;
	next->data_len = 4;
	skb_shinfo(skb)->frag_list = next;
	skb->len += 4 + next->len;
	skb->data_len = 4 + next->len;
	return skb;
}

/* Returns the text of a message. */
static const char *text(const mblk_t *mp)
{
	static char all[64];
	size_t n = 0;

	for (; mp; mp = mp->b_cont) {
		memcpy(all + n, mp->b_rptr, MBLKL(mp));
		n += MBLKL(mp);
	}
	all[n] = 0;
	return all;
}

static void skballoc_shares_fragments(void)
{
	struct sk_buff *skb = fragments();
	mblk_t *mp = skballoc(skb, GFP_ATOMIC), *bp, *dup, *own;
	int blocks = 0;

	TRUE(!strcmp(text(mp), "one two three four"));
	TRUE(mp->b_rptr == skb->data);
	for (bp = mp; bp; bp = bp->b_cont, blocks++) {
		TRUE(DB_REF(bp) == 2 && str_skb_of(bp) == skb && !str_skb_take(bp));
		TRUE(DB_BASE(bp) == bp->b_rptr && DB_LIM(bp) == bp->b_wptr);
	}
	TRUE(blocks == 4);
	/* A module that writes makes a copy, which is its own. */
	own = copyb(mp);
	TRUE(DB_REF(own) == 1 && !str_skb_of(own));
	freeb(own);
	/* The buffer lives until its last part is freed. */
	bp = unlinkb(mp);
	dup = dupb(bp);
	TRUE(DB_REF(bp) == 3);
	freemsg(mp);
	freemsg(bp);
	TRUE(skb->users == 1 && DB_REF(dup) == 2 && !memcmp(dup->b_rptr, "two ", 4));
	freeb(dup);
}

static void skballoc_shares_all_or_none(void)
{
	struct sk_buff *skb = fragments();
	int alive = stub_alive, i;

	for (i = 1; i <= 4; i++) {
		stub_fail_at = i;
		TRUE(!skballoc(skb, GFP_ATOMIC));
		TRUE(stub_alive == alive && skb->users == 1);
	}
	consume_skb(skb);
}

static void socket_buffer_comes_back(void)
{
	struct sk_buff *skb = stub_skb(42, 100, 30);
	int alive = stub_alive;
	mblk_t *mp = skballoc(skb, GFP_ATOMIC), *dup = dupb(mp);

	TRUE(!str_skb_take(mp));
	freeb(dup);
	mp->b_rptr += 4;
	mp->b_wptr += 10;
	/* As of a list of segments, the next of which has been freed. */
	skb->next = skb;
	TRUE(str_skb_take(mp) == skb);
	TRUE(!skb->next);
	TRUE(stub_alive == alive);
	TRUE(skb->data == skb->head + 46 && skb->len == 106);
	TRUE(skb->tail == skb->data + 106);
	consume_skb(skb);
	/* One that is another's, beyond its buffer, or crossed. */
	mp = allocb(10, BPRI_MED);
	TRUE(!str_skb_take(mp));
	freeb(mp);
	mp = skballoc(stub_skb(4, 10, 4), GFP_ATOMIC);
	mp->b_wptr += 5;
	TRUE(!str_skb_take(mp));
	mp->b_wptr -= 5;
	mp->b_rptr -= 5;
	TRUE(!str_skb_take(mp));
	TRUE(stub_warnings == 2);
	stub_warnings = 0;
	mp->b_rptr = mp->b_wptr + 1;
	skb = str_skb_take(mp);
	TRUE(skb && skb->len == 0);
	consume_skb(skb);
}

/* All orders of freeing three blocks that share one buffer. */
static void duplicates_live_on(void)
{
	static const int order[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	size_t i, s;
	int j;

	for (s = 0; s < N_SIZES; s++) {
		for (i = 0; i < 6; i++) {
			int alive = stub_alive;
			mblk_t *mp[3];

			mp[0] = allocb(sizes[s], BPRI_MED);
			mp[0]->b_band = 7;
			mp[0]->b_flag = MSGMARK;
			mp[1] = dupb(mp[0]);
			mp[2] = dupb(mp[1]);
			TRUE(DB_REF(mp[0]) == 3);
			TRUE(mp[2]->b_datap == mp[0]->b_datap);
			TRUE(mp[2]->b_band == 7 && mp[2]->b_flag == MSGMARK);
			for (j = 0; j < 3; j++) {
				mblk_t *bp = mp[order[i][j]];

				memset(DB_BASE(bp), j, MBLKSIZE(bp));
				freeb(bp);
			}
			TRUE(stub_alive == alive);
		}
	}
}

/* A message block with another's buffer, and the other way round. */
static void halves_part(void)
{
	int order, small;

	for (order = 0; order < 2; order++) {
		for (small = 0; small < 4; small++) {
			mblk_t *a = allocb(small & 1 ? 10 : 3000, BPRI_MED);
			mblk_t *b = allocb(small & 2 ? 10 : 300, BPRI_MED);
			mblk_t *dup = dupb(a);

			swap(a->b_datap, b->b_datap);
			freeb(order ? a : b);
			memset(DB_BASE(dup), 1, MBLKSIZE(dup));
			freeb(order ? b : a);
			freeb(dup);
		}
	}
}

static void copyb_copies(void)
{
	mblk_t *mp = block(M_PROTO, "xhello"), *copy;

	mp->b_rptr++;
	mp->b_band = 3;
	mp->b_flag = MSGDELIM;
	copy = copyb(mp);
	TRUE(looks(copy, "hello"));
	TRUE(copy->b_datap != mp->b_datap && DB_TYPE(copy) == M_PROTO);
	TRUE(copy->b_band == 3 && copy->b_flag == MSGDELIM);
	TRUE(IS_ALIGNED((unsigned long)copy->b_rptr, 8));
	/* Pointers that crossed make an empty block. */
	mp->b_rptr = mp->b_wptr + 1;
	freeb(copy);
	copy = copyb(mp);
	TRUE(!mblk_len(copy));
	freeb(copy);
	freeb(mp);
}

static void messages_clone_whole(void)
{
	mblk_t *mp = chain(M_DATA, "one two three"), *n;
	int alive = stub_alive;
	int i;

	n = dupmsg(mp);
	TRUE(looks(n, "one two three") && n->b_datap == mp->b_datap);
	freemsg(n);
	n = copymsg(mp);
	TRUE(looks(n, "one two three") && n->b_datap != mp->b_datap);
	freemsg(n);
	for (i = 1; i <= 3; i++) {
		stub_fail_at = i;
		TRUE(!dupmsg(mp));
		stub_fail_at = i;
		TRUE(!copymsg(mp));
		TRUE(stub_alive == alive);
		TRUE(DB_REF(mp) == 1);
	}
	freemsg(mp);
	freemsg(NULL);
}

static void reallocb_keeps_or_drops(void)
{
	mblk_t *mp = chain(M_CTL, "abcdef next"), *dup, *n;

	mp->b_band = 5;
	mp->b_rptr += 2;
	n = reallocb(mp, 100, 1);
	TRUE(n == mp && n->b_rptr == DB_BASE(n));
	TRUE(looks(n, "cdef next"));
	n = reallocb(mp, 5000, 1);
	TRUE(n && MBLKSIZE(n) >= 5000 && n->b_band == 5);
	TRUE(DB_TYPE(n) == M_CTL && looks(n, "cdef next"));

	/* Never less than what it keeps; never another's buffer. */
	dup = dupb(n);
	mp = reallocb(n, 1, 1);
	TRUE(mp->b_datap != dup->b_datap && looks(mp, "cdef next"));
	TRUE(looks(dup, "cdef"));
	freeb(dup);
	stub_fail_at = 1;
	TRUE(!reallocb(mp, 9000, 1));
	TRUE(looks(mp, "cdef next"));
	mp = reallocb(mp, 9000, 0);
	TRUE(looks(mp, "@ next"));
	freemsg(mp);
}

/* The stub looks: a kernel booted so clears what it frees. */
static void freed_data_is_cleared(void)
{
	size_t i;

	stub_init_on_free = true;
	for (i = 0; i < N_SIZES; i++) {
		mblk_t *mp = allocb(sizes[i], BPRI_MED), *dup;

		memset(DB_BASE(mp), 0x5a, MBLKSIZE(mp));
		freeb(mp);
		mp = allocb(sizes[i], BPRI_MED);
		memset(DB_BASE(mp), 0x5a, MBLKSIZE(mp));
		dup = dupb(mp);
		freeb(mp);
		freeb(dup);
	}
	stub_init_on_free = false;
}

/* The stub frees nothing that was not made by the same cache. */
static void halves_of_all_sizes_part(void)
{
	size_t i, j;

	for (i = 0; i < N_SIZES; i++) {
		for (j = 0; j < N_SIZES && sizes[j] <= 1000; j++) {
			mblk_t *mp = allocb(sizes[i] + 1, BPRI_MED), *dup;

			/* The first has another data block then. */
			if (!mp)
				continue;
			*mp->b_wptr++ = 'a';
			mp->b_cont = allocb(sizes[j] + 1, BPRI_MED);
			*mp->b_cont->b_wptr++ = 'b';
			TRUE(pullupmsg(mp, -1) && !mp->b_cont);
			dup = dupb(mp);
			freeb(mp);
			TRUE(!memcmp(dup->b_rptr, "ab", 2));
			freeb(dup);
		}
	}
}

/* A control part and its data in one object, which is freed with the last of them. */
static mblk_t *pair_new(size_t data)
{
	mblk_t *mp = allocb_pair(36, data, GFP_KERNEL);

	TRUE(mp && mp->b_cont && !mp->b_cont->b_cont);
	TRUE(MBLKSIZE(mp) >= 36 && (size_t)MBLKSIZE(mp->b_cont) >= data);
	TRUE(DB_REF(mp) == 1 && DB_REF(mp->b_cont) == 1);
	TRUE(IS_ALIGNED((unsigned long)mp->b_cont->b_rptr, 8));
	memset(DB_BASE(mp), 0x5a, MBLKSIZE(mp));
	memset(DB_BASE(mp->b_cont), 0xa5, MBLKSIZE(mp->b_cont));
	*mp->b_wptr++ = 'a';
	*mp->b_cont->b_wptr++ = 'b';
	return mp;
}

static void pairs_part(void)
{
	static const size_t data[] = { 0, 1, 88, 89, 408, 409, 1024, 1048, 1049, 1500, 1560 };
	int alive = stub_alive;
	mblk_t *mp, *bp, *dup;
	size_t i;

	for (i = 0; i < sizeof(data) / sizeof(*data); i++) {
		freemsg(pair_new(data[i]));
		mp = pair_new(data[i]);
		bp = mp->b_cont;
		freeb(mp);
		TRUE(*bp->b_rptr == 'b');
		freeb(bp);
		mp = pair_new(data[i]);
		freeb(mp->b_cont);
		freeb(mp);
		mp = pair_new(data[i]);
		dup = dupmsg(mp);
		freemsg(mp);
		freeb(dup->b_cont);
		TRUE(*dup->b_rptr == 'a');
		freeb(dup);
		mp = pair_new(data[i]);
		TRUE(pullupmsg(mp, -1) && !mp->b_cont);
		TRUE(!memcmp(mp->b_rptr, "ab", 2));
		dup = dupb(mp);
		freeb(mp);
		freeb(dup);
		TRUE(stub_alive == alive);
	}
	TRUE(!allocb_pair(97, 0, GFP_KERNEL));
	TRUE(!allocb_pair(36, 1561, GFP_KERNEL));
	TRUE(!allocb_pair(36, SIZE_MAX, GFP_KERNEL));
	stub_fail_at = 1;
	TRUE(!allocb_pair(36, 1, GFP_KERNEL));
	TRUE(stub_alive == alive);
}

const struct unit_test mblk_tests[] = {
	{ "allocb() gives buffers of any size", allocb_gives_any_size },
	{ "allocb() refuses absurd sizes", allocb_refuses_absurd_sizes },
	{ "allocb() fails cleanly", allocb_fails_cleanly },
	{ "buffers are charged, by callers that may sleep and others", buffers_are_charged },
	{ "a user's message counts for four fifths of its memory at least", memory_counts },
	{ "what a write counts for is known before there is a block", blocks_count },
	{ "esballoc() calls the free routine once, at the last",
	  esballoc_frees_once_at_the_last },
	{ "esballoc() refuses what cannot be freed", esballoc_refuses },
	{ "skballoc() takes a socket buffer", skballoc_takes_the_buffer },
	{ "skballoc() gives a cloned buffer its own bytes", skballoc_unshares },
	{ "skballoc() refuses shared buffers", skballoc_refuses },
	{ "skballoc() shares the bytes of fragments", skballoc_shares_fragments },
	{ "skballoc() shares all fragments or none", skballoc_shares_all_or_none },
	{ "str_skb_take() gives the socket buffer back", socket_buffer_comes_back },
	{ "dupb(): freed in any order", duplicates_live_on },
	{ "init_on_free: no data is left in what is freed",
	  freed_data_is_cleared },
	{ "blocks of all sizes: their halves go where they came from",
	  halves_of_all_sizes_part },
	{ "message and data blocks part", halves_part },
	{ "control parts and data of one object part", pairs_part },
	{ "copyb() keeps band, flags and type", copyb_copies },
	{ "dupmsg(), copymsg(): all or nothing", messages_clone_whole },
	{ "reallocb() keeps or drops the bytes", reallocb_keeps_or_drops },
	{ }
};
