// SPDX-License-Identifier: GPL-2.0-only
/* The file system of pipes, which is never visibly mounted */
#include <linux/cdev.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/pseudo_fs.h>
#include <linux/rcupdate.h>

#include "pipe.h"
#include "pipefs.h"

struct vfsmount *strpipe_mnt;

/* The text that readlink() of /proc/self/fd shows, as for a native pipe. */
static char *pipefs_dname(struct dentry *dentry, char *buffer, int buflen)
{
	char name[32];
	int len;

	len = scnprintf(name, sizeof(name), "pipe:[%llu]",
			(u64)d_inode(dentry)->i_ino) + 1;
	if (len > buflen)
		return ERR_PTR(-ENAMETOOLONG);
	return memcpy(buffer + buflen - len, name, len);
}

static const struct dentry_operations pipefs_dentry_ops = {
	.d_dname = pipefs_dname,
};

static void pipefs_evict(struct inode *inode)
{
	struct strpipe_end *end = inode->i_private;

	clear_inode(inode);
	if (!end)
		return;
	strpipe_put(end->pipe);
	module_put(THIS_MODULE);
}

static const struct super_operations pipefs_ops = {
	.statfs = simple_statfs,
	.evict_inode = pipefs_evict,
};

static int pipefs_init_fs_context(struct fs_context *fc)
{
	/* The values that fstatfs() reports for native pipes. */
	struct pseudo_fs_context *ctx = init_pseudo(fc, PIPEFS_MAGIC);

	if (!ctx)
		return -ENOMEM;
	ctx->ops = &pipefs_ops;
	ctx->dops = &pipefs_dentry_ops;
	return 0;
}

/*
 * A mount owned by the module would keep it loaded for ever, so the file system
 * has no owner. Each inode keeps the module while it exists: an O_PATH
 * descriptor may be its last reference.
 */
static struct file_system_type pipefs_type = {
	.name = "strpipefs",
	.init_fs_context = pipefs_init_fs_context,
	.kill_sb = kill_anon_super,
};

static struct inode *pipefs_inode(struct strpipe_end *end,
				  const struct file_operations *fops)
{
	struct inode *inode = new_inode(strpipe_mnt->mnt_sb);

	if (!inode)
		return NULL;
	inode->i_ino = get_next_ino();
	inode->i_mode = S_IFIFO | 0600;
	inode->i_uid = current_fsuid();
	inode->i_gid = current_fsgid();
	inode->i_fop = fops;
	inode->i_private = end;
	__module_get(THIS_MODULE);
	/*
	 * The inode is marked dirty in advance, so that no later access marks
	 * it.
	 */
	inode_state_set_raw(inode, I_DIRTY);
	simple_inode_init_ts(inode);
	end->ino = inode->i_ino;
	return inode;
}

/*
 * Moves a file that is being opened from a device's inode to a pipe's. The file takes the
 * caller's reference to the path. No other task knows the file yet. The references that
 * the kernel took for the device are put here, because the close finds the pipe's inode.
 */
static void file_move(struct file *file, const struct path *to)
{
	struct inode *device = file_inode(file), *inode = d_inode(to->dentry);
	struct path from = file->f_path;
	struct cdev *cdev = device->i_cdev;
	struct module *owner = cdev->owner;

	if ((file->f_mode & (FMODE_READ | FMODE_WRITE)) == FMODE_READ) {
		i_readcount_dec(device);
		i_readcount_inc(inode);
	}
	/* open() sets O_LARGEFILE for all files; the files of pipe(2) do not have it. */
	file->f_flags &= ~O_LARGEFILE;
	file_set_path(file, to);
	file->f_inode = inode;
	file->f_mapping = inode->i_mapping;
	file->f_wb_err = filemap_sample_wb_err(file->f_mapping);
	file->f_sb_err = file_sample_sb_err(file);
	kobject_put(&cdev->kobj);
	module_put(owner);
	path_put(&from);
}

/* Makes a file the first one of an end, which is open from here on. */
static void first_file(struct strpipe_end *end, struct file *file)
{
	file->private_data = end;
	stream_open(file_inode(file), file);
	file_set_pipe_modes(file);
	strpipe_opened(end, file->f_mode);
}

/**
 * strpipe_become() - make the inode of an end, and turn a file being opened into its first
 * @end: the end; its reference to the pipe is the inode's from now on, or dropped when
 *	this fails
 * @file: the file, of this module's device
 * @fops: the operations of the end's files
 *
 * Return: 0; -ENFILE, -ENOMEM.
 */
int strpipe_become(struct strpipe_end *end, struct file *file,
		   const struct file_operations *fops)
{
	struct path path = { .mnt = strpipe_mnt };
	struct inode *inode = pipefs_inode(end, fops);

	if (!inode) {
		strpipe_put(end->pipe);
		return -ENFILE;
	}
	path.dentry = d_alloc_anon(strpipe_mnt->mnt_sb);
	if (!path.dentry) {
		iput(inode);
		return -ENOMEM;
	}
	/* No path walk finds this dentry, so it can be freed without a grace period. */
	path.dentry->d_flags |= DCACHE_NORCU;
	d_instantiate(path.dentry, inode);
	mntget(path.mnt);
	file_move(file, &path);
	/* The file keeps the reference to this module that its device's operations took. */
	file->f_op = fops;
	first_file(end, file);
	return 0;
}

/**
 * strpipe_file() - make the inode of an end and open its first file
 * @end: the end; its reference to the pipe is the inode's from now on, or
 *	dropped when this fails
 * @flags: access mode and O_NONBLOCK
 * @fops: the operations of the end's files
 *
 * Return: the file, or an error pointer. Others of the end are opened on its
 * path.
 */
struct file *strpipe_file(struct strpipe_end *end, unsigned int flags,
			  const struct file_operations *fops)
{
	struct inode *inode = pipefs_inode(end, fops);
	struct file *file;

	if (!inode) {
		strpipe_put(end->pipe);
		return ERR_PTR(-ENFILE);
	}
	/*
	 * The inode is put with the file, but taken only for files that were
	 * opened.
	 */
	__module_get(THIS_MODULE);
	file = alloc_file_pseudo(inode, strpipe_mnt, "", flags, fops);
	if (IS_ERR(file)) {
		module_put(THIS_MODULE);
		iput(inode);
		return file;
	}
	first_file(end, file);
	return file;
}

int __init strpipe_fs_init(void)
{
	int err = register_filesystem(&pipefs_type);

	if (err)
		return err;
	strpipe_mnt = kern_mount(&pipefs_type);
	if (IS_ERR(strpipe_mnt)) {
		unregister_filesystem(&pipefs_type);
		return PTR_ERR(strpipe_mnt);
	}
	return 0;
}

void strpipe_fs_exit(void)
{
	/*
	 * Another task may have closed the last file and put the module,
	 * without having left pipefs_evict() or put the mount.
	 */
	synchronize_rcu_tasks();
	kern_unmount(strpipe_mnt);
	unregister_filesystem(&pipefs_type);
}
