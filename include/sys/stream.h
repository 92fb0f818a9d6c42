/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/stream.h - the STREAMS module and driver interface (SVR4.2 DDI/DKI)
 *
 * For kernel modules. A module or driver fills a struct streamtab, registers
 * it with strmod_register() or strdrv_register(), and uses the functions
 * declared here. Section 9 of the manual describes them.
 *
 * Programs have from it what <stropts.h> has, and the types of messages.
 */
#ifndef _SYS_STREAM_H
#define _SYS_STREAM_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#endif
#include <stropts.h>

#ifdef __KERNEL__
struct seq_file;
struct sk_buff;
struct stream;
struct strperim;

typedef const struct cred cred_t;

/*
 * Messages
 */

/*
 * The function that esballoc() has called when the last reference to its buffer
 * is dropped.
 */
typedef struct free_rtn {
	void (*free_func)(char *arg);
	char *free_arg;
} frtn_t;

/* A data block: the owner of the bytes, and how many message blocks refer to them. */
typedef struct datab {
	unsigned char *db_base;		/* first byte of the buffer */
	unsigned char *db_lim;		/* first byte after it */
	union {
		struct free_rtn *db_frtnp;	/* DB_EXTERNAL */
		struct sk_buff *db_skb;		/* DB_SKB */
	};
	union {				/* message blocks that point here */
		atomic_t db_count;
		int db_ref;		/* to be read, never written */
	};
	unsigned char db_type;		/* M_DATA, M_PROTO ... */
	unsigned char db_form;		/* where the buffer came from; private */
} dblk_t;

/*
 * A message block: one view of a data block. The first two words double as
 * the entry in a perimeter's inbox while the message waits there.
 */
typedef struct msgb {
	struct msgb *b_next;		/* next message on the queue */
	struct msgb *b_prev;		/* previous message on the queue */
	struct msgb *b_cont;		/* next block of this message */
	unsigned char *b_rptr;		/* first unread byte */
	unsigned char *b_wptr;		/* first unwritten byte */
	struct datab *b_datap;
	unsigned char b_band;		/* priority band, 0 to 255 */
	unsigned char b_form;		/* how it was allocated; private */
	unsigned short b_flag;		/* MSGMARK ... */
	unsigned int b_counts;		/* bytes it counts for on its queue; private */
} mblk_t;

/* b_flag */
#define MSGMARK		0x0001	/* last byte is marked, I_ATMARK */
#define MSGNOLOOP	0x0002	/* not to be looped to the write side */
#define MSGDELIM	0x0004	/* ends a record: read() stops here */
#define MSGPACKET	0x0008	/* a packet: read() drops what it has no room for */
#define MSGOBJECT	0x0010	/* counts for its memory, not for its bytes alone */
#define MSGECHO		0x0020	/* a terminal's echo, which another one does not echo */
#else
typedef struct msgb mblk_t;
typedef struct datab dblk_t;
typedef struct queue queue_t;
#endif /* __KERNEL__ */

/* Normal message types */
#define M_DATA		0x00
#define M_PROTO		0x01
#define M_BREAK		0x08
#define M_PASSFP	0x09
#define M_SIG		0x0b
#define M_DELAY		0x0c
#define M_CTL		0x0d
#define M_IOCTL		0x0e
#define M_SETOPTS	0x10
#define M_RSE		0x11
/* High priority message types */
#define QPCTL		0x80
#define M_IOCACK	0x81
#define M_IOCNAK	0x82
#define M_PCPROTO	0x83
#define M_PCSIG		0x84
#define M_READ		0x85
#define M_FLUSH		0x86
#define M_STOP		0x87
#define M_START		0x88
#define M_HANGUP	0x89
#define M_ERROR		0x8a
#define M_COPYIN	0x8b
#define M_COPYOUT	0x8c
#define M_IOCDATA	0x8d
#define M_PCRSE		0x8e
#define M_STOPI		0x8f
#define M_STARTI	0x90
#define M_UNHANGUP	0x92

#ifdef __KERNEL__
/* Second byte of M_ERROR's one-sided form: no error on that side. */
#define NOERROR		((unsigned char)-1)
/* First byte of M_FLUSH: a band number follows. */
#define FLUSHBAND	0x04
/* flushq(), flushband() */
#define FLUSHALL	1
#define FLUSHDATA	0

/* allocb() priorities; historic, all the same today */
#define BPRI_LO		1
#define BPRI_MED	2
#define BPRI_HI		3

/* M_IOCTL, M_IOCACK, M_IOCNAK */
struct iocblk {
	int ioc_cmd;
	cred_t *ioc_cr;			/* the caller's; valid until answered */
	unsigned int ioc_id;
	size_t ioc_count;		/* bytes of data, or TRANSPARENT */
	int ioc_error;
	int ioc_rval;
	int ioc_flag;
};

#define TRANSPARENT	((size_t)-1)

/* ioc_flag, cq_flag: the sizes that the caller's structures are made of */
#define IOC_ILP32	0x1	/* int, long and pointers of 32 bits */
#define IOC_LP64	0x2	/* long and pointers of 64 bits */
#define IOC_MODELS	0x3
#define IOC_NONE	0x0	/* the kernel itself */
#ifdef CONFIG_64BIT
#define IOC_NATIVE	IOC_LP64
#else
#define IOC_NATIVE	IOC_ILP32
#endif

/* M_COPYIN, M_COPYOUT; in the place of the struct iocblk */
struct copyreq {
	int cq_cmd;
	cred_t *cq_cr;
	unsigned int cq_id;
	char *cq_addr;			/* the user's, never followed here */
	size_t cq_size;			/* bytes, at most 65,536 */
	int cq_flag;
	mblk_t *cq_private;		/* comes back in cp_private */
};

/* M_IOCDATA; in the same place */
struct copyresp {
	int cp_cmd;
	cred_t *cp_cr;			/* NULL when the caller no longer waits */
	unsigned int cp_id;
	char *cp_rval;			/* 0, or the copy failed: clean up */
	size_t cp_pad1;
	int cp_flag;			/* as ioc_flag was */
	mblk_t *cp_private;
};

/* The data of I_LINK, I_UNLINK, I_PLINK and I_PUNLINK for a driver */
struct linkblk {
	struct queue *l_qtop;		/* its write queue; NULL: I_PLINK */
	struct queue *l_qbot;		/* the lower stream's write queue */
	int l_index;			/* the muxid */
};

/* M_SETOPTS */
struct stroptions {
	unsigned int so_flags;
	short so_readopt;
	unsigned short so_wroff;
	ssize_t so_minpsz;
	ssize_t so_maxpsz;
	size_t so_hiwat;
	size_t so_lowat;
	unsigned char so_band;
	unsigned short so_erropt;
	ssize_t so_maxblk;
	unsigned short so_copyopt;
	unsigned short so_tail;
};

#define SO_READOPT	0x000001
#define SO_WROFF	0x000002
#define SO_MINPSZ	0x000004
#define SO_MAXPSZ	0x000008
#define SO_HIWAT	0x000010
#define SO_LOWAT	0x000020
#define SO_MREADON	0x000040
#define SO_MREADOFF	0x000080
#define SO_NDELON	0x000100
#define SO_NDELOFF	0x000200
#define SO_ISTTY	0x000400
#define SO_ISNTTY	0x000800
#define SO_TOSTOP	0x001000
#define SO_TONSTOP	0x002000
#define SO_BAND		0x004000
#define SO_DELIM	0x008000
#define SO_NODELIM	0x010000
#define SO_STRHOLD	0x020000
#define SO_ERROPT	0x040000
#define SO_COPYOPT	0x080000
#define SO_MAXBLK	0x100000
#define SO_TAIL		0x200000

/*
 * Queues
 */
struct queue;

struct module_info {
	unsigned short mi_idnum;
	const char *mi_idname;
	ssize_t mi_minpsz;		/* bytes, smallest packet */
	ssize_t mi_maxpsz;		/* bytes, largest packet; INFPSZ: any */
	size_t mi_hiwat;		/* bytes */
	size_t mi_lowat;		/* bytes */
};

#define INFPSZ		(-1)

struct module_stat;

/* sflag of an open procedure */
#define MODOPEN		0x1	/* opened as a module */
#define CLONEOPEN	0x2	/* opened through a clone device */

struct qinit {
	int (*qi_putp)(struct queue *q, mblk_t *mp);
	int (*qi_srvp)(struct queue *q);
	int (*qi_qopen)(struct queue *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr);
	int (*qi_qclose)(struct queue *q, int oflag, cred_t *cr);
	int (*qi_qadmin)(void);
	struct module_info *qi_minfo;
	struct module_stat *qi_mstat;
	/*
	 * Prints what the instance is set to or has counted, for strstat: ":NAME=VALUE" for
	 * each. Of the read side; or NULL. The caller is an RCU reader and no procedure.
	 */
	void (*qi_show)(struct queue *q, struct seq_file *m);
	/*
	 * The function takes the settings of the instance of another read queue, whose
	 * procedures may run meanwhile. It is of the read side, is called before any message
	 * comes, and may sleep; or NULL.
	 */
	void (*qi_like)(struct queue *q, struct queue *model);
};

struct streamtab {
	struct qinit *st_rdinit;
	struct qinit *st_wrinit;
	struct qinit *st_muxrinit;
	struct qinit *st_muxwinit;
};

/* A priority band of a queue; band 0 is in the queue itself. */
struct qband {
	size_t qb_count;		/* bytes queued in this band */
	mblk_t *qb_first;
	mblk_t *qb_last;
	size_t qb_hiwat;
	size_t qb_lowat;
	unsigned int qb_flag;		/* QB_FULL, QB_WANTW */
};

#define QB_FULL		0x01
#define QB_WANTW	0x02

/* Private: an entry that waits in a perimeter's inbox. */
struct strperim_item {
	struct llist_node node;
	unsigned long what;
};

typedef struct queue {
	struct qinit *q_qinfo;
	mblk_t *q_first;		/* highest priority first */
	mblk_t *q_last;
	struct queue __rcu *q_next;
	void *q_ptr;			/* the module's own */
	size_t q_count;			/* bytes queued in band 0 */
	unsigned int q_flag;		/* under q_lock */
	unsigned char q_nband;		/* highest band ever used */
	unsigned int q_msgs;		/* messages queued in all bands */
	size_t q_data;			/* bytes of data in them */
	ssize_t q_minpsz;
	ssize_t q_maxpsz;
	size_t q_hiwat;
	size_t q_lowat;
	struct qband *q_bandp;		/* q_nband of them, band 1 first */
	/* The executive's own, except for q_lock: */
	size_t q_above;			/* bytes queued in all bands above 0 */
	size_t q_abovehi;		/* bytes, their high water mark; 0: by q_hiwat */
	bool q_abovew;			/* a sender waits for q_above to fall */
	spinlock_t q_lock;		/* messages, counts and flags; irq-safe */
	unsigned long q_sched;		/* bit 0: enabled, waits for its service */
	struct strperim_item q_item;	/* its place in the inbox then */
	struct strperim *q_perim;
	struct stream *q_stream;	/* the head of the stream it is in */
} queue_t;

/* q_flag */
#define QREADR		0x0001	/* a read queue */
#define QNOENB		0x0002	/* putq() does not enable it */
#define QFULL		0x0004	/* band 0 reached its high water mark */
#define QWANTR		0x0008	/* getq() found it empty */
#define QWANTW		0x0010	/* a sender waits for room in band 0 */
#define QUSE		0x0020	/* in use */
/* The other bits are the executive's. */

/* strqget(), strqset() */
typedef enum qfields {
	QHIWAT,
	QLOWAT,
	QMAXPSZ,
	QMINPSZ,
	QCOUNT,
	QFIRST,
	QLAST,
	QFLAG,
	QBAD
} qfields_t;

static inline queue_t *RD(queue_t *q)
{
	return q->q_flag & QREADR ? q : q - 1;
}

static inline queue_t *WR(queue_t *q)
{
	return q->q_flag & QREADR ? q + 1 : q;
}

static inline queue_t *OTHERQ(queue_t *q)
{
	return q->q_flag & QREADR ? q + 1 : q - 1;
}

static inline int datamsg(unsigned char type)
{
	return type == M_DATA || type == M_PROTO || type == M_PCPROTO ||
	       type == M_DELAY;
}

#define DB_TYPE(mp)	((mp)->b_datap->db_type)
#define DB_BASE(mp)	((mp)->b_datap->db_base)
#define DB_LIM(mp)	((mp)->b_datap->db_lim)
#define DB_REF(mp)	atomic_read(&(mp)->b_datap->db_count)
#define MBLKL(mp)	((mp)->b_wptr - (mp)->b_rptr)
#define MBLKSIZE(mp)	((mp)->b_datap->db_lim - (mp)->b_datap->db_base)

/* message blocks */
mblk_t *allocb(size_t size, unsigned int pri);
mblk_t *allocb_gfp(size_t size, gfp_t gfp);
mblk_t *reallocb(mblk_t *mp, size_t size, int copy);
mblk_t *esballoc(unsigned char *base, size_t size, unsigned int pri,
		 frtn_t *frtnp);
mblk_t *desballoc(unsigned char *base, size_t size, unsigned int pri,
		  frtn_t *frtnp);
mblk_t *skballoc(struct sk_buff *skb, gfp_t gfp);
int testb(size_t size, unsigned int pri);
void freeb(mblk_t *bp);
void freemsg(mblk_t *mp);
mblk_t *dupb(mblk_t *bp);
mblk_t *dupmsg(mblk_t *mp);
mblk_t *copyb(mblk_t *bp);
mblk_t *copymsg(mblk_t *mp);

/* whole messages */
void linkb(mblk_t *mp, mblk_t *tail);
mblk_t *unlinkb(mblk_t *mp);
mblk_t *rmvb(mblk_t *mp, mblk_t *bp);
int adjmsg(mblk_t *mp, ssize_t len);
int pullupmsg(mblk_t *mp, ssize_t len);
mblk_t *msgpullup(mblk_t *mp, ssize_t len);
size_t msgdsize(const mblk_t *mp);
size_t msgsize(const mblk_t *mp);

/* queues */
int putq(queue_t *q, mblk_t *mp);
int putbq(queue_t *q, mblk_t *mp);
mblk_t *getq(queue_t *q);
int insq(queue_t *q, mblk_t *emp, mblk_t *nmp);
void rmvq(queue_t *q, mblk_t *mp);
void flushq(queue_t *q, int flag);
void flushband(queue_t *q, unsigned char pri, int flag);
int qsize(queue_t *q);
int strqget(queue_t *q, qfields_t what, unsigned char pri, long *valp);
int strqset(queue_t *q, qfields_t what, unsigned char pri, long val);

/* flow control */
int canput(queue_t *q);
int bcanput(queue_t *q, unsigned char pri);
int canputnext(queue_t *q);
int bcanputnext(queue_t *q, unsigned char pri);
void qenable(queue_t *q);
void enableok(queue_t *q);
void noenable(queue_t *q);
int canenable(queue_t *q);
queue_t *backq(queue_t *q);
int SAMESTR(queue_t *q);

/* passing messages */
void put(queue_t *q, mblk_t *mp);
void putnext(queue_t *q, mblk_t *mp);
void qreply(queue_t *q, mblk_t *mp);
int putctl(queue_t *q, int type);
int putctl1(queue_t *q, int type, int param);
int putnextctl(queue_t *q, int type);
int putnextctl1(queue_t *q, int type, int param);

/* the identity that I_FDINSERT stores */
unsigned int strid(queue_t *q);

/* Procedures on and off, and waiting */
void qprocson(queue_t *q);
void qprocsoff(queue_t *q);
void qwait(queue_t *q);
int qwait_sig(queue_t *q);

/* These keep other tasks from changing a queue. */
void freezestr(queue_t *q);
void unfreezestr(queue_t *q);

/* functions called later; no call has the number 0 */
typedef unsigned long bufcall_id_t;
typedef unsigned long timeout_id_t;

bufcall_id_t bufcall(size_t size, unsigned int pri, void (*func)(void *arg),
		     void *arg);
void unbufcall(bufcall_id_t id);
bufcall_id_t qbufcall(queue_t *q, size_t size, unsigned int pri,
		      void (*func)(void *arg), void *arg);
void qunbufcall(queue_t *q, bufcall_id_t id);
timeout_id_t qtimeout(queue_t *q, void (*func)(void *arg), void *arg,
		      clock_t ticks);
clock_t quntimeout(queue_t *q, timeout_id_t id);

/* qwriter(): the procedures to exclude */
#define PERIM_INNER	1	/* those of the queue's own perimeter */
#define PERIM_OUTER	2	/* all procedures of the module, on any stream */

void qwriter(queue_t *q, mblk_t *mp, void (*func)(queue_t *q, mblk_t *mp),
	     int perimeter);

/*
 * Registration
 */

/*
 * The procedures of a module that run one at a time. Without flags those are
 * all of a stream: no put or service procedure of any of its queues runs beside
 * another.
 */
#define D_MTQPAIR	0x1	/* the two queues of one instance, no more */
#define D_MTPERMOD	0x2	/* all instances of the module, on any stream */
#define D_MTOUTPERIM	0x4	/* qwriter() may ask for PERIM_OUTER */
#define D_MTOCEXCL	0x8	/* its open and close procedures, one at a time */

struct strouter;
struct strminors;

/* A module, which I_PUSH finds by its name. */
struct strmod {
	const char *name;		/* at most STRNAMESZ - 1 bytes */
	const struct streamtab *tab;
	struct module *owner;		/* THIS_MODULE */
	struct list_head list;		/* the registry's */
	unsigned int flags;		/* D_MTQPAIR ... */
	struct strouter *outer;		/* the registry's */
	bool passes;			/* data passes through at once, and unchanged */
};

/*
 * A driver: opening /dev/streams/NAME finds it. Each open makes a stream; an
 * open of a minor device joins the stream that it has, if it has one.
 */
struct strdrv {
	const char *name;
	const struct streamtab *tab;
	struct module *owner;		/* THIS_MODULE */
	int minor;			/* given by strdrv_register() */
	struct list_head list;		/* the registry's */
	unsigned int flags;		/* D_MTQPAIR ... */
	struct strouter *outer;		/* the registry's */
	unsigned int minors;		/* of /dev/streams/NAME0 ..., or 0 */
	struct strminors *devices;	/* the registry's */
	/*
	 * The executive's: returns the message for I_PEEK that is not on the
	 * queue; or NULL
	 */
	mblk_t *(*look)(struct stream *sd);
	/* An ioctl was sent down, and this task is about to wait for it; or NULL */
	void (*sent)(struct stream *sd);
};

/* the registry */
int strmod_register(struct strmod *mod);
void strmod_unregister(struct strmod *mod);
int strdrv_register(struct strdrv *drv);
void strdrv_unregister(struct strdrv *drv);
#endif /* __KERNEL__ */

#endif /* _SYS_STREAM_H */
