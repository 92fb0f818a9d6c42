// SPDX-License-Identifier: GPL-2.0-only
/* The mounts of names, which are unmounted when the stream is gone */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/uaccess.h>

#include "mount.h"
#include "name.h"
#include "namefs.h"
#include "pipefs.h"

/*
 * The offset of a mount's place in a list of mounts to be unmounted, the same
 * in all mounts
 */
static ptrdiff_t expiry_offset;

/* Returns whether the mount is mounted on the file. */
static bool mounted_on(const struct vfsmount *mnt, const struct path *below)
{
	struct path path = *below;
	bool mounted;

	path_get(&path);
	mounted = follow_down_one(&path) && path.mnt == mnt;
	path_put(&path);
	return mounted;
}

/*
 * Puts the mount on the list of those to be unmounted. The task that unmounts
 * it takes it off. A mount that is already unmounted must not be on the list:
 * no task would take it off, and it cannot be unmounted again. MNT_UMOUNT is
 * set for good before a mount is taken off, under the kernel's lock that also
 * covers putting it on. So a mount without the flag afterwards is rightly on
 * the list. A mount with the flag was unmounted meanwhile. Whether that was
 * after it had been put on is known when the task that did it is done; if it
 * was not, no other task uses the list.
 */
static int expire(struct strpipe_name *name, struct vfsmount *mnt)
{
	struct list_head *place = (void *)mnt + expiry_offset;

	if (READ_ONCE(mnt->mnt_flags) & MNT_UMOUNT)
		return -EINVAL;
	mnt_set_expiry(mnt, &name->mounts);
	if (!(READ_ONCE(mnt->mnt_flags) & MNT_UMOUNT))
		return 0;
	/* The call is made for the lock that it takes and drops. */
	may_umount(mnt);
	if (!list_empty(place))
		list_del_init(place);
	return -EINVAL;
}

static int arm(struct strpipe_name *name, struct vfsmount *mnt,
	       const struct path *below)
{
	int err;

	if (!ns_capable(mnt->mnt_sb->s_user_ns, CAP_SYS_ADMIN))
		return -EPERM;
	/* A mount that is not on a file does not name the stream yet. */
	if (!mounted_on(mnt, below))
		return -EINVAL;
	mutex_lock(&name->mutex);
	/* The mount itself may be there, or a copy of it. */
	if (!list_empty(&name->mounts))
		err = -EBUSY;
	else
		err = expire(name, mnt);
	/* The stream may have ended before there was anything to unmount. */
	if (!err && name->gone)
		mod_delayed_work(system_percpu_wq, &name->work, 0);
	mutex_unlock(&name->mutex);
	return err;
}

/**
 * strpipe_name_arm() - have a mounted name unmounted when its stream is freed
 * @arg: descriptors of the mount's root and of the file it is mounted on, which
 *	both may be of O_PATH
 *
 * Once for each mount; copies in mount namespaces made later are unmounted
 * with it. For a caller that may administer the user namespace that it was
 * mounted in.
 *
 * Return: 0; -EBADF, -EFAULT, -EINVAL when the first is not a name of a stream,
 * or not mounted on the second, -EBUSY when it has been done, -EPERM.
 */
int strpipe_name_arm(const struct strio_named __user *arg)
{
	struct strio_named named;
	struct file *mount, *below;
	struct vfsmount *mnt;
	int err = -EBADF;

	if (copy_from_user(&named, arg, sizeof(named)))
		return -EFAULT;
	mount = fget_raw(named.mount);
	below = fget_raw(named.below);
	if (mount && below) {
		mnt = mount->f_path.mnt;
		err = strpipe_namefs_is(mnt->mnt_sb) ?
		      arm(strpipe_name_of(mnt->mnt_sb), mnt, &below->f_path) : -EINVAL;
	}
	if (mount)
		fput(mount);
	if (below)
		fput(below);
	return err;
}

/**
 * strpipe_name_bare() - ask whether a name is not unmounted, and nothing is on it
 * @fd: a descriptor of the name, which may be of O_PATH
 *
 * umount() resolves its path to the topmost mount. This looks in the
 * descriptor's mount only.
 *
 * Return: 0; -EBADF, -EBUSY when something is, -EINVAL when it is not a name,
 * or is not mounted any more.
 */
int strpipe_name_bare(int fd)
{
	struct file *file = fget_raw(fd);
	int err = 0;

	if (!file)
		return -EBADF;
	if (!strpipe_namefs_is(file->f_path.mnt->mnt_sb) ||
	    READ_ONCE(file->f_path.mnt->mnt_flags) & MNT_UMOUNT)
		err = -EINVAL;
	else if (path_is_mountpoint(&file->f_path))
		err = -EBUSY;
	fput(file);
	return err;
}

/*
 * Learns expiry_offset from a mount that no other code puts on such a list. The
 * kernel has no call that takes a mount off a list. Names are not supported on
 * a kernel that links mounts differently.
 */
static int __init learn_expiry(struct vfsmount *mnt)
{
	bool single;
	LIST_HEAD(list);

	mnt_set_expiry(mnt, &list);
	single = list_is_singular(&list);
	expiry_offset = (void *)list.next - (void *)mnt;
	list_del_init(list.next);
	if (single && abs(expiry_offset) < PAGE_SIZE)
		return 0;
	pr_err("strpipe: not loaded: this kernel's mounts are not kept in lists as expected; please report its release\n");
	return -EINVAL;
}

int __init strpipe_mounts_init(void)
{
	return learn_expiry(strpipe_mnt);
}
