// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctls of 32-bit programs on a 64-bit kernel
 *
 * Structures that hold pointers have another layout there. Those without, and
 * the structures of sys/strio.h, are the same.
 */
#include <linux/compat.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "fdinsert.h"
#include "inspect.h"
#include "ioctl.h"
#include "strioctl.h"

#ifdef CONFIG_COMPAT

struct strbuf32 {
	compat_int_t maxlen;
	compat_int_t len;
	compat_uptr_t buf;
};

struct strpeek32 {
	struct strbuf32 ctlbuf;
	struct strbuf32 databuf;
	u32 flags;
};

struct strfdinsert32 {
	struct strbuf32 ctlbuf;
	struct strbuf32 databuf;
	u32 flags;
	compat_int_t fildes;
	compat_int_t offset;
};

struct strioctl32 {
	compat_int_t ic_cmd;
	compat_int_t ic_timout;
	compat_int_t ic_len;
	compat_uptr_t ic_dp;
};

struct str_list32 {
	compat_int_t sl_nmods;
	compat_uptr_t sl_modlist;
};

static struct strbuf native_strbuf(const struct strbuf32 *buf)
{
	return (struct strbuf){
		.maxlen = buf->maxlen,
		.len = buf->len,
		.buf = (char __force *)compat_ptr(buf->buf),
	};
}

static long compat_fdinsert(struct stream *sd, struct file *file,
			    struct strfdinsert32 __user *arg)
{
	struct strfdinsert32 fdi32;
	struct strfdinsert fdi;

	if (copy_from_user(&fdi32, arg, sizeof(fdi32)))
		return -EFAULT;
	fdi = (struct strfdinsert){
		.ctlbuf = native_strbuf(&fdi32.ctlbuf),
		.databuf = native_strbuf(&fdi32.databuf),
		.flags = fdi32.flags,
		.fildes = fdi32.fildes,
		.offset = fdi32.offset,
	};
	return str_fdinsert(sd, file, &fdi);
}

static long compat_str(struct stream *sd, struct strioctl32 __user *arg)
{
	struct strioctl32 ic32;
	struct strioctl ic;
	long ret;

	if (copy_from_user(&ic32, arg, sizeof(ic32)))
		return -EFAULT;
	ic = (struct strioctl){
		.ic_cmd = ic32.ic_cmd,
		.ic_timout = ic32.ic_timout,
		.ic_len = ic32.ic_len,
		.ic_dp = (char __force *)compat_ptr(ic32.ic_dp),
	};
	ret = str_ioctl_str(sd, &ic, IOC_ILP32);
	if (ret >= 0 && put_user(ic.ic_len, &arg->ic_len))
		return -EFAULT;
	return ret;
}

static long compat_peek(struct stream *sd, struct strpeek32 __user *arg)
{
	struct strpeek32 peek32;
	struct strpeek peek;
	long ret;

	if (copy_from_user(&peek32, arg, sizeof(peek32)))
		return -EFAULT;
	peek = (struct strpeek){
		.ctlbuf = native_strbuf(&peek32.ctlbuf),
		.databuf = native_strbuf(&peek32.databuf),
		.flags = peek32.flags,
	};
	ret = str_peek_parts(sd, &peek);
	if (ret <= 0)
		return ret;
	peek32.ctlbuf.len = peek.ctlbuf.len;
	peek32.databuf.len = peek.databuf.len;
	peek32.flags = peek.flags;
	return copy_to_user(arg, &peek32, sizeof(peek32)) ? -EFAULT : ret;
}

static long compat_list(struct stream *sd, struct str_list32 __user *arg)
{
	struct str_list32 list = { };

	if (arg && copy_from_user(&list, arg, sizeof(list)))
		return -EFAULT;
	return str_list(sd, compat_ptr(list.sl_modlist), list.sl_nmods,
			arg ? &arg->sl_nmods : NULL);
}

/* The argument of these commands is a number, and may be negative. */
static bool takes_number(unsigned int cmd)
{
	switch (cmd) {
	case I_UNLINK:
	case I_PUNLINK:
	case I_LINK:
	case I_PLINK:
	case I_SENDFD:
		return true;
	default:
		return false;
	}
}

/**
 * str_compat_ioctl() - an ioctl of a 32-bit program
 * @sd: the stream head
 * @file: the file it came by
 * @cmd: the command
 * @arg: its argument
 *
 * Return: as str_ioctl().
 */
long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg)
{
	void __user *ptr = compat_ptr(arg);
	int err;

	switch (cmd) {
	case I_STR:
	case I_PEEK:
	case I_LIST:
	case I_FDINSERT:
		err = str_ioctl_enter(sd, file, cmd);
		if (err)
			return err;
		break;
	default:
		if (takes_number(cmd))
			return str_ioctl(sd, file, cmd, (long)(int)arg);
		return str_ioctl(sd, file, cmd, (unsigned long)ptr);
	}
	switch (cmd) {
	case I_STR:
		return compat_str(sd, ptr);
	case I_PEEK:
		return compat_peek(sd, ptr);
	case I_LIST:
		return compat_list(sd, ptr);
	default:
		return compat_fdinsert(sd, file, ptr);
	}
}

#else /* it has no caller */

long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg)
{
	return -ENOTTY;
}

#endif
EXPORT_SYMBOL_GPL(str_compat_ioctl);
