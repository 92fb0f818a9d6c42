/* SPDX-License-Identifier: GPL-2.0-only */
/* The drivers udp and udp6 */
#ifndef _TPI_UDP_DRIVER_H
#define _TPI_UDP_DRIVER_H

#include <linux/init.h>

int __init strudp_driver_init(void);
void strudp_driver_exit(void);

#endif /* _TPI_UDP_DRIVER_H */
