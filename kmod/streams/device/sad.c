// SPDX-License-Identifier: GPL-2.0-only
/*
 * The administrative device: modules pushed when a device is opened
 *
 * All clone devices have one major number, each driver a minor number, so
 * a range of minor numbers is a range of drivers.
 */
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <sys/sad.h>

#include "streams/call/ioctl.h"
#include "streams/head/plumb.h"
#include "streams/module/registry.h"
#include "cdev.h"
#include "sad.h"

#define SAD_LAST_MINOR	((1U << MINORBITS) - 1)
#define SAD_MAJORS	(1U << (32 - MINORBITS))

/* The configured entries; no two overlap. */
struct autopush {
	struct list_head list;
	struct strapush sap;		/* sap_lastminor set for each command */
};

static DEFINE_MUTEX(sad_mutex);
static LIST_HEAD(autopushes);
static int sad_minor;

static bool covers(const struct strapush *sap, unsigned int minor)
{
	return sap->sap_minor <= minor && minor <= sap->sap_lastminor;
}

static struct autopush *sad_find(unsigned int minor)
{
	struct autopush *a;

	list_for_each_entry(a, &autopushes, list)
		if (covers(&a->sap, minor))
			return a;
	return NULL;
}

int sad_push(struct stream *sd, int minor, int oflag)
{
	struct autopush *a;
	struct strapush *sap = NULL;
	unsigned int i;
	int err = 0;

	if (likely(list_empty(&autopushes)))
		return 0;
	mutex_lock(&sad_mutex);
	a = sad_find(minor);
	if (a) {
		sap = kmemdup(&a->sap, sizeof(a->sap), GFP_KERNEL);
		err = sap ? 0 : -ENOSR;
	}
	mutex_unlock(&sad_mutex);
	if (!sap)
		return err;

	mutex_lock(&sd->sd_ioctl_mutex);
	for (i = 0; i < sap->sap_npush && !err; i++)
		err = str_push(sd, sap->sap_list[i], oflag);
	mutex_unlock(&sd->sd_ioctl_mutex);
	kfree(sap);
	return err;
}

void sad_forget(int minor)
{
	struct autopush *a;

	mutex_lock(&sad_mutex);
	a = sad_find(minor);
	if (a && a->sap.sap_cmd == SAP_ONE) {
		list_del(&a->list);
		kfree(a);
	}
	mutex_unlock(&sad_mutex);
}

static bool module_known(const char *name)
{
	const struct strmod *mod = strmod_get(name);

	if (mod)
		strmod_put(mod);
	return mod;
}

/*
 * Checks whether a device is a STREAMS device, as far as its numbers show that.
 */
static int check_device(const struct strapush *sap)
{
	if (sap->sap_major >= SAD_MAJORS || sap->sap_minor > SAD_LAST_MINOR)
		return -EINVAL;
	return sap->sap_major == cdev_major() ? 0 : -ENOSTR;
}

static int check_modules(struct strapush *sap)
{
	unsigned int i;

	if (!sap->sap_npush || sap->sap_npush > MAXAPUSH)
		return -EINVAL;
	for (i = 0; i < sap->sap_npush; i++) {
		if (strnlen(sap->sap_list[i], STRNAMESZ) == STRNAMESZ ||
		    !module_known(sap->sap_list[i]))
			return -EINVAL;
	}
	memset(sap->sap_list[i], 0, (MAXAPUSH - i) * STRNAMESZ);
	return 0;
}

static int sad_clear(const struct strapush *sap)
{
	struct autopush *a;
	int err = 0;

	mutex_lock(&sad_mutex);
	a = sad_find(sap->sap_minor);
	if (!a) {
		err = -ENODEV;
	} else if (a->sap.sap_minor != sap->sap_minor) {
		err = -ERANGE;
	} else {
		list_del(&a->list);
		kfree(a);
	}
	mutex_unlock(&sad_mutex);
	return err;
}

static int sad_enter(const struct strapush *sap)
{
	struct autopush *a, *other;

	a = kzalloc(sizeof(*a), GFP_KERNEL_ACCOUNT);
	if (!a)
		return -ENOSR;
	a->sap = *sap;
	mutex_lock(&sad_mutex);
	list_for_each_entry(other, &autopushes, list) {
		if (covers(&other->sap, sap->sap_minor) ||
		    covers(sap, other->sap.sap_minor)) {
			mutex_unlock(&sad_mutex);
			kfree(a);
			return -EEXIST;
		}
	}
	list_add_tail(&a->list, &autopushes);
	mutex_unlock(&sad_mutex);
	return 0;
}

static int sad_set(struct strapush *sap)
{
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	err = check_device(sap);
	if (err)
		return err;
	switch (sap->sap_cmd) {
	case SAP_CLEAR:
		return sad_clear(sap);
	case SAP_ONE:
		sap->sap_lastminor = sap->sap_minor;
		break;
	case SAP_RANGE:
		if (sap->sap_lastminor <= sap->sap_minor ||
		    sap->sap_lastminor > SAD_LAST_MINOR)
			return -ERANGE;
		break;
	case SAP_ALL:
		sap->sap_minor = 0;
		sap->sap_lastminor = SAD_LAST_MINOR;
		break;
	default:
		return -EINVAL;
	}
	return check_modules(sap) ?: sad_enter(sap);
}

static int sad_get(struct strapush *sap)
{
	const struct autopush *a;
	int err;

	err = check_device(sap);
	if (err)
		return err;
	mutex_lock(&sad_mutex);
	a = sad_find(sap->sap_minor);
	if (a)
		*sap = a->sap;
	else
		err = -ENODEV;
	mutex_unlock(&sad_mutex);
	return err;
}

/* Returns 0 if all names are those of modules, else 1. */
static long sad_verify(const struct str_mlist __user *from, int n)
{
	struct str_mlist name;
	int i;

	if (n < 1 || n > NSTRPUSH)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (copy_from_user(&name, from + i, sizeof(name)))
			return -EFAULT;
		if (strnlen(name.l_name, STRNAMESZ) == STRNAMESZ ||
		    !module_known(name.l_name))
			return 1;
	}
	return 0;
}

static long sad_strapush(unsigned int cmd, struct strapush __user *arg)
{
	struct strapush sap;
	int err;

	if (copy_from_user(&sap, arg, sizeof(sap)))
		return -EFAULT;
	if (cmd == SAD_SAP)
		return sad_set(&sap);
	err = sad_get(&sap);
	if (!err && copy_to_user(arg, &sap, sizeof(sap)))
		err = -EFAULT;
	return err;
}

static long sad_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct str_list list;

	switch (cmd) {
	case SAD_SAP:
	case SAD_GAP:
		return sad_strapush(cmd, (void __user *)arg);
	case SAD_VML:
		if (copy_from_user(&list, (void __user *)arg, sizeof(list)))
			return -EFAULT;
		return sad_verify((struct str_mlist __user __force *)
				  list.sl_modlist, list.sl_nmods);
	default:
		return -EINVAL;
	}
}

#ifdef CONFIG_COMPAT
struct str_list32 {
	s32 sl_nmods;
	compat_uptr_t sl_modlist;
};

static long sad_compat_ioctl(struct file *file, unsigned int cmd,
			     unsigned long arg)
{
	struct str_list32 list;

	if (cmd != SAD_VML)
		return sad_ioctl(file, cmd, (unsigned long)compat_ptr(arg));
	if (copy_from_user(&list, compat_ptr(arg), sizeof(list)))
		return -EFAULT;
	return sad_verify(compat_ptr(list.sl_modlist), list.sl_nmods);
}
#else
#define sad_compat_ioctl	NULL
#endif

static const struct file_operations sad_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = sad_ioctl,
	.compat_ioctl = sad_compat_ioctl,
	.llseek = noop_llseek,
};

int __init sad_init(void)
{
	return str_cdev_node_add_fops("sad", &sad_fops, &sad_minor);
}

void sad_exit(void)
{
	struct autopush *a, *next;

	str_cdev_node_del(sad_minor);
	list_for_each_entry_safe(a, next, &autopushes, list)
		kfree(a);
}
