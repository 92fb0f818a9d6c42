/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right that each command of a stream needs
 *
 * The kernel uses the table, and so do the test that tries each command with each kind
 * of descriptor, and the test of streamio(7), which prints the table.
 */
#ifndef _STREAMS_RIGHTS_H
#define _STREAMS_RIGHTS_H

#ifdef __KERNEL__
#include <linux/fs.h>

#include <sys/strio.h>

#include "files.h"
#endif

enum str_right {
	/*
	 * Any descriptor of the stream may be used: the command reports, or
	 * concerns only its caller.
	 */
	STR_MAY_ANY,
	/*
	 * The descriptor must have been opened for reading, else EBADF. The
	 * command returns data that a read() would return, or drops it, or
	 * determines its form.
	 */
	STR_MAY_READ,
	/*
	 * The descriptor must have been opened for writing, else EBADF. The
	 * command sends, or determines how others send.
	 */
	STR_MAY_WRITE,
	/*
	 * The descriptor must be one that may change the stream for its other
	 * users (str_file_changes()), else EACCES.
	 */
	STR_MAY_CHANGE,
	/*
	 * The rights are STR_MAY_READ for FLUSHR, and STR_MAY_CHANGE for
	 * FLUSHW, which drops the data of other writers.
	 */
	STR_MAY_FLUSH,
};

/*
 * A command that the stream head does not know is for modules and drivers and needs
 * STR_MAY_CHANGE. str_ioctl_transparent() checks that when there is a module or driver
 * that can answer.
 */
static inline enum str_right str_right_of(unsigned int cmd)
{
	switch (cmd) {
	case I_SRDOPT:
	case I_RECVFD:
	case I_PEEK:
	case STRIO_GETMSG:
		return STR_MAY_READ;
	case I_FDINSERT:
	case I_SENDFD:
	case I_SWROPT:
	case STRIO_PUTMSG:
		return STR_MAY_WRITE;
	case I_PUSH:
	case I_POP:
	case I_STR:
	case I_LINK:
	case I_UNLINK:
	case I_PLINK:
	case I_PUNLINK:
	case I_ANCHOR:
	case I_SETCLTIME:
	case I_SERROPT:
		return STR_MAY_CHANGE;
	case I_FLUSH:
	case I_FLUSHBAND:
		return STR_MAY_FLUSH;
	default:
		return STR_MAY_ANY;
	}
}

#ifdef __KERNEL__

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

/* Asks for the right STR_MAY_FLUSH, for the sides that I_FLUSH or I_FLUSHBAND names. */
static inline int str_may_flush(const struct file *file, unsigned long sides)
{
	if (sides & FLUSHR && !(file->f_mode & FMODE_READ))
		return -EBADF;
	return sides & FLUSHW ? str_may_change(file) : 0;
}

#endif /* __KERNEL__ */

#endif /* _STREAMS_RIGHTS_H */
