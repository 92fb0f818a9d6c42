/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/tihdr.h - the historic name of <sys/tpi.h> */
#ifndef _SYS_TIHDR_H
#define _SYS_TIHDR_H

#include <sys/tpi.h>

#endif /* _SYS_TIHDR_H */
