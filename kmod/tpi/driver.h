/* SPDX-License-Identifier: GPL-2.0-only */
/* Drivers of one module, with the same procedures and different endpoints */
#ifndef _TPI_DRIVER_H
#define _TPI_DRIVER_H

#include <linux/module.h>
#include <sys/stream.h>

/*
 * A part of a module's own structure for a driver: an open procedure finds
 * that structure by its queue, as the queue's q_qinfo is rinit.
 */
struct tpi_driver {
	struct module_info info;
	struct qinit rinit;
	struct qinit winit;
	struct streamtab tab;
	struct strdrv drv;
};

/* A driver below /dev/streams; hiwat: bytes that may wait on each of its queues. */
#define TPI_DRIVER(nm, hiwat)						\
	{								\
		.info = {						\
			.mi_idname = #nm,				\
			.mi_minpsz = 0,					\
			.mi_maxpsz = INFPSZ,				\
			.mi_hiwat = (hiwat),				\
		},							\
		.drv = {						\
			.name = #nm,					\
			.owner = THIS_MODULE,				\
		},							\
	}

/* As strdrv_register(); the procedures are copied. */
int strtpi_driver_register(struct tpi_driver *d, const struct qinit *rinit,
			   const struct qinit *winit);
void strtpi_driver_unregister(struct tpi_driver *d);

#endif /* _TPI_DRIVER_H */
