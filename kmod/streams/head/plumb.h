/* SPDX-License-Identifier: GPL-2.0-only */
/* Pushing, popping, opening and closing */
#ifndef _STREAMS_PLUMB_H
#define _STREAMS_PLUMB_H

#include <linux/init.h>

#include "stream.h"

/* The caller of these functions holds sd_ioctl_mutex. */
int str_push(struct stream *sd, const char *name, int oflag);
int str_push_like(struct stream *sd, struct stream *model);
int str_pop(struct stream *sd, int oflag);
int str_open_driver(struct stream *sd, const struct strdrv *drv, dev_t dev,
		    int oflag, int sflag);
/* Takes sd_ioctl_mutex. */
int str_reopen(struct stream *sd, int oflag);
void str_dismantle(struct stream *sd, int oflag);
/* Close procedures wait for users only by these two and by qwait_sig(). */
unsigned long str_close_patience(const struct stream *sd, unsigned int ms);
unsigned long str_close_time(const struct stream *sd);
void str_close_drain(queue_t *q, int oflag);
queue_t *str_module_below(queue_t *q);
const char *str_queue_name(queue_t *q);
/* Returns the name by which the module of a write queue was pushed. */
const char *str_module_name(queue_t *q);

int __init plumb_init(void);
void plumb_exit(void);

/*
 * Disables a queue, waits for its procedures, and empties it into the next one.
 */
void queue_off(queue_t *q);
void queue_settle(queue_t *q);
void queue_forward(queue_t *q);

#endif /* _STREAMS_PLUMB_H */
