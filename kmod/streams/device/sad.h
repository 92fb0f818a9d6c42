/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules pushed when a device is opened */
#ifndef _STREAMS_SAD_H
#define _STREAMS_SAD_H

#include <linux/init.h>

struct stream;

/* Pushes the modules configured for a device on a stream just opened. */
int sad_push(struct stream *sd, int minor, int oflag);
/* Drops the entries for a device that is gone, and for no other. */
void sad_forget(int minor);

int __init sad_init(void);
void sad_exit(void);

#endif /* _STREAMS_SAD_H */
