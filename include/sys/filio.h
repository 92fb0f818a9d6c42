/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/filio.h - FIONREAD, FIONBIO, FIOASYNC, FIOCLEX, FIONCLEX
 *
 * Linux has these ioctl commands in <sys/ioctl.h>.
 */
#ifndef _SYS_FILIO_H
#define _SYS_FILIO_H

#include <sys/ioctl.h>

#endif /* _SYS_FILIO_H */
