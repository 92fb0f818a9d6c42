// SPDX-License-Identifier: GPL-2.0-only
/* streams-push.c - modules pushed, popped, looked at */
#include "streams-test.h"

#define MODULE	"nullmod"

static void empty(int fds[2])
{
	char name[STRNAMESZ];

	FAILS(ioctl(fds[0], I_POP, 0), EINVAL);
	FAILS(ioctl(fds[1], I_POP, 0), EINVAL);
	FAILS(ioctl(fds[0], I_LOOK, name), EINVAL);
	IS(ioctl(fds[0], I_FIND, MODULE), 0);
	IS(ioctl(fds[0], I_LIST, NULL), 0);
}

static void one(int fds[2])
{
	char name[STRNAMESZ], data[8];

	IS(ioctl(fds[1], I_PUSH, MODULE), 0);
	memset(name, 'x', sizeof(name));
	IS(ioctl(fds[1], I_LOOK, name), 0);
	IS(strcmp(name, MODULE), 0);
	IS(ioctl(fds[1], I_FIND, MODULE), 1);
	IS(ioctl(fds[1], I_LIST, NULL), 1);
	IS(write(fds[1], "through", 7), 7);
	IS(read(fds[0], data, 8), 7);
	IS(memcmp(data, "through", 7), 0);
	IS(ioctl(fds[1], I_POP, 0), 0);
	FAILS(ioctl(fds[1], I_POP, 0), EINVAL);
	IS(write(fds[1], "without", 7), 7);
	IS(read(fds[0], data, 8), 7);
	IS(memcmp(data, "without", 7), 0);
}

static void names(int fds[2])
{
	char longest[STRNAMESZ], longer[STRNAMESZ + 1], endless[4096];

	memset(longest, 'n', sizeof(longest));
	longest[STRNAMESZ - 1] = '\0';
	memset(longer, 'n', sizeof(longer));
	longer[STRNAMESZ] = '\0';
	memset(endless, 'n', sizeof(endless));
	FAILS(ioctl(fds[0], I_PUSH, "nosuchmodule"), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, ""), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, longest), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, longer), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, endless), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, "../../etc"), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, "a%s%n b;"), EINVAL);
	FAILS(ioctl(fds[0], I_PUSH, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[0], I_PUSH, NULL), EFAULT);
	FAILS(ioctl(fds[0], I_FIND, longer), EINVAL);
	FAILS(ioctl(fds[0], I_FIND, BAD_POINTER), EFAULT);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	FAILS(ioctl(fds[0], I_LOOK, BAD_POINTER), EFAULT);
	IS(ioctl(fds[0], I_FIND, "nosuchmodule"), 0);
	IS(ioctl(fds[0], I_FIND, "null"), 0);
	IS(ioctl(fds[0], I_LIST, NULL), 1);
}

/* Each side of a pipe has its modules; a FIFO has one side. */
static void sides(void)
{
	int fds[2];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	IS(ioctl(fds[0], I_LIST, NULL), 1);
	IS(ioctl(fds[1], I_LIST, NULL), 0);
	IS(ioctl(fds[1], I_FIND, MODULE), 0);
	FAILS(ioctl(fds[1], I_POP, 0), EINVAL);
	IS(ioctl(fds[1], I_PUSH, MODULE), 0);
	IS(ioctl(fds[1], I_PUSH, MODULE), 0);
	IS(ioctl(fds[0], I_LIST, NULL), 1);
	IS(ioctl(fds[1], I_LIST, NULL), 2);
	close(fds[0]);
	close(fds[1]);
	IS(test_fifo(fds, 0), 0);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	IS(ioctl(fds[1], I_LIST, NULL), 1);
	IS(ioctl(fds[1], I_POP, 0), 0);
	IS(ioctl(fds[0], I_LIST, NULL), 0);
}

static void list(int fds[2])
{
	struct str_mlist mods[5];
	struct str_list l = { .sl_nmods = 5, .sl_modlist = mods };
	int i;

	for (i = 0; i < 3; i++)
		IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	memset(mods, 'x', sizeof(mods));
	IS(ioctl(fds[0], I_LIST, &l), 0);
	IS(l.sl_nmods, 3);
	for (i = 0; i < 3; i++)
		IS(strcmp(mods[i].l_name, MODULE), 0);
	IS(mods[3].l_name[0], 'x');

	l.sl_nmods = 2;
	memset(mods, 'x', sizeof(mods));
	IS(ioctl(fds[0], I_LIST, &l), 0);
	IS(l.sl_nmods, 2);
	IS(mods[2].l_name[0], 'x');

	l.sl_nmods = 0;
	FAILS(ioctl(fds[0], I_LIST, &l), EINVAL);
	l.sl_nmods = -1;
	FAILS(ioctl(fds[0], I_LIST, &l), EINVAL);
	l.sl_nmods = 3;
	l.sl_modlist = BAD_POINTER;
	FAILS(ioctl(fds[0], I_LIST, &l), EFAULT);
	FAILS(ioctl(fds[0], I_LIST, BAD_POINTER), EFAULT);
}

/*
 * As many modules as allowed are pushed, and data passes through all in order.
 */
static void limit(int fds[2])
{
	char data[16];
	int n = 0;

	while (ioctl(fds[0], I_PUSH, MODULE) == 0)
		n++;
	TRUE(errno == EINVAL);
	TRUE(n >= 9);
	IS(ioctl(fds[0], I_LIST, NULL), n);
	IS(write(fds[1], "0123456789", 10), 10);
	IS(read(fds[0], data, 16), 10);
	IS(memcmp(data, "0123456789", 10), 0);
	while (n--)
		IS(ioctl(fds[0], I_POP, 0), 0);
	FAILS(ioctl(fds[0], I_POP, 0), EINVAL);
}

/* Messages at the head stay there when modules are pushed and popped. */
static void queued(int fds[2])
{
	char data[16];

	IS(write(fds[1], "before", 6), 6);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	IS(write(fds[1], "during", 6), 6);
	IS(ioctl(fds[0], I_POP, 0), 0);
	IS(write(fds[1], "after", 5), 5);
	IS(read(fds[0], data, 6), 6);
	IS(memcmp(data, "before", 6), 0);
	IS(read(fds[0], data, 6), 6);
	IS(memcmp(data, "during", 6), 0);
	IS(read(fds[0], data, 5), 5);
	IS(memcmp(data, "after", 5), 0);
}

/* A pipe with modules still notifies each end when the other is closed. */
static void closing(void)
{
	int fds[2], form;
	char c;

	signal(SIGPIPE, SIG_IGN);
	for (form = 0; form < 2; form++) {
		IS(form ? test_fifo(fds, 0) : strpipe(fds), 0);
		IS(ioctl(fds[1], I_PUSH, MODULE), 0);
		IS(write(fds[1], "x", 1), 1);
		close(fds[1]);
		IS(read(fds[0], &c, 1), 1);
		IS(read(fds[0], &c, 1), 0);
		close(fds[0]);
		IS(form ? test_fifo(fds, 0) : strpipe(fds), 0);
		IS(ioctl(fds[1], I_PUSH, MODULE), 0);
		close(fds[0]);
		FAILS(write(fds[1], "x", 1), EPIPE);
		close(fds[1]);
	}
}

/* A full pipe with a module holds writers back, and lets them continue. */
static void full(int fds[2])
{
	char data[4096] = "";
	long in = 0, out = 0, n;
	struct pollfd p = { .fd = fds[1], .events = POLLOUT };

	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	test_nonblock(fds[1], true);
	test_nonblock(fds[0], true);
	while ((n = write(fds[1], data, sizeof(data))) > 0)
		in += n;
	TRUE(errno == EAGAIN);
	TRUE(in >= 65536);
	IS(poll(&p, 1, 0), 0);
	while ((n = read(fds[0], data, sizeof(data))) > 0)
		out += n;
	TRUE(errno == EAGAIN);
	IS(out, in);
	IS(poll(&p, 1, 0), 1);
	IS(p.revents, POLLOUT);
}

/* Data passes while modules are pushed and popped. */
struct traffic {
	int fd;
	size_t bytes;
	unsigned int seed;
	volatile bool done;
};

/* Returns byte i of a stream that repeats only after 251 times 256 bytes. */
static unsigned char pattern(size_t i)
{
	return i * 7 + (i >> 8) % 251;
}

static void *write_traffic(void *arg)
{
	struct traffic *t = arg;
	unsigned char data[20000];
	size_t at = 0;

	while (at < t->bytes) {
		size_t most = rand_r(&t->seed) % 3 ? 600 : sizeof(data);
		size_t len = rand_r(&t->seed) % most + 1;
		size_t i;

		len = len < t->bytes - at ? len : t->bytes - at;
		for (i = 0; i < len; i++)
			data[i] = pattern(at + i);
		IS(write(t->fd, data, len), len);
		at += len;
	}
	return NULL;
}

static void *read_traffic(void *arg)
{
	struct traffic *t = arg;
	unsigned char data[30000];
	size_t at = 0;

	while (at < t->bytes) {
		long n = read(t->fd, data, rand_r(&t->seed) % sizeof(data) + 1), i;

		TRUE(n > 0);
		for (i = 0; i < n; i++) {
			if (data[i] != pattern(at + i))
				test_fail(__FILE__, __LINE__, "byte %zu is wrong",
					  at + i);
		}
		at += n;
	}
	t->done = true;
	return NULL;
}

static void live(int fds[2])
{
	struct traffic in = { .fd = fds[1], .bytes = test_scaled(16 << 20), .seed = 1 };
	struct traffic out = { .fd = fds[0], .bytes = in.bytes, .seed = 2 };
	pthread_t writer, reader;
	unsigned int seed = 3, pushed[2] = { 0, 0 }, changes = 0;

	pthread_create(&writer, NULL, write_traffic, &in);
	pthread_create(&reader, NULL, read_traffic, &out);
	while (!out.done) {
		int side = rand_r(&seed) & 1;

		if (rand_r(&seed) & 1 && pushed[side] < 4) {
			/* Bytes that popped modules left fill the stream until they are read. */
			while (ioctl(fds[side], I_PUSH, MODULE)) {
				IS(errno, EAGAIN);
				sched_yield();
			}
			pushed[side]++;
			changes++;
		} else if (pushed[side]) {
			IS(ioctl(fds[side], I_POP, 0), 0);
			pushed[side]--;
			changes++;
		}
	}
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	printf("%u modules pushed and popped during %zu bytes\n", changes, in.bytes);
	TRUE(changes > 10);
}

/* Modules stay pushed, for a test that looks from outside, until standard input ends. */
static void hold(void)
{
	int fds[2];
	char c;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	IS(write(fds[1], "waiting", 7), 7);
	puts("held");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
}

#define BOTH(name)	static void name##_both(void) { test_both_pipes(name); }
BOTH(empty)
BOTH(one)
BOTH(names)
BOTH(list)
BOTH(limit)
BOTH(queued)
BOTH(full)
BOTH(live)

static const struct test_case cases[] = {
	{ "empty", empty_both },
	{ "one", one_both },
	{ "names", names_both },
	{ "sides", sides },
	{ "list", list_both },
	{ "limit", limit_both },
	{ "queued", queued_both },
	{ "closing", closing },
	{ "full", full_both },
	{ "live", live_both },
	{ "hold", hold },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
