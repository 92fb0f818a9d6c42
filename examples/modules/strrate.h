/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* I_STR commands of the module rate */
#ifndef _STRRATE_H
#define _STRRATE_H

#define RATE_SET	(('r' << 8) | 1)	/* unsigned int, bytes per second; 0: any */
#define RATE_GET	(('r' << 8) | 2)	/* unsigned int */

#define RATE_MOST	0x40000000	/* the largest there may be */

#endif /* _STRRATE_H */
