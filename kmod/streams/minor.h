/* SPDX-License-Identifier: GPL-2.0-only */
/* Minor devices: streams of a driver that are found by a number */
#ifndef _STREAMS_MINOR_H
#define _STREAMS_MINOR_H

#include <sys/stream.h>

struct stream;

#define STRMINORS	256		/* of a driver, at most */

/*
 * Makes and removes /dev/streams/NAME0 and so on, if the driver has minor
 * devices. Sleep.
 */
int minors_add(struct strdrv *drv);
void minors_del(struct strdrv *drv);
dev_t minors_dev(const struct strdrv *drv, unsigned int nr);

/*
 * Takes part in a minor device; -ENXIO: there is no such number. It is open:
 * *sd is its stream, which has one user more. It is not: *sd is NULL, and
 * everybody else waits for the caller's minor_opened(). Waits itself for who
 * opens or closes it: -ERESTARTSYS; not with O_NONBLOCK in oflag: -EAGAIN.
 */
int minor_get(const struct strdrv *drv, unsigned int nr, int oflag,
	      struct stream **sd);
/*
 * The same, only if nobody has it open; else -ENXIO. Waits in
 * any case: who opens it will be told by the driver that it cannot.
 */
int minor_get_unused(const struct strdrv *drv, unsigned int nr);
/* The same with the first that nobody has open: its number, or -ENXIO. */
int minor_get_any(const struct strdrv *drv);
/* What became of the open: its stream, or NULL. */
void minor_opened(const struct strdrv *drv, unsigned int nr, struct stream *sd);
/*
 * One user less; whether it was the last. Then everybody else waits for the
 * caller's minor_opened(drv, nr, NULL).
 */
bool minor_put(const struct strdrv *drv, unsigned int nr);

#endif /* _STREAMS_MINOR_H */
