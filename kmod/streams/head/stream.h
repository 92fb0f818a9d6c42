/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream: the state of its head, which the parts of a head share */
#ifndef _STREAMS_STREAM_H
#define _STREAMS_STREAM_H

#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include <sys/stream.h>
#include <sys/strio.h>

#include "streams/perim/perim.h"
#include "stat.h"

#define STRHIGH		5120		/* bytes, a head's high water mark */
#define STRLOW		1024		/* bytes, its low water mark */
#define STRMSGSZ	65536		/* bytes, largest data part of a message */
/* The bytes of the largest block found easily; see STRMSG_DATA_MOST */
#define STR_WRITE_BLOCK	(4 * PAGE_SIZE - sizeof(void *))
#define STRCTLSZ	1024		/* bytes, largest control part */
#define NSTRPUSH	16		/* modules on one stream */
#define STRTIMOUT	15		/* seconds, I_STR's default */
#define STRCLTIME	15000		/* milliseconds, I_SETCLTIME's default */
#define STRCLTIME_MOST	60000		/* milliseconds, the longest that it takes */

/* The bits of sd_flag, under the read queue's lock */
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
#define STR_SIGNALS	0x0800	/* there may be an M_SIG on the queue */

/* A flag besides those of a file: the call wants no SIGPIPE. */
#define STR_NOSIGNAL	BIT(31)
/*
 * The call takes the part of a packet that fits, and does not wait for more
 * bytes.
 */
#define STR_SPLICE	BIT(30)

/*
 * The form in which data waits for the reader of a head. A ring's form ends for
 * good when its bytes become messages.
 */
enum str_form {
	STR_MESSAGES,	/* on the read queue */
	STR_BYTES,	/* in the ring of a FIFO */
	STR_RECORDS,	/* in a ring of a full-duplex pipe, which keeps writes apart */
};

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
	struct hlist_head sigs;		/* registrations for SIGPOLL, watch.c */
	unsigned int nsigs;		/* how many */
	unsigned int nsig_groups;	/* of those, of process groups */
	unsigned long wfull;		/* STR_WFULL_*: found full when last asked */
	DECLARE_BITMAP(wbands, 256);	/* bands above 0 ever sent in */
	struct str_hold *hold;		/* hold.c */
	unsigned int cltime;		/* milliseconds, I_SETCLTIME */
	unsigned int id;		/* as I_FDINSERT sends it; 0: none yet */
	struct list_head links;		/* streams linked below its driver, mux_links.c */
	const struct strdrv *above;	/* the driver that it is linked below, to be shown */
	u32 muxid;			/* of that link */
	u64 control;			/* the id of its control stream; 0: persistent */
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
	struct strring *sd_ring;	/* a pipe's, that it reads from, or read from; or NULL */
	unsigned int sd_flag;
	bool sd_rwatch;			/* once, for signals; set for good */
	bool sd_wwatch;			/* ... when there is room to write */
	bool sd_wpolled;		/* once, for room; set for good */
	u8 sd_form;			/* enum str_form, under both mutexes of sd_ring */
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
	bool sd_reading_lent;		/* sd_reading, to a task without sd_read_mutex */
	bool sd_linked;			/* below a multiplexor, or about to be, mux_links.c */
	unsigned short sd_tail;		/* bytes left free after written data */
	unsigned short sd_wcpu;		/* CPU of the writer that slept last */
	unsigned int sd_passed;		/* files on the read queue, passfp.c */
	unsigned int sd_flying;		/* its own files in flight */
	unsigned int sd_names;		/* names that keep it open */
	struct mutex sd_fill_mutex;	/* held by a task that splices messages in */
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
	/*
	 * Counts the room of a pushed module's queues, in bytes, or subtracts it with a
	 * negative number. Returns 0, or -EAGAIN if the user may have no more. NULL: the
	 * room is not counted.
	 */
	int (*sd_charge)(struct stream *sd, long room);
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
 * Records that band 0, or another band, was found full. Called before the look
 * that confirms it.
 */
static inline void str_found_full(struct stream *sd, unsigned char band)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (more)
		set_bit(band ? STR_WFULL_BAND : STR_WFULL_NORM, &more->wfull);
}

/*
 * Returns whether the first message of the read queue is for signals; called
 * under q_lock.
 */
static inline bool str_signal_first(const queue_t *q)
{
	lockdep_assert_held(&q->q_lock);
	return q->q_first && unlikely(DB_TYPE(q->q_first) == M_SIG);
}

/* Returns whether str_write_error() would return an error. */
static inline bool str_write_broken(const struct stream *sd)
{
	return READ_ONCE(sd->sd_flag) &
	       (STR_HUP | STR_WERR | STR_NOREADER | STR_CLOSING | STR_PLEX);
}

int str_error_taken(struct stream *sd, bool writing);
/*
 * Returns the error that M_ERROR left for one side, 0 if none. The error stays,
 * unless the stream was told to forget it when it was reported (RERRNONPERSIST,
 * WERRNONPERSIST). A stream linked below a multiplexor returns -EINVAL.
 */
static inline int str_take_error(struct stream *sd, bool writing)
{
	unsigned int flag = (writing ? STR_WERR : STR_RERR) | STR_PLEX;

	return likely(!(READ_ONCE(sd->sd_flag) & flag)) ? 0 :
	       str_error_taken(sd, writing);
}

struct str_more *str_more(struct stream *sd, gfp_t gfp);

/* The modes that read() and write() obey, of a file and of one call */
static inline unsigned int iocb_fflags(const struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags |
	       (iocb->ki_flags & IOCB_NOWAIT ? O_NONBLOCK : 0) |
	       (iocb->ki_flags & IOCB_NOSIGNAL ? STR_NOSIGNAL : 0);
}

#endif /* _STREAMS_STREAM_H */
