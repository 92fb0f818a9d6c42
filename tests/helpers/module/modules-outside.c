// SPDX-License-Identifier: GPL-2.0-only
/*
 * modules-outside.c - the modules of examples/, under traffic
 *
 * The traffic is that of a program written without regard to STREAMS: pipe(),
 * write(), read(); it is run with the preload.
 */
#include "stream-device.h"

#include <sys/ioctl.h>
#include <time.h>

#include "../../../examples/modules/strrate.h"
#include "../../../examples/modules/strtee.h"

/* Makes a pipe in the program's way; the preload makes it one of STREAMS. */
static void program_pipe(int fds[2])
{
	IS(pipe(fds), 0);
	IS(isastream(fds[0]), 1);
}

/* Returns byte i of the traffic: a letter, in a long cycle. */
static unsigned char letter(size_t i)
{
	size_t n = (i * 7 + (i >> 8) % 251) % 52;

	return n < 26 ? 'a' + n : 'A' + n - 26;
}

static unsigned char rot13(unsigned char c)
{
	return (c | 0x20) < 'n' ? c + 13 : c - 13;
}

struct traffic {
	int fd;
	size_t bytes;
	size_t turns;		/* from as it is to rotated, or back */
	volatile size_t at;
	volatile bool done;
};

static void *writer(void *arg)
{
	struct traffic *t = arg;
	unsigned char data[9000];
	unsigned int seed = 1;

	while (t->at < t->bytes) {
		size_t len = rand_r(&seed) % sizeof(data) + 1, i;

		len = len < t->bytes - t->at ? len : t->bytes - t->at;
		for (i = 0; i < len; i++)
			data[i] = letter(t->at + i);
		IS(write(t->fd, data, len), len);
		t->at += len;
	}
	return NULL;
}

/* Checks that every byte is in its place, unchanged or rotated. */
static void *reader(void *arg)
{
	struct traffic *t = arg;
	unsigned char data[16384];
	bool rotated = false;

	while (t->at < t->bytes) {
		ssize_t n = read(t->fd, data, sizeof(data)), i;

		TRUE(n > 0);
		for (i = 0; i < n; i++) {
			unsigned char want = letter(t->at + i);

			if (data[i] == (rotated ? rot13(want) : want))
				continue;
			rotated = !rotated;
			t->turns++;
			if (data[i] != (rotated ? rot13(want) : want))
				test_fail(__FILE__, __LINE__,
					  "byte %zu is %#x, not %#x or rotated",
					  t->at + i, data[i], want);
		}
		t->at += n;
	}
	t->done = true;
	return NULL;
}

/*
 * Pushes and pops a module on the pipe until all bytes are read. Returns how
 * often.
 */
static unsigned int toggle(int fd, const char *module, struct traffic *out)
{
	unsigned int n = 0;

	while (!out->done) {
		/*
		 * The push fails until a slow reader has taken what popped
		 * modules left.
		 */
		if (ioctl(fd, I_PUSH, module) < 0) {
			TRUE(errno == EAGAIN);
			usleep(500);
			continue;
		}
		usleep(500);
		IS(ioctl(fd, I_POP, 0), 0);
		usleep(500);
		n++;
	}
	return n;
}

/* Returns whether the module was pushed and popped often enough. */
static bool live_once(const char *module, bool rotates)
{
	struct traffic in = { .bytes = test_scaled(16 << 20) }, out = in;
	pthread_t threads[2];
	unsigned int n;
	int fds[2];
	char c;

	program_pipe(fds);
	in.fd = fds[1];
	out.fd = fds[0];
	IS(pthread_create(&threads[0], NULL, writer, &in), 0);
	IS(pthread_create(&threads[1], NULL, reader, &out), 0);
	n = toggle(fds[1], module, &out);
	IS(pthread_join(threads[0], NULL), 0);
	IS(pthread_join(threads[1], NULL), 0);
	IS(out.at, in.bytes);
	close(fds[1]);
	IS(read(fds[0], &c, 1), 0);
	printf("%s pushed and popped %u times during %zu bytes, %zu turns\n",
	       module, n, in.bytes, out.turns);
	TRUE(rotates || out.turns == 0);
	return n > 3 && (!rotates || out.turns > 3);
}

/*
 * On a busy machine all bytes may be read before the thread that pushes gets a
 * turn.
 */
static void live(const char *module, bool rotates)
{
	int i;

	for (i = 0; i < 5; i++)
		if (live_once(module, rotates))
			return;
	test_fail(__FILE__, __LINE__, "%s hardly came", module);
}

static void rot13_live(void)
{
	live("rot13", true);
}

static void tee_live(void)
{
	live("strtee", false);
}

static void rate_live(void)
{
	live("rate", false);
}

/* Data with a second owner is copied, not changed in place. */
static void rot13_shared(void)
{
	int source[2], tap[2], number;
	char data[8] = "";

	program_pipe(source);
	IS(strpipe(tap), 0);
	IS(ioctl(source[1], I_PUSH, "rot13"), 0);
	/* The tee is above, so it copies the bytes before they are rotated. */
	IS(ioctl(source[1], I_PUSH, "strtee"), 0);
	IS(ioctl(tap[0], I_PUSH, "strtee"), 0);
	number = send_ioctl(source[1], TEE_NUMBER, NULL, 0);
	IS(send_ioctl(tap[0], TEE_FROM, &number, sizeof(number)), 0);
	IS(write(source[1], "Hello", 5), 5);
	IS(read(source[0], data, 8), 5);
	IS(strcmp(data, "Uryyb"), 0);
	memset(data, 0, sizeof(data));
	IS(read(tap[0], data, 8), 5);
	IS(strcmp(data, "Hello"), 0);
}

/* All written data arrives twice, however slow one of the readers is. */
static void tee_copies(void)
{
	struct traffic in = { .bytes = test_scaled(4 << 20) };
	struct traffic out = in, copy = in;
	pthread_t threads[3];
	int source[2], tap[2], number, none = 0;

	program_pipe(source);
	IS(strpipe(tap), 0);
	IS(ioctl(source[1], I_PUSH, "strtee"), 0);
	IS(ioctl(tap[0], I_PUSH, "strtee"), 0);
	number = send_ioctl(source[1], TEE_NUMBER, NULL, 0);
	TRUE(number > 0);
	IS(send_ioctl(tap[0], TEE_FROM, &number, sizeof(number)), 0);
	in.fd = source[1];
	out.fd = source[0];
	copy.fd = tap[0];
	IS(pthread_create(&threads[0], NULL, writer, &in), 0);
	IS(pthread_create(&threads[1], NULL, reader, &out), 0);
	/* A tap that no task reads holds the writer up. */
	sleep(1);
	TRUE(!out.done && out.at < in.bytes / 2);
	IS(pthread_create(&threads[2], NULL, reader, &copy), 0);
	IS(pthread_join(threads[0], NULL), 0);
	IS(pthread_join(threads[1], NULL), 0);
	IS(pthread_join(threads[2], NULL), 0);
	IS(copy.at, in.bytes);
	IS(out.turns + copy.turns, 0);
	/* Without a tap the data is not held up. */
	IS(send_ioctl(tap[0], TEE_FROM, &none, sizeof(none)), 0);
	number = 1000000;
	FAILS(send_ioctl(tap[0], TEE_FROM, &number, sizeof(number)), ENXIO);
	FAILS(send_ioctl(tap[0], TEE_FROM, &number, 2), EINVAL);
	number = send_ioctl(tap[0], TEE_NUMBER, NULL, 0);
	FAILS(send_ioctl(tap[0], TEE_FROM, &number, sizeof(number)), EINVAL);
}

/* A tap that is closed lets the writer continue. */
static void tee_closed(void)
{
	struct traffic in = { .bytes = test_scaled(4 << 20) }, out = in;
	pthread_t threads[2];
	int source[2], tap[2], number;

	program_pipe(source);
	IS(strpipe(tap), 0);
	IS(ioctl(source[1], I_PUSH, "strtee"), 0);
	IS(ioctl(tap[0], I_PUSH, "strtee"), 0);
	number = send_ioctl(source[1], TEE_NUMBER, NULL, 0);
	IS(send_ioctl(tap[0], TEE_FROM, &number, sizeof(number)), 0);
	in.fd = source[1];
	out.fd = source[0];
	IS(pthread_create(&threads[0], NULL, writer, &in), 0);
	IS(pthread_create(&threads[1], NULL, reader, &out), 0);
	usleep(300000);
	TRUE(!out.done);
	close(tap[0]);
	close(tap[1]);
	IS(pthread_join(threads[0], NULL), 0);
	IS(pthread_join(threads[1], NULL), 0);
	IS(out.turns, 0);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/*
 * The module passes 200,000 bytes at 100,000 a second: that takes not much
 * under two seconds.
 */
static void rate_limits(void)
{
	struct traffic in = { .bytes = 200000 }, out = in;
	unsigned int rate = 100000, much = RATE_MOST + 1U;
	pthread_t threads[2];
	double begun, took;
	int fds[2];

	program_pipe(fds);
	IS(ioctl(fds[1], I_PUSH, "rate"), 0);
	FAILS(send_ioctl(fds[1], RATE_SET, &much, sizeof(much)), ERANGE);
	FAILS(send_ioctl(fds[1], RATE_SET, &rate, 1), EINVAL);
	IS(send_ioctl(fds[1], RATE_SET, &rate, sizeof(rate)), 0);
	rate = 0;
	IS(send_ioctl(fds[1], RATE_GET, &rate, sizeof(rate)), 0);
	IS(rate, 100000);
	in.fd = fds[1];
	out.fd = fds[0];
	begun = now();
	IS(pthread_create(&threads[0], NULL, writer, &in), 0);
	IS(pthread_create(&threads[1], NULL, reader, &out), 0);
	IS(pthread_join(threads[0], NULL), 0);
	IS(pthread_join(threads[1], NULL), 0);
	took = now() - begun;
	printf("200000 bytes at 100000 a second took %.2f s\n", took);
	/*
	 * The limiter saves up a tenth of a second, and does not wait for the
	 * last message.
	 */
	TRUE(took > 1.7);
	IS(out.turns, 0);
}

/* A pop while written data waits passes on all of it at once. */
static void rate_popped(void)
{
	unsigned int rate = 1000, i;
	char data[6000];
	size_t got = 0;
	double begun;
	int fds[2];

	program_pipe(fds);
	IS(ioctl(fds[1], I_PUSH, "rate"), 0);
	IS(send_ioctl(fds[1], RATE_SET, &rate, sizeof(rate)), 0);
	for (i = 0; i < sizeof(data); i++)
		data[i] = letter(i);
	for (i = 0; i < 3; i++)
		IS(write(fds[1], data + 2000 * i, 2000), 2000);
	begun = now();
	IS(ioctl(fds[1], I_POP, 0), 0);
	while (got < sizeof(data)) {
		ssize_t n = read(fds[0], data, sizeof(data)), j;

		TRUE(n > 0);
		for (j = 0; j < n; j++)
			IS((unsigned char)data[j], letter(got + j));
		got += n;
	}
	TRUE(now() - begun < 1.5);
}

struct numbers {
	int fd;
	unsigned int n;
};

static void *number_writer(void *arg)
{
	struct numbers *w = arg;
	unsigned int i;

	for (i = 0; i < w->n; i++)
		IS(write(w->fd, &i, sizeof(i)), sizeof(i));
	return NULL;
}

/*
 * Numbers are sent through two echoes, even numbers through one, odd ones
 * through the other: all come back, each kind in order.
 */
static void twomux(void)
{
	int up = dev("/dev/streams/twomux"), low[2], id[2], third, i;
	struct numbers w = { .fd = up, .n = test_scaled(100000) & ~1U };
	unsigned int next[2] = { 0, 1 }, got, number;
	pthread_t thread;

	for (i = 0; i < 2; i++) {
		low[i] = dev("/dev/streams/echo");
		id[i] = ioctl(up, I_LINK, low[i]);
		TRUE(id[i] > 0);
	}
	third = dev("/dev/streams/echo");
	FAILS(ioctl(up, I_LINK, third), EBUSY);
	FAILS(ioctl(up, I_PLINK, third), EINVAL);
	FAILS(send_ioctl(up, 12345, NULL, 0), EINVAL);
	IS(ioctl(up, I_SRDOPT, RMSGD), 0);
	IS(pthread_create(&thread, NULL, number_writer, &w), 0);
	for (got = 0; got < w.n; got++) {
		IS(read(up, &number, sizeof(number)), sizeof(number));
		IS(number, next[number & 1]);
		next[number & 1] += 2;
	}
	IS(pthread_join(thread, NULL), 0);
	/*
	 * The only lower stream left gets all data; without one written data
	 * waits.
	 */
	IS(ioctl(up, I_UNLINK, id[0]), 0);
	FAILS(ioctl(up, I_UNLINK, id[0]), EINVAL);
	for (i = 0; i < 10; i++) {
		IS(write(up, &i, sizeof(i)), sizeof(i));
		IS(read(up, &number, sizeof(number)), sizeof(number));
		IS(number, i);
	}
	IS(ioctl(up, I_UNLINK, id[1]), 0);
	IS(write(up, &i, sizeof(i)), sizeof(i));
	TRUE(ioctl(up, I_LINK, third) > 0);
	IS(read(up, &number, sizeof(number)), sizeof(number));
	IS(number, i);
	close(up);
	IS(write(low[0], "free", 4), 4);
	IS(read(low[0], &number, sizeof(number)), 4);
	IS(write(third, "free", 4), 4);
	IS(read(third, &number, sizeof(number)), 4);
}

static const struct test_case cases[] = {
	{ "rot13_live", rot13_live },
	{ "rot13_shared", rot13_shared },
	{ "tee_live", tee_live },
	{ "tee_copies", tee_copies },
	{ "tee_closed", tee_closed },
	{ "rate_live", rate_live },
	{ "rate_limits", rate_limits },
	{ "rate_popped", rate_popped },
	{ "twomux", twomux },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
