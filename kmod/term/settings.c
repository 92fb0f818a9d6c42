// SPDX-License-Identifier: GPL-2.0-only
/*
 * A terminal's settings, in the forms that ioctls have them in
 *
 * struct termio of System V has flags of 16 bits and 8 control characters, struct termios
 * 19 characters, and struct termios2 the speeds in addition; see ioctl_tty(2). struct
 * ktermios begins as struct termios2 does.
 */
#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <sys/strsun.h>

#include "settings.h"

/* Sets what a pseudo-terminal of Linux begins with. */
void settings_initial(struct ktermios *set)
{
	*set = tty_std_termios;
	set->c_cflag = B38400 | CS8 | CREAD;
}

enum settings_use settings_use(int cmd)
{
	switch (cmd) {
	case TCGETA:
	case TCGETS:
	case TCGETS2:
		return SETTINGS_GET;
	case TCSETA:
	case TCSETAW:
	case TCSETAF:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
	case TCSETS2:
	case TCSETSW2:
	case TCSETSF2:
		return SETTINGS_SET;
	default:
		return SETTINGS_OTHER;
	}
}

/* Returns whether the settings are to change when all output has been passed on. */
bool settings_drain(int cmd)
{
	return cmd == TCSETAW || cmd == TCSETSW || cmd == TCSETSW2 || settings_flush(cmd);
}

/* Returns whether unread input is dropped when the settings change. */
bool settings_flush(int cmd)
{
	return cmd == TCSETAF || cmd == TCSETSF || cmd == TCSETSF2;
}

/* Returns the bytes of a command's structure. */
size_t settings_size(int cmd)
{
	switch (cmd) {
	case TCGETA:
	case TCSETA:
	case TCSETAW:
	case TCSETAF:
		return sizeof(struct termio);
	case TCGETS:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		return sizeof(struct termios);
	default:
		return sizeof(struct termios2);
	}
}

/* Returns the settings as a command has them, or NULL without memory. */
mblk_t *settings_get(int cmd, const struct ktermios *set)
{
	size_t size = settings_size(cmd);
	mblk_t *mp = allocb(size, BPRI_MED);

	if (!mp)
		return NULL;
	if (size == sizeof(struct termio)) {
		struct termio old = {
			.c_iflag = set->c_iflag,
			.c_oflag = set->c_oflag,
			.c_cflag = set->c_cflag,
			.c_lflag = set->c_lflag,
			.c_line = set->c_line,
		};

		memcpy(old.c_cc, set->c_cc, sizeof(old.c_cc));
		memcpy(mp->b_wptr, &old, size);
	} else {
		BUILD_BUG_ON(sizeof(struct termios2) > sizeof(*set));
		memcpy(mp->b_wptr, set, size);
	}
	mp->b_wptr += size;
	return mp;
}

/* Returns an M_IOCTL of a module's own with the settings, or NULL without memory. */
mblk_t *settings_message(int cmd, const struct ktermios *set)
{
	mblk_t *mp = mkiocb(cmd), *data = settings_get(cmd, set);

	if (!mp || !data) {
		freemsg(mp);
		freemsg(data);
		return NULL;
	}
	((struct iocblk *)mp->b_rptr)->ioc_count = MBLKL(data);
	linkb(mp, data);
	return mp;
}

/* Changes the settings to those of a command: the high 16 bits of flags stay with termio. */
void settings_put(int cmd, const void *from, struct ktermios *set)
{
	size_t size = settings_size(cmd);
	struct termio old;

	if (size != sizeof(old)) {
		memcpy(set, from, size);
		return;
	}
	memcpy(&old, from, size);
	set->c_iflag = (set->c_iflag & 0xffff0000) | old.c_iflag;
	set->c_oflag = (set->c_oflag & 0xffff0000) | old.c_oflag;
	set->c_cflag = (set->c_cflag & 0xffff0000) | old.c_cflag;
	set->c_lflag = (set->c_lflag & 0xffff0000) | old.c_lflag;
	set->c_line = old.c_line;
	memcpy(set->c_cc, old.c_cc, sizeof(old.c_cc));
}

/* Returns the argument of an ioctl that is a number, or -1. */
int ioctl_number(const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	size_t size = ioc->ioc_count == TRANSPARENT ? sizeof(long) : sizeof(int);
	long n = 0;

	if (!mp->b_cont || MBLKL(mp->b_cont) < size)
		return -1;
	if (size == sizeof(int))
		return *(int *)mp->b_cont->b_rptr;
	memcpy(&n, mp->b_cont->b_rptr, sizeof(n));
	return n;
}
