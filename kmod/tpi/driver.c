// SPDX-License-Identifier: GPL-2.0-only
/* Drivers of one module, with the same procedures and different endpoints */
#include "driver.h"
#include "tpi.h"

static int driver_register(struct tpi_driver *d, const struct qinit *rinit,
			   const struct qinit *winit)
{
	d->info.mi_lowat = d->info.mi_hiwat / 4;
	d->rinit = *rinit;
	d->rinit.qi_minfo = &d->info;
	d->winit = *winit;
	d->winit.qi_minfo = &d->info;
	d->tab.st_rdinit = &d->rinit;
	d->tab.st_wrinit = &d->winit;
	d->drv.tab = &d->tab;
	return strdrv_register(&d->drv);
}

/**
 * strtpi_drivers_register() - register the drivers of a module
 * @drivers: each as TPI_DRIVER()
 * @n: how many there are
 * @rinit: the procedures of all their read queues; copied
 * @winit: those of their write queues; copied
 *
 * Return: 0, or strdrv_register()'s error, and none is registered.
 */
int strtpi_drivers_register(struct tpi_driver *drivers, unsigned int n,
			    const struct qinit *rinit, const struct qinit *winit)
{
	unsigned int i;
	int err;

	for (i = 0; i < n; i++) {
		err = driver_register(&drivers[i], rinit, winit);
		if (err) {
			strtpi_drivers_unregister(drivers, i);
			return err;
		}
	}
	return 0;
}
EXPORT_SYMBOL_GPL(strtpi_drivers_register);

void strtpi_drivers_unregister(struct tpi_driver *drivers, unsigned int n)
{
	while (n--)
		strdrv_unregister(&drivers[n].drv);
}
EXPORT_SYMBOL_GPL(strtpi_drivers_unregister);

int strtpi_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}
EXPORT_SYMBOL_GPL(strtpi_rput);

/**
 * strtpi_wput() - handle a message that a driver does not treat specially
 * @q: its write queue
 * @mp: the message, consumed
 *
 * Flushes, refuses ioctls, and ends the stream for M_DATA: a driver that passes it here
 * takes data in primitives only. Drops all else.
 */
void strtpi_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
		strtpi_reply(q, strtpi_fatal(mp));
		break;
	case M_FLUSH:
		strtpi_flush(q, mp);
		break;
	case M_IOCTL:
		strtpi_ioctl_nak(q, mp, EINVAL);
		break;
	default:
		freemsg(mp);
	}
}
EXPORT_SYMBOL_GPL(strtpi_wput);
