/* SPDX-License-Identifier: GPL-2.0-only */
/* Drivers of one module, with the same procedures and different endpoints */
#ifndef _TPI_DRIVER_H
#define _TPI_DRIVER_H

#include <linux/container_of.h>
#include <linux/module.h>
#include <sys/stream.h>

struct tpi_driver {
	void *kind;			/* of its endpoints: the module's own */
	struct module_info info;
	struct qinit rinit;
	struct qinit winit;
	struct streamtab tab;
	struct strdrv drv;
};

/*
 * A driver below /dev/streams; hiwat: bytes that may wait on each of its queues,
 * what: its kind.
 */
#define TPI_DRIVER(nm, hiwat, what)					\
	{								\
		.kind = (void *)(what),					\
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

/* Returns the kind of the driver that a read queue belongs to; for an open procedure. */
static inline void *tpi_driver_kind(const queue_t *q)
{
	return container_of(q->q_qinfo, struct tpi_driver, rinit)->kind;
}

int strtpi_drivers_register(struct tpi_driver *drivers, unsigned int n,
			    const struct qinit *rinit, const struct qinit *winit);
void strtpi_drivers_unregister(struct tpi_driver *drivers, unsigned int n);

/* The put procedure of a read queue that nothing is below: messages go up. */
int strtpi_rput(queue_t *q, mblk_t *mp);
/* A message for a driver's write queue that is nothing special to the driver. */
void strtpi_wput(queue_t *q, mblk_t *mp);

#endif /* _TPI_DRIVER_H */
