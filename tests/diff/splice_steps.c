// SPDX-License-Identifier: GPL-2.0-only
/*
 * splice_steps.c - splice(), tee(), vmsplice(), sendfile() and F_SETPIPE_SZ
 *
 * The other side is a native pipe or a socket, which are empty before and after; a
 * file that has the same bytes in all steps; or another pipe of the sequence.
 */
#include "splice_steps.h"
#include "data.h"
#include "fail.h"
#include "line.h"
#include "room.h"
#include "sequence.h"
#include "slots.h"
#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILE_SIZE	32768
#define PAGE		4096

static int native[2] = { -1, -1 }, pair[2], file = -1, sink;

static void others(void)
{
	size_t i;

	if (file >= 0)
		return;
	if (syscall(SYS_pipe2, native, O_NONBLOCK))
		broken("native pipe");
	native[0] = fd_away(native[0]);
	native[1] = fd_away(native[1]);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair))
		broken("socketpair");
	pair[0] = fd_away(pair[0]);
	pair[1] = fd_away(pair[1]);
	sink = fd_away(memfd_create("sink", 0));
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
	if (room_move(&room, first, len, join) && room_alike(&room))
		return true;
	put(RESULT, "not made: room");
	return false;
}

/*
 * Pages were moved into a pipe. Natively that wakes pollers for whatever events: they are
 * reported in an order of their own.
 */
static void moved_in(unsigned int slot, size_t first, size_t len, bool join)
{
	room_move(room_of(slot), first, len, join);
	shared->unordered = true;
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
		moved_in(slot, 4096, ret, true);
	put_result("left", len ? read(native[0], data_in, DATA_MAX) : 0);
}

/* Bytes may be taken out of the pipe of a slot. */
static bool may_give(unsigned int slot, size_t len)
{
	struct room room = *room_of(slot);
	bool full = room.pages == COUNT(room.page);

	put_async(slot);
	if (room_packets(&room)) {
		put(RESULT, "not made: moved-packets");
		return false;
	}
	room_read(&room, len);
	if (full && room.pages < COUNT(room.page))
		put(CONTEXT, " room");
	if (room_alike(&room))
		return true;
	put(RESULT, "not made: room");
	return false;
}

static void gave(unsigned int slot, long ret)
{
	if (ret <= 0)
		return;
	room_read(room_of(slot), ret);
	shared->moved.pipe[slots[slot].object] = true;
}

static void play_splice_out(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 65536, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int slot = slot_end(s, 0);
	long ret;

	others();
	put(CALL, "splice(%zu bytes of slot %u, a native pipe)", len, slot);
	if (fcntl(slot_fd(slot), F_GETFL) & O_DIRECT) {
		put(RESULT, "not made: splice-direct");
		return;
	}
	if ((len && would_sleep(slot_fd(slot), POLLIN)) || !may_give(slot, len))
		return;
	ret = splice(slot_fd(slot), NULL, native[1], NULL, len, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	gave(slot, ret);
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
	if (fcntl(slot_fd(slot), F_GETFL) & O_APPEND) {
		put(RESULT, "not made: append");
		return;
	}
	ret = sendfile(slot_fd(slot), file, &at, len);
	put_result(NULL, ret);
	put(RESULT, " at %ld", (long)at);
	if (ret > 0)
		moved_in(slot, 4096 - (at - ret) % 4096, ret, false);
}

/* Splices from a file, at an offset or at its position. */
static void play_splice_file(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 20000, 40000, 0 };
	loff_t start = s->r[2] % 10000, at = start;
	size_t len = PICK(sizes, s->r[0]), some = len;
	unsigned int slot = slot_end(s, 1);
	long ret;

	others();
	put(CALL, "splice(%zu bytes of a file at %ld, slot %u)", len, (long)at, slot);
	if (some > FILE_SIZE - (size_t)at)
		some = FILE_SIZE - at;
	if (!may_take(slot, PAGE - start % PAGE, some, false))
		return;
	lseek(file, at, SEEK_SET);
	ret = splice(file, s->r[1] % 4 ? &at : NULL, slot_fd(slot), NULL, len,
		     SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	put(RESULT, " at %ld %ld", (long)at, (long)lseek(file, 0, SEEK_CUR));
	if (ret > 0)
		moved_in(slot, PAGE - start % PAGE, ret, false);
}

/* To a file, or a socket that is read at once */
static void play_splice_to(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 65536, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int slot = slot_end(s, 0);
	loff_t start = s->r[2] % 10000, at = start;
	bool socket = s->r[1] % 2;
	long ret;

	others();
	put(CALL, "splice(%zu bytes of slot %u, a %s)", len, slot, socket ? "socket" : "file");
	if (!may_give(slot, len))
		return;
	ret = splice(slot_fd(slot), NULL, socket ? pair[0] : sink, socket ? NULL : &at, len,
		     SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	gave(slot, ret);
	put(RESULT, " at %ld", (long)at);
	if (ret > 0)
		ret = socket ? recv(pair[1], data_in, DATA_MAX, 0) :
			       pread(sink, data_in, ret, start);
	put_data(data_in, ret);
}

/*
 * From a socket, to an empty pipe: the parts in which its bytes are in a native pipe
 * depend on the kernel's memory. They are read at once.
 */
static void play_splice_socket(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int slot = slot_end(s, 1);
	unsigned int object = slots[slot].object;
	int reader = -1;
	long ret;

	others();
	put(CALL, "splice(%zu bytes of a socket, slot %u)", len, slot);
	if (slot_fd(slot) >= 0) {
		reader = slot_reader(object);
		if (reader < 0 || room_of(slot)->pages || shared->async[object]) {
			put(RESULT, "not made: to an empty pipe only");
			return;
		}
	}
	data_fill(s, len);
	if (len && send(pair[0], data_out, len, 0) != (ssize_t)len)
		broken("send");
	ret = splice(pair[1], NULL, slot_fd(slot), NULL, 65536, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	if (ret <= 0) {
		recv(pair[1], data_in, DATA_MAX, 0);
		return;
	}
	ret = read(reader, data_in, DATA_MAX);
	put_result("read", ret);
	put_data(data_in, ret);
	shared->refused.pipe[object] = true;
	shared->moved.pipe[object] = true;
}

/* The two slots of a step between pipes; few of them are of one pipe. */
static void pipe_slots(const struct step *s, unsigned int *in, unsigned int *out)
{
	unsigned int which = s->slot % (2 * PIPE_PAIRS) / 2;

	*in = 2 * which;
	*out = 2 * (s->r[3] % 8 ? 1 - which : which) + 1;
	if (s->r[4] % 16 == 0)
		*out &= ~1U;
}

/* Both kinds of pipes transfer the same, and agree afterwards. */
static bool may_transfer(unsigned int in, unsigned int out, size_t len, bool copy)
{
	struct room from, to;
	long native_bytes, streams;
	bool native_full;

	if (slot_fd(in) < 0 || slot_fd(out) < 0 || slots[in].object == slots[out].object)
		return true;
	from = *room_of(in);
	to = *room_of(out);
	put_async(in);
	put_async(out);
	if (room_packets(&from)) {
		put(RESULT, "not made: moved-packets");
		return false;
	}
	streams = room_write_streams(&to, len);
	/* One of the two is full, which counts even if there is nothing to move. */
	native_full = to.pages == COUNT(to.page);
	if (len && native_full != !streams) {
		put(RESULT, "not made: room");
		return false;
	}
	if (streams > from.bytes)
		streams = from.bytes;
	native_bytes = room_transfer(&from, &to, len, copy);
	if (native_bytes != streams || !room_alike(&from) || !room_alike(&to)) {
		put(RESULT, "not made: room");
		return false;
	}
	if (room_of(in)->pages == COUNT(from.page) && from.pages < COUNT(from.page))
		put(CONTEXT, " room");
	return true;
}

static void transferred(unsigned int in, unsigned int out, long ret, bool copy)
{
	int error = errno;

	if (ret > 0) {
		room_transfer(room_of(in), room_of(out), ret, copy);
		shared->unordered = true;
		if (!copy)
			shared->moved.pipe[slots[in].object] = true;
	}
	errno = error;
}

/* splice(), or tee(), which leaves the bytes there */
static void play_transfer(const struct step *s, bool copy)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 65536, 131072, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int flags = s->r[1] % 16 ? SPLICE_F_NONBLOCK : 0x100, in, out;
	long ret;

	pipe_slots(s, &in, &out);
	put(CALL, "%s(%zu bytes of slot %u, slot %u, %#x)", copy ? "tee" : "splice", len,
	    in, out, flags);
	if (!may_transfer(in, out, len, copy))
		return;
	ret = copy ? tee(slot_fd(in), slot_fd(out), len, flags) :
		     splice(slot_fd(in), NULL, slot_fd(out), NULL, len, flags);
	put_result(NULL, ret);
	transferred(in, out, ret, copy);
}

static void play_splice_pipes(const struct step *s)
{
	play_transfer(s, false);
}

static void play_tee(const struct step *s)
{
	play_transfer(s, true);
}

/* A native pipe may have these pages themselves: they are not used again. */
static void play_vmsplice_in(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 20000, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int flags = s->r[1] % 16 ? SPLICE_F_NONBLOCK : 0x100;
	unsigned int slot = slot_end(s, 1);
	int mode = fcntl(slot_fd(slot), F_GETFL);
	struct iovec iov = { .iov_len = len };
	long ret;

	put(CALL, "vmsplice(slot %u, %zu bytes, %#x)", slot, len, flags);
	if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) {
		put(RESULT, "not made: a reading end");
		return;
	}
	if (!may_take(slot, PAGE, len, false))
		return;
	data_fill(s, len);
	iov.iov_base = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (iov.iov_base == MAP_FAILED)
		broken("mmap");
	memcpy(iov.iov_base, data_out, len);
	ret = vmsplice(slot_fd(slot), &iov, 1, flags);
	put_result(NULL, ret);
	munmap(iov.iov_base, 5 * PAGE);
	if (ret > 0)
		moved_in(slot, PAGE, ret, false);
}

static void play_vmsplice_out(const struct step *s)
{
	static const unsigned int sizes[] = { 1, 100, 4096, 5000, 65536, 0 };
	size_t len = PICK(sizes, s->r[0]);
	unsigned int slot = slot_end(s, 0);
	int mode = fcntl(slot_fd(slot), F_GETFL), parts = 1 + s->r[1] % 2;
	struct iovec iov[3];
	long ret;

	put(CALL, "vmsplice(%zu bytes of slot %u)", len, slot);
	if (mode >= 0 && (mode & O_ACCMODE) != O_RDONLY) {
		put(RESULT, "not made: a writing end");
		return;
	}
	if (!may_give(slot, len))
		return;
	data_vector(iov, parts, data_in, len);
	ret = vmsplice(slot_fd(slot), iov, parts, SPLICE_F_NONBLOCK);
	put_result(NULL, ret);
	gave(slot, ret);
	put_data(data_in, ret);
}

static void play_size(const struct step *s)
{
	int fd = slot_fd(s->slot);

	switch (s->r[0] % 3) {
	case 0:
		put(CALL, "F_GETPIPE_SZ(slot %u)", s->slot);
		put_result(NULL, fcntl(fd, F_GETPIPE_SZ));
		break;
	case 1:
		put(CALL, "F_SETPIPE_SZ(slot %u, 65536)", s->slot);
		put_result(NULL, fcntl(fd, F_SETPIPE_SZ, 65536));
		shared->moved.pipe[slots[s->slot].object] = true;
		break;
	default:
		put(CALL, "F_SETPIPE_SZ(slot %u, too much)", s->slot);
		put_result(NULL, fcntl(fd, F_SETPIPE_SZ, 0x80000001));
	}
}

const struct call splice_calls[] = {
	{ "splicein", 12, play_splice_in },
	{ "spliceout", 12, play_splice_out },
	{ "sendfile", 12, play_sendfile },
	{ "splicefile", 12, play_splice_file },
	{ "spliceto", 12, play_splice_to },
	{ "splicesocket", 6, play_splice_socket },
	{ "splicepipes", 12, play_splice_pipes },
	{ "tee", 12, play_tee },
	{ "vmsplicein", 12, play_vmsplice_in },
	{ "vmspliceout", 12, play_vmsplice_out },
	{ "size", 9, play_size },
	{}
};
