// SPDX-License-Identifier: GPL-2.0-only
/*
 * splice_steps.c - splice(), tee(), vmsplice(), sendfile() and F_SETPIPE_SZ
 *
 * Data is moved from and to a native pipe, which is empty before and after. Calls
 * that need native pipes on both sides (tests/diff/known: splice-to-file, tee,
 * vmsplice) are made where a native pipe is empty, so that nothing changes in
 * either case.
 */
#include "player.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILE_SIZE	32768

static int native[2] = { -1, -1 }, file = -1;

static void others(void)
{
	size_t i;

	if (file >= 0)
		return;
	if (syscall(SYS_pipe2, native, O_NONBLOCK))
		broken("native pipe");
	native[0] = fd_away(native[0]);
	native[1] = fd_away(native[1]);
	file = fd_away(memfd_create("file", 0));
	/* The contents of data_out must not depend on whether this has been done. */
	for (i = 0; i < FILE_SIZE; i++)
		data_in[i] = i * 7 + (i >> 8);
	if (write(file, data_in, FILE_SIZE) != FILE_SIZE)
		broken("file");
}

static bool may_take(unsigned int slot, size_t first, size_t len, bool join)
{
	int flags = fcntl(slot_fd(slot), F_GETFL);
	struct room room = *room_of(slot);

	put_async(slot);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return true;
	if (flags & O_DIRECT) {
		put(RESULT, "not made: moved-packets");
		return false;
	}
	if (flags & O_APPEND) {
		put(RESULT, "not made: append");
		return false;
	}
	if (room_move(&room, first, len, join) && room_alike(&room))
		return true;
	put(RESULT, "not made: room");
	return false;
}

static void play_splice_in(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 8192, 12288, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int flags = s->r[1] % 16 ? SPLICE_F_NONBLOCK : 0x100;
	unsigned int slot = slot_end(s, 1);
	long ret;

	others();
	put(CALL, "splice(%zu bytes of a native pipe, slot %u, %#x)", len, slot, flags);
	if (!may_take(slot, 4096, len, true))
		return;
	data_fill(s, len);
	if (len && write(native[1], data_out, len) != (ssize_t)len)
		broken("native write");
	ret = splice(native[0], NULL, slot_fd(slot), NULL, len, flags);
	put_result(NULL, ret);
	if (ret > 0)
		room_move(room_of(slot), 4096, ret, true);
	put_result("left", len ? read(native[0], data_in, DATA_MAX) : 0);
}

static void play_splice_out(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 65536, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int slot = slot_end(s, 0);
	struct room room = *room_of(slot);
	bool full;
	long ret;

	others();
	put(CALL, "splice(%zu bytes of slot %u, a native pipe)", len, slot);
	put_async(slot);
	if (fcntl(slot_fd(slot), F_GETFL) & O_DIRECT) {
		put(RESULT, "not made: splice-direct");
		return;
	}
	if (room_packets(&room)) {
		put(RESULT, "not made: moved-packets");
		return;
	}
	if (len && would_sleep(slot_fd(slot), POLLIN))
		return;
	full = room.pages == COUNT(room.page);
	room_read(&room, len);
	if (full && room.pages < COUNT(room.page))
		put(CONTEXT, " room");
	if (!room_alike(&room)) {
		put(RESULT, "not made: room");
		return;
	}
	ret = splice(slot_fd(slot), NULL, native[1], NULL, len, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	if (ret > 0) {
		room_read(room_of(slot), ret);
		shared->moved.pipe[slots[slot].object] = true;
	}
	ret = ret > 0 ? read(native[0], data_in, DATA_MAX) : 0;
	put_result("came", ret);
	put_data(data_in, ret);
}

static void play_sendfile(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 20000, 0 };
	size_t len = PICK(sizes, s->r[0]);
	off_t at = s->r[1] % 2 ? 0 : s->r[2] % 10000;
	unsigned int slot = slot_end(s, 1);
	long ret;

	others();
	put(CALL, "sendfile(slot %u, %zu bytes of a file at %ld)", slot, len, (long)at);
	if (!may_take(slot, 4096 - at % 4096, len, false))
		return;
	if (would_sleep(slot_fd(slot), POLLOUT))
		return;
	ret = sendfile(slot_fd(slot), file, &at, len);
	put_result(NULL, ret);
	put(RESULT, " at %ld", (long)at);
	if (ret > 0)
		room_move(room_of(slot), 4096 - (at - ret) % 4096, ret, false);
}

/* An empty pipe gives nothing, whatever the call. */
static bool empty(unsigned int slot)
{
	if (slot_fd(slot) < 0 || (!room_of(slot)->pages && !would_sleep(slot_fd(slot), POLLOUT)))
		return true;
	put(RESULT, "not made: something is in it");
	return false;
}

static void play_native_only(const struct step *s)
{
	unsigned int slot = s->slot, reading = slot_end(s, 0);
	struct iovec iov = { data_in, 100 };
	int fd = slot_fd(slot);

	others();
	if (s->r[0] % 8 > 2 && slot_fd(reading) >= 0)
		shared->spliced[slots[reading].object] = true;
	switch (s->r[0] % 8) {
	case 0:
		put(CALL, "F_GETPIPE_SZ(slot %u)", slot);
		put_result(NULL, fcntl(fd, F_GETPIPE_SZ));
		break;
	case 1:
		put(CALL, "F_SETPIPE_SZ(slot %u, 65536)", slot);
		put_result(NULL, fcntl(fd, F_SETPIPE_SZ, 65536));
		shared->moved.pipe[slots[slot].object] = true;
		break;
	case 2:
		put(CALL, "F_SETPIPE_SZ(slot %u, too much)", slot);
		put_result(NULL, fcntl(fd, F_SETPIPE_SZ, 0x80000001));
		break;
	case 3:
		put(CALL, "tee(slot %u, a native pipe)", reading);
		if (empty(reading))
			put_result(NULL, tee(slot_fd(reading), native[1], 10, SPLICE_F_NONBLOCK));
		break;
	case 4:
		put(CALL, "splice(slot %u, a file)", reading);
		if (empty(reading))
			put_result(NULL, splice(slot_fd(reading), NULL, file, NULL, 10,
						SPLICE_F_NONBLOCK));
		break;
	case 5:
		put(CALL, "vmsplice(slot %u, nothing)", slot);
		put_result(NULL, vmsplice(fd, &iov, 0, SPLICE_F_NONBLOCK));
		break;
	case 6:
		put(CALL, "tee(slot %u, a native pipe, bad flags)", reading);
		put_result(NULL, tee(slot_fd(reading), native[1], 10, 0x100));
		break;
	default:
		put(CALL, "sendfile(a file, 10 bytes of slot %u)", reading);
		if (empty(reading))
			put_result(NULL, sendfile(file, slot_fd(reading), NULL, 10));
	}
}

const struct call splice_calls[] = {
	{ "splicein", 12, play_splice_in },
	{ "spliceout", 12, play_splice_out },
	{ "sendfile", 12, play_sendfile },
	{ "nativeonly", 15, play_native_only },
	{}
};
