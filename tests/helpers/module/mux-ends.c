// SPDX-License-Identifier: GPL-2.0-only
/*
 * mux-ends.c - the end of streams below a multiplexor: hangups, and closing a
 * control stream whose driver does not answer
 *
 * The rules are those of mux(4), strmod(7) and POSIX.1-2001 close(), on a
 * stream.
 */
#include "stream-device.h"

#include <time.h>

#include "../../../kmod/test/strprobe.h"
#include "../../../kmod/test/testmux.h"

/* The constants of sys/stream.h, which is for the kernel only */
#define M_HANGUP	0x89
#define M_ERROR		0x8a
#define M_UNHANGUP	0x92

static bool hung_up(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, WAIT_LIMIT_MS) == 1 && p.revents & POLLHUP;
}

static void is_over(int fd)
{
	char c;

	TRUE(hung_up(fd));
	IS(read(fd, &c, 1), 0);
	FAILS(write(fd, "x", 1), ENXIO);
}

/* Every upper stream that is routed to a lower stream later gets its hangup. */
static void hangup_later(void)
{
	int up = dev(MUX_DEVICE), next = dev(MUX_DEVICE);
	int echo = dev(DEVICE("echo")), fds[2], id;
	char text[8];

	TRUE(ioctl(up, I_LINK, echo) > 0);
	loop_pair(fds);
	id = ioctl(up, I_LINK, fds[0]);
	TRUE(id > 0);
	IS(write(fds[1], "last", 4), 4);
	close(fds[1]);
	TRUE(!poll(&(struct pollfd){ .fd = up, .events = POLLIN }, 1, 0));
	IS(route(up, id, MUX_UP), 0);
	IS(read(up, text, sizeof(text)), 4);
	is_over(up);
	IS(route(next, id, MUX_UP), 0);
	is_over(next);
}

/* A hangup comes after the data before it, however slow that is read. */
static void hangup_order(void)
{
	int up = dev(MUX_DEVICE), fds[2], total = 0, i;
	char block[1024] = "";
	ssize_t n;

	loop_pair(fds);
	TRUE(ioctl(up, I_LINK, fds[0]) > 0);
	for (i = 0; i < 40; i++)
		IS(write(fds[1], block, sizeof(block)), sizeof(block));
	close(fds[1]);
	while ((n = read(up, block, 100)) > 0)
		total += n;
	IS(n, 0);
	IS(total, 40 * 1024);
	is_over(up);
}

/* Makes the driver below another stream's route send up a message. */
static void say_error(int fd, char reading, char writing)
{
	char message[] = { (char)M_ERROR, 0, 0, reading, writing };

	IS(write(fd, message, sizeof(message)), sizeof(message));
}

static void say(int fd, unsigned char type)
{
	char message[] = { (char)type, 0, 0 };

	IS(write(fd, message, sizeof(message)), sizeof(message));
}

static bool comes_back(int fd)
{
	struct pollfd p = { .fd = fd };

	UNTIL(!poll(&p, 1, 0));
	return true;
}

/* A hangup below may be withdrawn, whether it was passed up already or not. */
static void unhangup(void)
{
	int up = dev(MUX_DEVICE), other = dev(MUX_DEVICE);
	int low = dev(DEVICE("strprobe")), id;

	IS(send_ioctl(low, STRPROBE_SAY, NULL, 0), 0);
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	IS(route(other, id, MUX_DOWN), 0);
	say(other, M_HANGUP);
	TRUE(hung_up(up));
	FAILS(write(up, "x", 1), ENXIO);
	say(other, M_UNHANGUP);
	TRUE(comes_back(up));
	/* The hangup also waits while no upper stream has that route. */
	IS(route(up, 0, MUX_UP), 0);
	say(other, M_HANGUP);
	say(other, M_UNHANGUP);
	IS(route(up, id, MUX_UP), 0);
	TRUE(comes_back(up));
	IS(ioctl(up, I_UNLINK, id), 0);
	/* The last message was not a hangup. */
	TRUE(!poll(&(struct pollfd){ .fd = low }, 1, 0));
}

/* An error below is an error above, for each side by itself, until it is withdrawn. */
static void error(void)
{
	int up = dev(MUX_DEVICE), other = dev(MUX_DEVICE);
	int low = dev(DEVICE("strprobe")), id;
	struct pollfd p = { .fd = up };
	char c;

	IS(send_ioctl(low, STRPROBE_SAY, NULL, 0), 0);
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	IS(route(other, id, MUX_DOWN), 0);
	say_error(other, EDOM, ECHRNG);
	IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
	IS(p.revents, POLLERR);
	FAILS(read(up, &c, 1), EDOM);
	FAILS(write(up, "x", 1), ECHRNG);
	FAILS(ioctl(up, I_UNLINK, id), EDOM);
	/* A stream that only sends to the lower stream is not notified. */
	IS(write(other, "\0\0\0x", 4), 4);
	say_error(other, 0, 0);
	TRUE(comes_back(up));
	IS(read(up, &c, 1), 1);
	IS(c, 'x');
	/*
	 * The hangup arrived while the stream was linked: the stream itself has
	 * not seen it.
	 */
	IS(ioctl(up, I_UNLINK, id), 0);
	IS(write(low, "\0\0\0y", 4), 4);
	IS(read(low, &c, 1), 1);
	IS(c, 'y');
}

/*
 * After the unlink the stream itself has the hangup; seen: the upper stream had
 * it before; closed: the control stream is closed.
 */
static void hangup_unlinked_so(bool seen, bool closed)
{
	int up = dev(MUX_DEVICE), fds[2], id;
	char text[8];

	loop_pair(fds);
	id = ioctl(up, I_LINK, fds[0]);
	TRUE(id > 0);
	if (!seen)
		IS(route(up, 0, MUX_UP), 0);
	IS(write(fds[1], "last", 4), 4);
	close(fds[1]);
	if (seen) {
		IS(read(up, text, sizeof(text)), 4);
		is_over(up);
	}
	/*
	 * A control stream that has seen a hangup cannot be used for I_UNLINK.
	 */
	if (seen || closed)
		close(up);
	else
		IS(ioctl(up, I_UNLINK, id), 0);
	if (!seen)
		IS(read(fds[0], text, sizeof(text)), 4);
	is_over(fds[0]);
	close(fds[0]);
	if (!seen && !closed)
		close(up);
}

static void hangup_unlinked(void)
{
	hangup_unlinked_so(false, false);
	hangup_unlinked_so(false, true);
	hangup_unlinked_so(true, true);
}

/* The driver does not acknowledge the unlink: close() waits for one answer. */
static void silent_close(void)
{
	int up = dev(DEVICE("testmux")), n = 4, low[4], i;
	time_t begun;
	char text[8];

	for (i = 0; i < n; i++) {
		low[i] = dev(DEVICE("echo"));
		TRUE(ioctl(up, I_LINK, low[i]) > 0);
	}
	IS(send_ioctl(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
	begun = time(NULL);
	close(up);
	if (time(NULL) - begun >= 29)
		test_fail(__FILE__, __LINE__, "close() took %ld s",
			  (long)(time(NULL) - begun));
	TRUE(time(NULL) - begun >= 14);
	for (i = 0; i < n; i++) {
		IS(write(low[i], "free", 4), 4);
		IS(read(low[i], text, sizeof(text)), 4);
	}
}

static const struct test_case cases[] = {
	{ "hangup_later", hangup_later },
	{ "hangup_order", hangup_order },
	{ "hangup_unlinked", hangup_unlinked },
	{ "unhangup", unhangup },
	{ "error", error },
	{ "silent_close", silent_close },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
