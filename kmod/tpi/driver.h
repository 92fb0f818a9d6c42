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

/* Puts a message up, for the read queue of a driver that has nothing below. */
int strtpi_rput(queue_t *q, mblk_t *mp);
/*
 * Handles a message for a driver's write queue that the driver does not handle
 * itself.
 */
void strtpi_wput(queue_t *q, mblk_t *mp);

#endif /* _TPI_DRIVER_H */
