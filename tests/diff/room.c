// SPDX-License-Identifier: GPL-2.0-only
/*
 * room.c - the contents of a native pipe, page by page
 *
 * A native pipe is full when it has 16 pages, however little is in each, and a
 * STREAMS pipe when it has 65,536 bytes (tests/diff/known: room). From a write
 * that fits into one of them only, or a read after which they disagree whether
 * there is room, everything is different. This recognises such a call before it
 * is made. It counts pages of 4096 bytes.
 *
 * The first packet turns a STREAMS pipe's bytes into messages, for good. A packet counts
 * for a page. Other messages count for four fifths of their memory, if that is more than
 * their bytes. How much more is only known at most: a call is made if both counts have the
 * same result.
 */
#include "room.h"
#include "fail.h"
#include "sequence.h"
#include "slots.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096U
#define PAGES	16
#define BYTES	(PAGES * PAGE)

/**
 * room_begin - is it as large here as is counted on?
 *
 * It is not where pages are larger, and not for a user that has very many pipes
 * (pipe-user-pages-soft).
 */
void room_begin(void)
{
	int native[2];

	if (sysconf(_SC_PAGESIZE) != PAGE)
		refuse("pages have not 4096 bytes");
	if (syscall(SYS_pipe2, native, 0))
		broken("native pipe");
	if (fcntl(native[0], F_GETPIPE_SZ) != BYTES)
		refuse("a native pipe has not 65536 bytes (pipe-user-pages-soft?)");
	close(native[0]);
	close(native[1]);
}

/* A message of 16 KiB of which a byte is left, and one that fills half of a block */
#define MORE_READ	13384
#define MORE_FILLED	5200

/* The bytes that a message of len bytes may count beyond those, at most. */
static unsigned int more_of(size_t len)
{
	if (len <= 2168)
		return 256;
	return len >= 3867 && len <= 4664 ? 0 : MORE_FILLED;
}

static void charge(struct room *room, size_t len)
{
	if (room->messages && len)
		room->more += more_of(len);
}

/* The bytes that a STREAMS pipe counts, at least; and at most. */
static unsigned int least(const struct room *room)
{
	return room->bytes + room->padding;
}

static unsigned int most(const struct room *room)
{
	return least(room) + room->more;
}

/**
 * room_packet - a packet is written to a pipe, or to be written
 * @room: the pipe; its bytes become messages of a page at most
 */
void room_packet(struct room *room)
{
	if (!room->messages && room->pages)
		room->more += 2 * MORE_FILLED;
	room->messages = true;
}

static struct page *last(struct room *room)
{
	return room->pages ? &room->page[room->pages - 1] : NULL;
}

/**
 * room_of - the contents of the pipe of a slot
 * @slot: which
 *
 * Return: the count, which the child shares.
 */
struct room *room_of(unsigned int slot)
{
	return &shared->room[slots[slot].object];
}

/**
 * room_joins - does a part of a write join the page before it?
 * @room: the pipe
 * @len: how many bytes
 *
 * Return: true if what is more than pages fits there.
 */
bool room_joins(struct room *room, size_t len)
{
	const struct page *p = last(room);

	return p && len % PAGE && p->joins && p->end + len % PAGE <= PAGE;
}

/**
 * room_write - the effect of a write on a native pipe
 * @room: the pipe
 * @len: how many bytes
 * @packet: with O_DIRECT
 *
 * Return: how many bytes fit; 0 is EAGAIN.
 */
long room_write(struct room *room, size_t len, bool packet)
{
	struct page *p = last(room);
	size_t done = 0, part = len % PAGE;

	if (room_joins(room, len)) {
		p->len += part;
		p->end += part;
		done = part;
	}
	while (done < len && room->pages < PAGES) {
		part = len - done < PAGE ? len - done : PAGE;
		room->page[room->pages++] = (struct page){
			.len = part, .end = part, .joins = !packet, .packet = packet,
		};
		if (packet)
			room->padding += PAGE - part;
		done += part;
	}
	room->bytes += done;
	if (!packet)
		charge(room, done);
	return done;
}

/**
 * room_move - pages are moved into a native pipe
 * @room: the pipe
 * @first: how many bytes are on the first
 * @len: of all of them
 * @join: may what is written next be joined to them?
 *
 * Return: true if all fit.
 */
bool room_move(struct room *room, size_t first, size_t len, bool join)
{
	size_t part = first < len ? first : len;

	charge(room, len);
	for (; len; len -= part, part = len < PAGE ? len : PAGE) {
		if (room->pages == PAGES)
			return false;
		room->page[room->pages++] = (struct page){
			.len = part, .end = part, .joins = join,
		};
		room->bytes += part;
	}
	return true;
}

static long room_fits(size_t count, size_t len)
{
	size_t free = count < BYTES ? BYTES - count : 0;

	if (len <= free)
		return len;
	return len <= PAGE ? 0 : free;
}

/**
 * room_write_streams - the effect of a write on a STREAMS pipe
 * @room: the pipe
 * @len: how many bytes
 *
 * Return: how many bytes fit; 0 is EAGAIN; -1: that is not known.
 */
long room_write_streams(const struct room *room, size_t len)
{
	long fits = room_fits(least(room), len);

	return fits == room_fits(most(room), len) ? fits : -1;
}

/* Something was read: the last message counts what it did, or it was the last. */
static void uncharge(struct room *room)
{
	if (!room->pages)
		room->more = 0;
	else if (room->messages && room->more < MORE_READ)
		room->more = MORE_READ;
}

/**
 * room_read - bytes are read
 * @room: the pipe
 * @len: how many are asked for
 */
void room_read(struct room *room, size_t len)
{
	struct page *p = room->page;
	unsigned int part;
	bool packet;

	while (room->pages && len) {
		packet = p->packet;
		part = packet || len > p->len ? p->len : len;
		if (packet)
			room->padding -= PAGE - part;
		p->len -= part;
		room->bytes -= part;
		len -= part < len ? part : len;
		if (!p->len)
			memmove(p, p + 1, --room->pages * sizeof(*p));
		if (packet)
			break;
	}
	uncharge(room);
}

/**
 * room_transfer - splice() or tee() from one native pipe to another
 * @from: the pipe
 * @to: the other
 * @len: bytes at most
 * @copy: they stay
 *
 * Bytes can be added to a page that was moved whole, as before; to others not.
 *
 * Return: how many bytes; 0 is EAGAIN.
 */
long room_transfer(struct room *from, struct room *to, size_t len, bool copy)
{
	unsigned int part, i = 0;
	size_t done = 0;

	while (i < from->pages && done < len && to->pages < PAGES) {
		struct page *p = &from->page[i], *new = &to->page[to->pages++];

		part = len - done < p->len ? len - done : p->len;
		*new = *p;
		new->len = part;
		new->joins = p->joins && part == p->len && !copy;
		to->bytes += part;
		done += part;
		if (copy) {
			i++;
			continue;
		}
		from->bytes -= part;
		p->len -= part;
		if (!p->len)
			memmove(p, p + 1, --from->pages * sizeof(*p));
	}
	charge(to, done);
	if (!copy)
		uncharge(from);
	return done;
}

/**
 * room_packets - is one of a native pipe's pages a packet?
 * @room: the pipe
 *
 * Return: true if one is, which stays one wherever splice() moves it.
 */
bool room_packets(const struct room *room)
{
	unsigned int i;

	for (i = 0; i < room->pages; i++)
		if (room->page[i].packet)
			return true;
	return false;
}

/**
 * room_alike - do both kinds of pipes agree whether there is room?
 * @room: the pipe
 *
 * Return: true if poll() answers the same.
 */
bool room_alike(const struct room *room)
{
	bool has_room = room->pages < PAGES;

	return has_room == (least(room) <= BYTES - PAGE) &&
	       has_room == (most(room) <= BYTES - PAGE);
}
