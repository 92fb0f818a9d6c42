// SPDX-License-Identifier: GPL-2.0-only
/*
 * dlpi-pfmod - what the filters of pfmod accept
 *
 * On /dev/streams/echo, which sends back what is written.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stropts.h>
#include <sys/ioctl.h>
#include <sys/pfmod.h>
#include <unistd.h>

#include "check.h"
#include "waits.h"

static int set(int fd, const void *filter, int len)
{
	struct strioctl ic = {
		.ic_cmd = PFIOCSETF, .ic_len = len, .ic_dp = (char *)filter,
	};

	return ioctl(fd, I_STR, &ic);
}

static int set_words(int fd, const unsigned short *words, int n)
{
	struct packetfilt pf = { .Pf_FilterLen = n };

	memcpy(pf.Pf_Filter, words, n * 2);
	return set(fd, &pf, 2 + n * 2);
}

static int echo(void)
{
	int fd = open("/dev/streams/echo", O_RDWR);

	TRUE(fd >= 0 && !ioctl(fd, I_SRDOPT, RMSGD | RPROTDAT));
	TRUE(!ioctl(fd, I_PUSH, "pfmod"));
	return fd;
}

/* Returns whether a message comes back; a later one does, without a filter. */
static int passes(int fd, const void *data, int len)
{
	char buf[1000];
	int n;

	TRUE(write(fd, data, len) == len);
	TRUE(!set_words(fd, NULL, 0));
	TRUE(write(fd, "the next", 8) == 8);
	n = read(fd, buf, sizeof(buf));
	if (n == 8 && !memcmp(buf, "the next", 8))
		return 0;
	TRUE(n == len && !memcmp(buf, data, len));
	TRUE(read(fd, buf, sizeof(buf)) == 8);
	return 1;
}

/* The message has the words 1, 2, 2, 0xff00, and half of one. */
static const unsigned short message[] = { 1, 2, 2, 0xff00, 7 };

#define LEN	9
#define W(n)	(ENF_PUSHWORD + (n))
#define LIT	ENF_PUSHLIT
#define ZERO	ENF_PUSHZERO

static const struct row {
	int accepted;
	int n;
	unsigned short words[8];
} rows[] = {
	{ 1, 0, { 0 } },
	{ 1, 1, { W(0) } },
	{ 0, 1, { ZERO } },
	{ 1, 2, { LIT, 5 } },
	{ 0, 2, { LIT, 0 } },
	{ 1, 1, { ENF_NOPUSH | ENF_NOP } },
	/* The last word is not whole; the next one does not exist. */
	{ 1, 1, { W(3) } },
	{ 0, 1, { W(4) } },
	{ 0, 1, { W(900) } },
	/* These filters compare the first word with the second. */
	{ 1, 2, { W(1), W(2) | ENF_EQ } },
	{ 0, 2, { W(0), W(1) | ENF_EQ } },
	{ 0, 2, { W(1), W(2) | ENF_NEQ } },
	{ 1, 2, { W(0), W(1) | ENF_NEQ } },
	{ 1, 2, { W(0), W(1) | ENF_LT } },
	{ 0, 2, { W(1), W(0) | ENF_LT } },
	{ 0, 2, { W(1), W(2) | ENF_LT } },
	{ 1, 2, { W(1), W(2) | ENF_LE } },
	{ 0, 2, { W(1), W(0) | ENF_LE } },
	{ 1, 2, { W(1), W(0) | ENF_GT } },
	{ 0, 2, { W(1), W(2) | ENF_GT } },
	{ 1, 2, { W(1), W(2) | ENF_GE } },
	{ 0, 2, { W(0), W(1) | ENF_GE } },
	/* Words have no sign. */
	{ 1, 2, { W(3), W(0) | ENF_GT } },
	/* Bits */
	{ 0, 2, { W(0), W(1) | ENF_AND } },
	{ 1, 2, { W(1), W(2) | ENF_AND } },
	{ 1, 2, { ZERO, W(0) | ENF_OR } },
	{ 0, 2, { ZERO, ZERO | ENF_OR } },
	{ 0, 2, { W(1), W(2) | ENF_XOR } },
	{ 1, 5, { W(3), LIT | ENF_AND, 0x0f00, LIT | ENF_EQ, 0x0f00 } },
	/* This filter has an operator alone. */
	{ 1, 3, { W(1), W(2), ENF_EQ } },
	/*
	 * These end early: the words after the operator, and the words left on
	 * the stack, do not matter.
	 */
	{ 1, 4, { W(1), W(2) | ENF_COR, ZERO, ZERO } },
	{ 0, 3, { W(0), W(1) | ENF_COR, ZERO } },
	{ 1, 2, { W(0), W(1) | ENF_COR } },
	{ 0, 4, { W(0), W(1) | ENF_CAND, LIT, 1 } },
	{ 1, 2, { W(1), W(2) | ENF_CAND } },
	{ 0, 3, { W(1), W(2) | ENF_CAND, ZERO } },
	{ 1, 3, { W(0), W(1) | ENF_CNAND, ZERO } },
	{ 0, 3, { W(1), W(2) | ENF_CNAND, ZERO } },
	{ 0, 4, { W(1), W(2) | ENF_CNOR, LIT, 1 } },
	{ 1, 4, { W(0), W(1) | ENF_CNOR, LIT, 1 } },
	/*
	 * These filters are invalid: no words, one word, no literal, an unknown
	 * action or operator.
	 */
	{ 0, 1, { ENF_EQ } },
	{ 0, 1, { W(0) | ENF_EQ } },
	{ 0, 1, { LIT } },
	{ 0, 2, { W(0), LIT | ENF_EQ } },
	{ 0, 1, { 3 } },
	{ 0, 1, { 15 } },
	{ 0, 2, { W(0), W(0) | (14 << ENF_NBPA) } },
	{ 0, 2, { W(0), W(0) | (63 << ENF_NBPA) } },
};

static void g_filters(void)
{
	unsigned int i;
	int fd = echo();

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		IS(set_words(fd, rows[i].words, rows[i].n), 0);
		if (passes(fd, message, LEN) != rows[i].accepted) {
			printf("row %u\n", i);
			TRUE(!"as the table says");
		}
	}
	close(fd);
}

static void g_longest(void)
{
	unsigned short words[255];
	int fd = echo(), i;

	/* The stack holds as many words as a filter can push. */
	for (i = 0; i < 255; i++)
		words[i] = W(0);
	IS(set_words(fd, words, 255), 0);
	IS(passes(fd, message, LEN), 1);
	for (i = 128; i < 255; i++)
		words[i] = ENF_AND;
	IS(set_words(fd, words, 255), 0);
	IS(passes(fd, message, LEN), 1);
	words[0] = ZERO;
	IS(set_words(fd, words, 255), 0);
	IS(passes(fd, message, LEN), 0);
	close(fd);
}

static void g_errors(void)
{
	struct packetfilt pf = { .Pf_FilterLen = 2, .Pf_Filter = { ZERO } };
	int fd = echo();

	FAILS(set(fd, &pf, 0), EINVAL);
	FAILS(set(fd, &pf, 1), EINVAL);
	FAILS(set(fd, &pf, 5), EINVAL);
	FAILS(set(fd, &pf, sizeof(pf) + 1), EINVAL);
	FAILS(ioctl(fd, PFIOCSETF, &pf), EINVAL);
	IS(passes(fd, message, LEN), 1);
	IS(set(fd, &pf, sizeof(pf)), 0);
	IS(passes(fd, message, LEN), 0);
	/* The driver answers a command that the module does not know. */
	IS(ioctl(fd, I_STR, &(struct strioctl){ .ic_cmd = PFIOC }), 0);
	close(fd);
}

/* A control part is not looked at; a message without data passes. */
static void g_control(void)
{
	static const unsigned short reject[] = { ZERO };
	struct strbuf c = { .len = 4, .maxlen = 4, .buf = (char[]){ "ctl" } };
	struct strbuf d = { .len = 2, .maxlen = 2, .buf = (char[]){ "xy" } };
	int fd = echo(), flags = 0;

	IS(set_words(fd, reject, 1), 0);
	IS(putmsg(fd, &c, &d, 0), 0);
	IS(putmsg(fd, &c, NULL, 0), 0);
	IS(getmsg(fd, &c, &d, &flags), 0);
	IS(c.len, 4);
	IS(d.len, -1);
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "filters", g_filters },
		{ "longest", g_longest },
		{ "errors", g_errors },
		{ "control", g_control },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
