// SPDX-License-Identifier: GPL-2.0-only
/* 6.2: devnode() takes a constant device */
#include <linux/device/class.h>

static char *probe_devnode(const struct device *dev, umode_t *mode)
{
	return NULL;
}

struct class probe = {
	.devnode = probe_devnode,
};
