/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right that each command of a stream needs
 *
 * The table is read by the code, by the test that tries each command with each
 * kind of descriptor, and by the test of streamio(7), which prints it.
 */
#ifndef _STREAMS_RIGHTS_H
#define _STREAMS_RIGHTS_H

/*
 * ANY:		Any descriptor of the stream. The command reports, or concerns only
 *		its caller.
 * READ:	A descriptor that was opened for reading, else EBADF: the command
 *		returns what a read() would, or drops it, or determines its form.
 * WRITE:	A descriptor that was opened for writing, else EBADF: the command
 *		sends, or determines how others send.
 * CHANGE:	A descriptor that may change the stream for its other users
 *		(str_file_changes()), else EACCES.
 * FLUSH:	READ for FLUSHR, and CHANGE for FLUSHW: the data of other writers.
 */
#define STR_RIGHTS(X)			\
	X(I_NREAD, ANY)			\
	X(I_PUSH, CHANGE)		\
	X(I_POP, CHANGE)		\
	X(I_LOOK, ANY)			\
	X(I_FLUSH, FLUSH)		\
	X(I_SRDOPT, READ)		\
	X(I_GRDOPT, ANY)		\
	X(I_STR, CHANGE)		\
	X(I_SETSIG, ANY)		\
	X(I_GETSIG, ANY)		\
	X(I_FIND, ANY)			\
	X(I_LINK, CHANGE)		\
	X(I_UNLINK, CHANGE)		\
	X(I_RECVFD, READ)		\
	X(I_PEEK, READ)			\
	X(I_FDINSERT, WRITE)		\
	X(I_SENDFD, WRITE)		\
	X(I_SWROPT, WRITE)		\
	X(I_GWROPT, ANY)		\
	X(I_LIST, ANY)			\
	X(I_PLINK, CHANGE)		\
	X(I_PUNLINK, CHANGE)		\
	X(I_ANCHOR, CHANGE)		\
	X(I_FLUSHBAND, FLUSH)		\
	X(I_CKBAND, ANY)		\
	X(I_GETBAND, ANY)		\
	X(I_ATMARK, ANY)		\
	X(I_SETCLTIME, CHANGE)		\
	X(I_GETCLTIME, ANY)		\
	X(I_CANPUT, ANY)		\
	X(I_SERROPT, CHANGE)		\
	X(I_GERROPT, ANY)		\
	X(I_ESETSIG, ANY)		\
	X(I_EGETSIG, ANY)		\
	X(FIONREAD, ANY)		\
	X(STRIO_ISASTREAM, ANY)		\
	X(STRIO_GETMSG, READ)		\
	X(STRIO_PUTMSG, WRITE)

enum str_right {
	STR_MAY_ANY,
	STR_MAY_READ,
	STR_MAY_WRITE,
	STR_MAY_CHANGE,
	STR_MAY_FLUSH,
};

#ifdef __KERNEL__

#include <linux/fs.h>
#include <asm/ioctls.h>

#include <sys/strio.h>

#include "files.h"

/*
 * A command that the stream head does not know is for modules and drivers: it needs
 * CHANGE, but not before it is known that one of them can answer.
 */
static inline enum str_right str_right_of(unsigned int cmd)
{
	enum str_right right = STR_MAY_ANY;

	switch (cmd) {
#define STR_RIGHT(command, needed)		\
	case command:				\
		right = STR_MAY_##needed;	\
		break;
	STR_RIGHTS(STR_RIGHT)
#undef STR_RIGHT
	}
	return right;
}

static inline int str_may_change(const struct file *file)
{
	return str_file_changes(file) ? 0 : -EACCES;
}

/**
 * str_may() - ask whether a command may be given by a file
 * @file: the file
 * @cmd: the command
 *
 * STR_MAY_FLUSH is left to str_may_flush().
 *
 * Return: 0, -EBADF or -EACCES.
 */
static inline int str_may(const struct file *file, unsigned int cmd)
{
	switch (str_right_of(cmd)) {
	case STR_MAY_READ:
		return file->f_mode & FMODE_READ ? 0 : -EBADF;
	case STR_MAY_WRITE:
		return file->f_mode & FMODE_WRITE ? 0 : -EBADF;
	case STR_MAY_CHANGE:
		return str_may_change(file);
	default:
		return 0;
	}
}

/* The right STR_MAY_FLUSH, for the sides that I_FLUSH or I_FLUSHBAND names. */
static inline int str_may_flush(const struct file *file, unsigned long sides)
{
	if (sides & FLUSHR && !(file->f_mode & FMODE_READ))
		return -EBADF;
	return sides & FLUSHW ? str_may_change(file) : 0;
}

#endif /* __KERNEL__ */

#endif /* _STREAMS_RIGHTS_H */
