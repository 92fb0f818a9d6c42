// SPDX-License-Identifier: GPL-2.0-only
/* Drivers of one module, with the same procedures and different endpoints */
#include "driver.h"

int strtpi_driver_register(struct tpi_driver *d, const struct qinit *rinit,
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
EXPORT_SYMBOL_GPL(strtpi_driver_register);

void strtpi_driver_unregister(struct tpi_driver *d)
{
	strdrv_unregister(&d->drv);
}
EXPORT_SYMBOL_GPL(strtpi_driver_unregister);
