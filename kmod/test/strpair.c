// SPDX-License-Identifier: GPL-2.0-only
/*
 * strpair: /dev/strpair, whose files open a second file, to measure against
 *
 * A file is opened by its name, and STRIO_PIPE opens another one, with an inode of its own,
 * and stores both descriptors. The files have no data, no lock and no state. A pipe that is
 * made by open() and one ioctl() takes at least these system calls and these functions of the
 * kernel.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include <sys/strio.h>

#define PAIR_MAGIC	0x73747061

static struct vfsmount *pair_mnt;

/* The second file has nothing to do. */
static const struct file_operations second_fops = {
	.owner = THIS_MODULE,
	.llseek = noop_llseek,
};

static struct file *second_file(void)
{
	struct inode *inode = new_inode(pair_mnt->mnt_sb);
	struct file *file;

	if (!inode)
		return ERR_PTR(-ENFILE);
	inode->i_ino = get_next_ino();
	inode->i_mode = S_IFIFO | 0600;
	inode->i_uid = current_fsuid();
	inode->i_gid = current_fsgid();
	simple_inode_init_ts(inode);
	file = alloc_file_pseudo(inode, pair_mnt, "", O_WRONLY, &second_fops);
	if (IS_ERR(file))
		iput(inode);
	else
		__module_get(THIS_MODULE);
	return file;
}

static long pair_ioctl(struct file *file, unsigned int cmd, unsigned long user)
{
	struct strio_pipe arg;
	struct file *second;
	int fds[2];

	if (cmd != STRIO_PIPE)
		return -ENOTTY;
	if (copy_from_user(&arg, (void __user *)user, sizeof(arg)))
		return -EFAULT;
	fds[0] = arg.first;
	fds[1] = get_unused_fd_flags(arg.flags & O_CLOEXEC);
	if (fds[1] < 0)
		return fds[1];
	if (copy_to_user(u64_to_user_ptr(arg.fds), fds, sizeof(fds))) {
		put_unused_fd(fds[1]);
		return -EFAULT;
	}
	second = second_file();
	if (IS_ERR(second)) {
		put_unused_fd(fds[1]);
		return PTR_ERR(second);
	}
	fd_install(fds[1], second);
	return 0;
}

static const struct file_operations pair_fops = {
	.owner = THIS_MODULE,
	.open = stream_open,
	.unlocked_ioctl = pair_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice pair_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "strpair",
	.fops = &pair_fops,
	.mode = 0666,
};

static int pair_init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, PAIR_MAGIC) ? 0 : -ENOMEM;
}

/*
 * The mount has no owner, because it would keep the module loaded. A task that closed the last
 * file may still put the mount when the module is unloaded, so pair_exit() waits for it.
 */
static struct file_system_type pair_type = {
	.name = "strpairfs",
	.init_fs_context = pair_init_fs_context,
	.kill_sb = kill_anon_super,
};

static int __init pair_init(void)
{
	int err;

	pair_mnt = kern_mount(&pair_type);
	if (IS_ERR(pair_mnt))
		return PTR_ERR(pair_mnt);
	err = misc_register(&pair_device);
	if (err)
		kern_unmount(pair_mnt);
	return err;
}

static void __exit pair_exit(void)
{
	misc_deregister(&pair_device);
	synchronize_rcu_tasks();
	kern_unmount(pair_mnt);
}

module_init(pair_init);
module_exit(pair_exit);
MODULE_DESCRIPTION("a file that opens a second one, to measure against");
MODULE_LICENSE("GPL");
