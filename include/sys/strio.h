/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/strio.h - strsock's additions to the historic STREAMS ioctls
 *
 * The system calls of System V that Linux has no number for (getmsg, putmsg,
 * a STREAMS pipe) enter the kernel as ioctls. Structures hold fixed-size
 * fields only, so that 32-bit callers need no translation.
 */
#ifndef _SYS_STRIO_H
#define _SYS_STRIO_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* A part of a message, as struct strbuf with a fixed layout. */
struct strio_buf {
	__s32 maxlen;
	__s32 len;
	__u64 buf;
};

/*
 * getmsg, getpmsg, putmsg, putpmsg. A missing part has maxlen -1 on the way
 * in (getmsg) or len -1 (putmsg).
 */
struct strio_msg {
	struct strio_buf ctl;
	struct strio_buf data;
	__s32 band;
	__u32 flags;		/* MSG_HIPRI, MSG_ANY, MSG_BAND; 0: putmsg, normal */
};

/*
 * Instead of these flags, for STRIO_GETMSG: the message that I_PEEK has shown
 * is taken, or none. band is the word that its control part begins with, filled
 * up with zeros where that is shorter; -1: it has none, so that one which
 * begins with -1 cannot be asked for. If the first message is another by now,
 * or there is none: EAGAIN, without waiting.
 *
 * Beside them, for STRIO_PUTMSG: nothing is sent, and the error is EBADMSG, if
 * the first message to be read has a control part that begins with another word
 * than ctl.maxlen. That is checked before waiting for room.
 */
#define STRIO_PEEKED	0x100
/*
 * Beside them, for STRIO_PUTMSG alone: the call does not wait, as with
 * O_NONBLOCK; or it sends nothing, and waits for room, unless O_NONBLOCK is
 * set: EAGAIN.
 */
#define STRIO_NOWAIT	0x200
#define STRIO_ROOM	0x400

struct strio_pipe {
	__u64 fds;		/* pointer to int[2], where both descriptors are stored */
	__s32 first;		/* the descriptor the ioctl is called on, as fds[0] */
	/* flags of fds[1]: O_NONBLOCK, O_CLOEXEC; O_DIRECT (packets), for a FIFO only */
	__u32 flags;
};

struct strio_named {
	__s32 mount;		/* the root of the mounted name */
	__s32 below;		/* the file it is mounted on */
};

/* splice(2) and tee(2); tee takes no offsets. */
struct strio_splice {
	__s32 in;
	__s32 out;
	__u64 off_in;		/* pointer to a 64-bit offset, or 0 */
	__u64 off_out;
	__u64 len;
	__u32 flags;		/* SPLICE_F_* */
	__u32 pad;		/* 0 */
};

/* vmsplice(2), on the descriptor that the ioctl is called on */
struct strio_vmsplice {
	__u64 iov;		/* pointer to the caller's struct iovec */
	__u64 nr;
	__u32 flags;
	__u32 pad;		/* 0 */
};

#define STRIO_ISASTREAM	_IO('S', 0xc0)
#define STRIO_GETMSG	_IOWR('S', 0xc1, struct strio_msg)
#define STRIO_PUTMSG	_IOW('S', 0xc2, struct strio_msg)
/*
 * STRIO_NAMED has a mounted name unmounted when its stream is gone. The descriptor is
 * that of /dev/streams/pipe, opened with access mode 3 (O_ACCMODE), that is, for ioctl()
 * alone. The caller, which is fattach(), needs CAP_SYS_ADMIN in the user namespace in
 * which the name was mounted. EINVAL: mount is not a name, or not mounted on below.
 * EBUSY: the ioctl was called for the name before.
 */
#define STRIO_NAMED	_IOW('S', 0xc3, struct strio_named)

/*
 * STRIO_BARE, on such a descriptor, asks whether a name is still mounted with nothing
 * mounted on it. The argument is the descriptor of the name. EBUSY: a file system is
 * mounted on the name. EINVAL: the argument is not a name, or the name was unmounted.
 */
#define STRIO_BARE	_IO('S', 0xc4)

/*
 * STRIO_PIPE opens the other end of a pipe, once, on a descriptor that open() of
 * /dev/streams/pipe returned. open() with O_RDONLY makes the reading end of a FIFO, as of
 * pipe(2) on Linux, and with O_RDWR an end of a full-duplex pipe, as on SVR4. EBUSY: the
 * other end was opened before, or another thread is opening it. EINVAL: flags has an
 * unknown value. When it fails fds may have been written, and its second number is not
 * open.
 */
#define STRIO_PIPE	_IOW('S', 0xc5, struct strio_pipe)

/*
 * F_GETPIPE_SZ and F_SETPIPE_SZ of fcntl(2) for a STREAMS pipe, the latter with the size in
 * bytes as its argument. ENOTTY: the file is not a pipe.
 */
#define STRIO_GETPIPE_SZ	_IO('S', 0xc6)
#define STRIO_SETPIPE_SZ	_IO('S', 0xc7)

/*
 * On a STREAMS pipe only, where the system calls fail: in or out, or both, are
 * STREAMS pipes. The results and errors are those of the calls. EINVAL too: pad is not
 * 0; tee has an offset; splice from a STREAMS pipe to a native one, which the kernel's
 * splice() does; the other file has no read_iter() or write_iter(), or
 * is written to on a file system on top of another.
 */
#define STRIO_SPLICE		_IOW('S', 0xc8, struct strio_splice)
#define STRIO_TEE		_IOW('S', 0xc9, struct strio_splice)
#define STRIO_VMSPLICE		_IOW('S', 0xca, struct strio_vmsplice)

/*
 * I_STR's command for the settings of a module. The data is text without a zero byte, at
 * most STRIO_PARAM_MOST bytes: MODULE:NAME=VALUE:NAME=VALUE. The topmost module of that
 * name takes all of them or none. EINVAL: no such module is pushed, it has no such setting,
 * or the text is not of this form. ERANGE: a value is out of the range of its setting.
 */
#define STRIO_PARAM	_IO('S', 0xcb)
#define STRIO_PARAM_MOST	255

#define STRIO_PIPE_DEVICE	"/dev/streams/pipe"

/*
 * The file system of a stream's name: fattach() mounts it. fsconfig() takes
 * "stream", the stream's descriptor, and "name", a path to the file that the
 * stream is to be attached to.
 */
#define STRIO_NAMEFS		"strnamefs"
#define STRIO_NAMEFS_MAGIC	0x5354524e	/* "STRN", statfs's f_type */

/*
 * Protocol number of STREAMS sockets: SOCK_DGRAM of AF_INET and AF_INET6, and
 * SOCK_STREAM of AF_INET. RFC 3692 has it for experiments.
 */
#define IPPROTO_STREAMS	253

#endif /* _SYS_STRIO_H */
