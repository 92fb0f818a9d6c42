/* SPDX-License-Identifier: GPL-2.0-only */
/* streamio-setopts.h - options that /dev/streams/strprobe sets by M_SETOPTS */
#ifndef STREAMIO_SETOPTS_H
#define STREAMIO_SETOPTS_H

#include "streamio.h"

/* The constants of sys/stream.h, which is for the kernel only */
struct stroptions {
	unsigned int so_flags;
	short so_readopt;
	unsigned short so_wroff;
	ssize_t so_minpsz;
	ssize_t so_maxpsz;
	size_t so_hiwat;
	size_t so_lowat;
	unsigned char so_band;
	unsigned short so_erropt;
	ssize_t so_maxblk;
	unsigned short so_copyopt;
	unsigned short so_tail;
};

enum {
	SO_READOPT = 0x1, SO_WROFF = 0x2, SO_MINPSZ = 0x4, SO_MAXPSZ = 0x8,
	SO_HIWAT = 0x10, SO_LOWAT = 0x20, SO_MREADON = 0x40,
	SO_MREADOFF = 0x80, SO_NDELON = 0x100, SO_NDELOFF = 0x200,
	SO_ISTTY = 0x400, SO_ISNTTY = 0x800, SO_TOSTOP = 0x1000,
	SO_TONSTOP = 0x2000, SO_BAND = 0x4000, SO_DELIM = 0x8000,
	SO_NODELIM = 0x10000, SO_STRHOLD = 0x20000, SO_ERROPT = 0x40000,
	SO_COPYOPT = 0x80000, SO_MAXBLK = 0x100000, SO_TAIL = 0x200000
};

__attribute__((unused))
static int setopts(int fd, struct stroptions so)
{
	return send_up(fd, M_SETOPTS, 0, 0, &so, sizeof(so));
}

#define SETOPTS(fd, ...)	IS(setopts(fd, (struct stroptions){ __VA_ARGS__ }), 0)

#endif /* STREAMIO_SETOPTS_H */
