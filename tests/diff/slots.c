// SPDX-License-Identifier: GPL-2.0-only
/* slots.c - the descriptors of a sequence */
#include "slots.h"
#include "fail.h"
#include "line.h"
#include "sequence.h"
#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct slot slots[SLOTS];
int first_fd;

/**
 * slot_fd - the descriptor in a slot
 * @slot: which
 *
 * Return: its number, or -1, which gives EBADF.
 */
int slot_fd(unsigned int slot)
{
	return slots[slot].fd;
}

/**
 * slot_end - mostly that end of a pipe which a step is for
 * @s: the step
 * @writing: 1 if it is for the writing end
 *
 * Return: the slot; of a pair, the first is for reading.
 */
unsigned int slot_end(const struct step *s, unsigned int writing)
{
	if (s->slot >= 2 * PIPE_PAIRS || s->r[6] % 16 == 0)
		return s->slot;
	return (s->slot & ~1U) | writing;
}

/**
 * slot_taken - the step would lose the descriptor that is in a slot
 * @slot: which
 *
 * Return: true if the step is not to be made; its line then says so.
 */
bool slot_taken(unsigned int slot)
{
	if (slots[slot].fd < 0)
		return false;
	put(RESULT, "not made: slot %u is in use", slot);
	return true;
}

/**
 * slot_fill - a call has made a descriptor, or failed
 * @slot: where it is stored
 * @fd: the descriptor, or -1
 * @object: which pipe or socket it is of
 */
void slot_fill(unsigned int slot, int fd, unsigned int object)
{
	if (fd < 0)
		return;
	slots[slot].fd = fd;
	slots[slot].object = object;
}

/**
 * fd_away - move a descriptor out of the way of those that are looked at
 * @fd: the descriptor, which is closed; -1 if it could not be made
 *
 * Return: the new one.
 */
int fd_away(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, first_fd + 200);

	if (moved < 0)
		broken("F_DUPFD_CLOEXEC");
	close(fd);
	return moved;
}

/** slots_begin - all are empty, and of no object that was in an earlier sequence */
void slots_begin(void)
{
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		slots[i] = (struct slot){ .fd = -1 };
}

/** slots_end - close all slots */
void slots_end(void)
{
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0)
			close(slots[i].fd);
	slots_begin();
}

/** slots_state - the results of poll() and FIONREAD for all of them now */
void slots_state(void)
{
	struct pollfd polled[SLOTS];
	unsigned int i, seen = 0;
	int bytes;

	for (i = 0; i < SLOTS; i++)
		polled[i] = (struct pollfd){
			.fd = slots[i].fd,
			.events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND |
				  POLLWRNORM | POLLWRBAND | POLLRDHUP,
		};
	if (poll(polled, SLOTS, 0) < 0)
		broken("poll");
	for (i = 0; i < SLOTS; i++) {
		if (slots[i].fd < 0)
			continue;
		put(STATE, " %u:", i);
		put_events(STATE, polled[i].revents);
		if (seen & 1U << slots[i].object)
			continue;
		seen |= 1U << slots[i].object;
		bytes = -1;
		if (ioctl(slots[i].fd, FIONREAD, &bytes))
			put(STATE, " %s", error_name(errno));
		else
			put(STATE, " %d", bytes);
	}
}

/**
 * slot_async - a step may have asked for SIGIO
 * @slot: by which descriptor
 *
 * From then on steps on its pipe have that in their context.
 */
void slot_async(unsigned int slot)
{
	int flags = fcntl(slot_fd(slot), F_GETFL);

	if (flags < 0 || !(flags & O_ASYNC))
		return;
	if ((flags & O_ACCMODE) != O_WRONLY)
		shared->async[slots[slot].object] |= ASYNC_READER;
	if ((flags & O_ACCMODE) != O_RDONLY)
		shared->async[slots[slot].object] |= ASYNC_WRITER;
}

/**
 * put_async - the ends that may be sent SIGIO for a step, as its context
 * @slot: of which descriptor
 */
void put_async(unsigned int slot)
{
	unsigned int async = shared->async[slots[slot].object];

	if (async & ASYNC_READER)
		put(CONTEXT, " async-reader");
	if (async & ASYNC_WRITER)
		put(CONTEXT, " async-writer");
}

/**
 * would_sleep - would a call on a descriptor wait?
 * @fd: the descriptor
 * @events: the events it would wait for
 *
 * Return: true if it would; the step's line then says so.
 */
bool would_sleep(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || flags & O_NONBLOCK)
		return false;
	/* An error in a socket's queue does not wake a reader. */
	if (poll(&p, 1, 0) && p.revents & (events | POLLHUP | POLLNVAL))
		return false;
	put(RESULT, "not made: would sleep");
	return true;
}

/**
 * slot_reader - a descriptor to read a pipe by
 * @object: the pipe
 *
 * Return: one that does not wait, or -1.
 */
int slot_reader(unsigned int object)
{
	int i, flags;

	for (i = 0; i < SLOTS; i++) {
		if (slots[i].fd < 0 || slots[i].object != object)
			continue;
		flags = fcntl(slots[i].fd, F_GETFL);
		if ((flags & O_ACCMODE) != O_WRONLY && flags & O_NONBLOCK && !(flags & O_PATH))
			return slots[i].fd;
	}
	return -1;
}
