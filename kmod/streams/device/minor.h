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
 * Takes part in a minor device; -ENXIO: there is no such number. If the device
 * is open, *sd is its stream, which has one user more. If not, *sd is NULL, and
 * all other callers wait for this caller's minor_opened(). The function waits
 * for a task that opens or closes the device: -ERESTARTSYS; with O_NONBLOCK in
 * oflag it does not wait: -EAGAIN.
 */
int minor_get(const struct strdrv *drv, unsigned int nr, int oflag,
	      struct stream **sd);
/*
 * Takes part in a minor device as minor_get() does, but only if the device is
 * not open; else returns -ENXIO. The function waits in any case: the driver
 * will refuse the task that opens the device.
 */
int minor_get_unused(const struct strdrv *drv, unsigned int nr);
/*
 * Takes part in the first minor device that is not open. Returns its number, or
 * -ENXIO.
 */
int minor_get_any(const struct strdrv *drv);
/* Reports the result of the open: the device's stream, or NULL. */
void minor_opened(const struct strdrv *drv, unsigned int nr, struct stream *sd);
/*
 * Drops one user. Returns whether it was the last; then all other callers wait
 * for this caller's minor_opened(drv, nr, NULL).
 */
bool minor_put(const struct strdrv *drv, unsigned int nr);

#endif /* _STREAMS_MINOR_H */
