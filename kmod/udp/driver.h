/* SPDX-License-Identifier: GPL-2.0-only */
/* The drivers udp and udp6 */
#ifndef _STRUDP_DRIVER_H
#define _STRUDP_DRIVER_H

#include <linux/init.h>

int __init strudp_driver_init(void);
void strudp_driver_exit(void);

#endif /* _STRUDP_DRIVER_H */
