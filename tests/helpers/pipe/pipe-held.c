// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe-held.c - the memory that full pipes hold, however they were filled
 *
 * A message counts for four fifths of its memory at least: so the memory is at most 1.25
 * times the room of a pipe, and that of the last message of each kind, which may exceed
 * the room.
 */
#include "proc.h"
#include "streams-test.h"

#include <sys/bufmod.h>
#include <sys/ioctl.h>

#define PIPES		48
#define ROOM		65536
#define MODULES		16
#define MODULE_ROOM	65536		/* bytes of bufmod's queue */
#define NOISE		(2 << 20)	/* the memory that others use meanwhile */
#define OWN		6144		/* of a pipe itself */
#define BANDS_OWN	16384		/* of its accounts of 255 bands */

static char bytes[65536];

static void put(int fd, int band, int len)
{
	struct strbuf data = { .len = len, .buf = bytes };

	while (putpmsg(fd, NULL, &data, band, MSG_BAND) == 0)
		;
	TRUE(errno == EAGAIN);
}

static void write_until_full(int fd, int len)
{
	while (write(fd, bytes, len) > 0)
		;
	TRUE(errno == EAGAIN);
}

/* Makes a FIFO that has messages instead of a ring. */
static void fifo_of_messages(int fds[2])
{
	int n;

	IS(test_fifo(fds, O_NONBLOCK), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 0);
}

static void duplex(int fds[2])
{
	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	test_nonblock(fds[1], true);
}

/* Leaves one byte of a message of each band. */
static void partly_read(int fds[2], int len)
{
	struct strbuf data = { .len = len, .buf = bytes };
	struct strbuf part = { .maxlen = len - 1, .buf = bytes };
	int band, flags, from;

	duplex(fds);
	for (band = 1; band < 256; band++) {
		if (putpmsg(fds[1], NULL, &data, band, MSG_BAND) < 0)
			break;
		from = band;
		flags = MSG_BAND;
		if (band & 1)
			IS(read(fds[0], bytes, len - 1), len - 1);
		else
			IS(getpmsg(fds[0], NULL, &part, &from, &flags), MOREDATA);
	}
}

static void bands(int fds[2], int len)
{
	int band;

	duplex(fds);
	for (band = 0; band < 256; band++)
		put(fds[1], band, len);
}

static void writes(int fds[2], int len)
{
	fifo_of_messages(fds);
	write_until_full(fds[1], len);
}

static void messages(int fds[2], int len)
{
	duplex(fds);
	put(fds[1], 0, len);
	put(fds[0], 0, len);
}

static long tee_all(int from, int to)
{
	struct strio_splice arg = {
		.in = from, .out = to, .len = 65536, .flags = SPLICE_F_NONBLOCK,
	};

	return ioctl(from, STRIO_TEE, &arg);
}

/*
 * The bytes of another pipe are spliced, few of which fill the room asked for.
 */
static void copied(int fds[2], int len)
{
	int from[2];

	fifo_of_messages(fds);
	IS(test_fifo(from, O_NONBLOCK), 0);
	IS(write(from[1], bytes, len), len);
	while (tee_all(from[0], fds[1]) > 0)
		;
	TRUE(errno == EAGAIN);
	close(from[0]);
	close(from[1]);
}

static void set_number(int fd, int cmd, unsigned int n)
{
	struct strioctl ic = { cmd, 0, sizeof(n), (char *)&n };

	IS(ioctl(fd, I_STR, &ic), 0);
}

/*
 * Fills the queues and chunks of 16 modules on a small FIFO by writes of len
 * bytes. Then the modules are popped, and leave all their messages.
 */
static void in_modules(int fds[2], int len)
{
	int i;

	IS(test_fifo(fds, O_NONBLOCK), 0);
	IS(ioctl(fds[0], STRIO_SETPIPE_SZ, 4096), 4096);
	for (i = 0; i < MODULES; i++) {
		IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
		set_number(fds[0], SBIOCSCHUNK, MODULE_ROOM);
		set_number(fds[0], SBIOCSFLAGS, SB_NO_HEADER | SB_NO_DROPS);
	}
	write_until_full(fds[1], len);
}

static void left_by_modules(int fds[2], int len)
{
	in_modules(fds, len);
	while (ioctl(fds[0], I_POP, 0) == 0)
		;
}

static void hold(const char *what, void (*fill)(int fds[2], int len), int len, long room)
{
	long most = PIPES * (room + room / 4 + OWN), used;
	int fds[PIPES][2], i;

	used = memory_free();
	for (i = 0; i < PIPES; i++)
		fill(fds[i], len);
	used -= memory_free();
	printf("%-12s %6d: %8ld of %8ld\n", what, len, used / PIPES, most / PIPES);
	if (used > most + NOISE)
		test_fail(__FILE__, __LINE__, "%s, %d bytes each: %ld held, of %ld at most",
			  what, len, used, most);
	for (i = 0; i < PIPES; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
}

int main(void)
{
	static const int sizes[] = { 1, 77, 153, 281, 5000, 65536 };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		int len = sizes[i];

		/*
		 * Both directions hold their room, and the message that may
		 * exceed the room of one.
		 */
		hold("messages", messages, len, 2 * ROOM + len);
		/* Single bytes that are joined would only take time. */
		if (len > 1)
			hold("writes", writes, len, ROOM);
		hold("tee", copied, len, ROOM);
		/*
		 * The bands hold a quarter of the room in addition, and again a
		 * message.
		 */
		hold("bands", bands, len, ROOM + ROOM / 4 + 2 * len + BANDS_OWN);
		if (len > 1)
			hold("partly read", partly_read, len, ROOM / 4 + len + BANDS_OWN);
	}
	/*
	 * A module counts with its queue, the chunk that it gathers and one
	 * beyond the queue.
	 */
	hold("in modules", in_modules, 1000, 4096 + MODULES * 3 * MODULE_ROOM);
	hold("left", left_by_modules, 1000, 4096 + MODULES * 3 * MODULE_ROOM);
	return 0;
}
