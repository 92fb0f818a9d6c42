/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of drivers */
#ifndef _STREAMS_DRIVER_H
#define _STREAMS_DRIVER_H

/*
 * Finds a driver by the minor number of its node, and takes a reference on its
 * owner. Returns NULL if there is none.
 */
const struct strdrv *strdrv_get(int minor);
/* Finds a driver by the major number of its minor devices. */
const struct strdrv *strdrv_get_by_major(unsigned int major);

#endif /* _STREAMS_DRIVER_H */
