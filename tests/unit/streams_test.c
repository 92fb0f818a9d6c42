// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the executive's messages, queues and flow control, which are
 * compiled for user space together with this
 */
#include <stdlib.h>

#include "unit.h"

static bool failed;

void unit_fail(const char *file, int line, const char *what)
{
	printf("# %s:%d: not so: %s\n", file, line, what);
	failed = true;
}

mblk_t *block(int type, const char *text)
{
	size_t len = strlen(text);
	mblk_t *mp = allocb(len, BPRI_MED);

	memcpy(mp->b_wptr, text, len);
	mp->b_wptr += len;
	DB_TYPE(mp) = type;
	return mp;
}

mblk_t *chain(int type, const char *words)
{
	char *copy = strdup(words);
	mblk_t *mp = NULL;
	char *word, *save;

	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		mblk_t *bp = block(type, *word == '@' ? "" : word);

		if (mp)
			linkb(mp, bp);
		else
			mp = bp;
	}
	free(copy);
	return mp;
}

bool looks(const mblk_t *mp, const char *words)
{
	char have[4096] = "";
	size_t n = 0;

	for (; mp; mp = mp->b_cont)
		n += snprintf(have + n, sizeof(have) - n, "%s%.*s",
			      n ? " " : "", mblk_len(mp) ? (int)MBLKL(mp) : 1,
			      mblk_len(mp) ? (char *)mp->b_rptr : "@");
	if (!strcmp(have, words))
		return true;
	printf("# is: %s\n# should be: %s\n", have, words);
	return false;
}

/* The perimeter: only notes the queues to be served. */
#define ENABLED	1024
static const queue_t *enabled[ENABLED];
static int n_enabled;

static void note(queue_t *q)
{
	TRUE(!stub_locks);
	TRUE(q->q_sched == 1);
	TRUE(n_enabled < ENABLED);
	q->q_sched = 0;
	enabled[n_enabled++] = q;
}

void perim_enable(queue_t *q)
{
	note(q);
}

void perim_enable_now(queue_t *q)
{
	note(q);
}

int unit_enabled(const queue_t *q)
{
	int i, n = 0;

	for (i = 0; i < n_enabled; i++)
		n += enabled[i] == q;
	/* No other queue was to be served. */
	TRUE(n == n_enabled);
	n_enabled = 0;
	return n;
}

static int serve(queue_t *q)
{
	return 0;
}

static struct module_info info = {
	.mi_idname = "unit",
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = HIWAT,
	.mi_lowat = LOWAT,
};

struct qinit with_service = { .qi_srvp = serve, .qi_minfo = &info };
struct qinit without_service = { .qi_minfo = &info };

static int passed, lost;

static void run(const struct unit_test *t)
{
	for (; t->name; t++) {
		int alive = stub_alive;

		failed = false;
		stub_warnings = 0;
		n_enabled = 0;
		t->run();
		stub_fail_at = 0;
		TRUE(stub_alive == alive);
		TRUE(!stub_warnings);
		TRUE(!stub_locks);
		TRUE(!stub_rcu);
		TRUE(!n_enabled);
		printf("%sok %d - %s\n", failed ? "not " : "",
		       passed + lost + 1, t->name);
		if (failed)
			lost++;
		else
			passed++;
	}
}

static void init_fails_cleanly(void)
{
	int i;

	for (i = 1; i <= 1 + STRMSG_SIZES; i++) {
		stub_fail_at = i;
		TRUE(mblk_init() == -ENOMEM);
	}
}

static const struct unit_test init_tests[] = {
	{ "mblk_init() without memory leaves nothing behind",
	  init_fails_cleanly },
	{ }
};

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	run(init_tests);
	if (mblk_init())
		return 1;
	run(mblk_tests);
	run(msg_tests);
	run(queue_tests);
	run(flow_tests);
	run(freeze_tests);
	run(put_tests);
	run(strsun_tests);
	run(model_tests);
	mblk_exit();
	printf("1..%d\n%d passed, %d failed\n", passed + lost, passed, lost);
	return lost ? 3 : 0;	/* a sanitizer ends with 1 */
}
