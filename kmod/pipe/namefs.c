// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file system of a stream's name
 *
 * fattach() mounts one of these on a file: its root is not a directory, has an
 * owner, a mode and times of its own, and its open() opens the stream. The
 * file system keeps the stream open. When the stream is gone its opens fail,
 * and it is unmounted as soon as it is not in use.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/statfs.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "streams/passfp/passfp.h"
#include "pipe.h"

/*
 * The interval at which unmounting a name that is still in use is tried: at
 * first, and at most. Every mount in the system waits for each try.
 */
#define NAME_RETRY	HZ
#define NAME_RETRY_MOST	(64 * HZ)

struct strpipe_name {
	struct stream *sd;
	/*
	 * Of a pipe, to which this has a reference; NULL: a device. The file
	 * of a device is kept to the end, as files opened by name have no
	 * other.
	 */
	struct strpipe_end *end;
	struct mutex mutex;		/* gone, file, mounts */
	bool gone;			/* no more opens */
	fmode_t mode;			/* what it may be opened for */
	struct file *file;		/* keeps the stream open; not a FIFO's */
	struct passer *passer;		/* the user it is charged to */
	wait_queue_entry_t wait;	/* for the stream to go away */
	/*
	 * To be unmounted then. The kernel changes it under its own lock; it is
	 * walked under the mutex, so that arm() can tell what is on it.
	 */
	struct list_head mounts;
	bool unmounting;
	unsigned long pause;		/* jiffies before the next try */
	struct delayed_work work;
};

/* The parameters from fsconfig(). */
struct name_opts {
	struct file *stream;
	struct path path;
};

static struct file_system_type name_type;

/* In a mount, where its place in such a list is; as in all others. */
static ptrdiff_t expiry_offset;

static struct strpipe_name *name_of(const struct super_block *sb)
{
	return sb->s_fs_info;
}

static bool is_fifo(const struct strpipe_name *name)
{
	return name->end && name->end->pipe->ends == 1;
}

static bool stream_gone(const struct strpipe_name *name)
{
	unsigned int closed = STR_NOREADER | STR_NOWRITER;
	unsigned int flag = READ_ONCE(name->sd->sd_flag);

	if (flag & (STR_HUP | STR_CLOSING))
		return true;
	return name->end && (flag & closed) == closed;
}

/* Whether it cannot be opened any more, also before name_work() has run. */
static bool name_dead(const struct strpipe_name *name)
{
	return READ_ONCE(name->gone) || (!is_fifo(name) && stream_gone(name));
}

/* Called when the state of the stream changes, or there is something to read. */
static int name_wake(wait_queue_entry_t *wait, unsigned int mode, int flags,
		     void *key)
{
	struct strpipe_name *name = container_of(wait, struct strpipe_name, wait);

	if (stream_gone(name))
		mod_delayed_work(system_percpu_wq, &name->work, 0);
	return 0;
}

/* From now on it cannot be opened, and it does not keep the stream open. */
static void name_detach(struct strpipe_name *name)
{
	struct file *file = NULL;
	bool was;

	mutex_lock(&name->mutex);
	was = name->gone;
	name->gone = true;
	if (!was && name->end)
		swap(file, name->file);
	mutex_unlock(&name->mutex);
	if (was)
		return;
	if (!is_fifo(name))
		remove_wait_queue(&name->sd->sd_rwait, &name->wait);
	if (file)
		fput(file);
}

static void name_work(struct work_struct *work)
{
	struct strpipe_name *name = container_of(to_delayed_work(work),
						 struct strpipe_name, work);

	name_detach(name);
	mutex_lock(&name->mutex);
	/* The first time it is only marked as a candidate. */
	mark_mounts_for_expiry(&name->mounts);
	mark_mounts_for_expiry(&name->mounts);
	mutex_unlock(&name->mutex);
	if (!list_empty(&name->mounts) && !READ_ONCE(name->unmounting)) {
		unsigned long pause = READ_ONCE(name->pause);

		WRITE_ONCE(name->pause, min_t(unsigned long, 2 * pause,
					      NAME_RETRY_MOST));
		schedule_delayed_work(&name->work, pause);
	}
}

/**
 * strpipe_name_closed() - note that a file opened by a name is being closed
 * @inode: the name's
 *
 * It may have been the last use of a name whose stream is gone.
 */
void strpipe_name_closed(const struct inode *inode)
{
	struct strpipe_name *name = name_of(inode->i_sb);

	if (!READ_ONCE(name->gone))
		return;
	WRITE_ONCE(name->pause, NAME_RETRY);
	/* The mount is released only after this. */
	mod_delayed_work(system_percpu_wq, &name->work, NAME_RETRY);
}

static int name_open(struct inode *inode, struct file *file)
{
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);
	struct strpipe_name *name = name_of(inode->i_sb);

	if (name_dead(name))
		return -ENXIO;
	if (!mode)
		return -EINVAL;
	if (mode & ~name->mode)
		return -EACCES;
	if (is_fifo(name))
		return strpipe_fifo_open(name->end, file);
	if (name->end)
		return strpipe_duplex_open(name->end, file);
	file->private_data = name->sd;
	/* Of the same owner, which keeps its reference. */
	file->f_op = &strpipe_device_fops;
	return stream_open(inode, file);
}

static const struct file_operations name_fops = {
	.owner = THIS_MODULE,
	.open = name_open,
	.llseek = noop_llseek,
};

/* First as those of the file below, then its own. */
static const struct inode_operations name_iops = {
	.setattr = simple_setattr,
};

/* f_files tells whether there is a stream to be opened. */
static int name_statfs(struct dentry *dentry, struct kstatfs *buf)
{
	int err = simple_statfs(dentry, buf);

	buf->f_files = !name_dead(name_of(dentry->d_sb));
	return err;
}

/* umount() with MNT_FORCE: detached, even if it is mounted elsewhere too. */
static void name_umount_begin(struct super_block *sb)
{
	/* Here, so that the stream is closed before the call returns. */
	name_detach(name_of(sb));
	mod_delayed_work(system_percpu_wq, &name_of(sb)->work, 0);
}

static const struct super_operations name_ops = {
	.statfs = name_statfs,
	.umount_begin = name_umount_begin,
	.drop_inode = inode_just_drop,
};

static struct inode *name_inode(struct super_block *sb,
				const struct strpipe_name *name,
				const struct inode *below)
{
	struct inode *inode = new_inode(sb);

	if (!inode)
		return NULL;
	inode->i_ino = 1;
	inode->i_mode = below->i_mode & 0777;
	/* In a user namespace devices cannot be opened, but streams can. */
	if (name->end || sb->s_user_ns != &init_user_ns) {
		inode->i_mode |= S_IFIFO;
	} else {
		inode->i_mode |= S_IFCHR;
		inode->i_rdev = name->sd->sd_dev;
	}
	inode->i_uid = below->i_uid;
	inode->i_gid = below->i_gid;
	inode_set_ctime_current(inode);
	inode_set_atime_to_ts(inode, inode_get_atime(below));
	inode_set_mtime_to_ts(inode, inode_get_mtime(below));
	inode->i_op = &name_iops;
	inode->i_fop = &name_fops;
	return inode;
}

/*
 * The modes in which the stream could be opened by the path of its open file.
 * A device, and a name with connld on it, give each open another stream.
 */
static fmode_t path_mode(const struct file *file)
{
	const struct super_block *sb = file->f_path.mnt->mnt_sb;

	if (sb == strpipe_mnt->mnt_sb)
		return FMODE_READ | FMODE_WRITE;
	if (sb->s_type == &name_type && name_of(sb)->sd == str_of_file(file))
		return name_of(sb)->mode;
	return 0;
}

/*
 * The modes in which a name may be opened: those of the attached file, and
 * those in which the attaching task could open that stream again. A name
 * grants no more than that.
 */
static fmode_t name_mode(const struct file *file)
{
	fmode_t again = path_mode(file);

	if (path_permission(&file->f_path, MAY_READ))
		again &= ~FMODE_READ;
	if (path_permission(&file->f_path, MAY_WRITE))
		again &= ~FMODE_WRITE;
	return (file->f_mode | again) & (FMODE_READ | FMODE_WRITE);
}

static struct strpipe_name *name_alloc(struct file *file)
{
	struct strpipe_name *name = kzalloc(sizeof(*name), GFP_KERNEL_ACCOUNT);

	if (!name)
		return ERR_PTR(-ENOMEM);
	name->passer = str_passer_get(PASS_NAME);
	if (IS_ERR(name->passer)) {
		struct strpipe_name *err = ERR_CAST(name->passer);

		kfree(name);
		return err;
	}
	name->sd = str_of_file(file);
	name->end = strpipe_end_of(name->sd);
	name->mode = name_mode(file);
	name->pause = NAME_RETRY;
	mutex_init(&name->mutex);
	INIT_LIST_HEAD(&name->mounts);
	INIT_DELAYED_WORK(&name->work, name_work);
	init_waitqueue_func_entry(&name->wait, name_wake);
	if (name->end)
		kref_get(&name->end->pipe->ref);
	if (!is_fifo(name)) {
		name->file = get_file(file);
		add_wait_queue(&name->sd->sd_rwait, &name->wait);
		if (stream_gone(name))
			mod_delayed_work(system_percpu_wq, &name->work, 0);
	}
	return name;
}

static void name_free(struct strpipe_name *name)
{
	WRITE_ONCE(name->unmounting, true);
	name_detach(name);
	cancel_delayed_work_sync(&name->work);
	if (name->file)
		fput(name->file);
	if (name->end)
		strpipe_put(name->end->pipe);
	str_passer_put(name->passer, PASS_NAME);
	mutex_destroy(&name->mutex);
	kfree(name);
}

static int name_fill(struct super_block *sb, struct fs_context *fc)
{
	struct name_opts *opts = fc->fs_private;
	struct strpipe_name *name = name_alloc(opts->stream);
	struct inode *inode;

	if (IS_ERR(name))
		return PTR_ERR(name);
	sb->s_fs_info = name;
	sb->s_magic = STRIO_NAMEFS_MAGIC;
	sb->s_blocksize = PAGE_SIZE;
	sb->s_blocksize_bits = PAGE_SHIFT;
	sb->s_iflags |= SB_I_NOEXEC;
	sb->s_op = &name_ops;
	sb->s_time_gran = 1;
	inode = name_inode(sb, name, d_inode(opts->path.dentry));
	if (!inode)
		return -ENOMEM;
	sb->s_root = d_make_root(inode);
	return sb->s_root ? 0 : -ENOMEM;
}

enum { OPT_STREAM, OPT_NAME };

/*
 * Any value may be a path; fs_lookup_param() refuses a value that is not a
 * path.
 */
static int name_is_path(struct p_log *log, const struct fs_parameter_spec *p,
			struct fs_parameter *param,
			struct fs_parse_result *result)
{
	return 0;
}

static const struct fs_parameter_spec name_params[] = {
	fsparam_fd("stream", OPT_STREAM),
	__fsparam(name_is_path, "name", OPT_NAME, 0, NULL),
	{}
};

static int name_parse(struct fs_context *fc, struct fs_parameter *param)
{
	struct name_opts *opts = fc->fs_private;
	struct fs_parse_result result;
	int opt = fs_parse(fc, name_params, param, &result);

	switch (opt) {
	case OPT_STREAM:
		if (param->type != fs_value_is_file || opts->stream)
			return invalf(fc, "strnamefs: stream wants a descriptor, once");
		opts->stream = get_file(param->file);
		return 0;
	case OPT_NAME:
		if (opts->path.dentry)
			return invalf(fc, "strnamefs: name is wanted once");
		/*
		 * mount(2) passes strings, without a folder they are relative
		 * to.
		 */
		if (param->type == fs_value_is_string)
			param->dirfd = AT_FDCWD;
		return fs_lookup_param(fc, param, false, LOOKUP_FOLLOW,
				       &opts->path);
	default:
		return opt;
	}
}

/*
 * Whether the caller may attach a stream to the file: its file system
 * identity, which a privileged helper sets to that of its user.
 * POSIX.1-2001 fattach().
 */
static int name_check(struct fs_context *fc, const struct name_opts *opts)
{
	const struct path *path = &opts->path;

	if (!opts->stream || !path->dentry)
		return invalf(fc, "strnamefs: use fattach(); this needs stream and name");
	if (!str_of_file(opts->stream))
		return invalf(fc, "strnamefs: the descriptor is not a stream");
	if (d_is_dir(path->dentry))
		return invalf(fc, "strnamefs: the name is a folder's");
	if (path->dentry == path->mnt->mnt_root || path_is_mountpoint(path))
		return -EBUSY;
	if (!path_owner_or_capable(path))
		return -EPERM;
	return path_permission(path, MAY_WRITE);
}

static int name_get_tree(struct fs_context *fc)
{
	return name_check(fc, fc->fs_private) ?: get_tree_nodev(fc, name_fill);
}

static void name_context_free(struct fs_context *fc)
{
	struct name_opts *opts = fc->fs_private;

	if (opts->stream)
		fput(opts->stream);
	path_put(&opts->path);
	kfree(opts);
}

static const struct fs_context_operations name_context_ops = {
	.free = name_context_free,
	.parse_param = name_parse,
	.get_tree = name_get_tree,
};

static int name_init_context(struct fs_context *fc)
{
	struct name_opts *opts = kzalloc(sizeof(*opts), GFP_KERNEL_ACCOUNT);

	if (!opts)
		return -ENOMEM;
	fc->fs_private = opts;
	fc->ops = &name_context_ops;
	return 0;
}

static void name_kill_sb(struct super_block *sb)
{
	struct strpipe_name *name = name_of(sb);

	kill_anon_super(sb);
	if (name)
		name_free(name);
}

static struct file_system_type name_type = {
	.owner = THIS_MODULE,
	.name = STRIO_NAMEFS,
	.init_fs_context = name_init_context,
	.kill_sb = name_kill_sb,
	.fs_flags = FS_USERNS_MOUNT,
};

/* Whether that mount is mounted on the file. */
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
	/* For its lock only */
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
	/* A mount that is not on a file is not a name yet. */
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
		err = mnt->mnt_sb->s_type == &name_type ?
		      arm(name_of(mnt->mnt_sb), mnt, &below->f_path) : -EINVAL;
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
	if (file->f_path.mnt->mnt_sb->s_type != &name_type ||
	    READ_ONCE(file->f_path.mnt->mnt_flags) & MNT_UMOUNT)
		err = -EINVAL;
	else if (path_is_mountpoint(&file->f_path))
		err = -EBUSY;
	fput(file);
	return err;
}

/*
 * Learns expiry_offset from a mount that no other code puts on such a list.
 * The kernel has no call that takes a mount off one. Names are not supported
 * on a kernel that does this another way.
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

int __init strpipe_namefs_init(void)
{
	return learn_expiry(strpipe_mnt) ?: register_filesystem(&name_type);
}

void strpipe_namefs_exit(void)
{
	unregister_filesystem(&name_type);
}
