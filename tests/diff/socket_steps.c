// SPDX-License-Identifier: GPL-2.0-only
/* socket_steps.c - calls for sockets of all kinds */
#include "socket_steps.h"
#include "addresses.h"
#include "data.h"
#include "fail.h"
#include "line.h"
#include "slots.h"
#include "sequence.h"
#include "step.h"

#include <linux/sockios.h>
#include <poll.h>
#include <stropts.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

static void play_names(const struct step *s)
{
	const socklen_t lengths[] = {
		address_length(), address_length(), address_length(), address_length(),
		4, 0, 100, -1,
	};
	socklen_t len = PICK(lengths, s->r[0]), given = len;
	struct address a = {};
	bool peer = s->r[1] % 2;
	void *at = s->r[2] % 16 ? a.bytes : (void *)16;
	int ret;

	put(CALL, "%s(slot %u, %d bytes%s)", peer ? "getpeername" : "getsockname", s->slot,
	    (int)len, at == a.bytes ? "" : " at a bad address");
	ret = peer ? getpeername(slot_fd(s->slot), at, &len) :
		     getsockname(slot_fd(s->slot), at, &len);
	put_result(NULL, ret);
	put(RESULT, " length %d ", (int)len);
	if (!ret && at == a.bytes && given >= len)
		address_put(RESULT, &a, len);
}

/**
 * play_shutdown - end one direction or both
 * @s: the step
 */
void play_shutdown(const struct step *s)
{
	int how = s->r[0] % 8 ? s->r[0] % 8 % 3 : 77;

	put(CALL, "shutdown(slot %u, %d)", s->slot, how);
	shared->ended = true;
	put_result(NULL, shutdown(slot_fd(s->slot), how));
}

/**
 * play_error - ask for the error that waits
 * @s: the step
 */
void play_error(const struct step *s)
{
	int error = -1, ret;
	socklen_t len = sizeof(error);

	put(CALL, "SO_ERROR(slot %u)", s->slot);
	ret = getsockopt(slot_fd(s->slot), SOL_SOCKET, SO_ERROR, &error, &len);
	put_result(NULL, ret);
	if (!ret)
		put(RESULT, " %s", error ? error_name(error) : "none");
}

/**
 * read_room - read by read() or readv()
 * @s: the step
 * @len: how many bytes at most
 */
void read_room(const struct step *s, size_t len)
{
	struct iovec iov[3];
	int n = data_vector(iov, s->r[5] % 3 + 1, data_in, len);
	long ret;

	put(CALL, "%s(slot %u, %zu bytes)", n == 1 ? "read" : "readv", s->slot, len);
	if (would_sleep(slot_fd(s->slot), POLLIN))
		return;
	ret = n == 1 ? read(slot_fd(s->slot), data_in, len) : readv(slot_fd(s->slot), iov, n);
	put_result(NULL, ret);
	if (ret >= 0)
		put_data(data_in, least(ret, len));
}

/**
 * write_parts - write by write() or writev()
 * @s: the step
 * @len: how many bytes
 * @may: tells whether there is room for them; NULL: there always is
 */
void write_parts(const struct step *s, size_t len, bool (*may)(unsigned int slot, size_t len))
{
	struct iovec iov[3];
	int n = data_vector(iov, s->r[5] % 3 + 1, data_out, len);

	data_fill(s, len);
	put(CALL, "%s(slot %u, %zu bytes)", n == 1 ? "write" : "writev", s->slot, len);
	if (may && !may(s->slot, len))
		return;
	put_result(NULL, n == 1 ? write(slot_fd(s->slot), data_out, len) :
				  writev(slot_fd(s->slot), iov, n));
}

static void play_queued(const struct step *s)
{
	static const struct {
		unsigned long command;
		const char *name;
	} all[] = {
		{ SIOCINQ, "SIOCINQ" }, { SIOCOUTQ, "SIOCOUTQ" }, { SIOCATMARK, "SIOCATMARK" },
		{ SIOCGSTAMP, "SIOCGSTAMP" }, { SIOCOUTQNSD, "SIOCOUTQNSD" },
		{ FIOGETOWN, "FIOGETOWN" },
	};
	unsigned int i = s->r[0] % COUNT(all);
	long value[4] = {};
	int ret;

	put(CALL, "ioctl(slot %u, %s)", s->slot, all[i].name);
	ret = ioctl(slot_fd(s->slot), all[i].command, value);
	put_result(NULL, ret);
	/* Times and process numbers are there, or not. */
	if (!ret && i < 3)
		put(RESULT, " %d", (int)value[0]);
	else if (!ret)
		put(RESULT, " %s", value[0] ? "something" : "nothing");
}

/*
 * Pushes a module that passes everything on, or pops one: a program sees no difference. A
 * native socket refuses both.
 */
static void play_module(const struct step *s)
{
	bool pop = s->r[0] % 3 == 0;
	int fd = slot_fd(s->slot), no = 0;

	put(CALL, "a module is %s on slot %u", pop ? "popped" : "pushed", s->slot);
	shared->stream[slots[s->slot].object] = true;
	setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &no, sizeof(no));
	if (pop)
		ioctl(fd, I_POP, 0);
	else
		ioctl(fd, I_PUSH, "nullmod");
}

const struct call socket_calls[] = {
	{ "names", 40, play_names },
	{ "shutdown", 8, play_shutdown },
	{ "error", 20, play_error },
	{ "queued", 15, play_queued },
	{ "module", 40, play_module },
	{}
};
