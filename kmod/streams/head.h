/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream head: where system calls meet the stream */
#ifndef _STREAMS_HEAD_H
#define _STREAMS_HEAD_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include <sys/stream.h>
#include <sys/strio.h>

#include "perim.h"
#include "stat.h"

#define STRHIGH		5120		/* bytes, a head's high water mark */
#define STRLOW		1024		/* bytes, its low water mark */
#define STRMSGSZ	65536		/* bytes, largest data part of a message */
#define STRCTLSZ	1024		/* bytes, largest control part */
#define NSTRPUSH	16		/* modules on one stream */
#define STRTIMOUT	15		/* seconds, I_STR's default */

/* sd_flag, under the read queue's lock */
#define STR_HUP		0x0001	/* M_HANGUP came */
#define STR_RERR	0x0002	/* M_ERROR: reading fails with sd_rerror */
#define STR_WERR	0x0004	/* M_ERROR: writing fails with sd_werror */
#define STR_NOREADER	0x0008	/* a pipe nobody reads: EPIPE and SIGPIPE */
#define STR_NOWRITER	0x0010	/* a pipe nobody writes: end of file */
#define STR_PIPE	0x0020	/* an end of a pipe or FIFO */
#define STR_LINUX	0x0040	/* a pipe as Linux has it: bytes, its poll() */
#define STR_FLUSHED	0x0080	/* sd_reading is to be dropped */
#define STR_CLOSING	0x0100	/* messages from below are thrown away */
#define STR_PLEX	0x0200	/* linked below a multiplexor: for its driver only */

struct stream_ioctl;
struct strring;

struct stream {
	queue_t sd_q[2];		/* read queue, write queue */
	struct strperim *sd_perim;	/* shared by the ends of a pipe */
	struct stream *sd_mate;		/* whose read queue a pipe writes to */
	struct strring *sd_ring;	/* a FIFO's, for bytes; or NULL */
	unsigned int sd_flag;
	int sd_rerror;
	int sd_werror;
	unsigned char sd_ropt;		/* RNORM ..., I_SRDOPT */
	unsigned char sd_wopt;		/* SNDZERO ..., I_SWROPT */
	unsigned char sd_eropt;		/* RERRNORM ..., SO_ERROPT */
	unsigned char sd_npush;		/* modules pushed */
	unsigned short sd_wroff;	/* bytes left free before written data */
	mblk_t *sd_reading;		/* a reader copies from it, unlocked */
	struct mutex sd_read_mutex;	/* one reader at a time */
	struct mutex sd_ioctl_mutex;	/* plumbing, and one I_STR at a time */
	wait_queue_head_t sd_rwait;	/* for something to read */
	wait_queue_head_t sd_wwait;	/* for room to write */
	struct fasync_struct *sd_rfasync; /* files that want SIGIO to read */
	struct fasync_struct *sd_wfasync; /* ... and to write */
	struct stream_ioctl *sd_ioc;	/* the I_STR under way */
	unsigned int sd_ioc_id;
	dev_t sd_dev;
	const struct strdrv *sd_drv;	/* NULL: a pipe */
	struct str_entry sd_entry;
	bool sd_garbage;		/* the collector of passed files looks */
	struct rcu_head sd_rcu;
};

static inline queue_t *str_rq(struct stream *sd)
{
	return &sd->sd_q[0];
}

static inline queue_t *str_wq(struct stream *sd)
{
	return &sd->sd_q[1];
}

/*
 * head.c: life. A pipe embeds its streams; their memory may be freed after a
 * grace period only.
 */
void str_init(struct stream *sd, struct strperim *p);
void str_pipe_connect(struct stream *from, struct stream *to, size_t hiwat,
		      size_t lowat);
void str_destroy(struct stream *sd);
void str_set_flag(struct stream *sd, unsigned int set, unsigned int clear);
int str_take_error(struct stream *sd, bool writing);
size_t str_bytes(struct stream *sd);
void str_show(struct seq_file *m, struct stream *sd);
int str_files_add(const struct file_operations *fops);
void str_files_del(const struct file_operations *fops);
struct stream *str_of_file(const struct file *file);

/* What read() and write() go by, of a file and of one call. */
static inline unsigned int iocb_fflags(const struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags |
	       (iocb->ki_flags & IOCB_NOWAIT ? O_NONBLOCK : 0);
}

/* rput.c: messages that arrive from below */
int str_rput(queue_t *q, mblk_t *mp);
int str_wsrv(queue_t *q);
void str_flush(struct stream *sd, int what);
void str_drop(struct stream *sd);
void str_signal(struct stream *sd, const mblk_t *mp);
__poll_t str_poll_bits(const mblk_t *mp);
void str_wake_reader(struct stream *sd, __poll_t bits);
/*
 * Waiters are woken one at a time: a reader who was woken, and leaves
 * something, wakes the next. One who was not does not, or edge-triggered epoll
 * would tell old news.
 */
static inline void str_read_next(struct stream *sd)
{
	/* No barrier: who comes to wait now sees what is left. */
	if (waitqueue_active(&sd->sd_rwait))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM);
}

/* read.c, write.c; fflags: the file's f_flags */
ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags);
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags);
ssize_t str_read_queue(struct stream *sd, struct iov_iter *to,
		       unsigned int fflags);
ssize_t str_write_queue(struct stream *sd, struct iov_iter *from,
			unsigned int fflags);
ssize_t str_write_wait(struct stream *sd, unsigned char band, size_t len,
		       unsigned int fflags, bool *slept);
int str_write_error(struct stream *sd);
/* Whether str_write_error() has something to say. */
static inline bool str_write_broken(const struct stream *sd)
{
	return READ_ONCE(sd->sd_flag) &
	       (STR_HUP | STR_WERR | STR_NOREADER | STR_CLOSING);
}

void str_write_next(struct stream *sd);
bool str_writable(struct stream *sd, unsigned char band);
void str_packet_sizes(struct stream *sd, size_t *min, size_t *max);

/* msgio.c */
int str_getmsg(struct stream *sd, struct strio_msg *msg, unsigned int fflags,
	       int *more);
int str_putmsg(struct stream *sd, const struct strio_msg *msg,
	       unsigned int fflags);
int str_peek(struct stream *sd, struct strio_msg *msg);

/* poll.c */
__poll_t str_poll(struct stream *sd, struct file *file, poll_table *wait);
int str_fasync(struct stream *sd, int fd, struct file *file, int on);

/* ioctl.c; -ENOIOCTLCMD: none of the stream head's */
long str_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
	       unsigned long arg);
long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg);

/* plumb.c; all under sd_ioctl_mutex */
int str_push(struct stream *sd, const char *name, int oflag);
int str_pop(struct stream *sd, int oflag);
int str_open_driver(struct stream *sd, const struct strdrv *drv, dev_t dev,
		    int oflag);
void str_dismantle(struct stream *sd, int oflag);
queue_t *str_module_below(queue_t *q);
const char *str_queue_name(queue_t *q);

/* strioctl.c */
int str_ioctl_down(struct stream *sd, struct strioctl __user *arg);
void str_ioctl_reply(struct stream *sd, mblk_t *mp);
void str_ioctl_wake(struct stream *sd);

#endif /* _STREAMS_HEAD_H */
