// SPDX-License-Identifier: GPL-2.0-only
/*
 * dlpi-malformed - random messages to endpoints in every state
 *
 * An endpoint answers afterwards, whatever their effect was.
 */
#include "dlpi-test.h"

#define ENDS	6
#define ROUNDS	5000

static unsigned int seed = 1;

static unsigned int random_below(unsigned int n)
{
	return rand_r(&seed) % n;
}

/* Returns values near the edges more often than others. */
static t_uscalar_t random_word(void)
{
	static const t_uscalar_t edges[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 20, 24, 42, 0x600, 0xffff,
		0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0xaa, 0x88b5,
	};

	if (random_below(4))
		return edges[random_below(sizeof(edges) / sizeof(edges[0]))];
	return rand_r(&seed);
}

static int endpoint(int state)
{
	switch (state) {
	case 0:
		return dlpi_fd();
	case 1:
		return left_attached();
	case 2:
		return left_bound(TEST_TYPE);
	case 3:
		return right_bound(0x42);
	case 4:
		return right_bound(0xaa);
	default:
		return right_bound(0);
	}
}

static void drain(int fd)
{
	struct strbuf c = { .maxlen = sizeof(got.ctl), .buf = (char *)got.ctl };
	struct strbuf d = { .maxlen = sizeof(got.data), .buf = (char *)got.data };
	int flags = 0;

	while (getmsg(fd, &c, &d, &flags) >= 0)
		flags = 0;
}

static void random_message(int fd)
{
	t_uscalar_t words[16];
	static char data[70000];
	struct strbuf c = { .buf = (char *)words }, d = { .buf = data };
	unsigned int i;

	for (i = 0; i < 16; i++)
		words[i] = random_word();
	words[0] = random_below(0x38);
	if (words[0] > 0x35)
		words[0] = 0x100 + random_below(4);
	c.len = random_below(3) ? 4 * random_below(17) : random_below(65);
	d.len = random_below(3) ? (int)random_below(64) - 1 : (int)random_below(10000) - 1;
	/* Data alone ends a stream that is not raw. */
	if (!c.len)
		c.len = 4;
	putmsg(fd, &c, d.len < 0 ? NULL : &d,
	       d.len < 0 && !random_below(4) ? RS_HIPRI : 0);
}

static void random_ioctl(int fd)
{
	t_uscalar_t words[16];
	struct strioctl ic = {
		.ic_cmd = DLIOC | random_below(12), .ic_timout = -1,
		.ic_len = random_below(65), .ic_dp = (char *)words,
	};
	unsigned int i;

	for (i = 0; i < 16; i++)
		words[i] = random_word();
	words[0] = DL_UNITDATA_REQ;
	ioctl(fd, I_STR, &ic);
}

/* Returns whether anything arrives within a tenth of a second. */
static bool has_more(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	return poll(&p, 1, 100) == 1;
}

/*
 * Checks that the stream answers, whatever device it is attached to. A stream
 * head has room for one message of high priority: the answer is lost if that to
 * an earlier request comes just before it. So the question is repeated.
 */
static void answers(int fd)
{
	t_uscalar_t prim = DL_INFO_REQ;
	int got_prim = 0;

	fcntl(fd, F_SETFL, 0);
	for (;;) {
		TRUE(!dlpi_put(fd, &prim, sizeof(prim), NULL, 0));
		while (got_prim != DL_INFO_ACK && has_more(fd))
			got_prim = dlpi_get(fd);
		if (got_prim == DL_INFO_ACK)
			break;
	}
	IS(got.prim.info_ack.dl_version, DL_VERSION_2);
}

static void g_random(void)
{
	int fds[ENDS], i, rounds = ROUNDS;
	const char *scale = getenv("STRSOCK_TEST_SCALE");

	if (scale)
		rounds *= atof(scale);
	for (i = 0; i < ENDS; i++) {
		fds[i] = endpoint(i);
		fcntl(fds[i], F_SETFL, O_NONBLOCK);
	}
	for (i = 0; i < rounds; i++) {
		int which = random_below(ENDS);

		if (!random_below(20))
			random_ioctl(fds[which]);
		else
			random_message(fds[which]);
		if (!random_below(8))
			drain(fds[which]);
		if (!random_below(500)) {
			close(fds[which]);
			fds[which] = endpoint(which);
			fcntl(fds[which], F_SETFL, O_NONBLOCK);
		}
	}
	for (i = 0; i < ENDS; i++) {
		answers(fds[i]);
		close(fds[i]);
	}
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "random", g_random },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
