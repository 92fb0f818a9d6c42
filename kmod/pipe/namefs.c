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

#include "file.h"
#include "name.h"
#include "namefs.h"
#include "open.h"
#include "pipefs.h"

/* The parameters from fsconfig() */
struct name_opts {
	struct file *stream;
	struct path path;
};

static struct file_system_type name_type;

static int name_open(struct inode *inode, struct file *file)
{
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);
	struct strpipe_name *name = strpipe_name_of(inode->i_sb);

	if (strpipe_name_dead(name))
		return -ENXIO;
	if (!mode)
		return -EINVAL;
	if (mode & ~name->mode)
		return -EACCES;
	if (strpipe_name_is_fifo(name))
		return strpipe_fifo_open(name->end, file);
	if (name->end)
		return strpipe_duplex_open(name->end, file);
	file->private_data = name->sd;
	/*
	 * The other operations have the same owner, which keeps its reference.
	 */
	file->f_op = &strpipe_device_fops;
	return stream_open(inode, file);
}

static const struct file_operations name_fops = {
	.owner = THIS_MODULE,
	.open = name_open,
	.llseek = noop_llseek,
};

/* The attributes are first those of the file below, then the name's own. */
static const struct inode_operations name_iops = {
	.setattr = simple_setattr,
};

/* The flag f_files shows whether there is a stream to be opened. */
static int name_statfs(struct dentry *dentry, struct kstatfs *buf)
{
	int err = simple_statfs(dentry, buf);

	buf->f_files = !strpipe_name_dead(strpipe_name_of(dentry->d_sb));
	return err;
}

/*
 * Handles umount() with MNT_FORCE: the name is detached, even if it is mounted
 * elsewhere too.
 */
static void name_umount_begin(struct super_block *sb)
{
	/*
	 * The name is detached here so that the stream is closed before the
	 * call returns.
	 */
	strpipe_name_detach(strpipe_name_of(sb));
	mod_delayed_work(system_percpu_wq, &strpipe_name_of(sb)->work, 0);
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
 * Returns the modes in which the stream could be opened by the path of its open
 * file. A device, and a name with connld on it, give each open another stream.
 */
static fmode_t path_mode(const struct file *file)
{
	const struct super_block *sb = file->f_path.mnt->mnt_sb;

	if (sb == strpipe_mnt->mnt_sb)
		return FMODE_READ | FMODE_WRITE;
	if (sb->s_type == &name_type && strpipe_name_of(sb)->sd == str_of_file(file))
		return strpipe_name_of(sb)->mode;
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

static int name_fill(struct super_block *sb, struct fs_context *fc)
{
	struct name_opts *opts = fc->fs_private;
	struct strpipe_name *name = strpipe_name_alloc(opts->stream, name_mode(opts->stream));
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
 * Any string may be a path; fs_lookup_param() refuses a value that is not a
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
 * Returns whether the caller may attach a stream to the file. The file system
 * identity counts, which a privileged helper sets to that of its user
 * (POSIX.1-2001 fattach()).
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
	struct strpipe_name *name = strpipe_name_of(sb);

	kill_anon_super(sb);
	if (name)
		strpipe_name_free(name);
}

static struct file_system_type name_type = {
	.owner = THIS_MODULE,
	.name = STRIO_NAMEFS,
	.init_fs_context = name_init_context,
	.kill_sb = name_kill_sb,
	.fs_flags = FS_USERNS_MOUNT,
};

/* Returns whether a file system is that of a name. */
bool strpipe_namefs_is(const struct super_block *sb)
{
	return sb->s_type == &name_type;
}

int __init strpipe_namefs_init(void)
{
	return register_filesystem(&name_type);
}

void strpipe_namefs_exit(void)
{
	unregister_filesystem(&name_type);
}
