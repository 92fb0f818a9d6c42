/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream head: where system calls meet the stream */
#ifndef _STREAMS_HEAD_H
#define _STREAMS_HEAD_H

#include <linux/bitmap.h>
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
#define STR_WRITE_BLOCK	(4 * PAGE_SIZE)	/* bytes, largest block found easily */
#define STRCTLSZ	1024		/* bytes, largest control part */
#define NSTRPUSH	16		/* modules on one stream */
#define STRTIMOUT	15		/* seconds, I_STR's default */
#define STRCLTIME	15000		/* milliseconds, I_SETCLTIME's default */
#define STRCLTIME_MOST	60000		/* milliseconds, the longest that it takes */

/* sd_flag, under the read queue's lock */
#define STR_HUP		0x0001	/* M_HANGUP came */
#define STR_RERR	0x0002	/* M_ERROR, or bytes lost: reading fails with sd_rerror */
#define STR_WERR	0x0004	/* M_ERROR: writing fails with sd_werror */
#define STR_NOREADER	0x0008	/* a pipe without readers: EPIPE and SIGPIPE */
#define STR_NOWRITER	0x0010	/* a pipe without writers: end of file */
#define STR_PIPE	0x0020	/* an end of a pipe or FIFO */
#define STR_LINUX	0x0040	/* a pipe as Linux has it: bytes, its poll() */
#define STR_FLUSHED	0x0080	/* sd_reading is to be dropped */
#define STR_CLOSING	0x0100	/* messages from below are dropped */
#define STR_PLEX	0x0200	/* linked below a multiplexor: for its driver only */
#define STR_DELIM	0x0400	/* SO_DELIM: a write's last message is marked so */

struct str_errands;
struct str_hold;
struct stream_ioctl;
struct strring;

/*
 * State that few streams need, allocated when its first part is wanted. Pipes
 * are made and freed often, and should stay small.
 */
struct str_more {
	struct fasync_struct *rfasync;	/* files that want SIGIO to read */
	struct fasync_struct *wfasync;	/* ... and to write */
	spinlock_t sig_lock;		/* irq-safe */
	struct hlist_head sigs;		/* registrations for SIGPOLL, signal.c */
	unsigned int nsigs;		/* how many */
	unsigned int nsig_groups;	/* of those, of process groups */
	unsigned long wfull;		/* STR_WFULL_*: found full when last asked */
	DECLARE_BITMAP(wbands, 256);	/* bands above 0 ever sent in */
	struct str_hold *hold;		/* hold.c */
	unsigned int cltime;		/* milliseconds, I_SETCLTIME */
	unsigned int id;		/* as I_FDINSERT sends it; 0: none yet */
	struct rcu_head rcu;
};

/* str_more.wfull's bits */
enum {
	STR_WFULL_NORM,			/* band 0 */
	STR_WFULL_BAND,			/* another one */
};

struct stream {
	queue_t sd_q[2];		/* read queue, write queue */
	struct strperim *sd_perim;	/* shared by the ends of a pipe */
	struct stream *sd_mate;		/* a pipe writes to its read queue */
	struct strring *sd_ring;	/* a FIFO's, for bytes; or NULL */
	unsigned int sd_flag;
	bool sd_rwatch;			/* once, for signals; set for good */
	bool sd_wwatch;			/* ... when there is room to write */
	unsigned short sd_wroff;	/* bytes left free before written data */
	int sd_rerror;
	int sd_werror;
	unsigned char sd_ropt;		/* RNORM ..., I_SRDOPT */
	unsigned char sd_wopt;		/* SNDZERO ..., I_SWROPT */
	unsigned char sd_eropt;		/* RERRNORM ..., I_SERROPT */
	unsigned char sd_npush;		/* modules pushed */
	unsigned char sd_nown;		/* of those, the ones that do not just pass data on */
	unsigned char sd_anchor;	/* modules below the anchor, I_ANCHOR */
	unsigned char sd_floor;		/* modules that no caller may pop */
	unsigned short sd_tail;		/* bytes left free after written data */
	unsigned int sd_passed;		/* files on the read queue, passfp.c */
	unsigned int sd_flying;		/* its own files in flight */
	mblk_t *sd_reading;		/* a reader copies from it, unlocked */
	struct mutex sd_read_mutex;	/* one reader at a time */
	struct mutex sd_ioctl_mutex;	/* plumbing, and one I_STR at a time */
	wait_queue_head_t sd_rwait;	/* for something to read */
	wait_queue_head_t sd_wwait;	/* for room to write */
	struct str_more *sd_more;	/* or NULL, see str_more() */
	struct str_errands *sd_errands;	/* or NULL, errand.h */
	struct stream_ioctl *sd_ioc;	/* the I_STR under way */
	unsigned int sd_ioc_id;
	unsigned int sd_maxblk;		/* bytes of a written block; 0: as many as may be */
	unsigned long sd_exit;		/* jiffies when a task that exits let go of it, or 0 */
	dev_t sd_dev;
	const struct strdrv *sd_drv;	/* NULL: a pipe */
	struct str_entry sd_entry;
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
int str_pipe_resize(struct stream *to, size_t hiwat, size_t lowat);
void str_destroy(struct stream *sd);
size_t str_bytes(struct stream *sd);
void str_show(struct seq_file *m, struct stream *sd);
void str_show_modules(struct seq_file *m, struct stream *sd);
int str_files_add(const struct file_operations *fops);
void str_files_del(const struct file_operations *fops);
struct stream *str_of_file(const struct file *file);

/* state.c */
void str_set_flag(struct stream *sd, unsigned int set, unsigned int clear);

/* id.c */
unsigned int str_id(struct stream *sd, gfp_t gfp);
void str_id_free(struct str_more *more);

/* stream.c */
int str_error_taken(struct stream *sd, bool writing);
/*
 * The error that M_ERROR left for one side, 0 if none. It stays, unless the
 * stream was told to forget it when it was reported (RERRNONPERSIST,
 * WERRNONPERSIST). -EINVAL for a stream linked below a multiplexor.
 */
static inline int str_take_error(struct stream *sd, bool writing)
{
	unsigned int flag = (writing ? STR_WERR : STR_RERR) | STR_PLEX;

	return likely(!(READ_ONCE(sd->sd_flag) & flag)) ? 0 :
	       str_error_taken(sd, writing);
}

struct str_more *str_more(struct stream *sd, gfp_t gfp);

/*
 * Band 0, or another one, was found full. Called before the look that confirms
 * it.
 */
static inline void str_found_full(struct stream *sd, unsigned char band)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (more)
		set_bit(band ? STR_WFULL_BAND : STR_WFULL_NORM, &more->wfull);
}

/* Beside the flags of a file: this call wants no SIGPIPE. */
#define STR_NOSIGNAL	BIT(31)

/* The modes that read() and write() obey, of a file and of one call. */
static inline unsigned int iocb_fflags(const struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags |
	       (iocb->ki_flags & IOCB_NOWAIT ? O_NONBLOCK : 0) |
	       (iocb->ki_flags & IOCB_NOSIGNAL ? STR_NOSIGNAL : 0);
}

/* rput.c: messages that arrive from below */
int str_rput(queue_t *q, mblk_t *mp);
int str_wsrv(queue_t *q);
__poll_t str_poll_bits(const mblk_t *mp);
void str_wake_reader(struct stream *sd, __poll_t bits);
/* A high-priority message is gone: wake waiters for the data it hid. */
void str_bared(struct stream *sd);

/*
 * Waiters are woken one at a time: a reader that was woken, and leaves
 * something, wakes the next. A reader that was not woken wakes none, or
 * edge-triggered epoll would report the same event twice.
 */
static inline void str_read_next(struct stream *sd)
{
	/* No barrier: a task that begins to wait now sees what is left. */
	if (waitqueue_active(&sd->sd_rwait))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM);
}

/* flush.c */
void str_flush(struct stream *sd, int what, int band);
void str_drop(struct stream *sd);
void str_rput_flush(queue_t *q, mblk_t *mp);
long str_ioctl_flush(struct stream *sd, const struct file *file,
		     unsigned long what);
long str_ioctl_flushband(struct stream *sd, const struct file *file,
			 struct bandinfo __user *arg);

/* signal.c */
void str_notify(struct stream *sd, unsigned int events);
void str_notify_read(struct stream *sd, __poll_t bits);
void str_notify_write(struct stream *sd);
void str_signal(struct stream *sd, const mblk_t *mp);
void str_front(struct stream *sd);
int str_fasync(struct stream *sd, int fd, struct file *file, int on);
int str_file_flush(struct stream *sd, struct file *file);
void str_file_closed(struct stream *sd, struct file *file);
long str_ioctl_setsig(struct stream *sd, struct file *file,
		      unsigned long events);
long str_ioctl_getsig(struct stream *sd, struct file *file, int __user *arg);
long str_ioctl_esetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg);
long str_ioctl_egetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg);

/* A message came to the read queue; front: and is the first one there. */
static inline void str_arrived(struct stream *sd, __poll_t bits, bool front)
{
	str_wake_reader(sd, bits);
	if (unlikely(READ_ONCE(sd->sd_rwatch)) && front)
		str_notify_read(sd, bits);
}

/* Whether a message of the first place is for signals, under q_lock. */
static inline bool str_signal_first(const queue_t *q)
{
	return q->q_first && unlikely(DB_TYPE(q->q_first) == M_SIG);
}

/* option.c */
void str_rput_setopts(struct stream *sd, mblk_t *mp);
long str_ioctl_srdopt(struct stream *sd, unsigned long opt);
long str_ioctl_swropt(struct stream *sd, unsigned long opt);
long str_ioctl_serropt(struct stream *sd, unsigned long opt);
long str_ioctl_setcltime(struct stream *sd, const int __user *arg);
long str_ioctl_getcltime(struct stream *sd, int __user *arg);

/* hold.c */
bool str_hold_write(struct stream *sd, mblk_t *mp, size_t len);
void str_hold_send(struct stream *sd);
void str_hold_hurry(struct stream *sd);
void str_hold_free(struct str_more *more);
/* Held data is sent down before anything else. */
static inline void str_unhold(struct stream *sd)
{
	if (unlikely(READ_ONCE(sd->sd_more)))
		str_hold_send(sd);
}

/* inspect.c: what there is to read, without reading it */
long str_ioctl_nread(struct stream *sd, int __user *arg);
long str_ioctl_fionread(struct stream *sd, int __user *arg);
long str_ioctl_ckband(struct stream *sd, unsigned long band);
long str_ioctl_getband(struct stream *sd, int __user *arg);
long str_ioctl_atmark(struct stream *sd, unsigned long which);
long str_peek_parts(struct stream *sd, struct strpeek *peek);
long str_ioctl_peek(struct stream *sd, struct strpeek __user *arg);

/* fdinsert.c */
int str_fdinsert(struct stream *sd, struct file *file,
		 const struct strfdinsert *fdi);
long str_ioctl_fdinsert(struct stream *sd, struct file *file,
			struct strfdinsert __user *arg);

/* read.c, write.c; fflags: as of iocb_fflags() */
ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags);
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags);
ssize_t str_read_queue(struct stream *sd, struct iov_iter *to,
		       unsigned int fflags);
ssize_t str_write_queue(struct stream *sd, struct iov_iter *from,
			unsigned int fflags);
ssize_t str_write_wait(struct stream *sd, unsigned char band, size_t len,
		       unsigned int fflags, bool *slept);
int str_write_error(struct stream *sd, unsigned int fflags);
/* Whether str_write_error() would return an error. */
static inline bool str_write_broken(const struct stream *sd)
{
	return READ_ONCE(sd->sd_flag) &
	       (STR_HUP | STR_WERR | STR_NOREADER | STR_CLOSING | STR_PLEX);
}

void str_write_next(struct stream *sd);
void str_filled(struct stream *sd);
bool str_writable(struct stream *sd, unsigned char band);
/*
 * Something was written: if no room is left, signal its return to tasks that
 * asked.
 */
static inline void str_wrote(struct stream *sd, unsigned char band)
{
	if (unlikely(READ_ONCE(sd->sd_wwatch)))
		str_writable(sd, band);
}

bool str_band_writable(struct stream *sd);
mblk_t *str_data_alloc(struct stream *sd, size_t left, size_t block, bool first);
void str_packet_sizes(struct stream *sd, size_t *min, size_t *max);

/* msgio.c */
/* A number that I_FDINSERT puts into the control part. */
struct str_insert {
	size_t offset;		/* bytes from the part's beginning */
	unsigned int id;
};

int str_getmsg(struct stream *sd, struct strio_msg *msg,
	       struct strio_msg __user *result, unsigned int fflags);
int str_putmsg(struct stream *sd, const struct strio_msg *msg,
	       const struct str_insert *insert, unsigned int fflags);
int str_peek(struct stream *sd, struct strio_msg *msg);
bool str_getmsg_valid(const struct strio_msg *msg);
mblk_t *str_take(struct stream *sd, bool (*fits)(const mblk_t *mp));

/* poll.c */
__poll_t str_poll(struct stream *sd, struct file *file, poll_table *wait);

/* ioctl.c; -ENOIOCTLCMD: none of the stream head's */
long str_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
	       unsigned long arg);
int str_ioctl_enter(struct stream *sd, const struct file *file,
		    unsigned int cmd);
bool str_file_changes(const struct file *file);
long str_list(struct stream *sd, struct str_mlist __user *to, int room,
	      int __user *count);
/* compat.c */
long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg);

/* plumb.c; all under sd_ioctl_mutex */
int str_push(struct stream *sd, const char *name, int oflag);
int str_pop(struct stream *sd, int oflag);
int str_open_driver(struct stream *sd, const struct strdrv *drv, dev_t dev,
		    int oflag, int sflag);
/* Takes sd_ioctl_mutex. */
int str_reopen(struct stream *sd, int oflag);
void str_dismantle(struct stream *sd, int oflag);
unsigned long str_close_patience(const struct stream *sd, unsigned int ms);
queue_t *str_module_below(queue_t *q);
const char *str_queue_name(queue_t *q);

/* strioctl.c */
int str_ioctl_down(struct stream *sd, struct strioctl __user *arg);
int str_ioctl_str(struct stream *sd, struct strioctl *ic, int model);
void str_ioctl_reply(struct stream *sd, mblk_t *mp);
mblk_t *str_ioctl_alloc(int cmd, const void *data, size_t len);

/* The result of an ioctl that the executive sends. */
enum str_ioctl_fate {
	STR_IOCTL_UNSENT,
	STR_IOCTL_SILENT,	/* not answered yet */
	STR_IOCTL_ANSWERED,
	STR_IOCTL_UNKNOWN,	/* ... with EINVAL: no module knows it */
};

int str_ioctl_run(struct stream *sd, mblk_t *mp, enum str_ioctl_fate *fate);
int str_ioctl_force(struct stream *sd, mblk_t *mp, unsigned long patience,
		    enum str_ioctl_fate *fate);

/* copyio.c */
long str_ioctl_transparent(struct stream *sd, unsigned int cmd,
			   unsigned long arg, int model);

#endif /* _STREAMS_HEAD_H */
