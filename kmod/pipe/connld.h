/* SPDX-License-Identifier: GPL-2.0-only */
/* connld: each opener of a name gets a stream of its own */
#ifndef _STRPIPE_CONNLD_H
#define _STRPIPE_CONNLD_H

#include <linux/init.h>

int __init strpipe_connld_init(void);
void strpipe_connld_exit(void);

#endif /* _STRPIPE_CONNLD_H */
