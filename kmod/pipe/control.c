// SPDX-License-Identifier: GPL-2.0-only
/* /dev/streams/pipe, which makes pipes */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

#include "streams/device/cdev.h"
#include "control.h"
#include "mount.h"
#include "pipe.h"
#include "pipefs.h"

#define PIPE_FLAGS	(O_NONBLOCK | O_CLOEXEC | O_DIRECT)

static int control_minor;

/* O_DIRECT is a mode of pipes that open() does not know. */
static void set_packets(struct file *file, unsigned int flags)
{
	file->f_flags |= flags & O_DIRECT;
}

/* The reading and the writing file of a FIFO. */
static int fifo_files(struct file **files, unsigned int flags)
{
	struct strpipe *pipe = strpipe_alloc(1);

	if (IS_ERR(pipe))
		return PTR_ERR(pipe);
	files[0] = strpipe_file(&pipe->end[0], O_RDONLY | (flags & O_NONBLOCK));
	if (IS_ERR(files[0]))
		return PTR_ERR(files[0]);
	files[1] = dentry_open(&files[0]->f_path,
			       O_WRONLY | (flags & O_NONBLOCK), current_cred());
	if (IS_ERR(files[1])) {
		fput(files[0]);
		return PTR_ERR(files[1]);
	}
	/*
	 * The mode of the writing end only, as F_GETFL of a native pipe
	 * reports.
	 */
	set_packets(files[1], flags);
	file_set_pipe_modes(files[1]);
	return 0;
}

/* The files of both ends of a duplex pipe. */
static int duplex_files(struct file **files, unsigned int flags)
{
	struct strpipe *pipe = strpipe_alloc(2);

	if (IS_ERR(pipe))
		return PTR_ERR(pipe);
	files[0] = strpipe_file(&pipe->end[0], O_RDWR | (flags & O_NONBLOCK));
	if (IS_ERR(files[0])) {
		strpipe_put(pipe);
		return PTR_ERR(files[0]);
	}
	files[1] = strpipe_file(&pipe->end[1], O_RDWR | (flags & O_NONBLOCK));
	if (IS_ERR(files[1])) {
		fput(files[0]);
		return PTR_ERR(files[1]);
	}
	return 0;
}

/* Gives the user descriptors for both files, or neither. */
static int install(struct file **files, unsigned int flags, int __user *fds)
{
	int fd[2], err;

	err = get_unused_fd_flags(flags & O_CLOEXEC);
	if (err < 0)
		return err;
	fd[0] = err;
	err = get_unused_fd_flags(flags & O_CLOEXEC);
	if (err < 0)
		goto put_first;
	fd[1] = err;
	if (copy_to_user(fds, fd, sizeof(fd))) {
		err = -EFAULT;
		goto put_second;
	}
	fd_install(fd[0], files[0]);
	fd_install(fd[1], files[1]);
	return 0;

put_second:
	put_unused_fd(fd[1]);
put_first:
	put_unused_fd(fd[0]);
	return err;
}

static int make_pipe(const struct strio_pipe *arg)
{
	struct file *files[2];
	int err;

	if (arg->flags & ~PIPE_FLAGS || arg->kind > STRIO_PIPE_DUPLEX ||
	    arg->pad || (arg->kind == STRIO_PIPE_DUPLEX &&
			 arg->flags & O_DIRECT))
		return -EINVAL;
	err = arg->kind == STRIO_PIPE_FIFO ? fifo_files(files, arg->flags) :
					     duplex_files(files, arg->flags);
	if (err)
		return err;
	err = install(files, arg->flags, u64_to_user_ptr(arg->fds));
	if (err) {
		fput(files[0]);
		fput(files[1]);
	}
	return err;
}

/*
 * Closes the control descriptor. The caller of ioctl() may have taken no
 * reference to its file; ours keeps it until this system call is over.
 */
static int control_consume(struct file *control, int fd)
{
	struct file *file = fget(fd);

	if (!file)
		return -EBADF;
	if (file != control) {
		fput(file);
		return -EBADF;
	}
	close_fd(fd);
	/* Put when the task returns to user space. */
	fput(file);
	return 0;
}

static long control_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	struct strio_pipe pipe;
	int err;

	if (cmd == STRIO_NAMED)
		return strpipe_name_arm((struct strio_named __user *)arg);
	if (cmd == STRIO_BARE)
		return strpipe_name_bare(arg);
	if (cmd != STRIO_PIPE)
		return -ENOTTY;
	if (copy_from_user(&pipe, (void __user *)arg, sizeof(pipe)))
		return -EFAULT;
	err = control_consume(file, pipe.control);
	return err ?: make_pipe(&pipe);
}

/* The mapping has no memory. */
static vm_fault_t control_fault(struct vm_fault *vmf)
{
	return VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct control_vm_ops = {
	.fault = control_fault,
};

static int control_mmap(struct file *file, struct vm_area_struct *vma)
{
	/* msync() of a private mapping does not reach the device. */
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	/* VM_IO: mlockall() does not count it. */
	vm_flags_init(vma, vma->vm_flags | VM_IO | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_ops = &control_vm_ops;
	return 0;
}

/*
 * msync() of the mapping makes a pipe. The mapping holds the permission to open the
 * device, so no descriptor is needed. The offset is the address of the request in the
 * caller's memory.
 */
static int control_fsync(struct file *file, loff_t start, loff_t end, int datasync)
{
	struct strio_pipe __user *request = u64_to_user_ptr((u64)start);
	struct strio_pipe pipe;

	/* fsync() of a descriptor, and that of aio, which a kernel thread makes */
	if (!start || (current->flags & PF_KTHREAD))
		return -EINVAL;
	if (copy_from_user(&pipe, request, sizeof(pipe)))
		return -EFAULT;
	/* Something else than its owner synchronises this page. */
	if (!pipe.control)
		return 0;
	if (pipe.control != -1)
		return -EBADF;
	/* A request makes one pipe at most, and its owner sees that it arrived. */
	if (put_user(0, &request->control))
		return -EFAULT;
	return make_pipe(&pipe);
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.mmap = control_mmap,
	.fsync = control_fsync,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

int __init strpipe_control_init(void)
{
	return str_cdev_node_add_fops("pipe", &control_fops, &control_minor);
}

void strpipe_control_exit(void)
{
	str_cdev_node_del(control_minor);
}
