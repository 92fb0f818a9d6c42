// SPDX-License-Identifier: GPL-2.0-only
/*
 * Minor devices: streams of a driver that are found by a number
 *
 * The first open of a minor device makes its stream, others join it, the last
 * close ends it. A task opens or closes it without a lock, as the driver may
 * take long; other tasks wait meanwhile, for this device only.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "streams/head/files.h"
#include "cdev.h"
#include "minor.h"

struct minor {
	struct stream *sd;		/* NULL: it is not open */
	unsigned int users;		/* files, and opens that join */
	bool busy;			/* being opened first, or closed last */
};

struct strminors {
	struct cdev *cdev;		/* a major number of its own */
	spinlock_t lock;		/* over what follows */
	wait_queue_head_t wait;		/* for one that is busy */
	struct minor minor[];		/* drv->minors of them */
};

/*
 * Stores the minor device's stream with one user more, or stores NULL and marks
 * the device busy. Returns -EBUSY if it was busy.
 */
static int minor_try(struct strminors *m, struct minor *minor, bool join,
		     struct stream **sd)
{
	int err = 0;

	spin_lock(&m->lock);
	*sd = minor->sd;
	if (minor->busy)
		err = -EBUSY;
	else if (!minor->sd)
		WRITE_ONCE(minor->busy, true);
	else if (join)
		minor->users++;
	else
		err = -ENXIO;
	spin_unlock(&m->lock);
	return err;
}

int minor_get(const struct strdrv *drv, unsigned int nr, int oflag,
	      struct stream **sd)
{
	struct strminors *m = drv->devices;
	struct minor *minor;
	int err;

	if (nr >= drv->minors)
		return -ENXIO;
	minor = &m->minor[nr];
	while ((err = minor_try(m, minor, true, sd)) == -EBUSY) {
		if (oflag & O_NONBLOCK)
			return -EAGAIN;
		err = wait_event_interruptible(m->wait,
					       !READ_ONCE(minor->busy));
		if (err)
			break;
	}
	return err;
}

int minor_get_unused(const struct strdrv *drv, unsigned int nr)
{
	struct strminors *m = drv->devices;
	struct stream *sd;
	int err;

	if (nr >= drv->minors)
		return -ENXIO;
	while ((err = minor_try(m, &m->minor[nr], false, &sd)) == -EBUSY) {
		err = wait_event_interruptible(m->wait,
					       !READ_ONCE(m->minor[nr].busy));
		if (err)
			break;
	}
	return err;
}

int minor_get_any(const struct strdrv *drv)
{
	struct strminors *m = drv->devices;
	int nr, found = -ENXIO;

	spin_lock(&m->lock);
	for (nr = 0; nr < drv->minors && found < 0; nr++) {
		if (m->minor[nr].busy || m->minor[nr].sd)
			continue;
		WRITE_ONCE(m->minor[nr].busy, true);
		found = nr;
	}
	spin_unlock(&m->lock);
	return found;
}

void minor_opened(const struct strdrv *drv, unsigned int nr, struct stream *sd)
{
	struct strminors *m = drv->devices;
	struct minor *minor = &m->minor[nr];

	spin_lock(&m->lock);
	minor->sd = sd;
	minor->users = sd ? 1 : 0;
	WRITE_ONCE(minor->busy, false);
	spin_unlock(&m->lock);
	wake_up_all(&m->wait);
}

bool minor_put(const struct strdrv *drv, unsigned int nr)
{
	struct strminors *m = drv->devices;
	struct minor *minor = &m->minor[nr];
	bool last;

	spin_lock(&m->lock);
	last = !--minor->users;
	if (last)
		WRITE_ONCE(minor->busy, true);
	spin_unlock(&m->lock);
	return last;
}

dev_t minors_dev(const struct strdrv *drv, unsigned int nr)
{
	return drv->devices->cdev->dev + nr;
}

static void nodes_del(dev_t first, unsigned int n)
{
	while (n--)
		device_destroy(cdev_class, first + n);
}

static int nodes_add(struct strdrv *drv, dev_t first)
{
	unsigned int nr;

	for (nr = 0; nr < drv->minors; nr++) {
		struct device *dev = device_create(cdev_class, NULL, first + nr,
						   drv, "streams!%s%u",
						   drv->name, nr);

		if (IS_ERR(dev)) {
			nodes_del(first, nr);
			return PTR_ERR(dev);
		}
	}
	return 0;
}

static int chrdev_add(struct strminors *m, const struct strdrv *drv)
{
	dev_t first;
	int err;

	err = alloc_chrdev_region(&first, 0, drv->minors, drv->name);
	if (err)
		return err;
	m->cdev = cdev_alloc();
	if (!m->cdev) {
		err = -ENOMEM;
		goto unregister;
	}
	m->cdev->ops = str_device_fops;
	m->cdev->owner = THIS_MODULE;
	err = cdev_add(m->cdev, first, drv->minors);
	if (err) {
		kobject_put(&m->cdev->kobj);
		goto unregister;
	}
	return 0;

unregister:
	unregister_chrdev_region(first, drv->minors);
	return err;
}

static void chrdev_del(struct strminors *m, const struct strdrv *drv)
{
	dev_t first = m->cdev->dev;

	cdev_del(m->cdev);
	unregister_chrdev_region(first, drv->minors);
}

/*
 * Adds a driver's minor devices. A task that opens one meanwhile waits for the
 * registry.
 */
int minors_add(struct strdrv *drv)
{
	struct strminors *m;
	int err;

	drv->devices = NULL;
	if (!drv->minors)
		return 0;
	m = kzalloc(struct_size(m, minor, drv->minors), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	spin_lock_init(&m->lock);
	init_waitqueue_head(&m->wait);
	err = chrdev_add(m, drv);
	if (err)
		goto free;
	err = nodes_add(drv, m->cdev->dev);
	if (err)
		goto del_chrdev;
	drv->devices = m;
	return 0;

del_chrdev:
	chrdev_del(m, drv);
free:
	kfree(m);
	return err;
}

void minors_del(struct strdrv *drv)
{
	struct strminors *m = drv->devices;

	if (!m)
		return;
	nodes_del(m->cdev->dev, drv->minors);
	chrdev_del(m, drv);
	drv->devices = NULL;
	kfree(m);
}
