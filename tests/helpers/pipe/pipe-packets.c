// SPDX-License-Identifier: GPL-2.0-only
/* pipe2(O_DIRECT): a write is a packet */
#include "pipe-check.h"

static char data[65536], got[65536];

static int pending(int fd)
{
	int n = -7;

	ioctl(fd, FIONREAD, &n);
	return n;
}

static void fill_by_packets(int fds[2])
{
	long n;
	int i;

	for (i = 0, n = 0; i < 70000 && write(fds[1], data, 4096) == 4096; i++)
		n += 4096;
	say("packets of 4096", "%d, %ld bytes", i, n);
	say("pending", "%d", pending(fds[0]));
	for (i = 0; read(fds[0], got, sizeof(got)) > 0; i++)
		;
	say("packets read", "%d", i);
	/* Small packets take no less room, or they would take all memory. */
	for (i = 0; i < 70000 && write(fds[1], data, 1) == 1; i++)
		;
	say("packets of 1", "%d", i);
	for (i = 0; read(fds[0], got, sizeof(got)) > 0; i++)
		;
	say("packets read", "%d", i);
}

static void change_modes(int fds[2])
{
	int i;

	say_result("packet mode off", fcntl(fds[1], F_SETFL, O_NONBLOCK));
	say("F_GETFL", "%#o", fcntl(fds[1], F_GETFL));
	write(fds[1], "abc", 3);
	write(fds[1], "def", 3);
	say_result("read both", read(fds[0], got, 100));
	say_result("packet mode on", fcntl(fds[1], F_SETFL, O_NONBLOCK | O_DIRECT));
	say("F_GETFL", "%#o", fcntl(fds[1], F_GETFL));
	write(fds[1], "abc", 3);
	write(fds[1], "def", 3);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	write(fds[1], "ghi", 3);
	write(fds[1], "jkl", 3);
	fcntl(fds[1], F_SETFL, O_NONBLOCK | O_DIRECT);
	write(fds[1], "mno", 3);
	for (i = 0; i < 5; i++)
		say_result("mixed: read", read(fds[0], got, 100));
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	fcntl(fds[0], F_SETFL, O_NONBLOCK | O_DIRECT);
	write(fds[1], "abc", 3);
	write(fds[1], "def", 3);
	say_result("packet mode of the reader alone", read(fds[0], got, 100));
}

int main(void)
{
	int fds[2], i;

	make_pipe(fds, O_DIRECT | O_NONBLOCK);
	say_result("write 5", write(fds[1], "abcde", 5));
	say_result("write 3", write(fds[1], "xyz", 3));
	say_result("write 0", write(fds[1], "", 0));
	say("pending", "%d", pending(fds[0]));
	say_result("read 100", read(fds[0], got, 100));
	say_result("read 100", read(fds[0], got, 100));
	say_result("read 100", read(fds[0], got, 100));

	for (i = 0; i < 10000; i++)
		data[i] = i;
	say_result("write 10000", write(fds[1], data, 10000));
	say("pending", "%d", pending(fds[0]));
	for (i = 0; i < 4; i++)
		say_result("read 10000", read(fds[0], got, 10000));

	say_result("write 10", write(fds[1], "0123456789", 10));
	say_result("write 2", write(fds[1], "ab", 2));
	say_result("read 4 of 10: the rest is lost", read(fds[0], got, 4));
	say_result("read the next", read(fds[0], got, 4));
	say("data", "%.2s", got);
	say_result("and no more", read(fds[0], got, 4));

	fill_by_packets(fds);
	change_modes(fds);
	close_pipe(fds);
	return 0;
}
