/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stropts.h - the STREAMS interface (POSIX.1-2001 XSI STREAMS, SVR4.2)
 *
 * The ioctl commands share their number space with Linux's CD-ROM ioctls
 * ('S' << 8): prove that a descriptor is a stream with isastream() before
 * sending it one.
 */
#ifndef _STROPTS_H
#define _STROPTS_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <sys/types.h>
#include <sys/ioctl.h>
#endif

/*
 * Names of modules. System V has 8, and programs have char name[FMNAMESZ + 1]
 * for I_LOOK, which stores longer names too: so this is the longest there is.
 */
#define FMNAMESZ	31	/* bytes, without the NUL */
#define STRNAMESZ	32	/* bytes, with it */

/* Stream-head ioctls; octal-looking gaps are the historic numbers. */
#define __SID		('S' << 8)
#define I_NREAD		(__SID | 1)
#define I_PUSH		(__SID | 2)
#define I_POP		(__SID | 3)
#define I_LOOK		(__SID | 4)
#define I_FLUSH		(__SID | 5)
#define I_SRDOPT	(__SID | 6)
#define I_GRDOPT	(__SID | 7)
#define I_STR		(__SID | 010)
#define I_SETSIG	(__SID | 011)
#define I_GETSIG	(__SID | 012)
#define I_FIND		(__SID | 013)
#define I_LINK		(__SID | 014)
#define I_UNLINK	(__SID | 015)
#define I_RECVFD	(__SID | 016)
#define I_PEEK		(__SID | 017)
#define I_FDINSERT	(__SID | 020)
#define I_SENDFD	(__SID | 021)
#define I_SWROPT	(__SID | 023)
#define I_GWROPT	(__SID | 024)
#define I_LIST		(__SID | 025)
#define I_PLINK		(__SID | 026)
#define I_PUNLINK	(__SID | 027)
#define I_ANCHOR	(__SID | 030)
#define I_FLUSHBAND	(__SID | 034)
#define I_CKBAND	(__SID | 035)
#define I_GETBAND	(__SID | 036)
#define I_ATMARK	(__SID | 037)
#define I_SETCLTIME	(__SID | 040)
#define I_GETCLTIME	(__SID | 041)
#define I_CANPUT	(__SID | 042)
#define I_SERROPT	(__SID | 043)
#define I_GERROPT	(__SID | 044)
#define I_ESETSIG	(__SID | 045)
#define I_EGETSIG	(__SID | 046)

/* I_FLUSH, bi_flag of I_FLUSHBAND, and the first byte of M_FLUSH */
#define FLUSHR		0x01
#define FLUSHW		0x02
#define FLUSHRW		0x03

/* I_SRDOPT */
#define RNORM		0x0000	/* byte-stream mode */
#define RMSGD		0x0001	/* message-discard mode */
#define RMSGN		0x0002	/* message-nondiscard mode */
#define RPROTDAT	0x0004	/* read() returns control parts as data */
#define RPROTDIS	0x0008	/* read() discards control parts */
#define RPROTNORM	0x0010	/* read() fails with EBADMSG at a control part */
#define RFLUSHPCPROT	0x0020	/* SVR4.2: flushing spares no M_PCPROTO */
#define RFILL		0x0040	/* read() waits until it has all it asked for */

/* I_SWROPT */
#define SNDZERO		0x001	/* write() of 0 bytes sends a message */
#define SNDPIPE		0x002	/* EPIPE and SIGPIPE after a write error */
#define SNDHOLD		0x004	/* short writes wait a little for the next one */
#define SNDMREAD	0x008	/* read() notifies the stream below when it has to wait */

/* I_SERROPT */
#define RERRNORM	0x01
#define RERRNONPERSIST	0x02
#define WERRNORM	0x04
#define WERRNONPERSIST	0x08

/* I_SETSIG */
#define S_INPUT		0x0001
#define S_HIPRI		0x0002
#define S_OUTPUT	0x0004
#define S_MSG		0x0008
#define S_ERROR		0x0010
#define S_HANGUP	0x0020
#define S_RDNORM	0x0040
#define S_WRNORM	S_OUTPUT
#define S_RDBAND	0x0080
#define S_WRBAND	0x0100
#define S_BANDURG	0x0200

/* I_ESETSIG, I_EGETSIG */
struct strsigset {
	pid_t ss_pid;		/* > 0: a process, < 0: a group, 0: the caller */
	int ss_events;		/* S_INPUT ... */
};

/* getmsg(), putmsg() flags; I_PEEK takes RS_HIPRI too */
#define RS_HIPRI	0x01
/* getpmsg(), putpmsg() flags */
#define MSG_HIPRI	0x01
#define MSG_ANY		0x02
#define MSG_BAND	0x04
/* getmsg(), getpmsg() results */
#define MORECTL		1
#define MOREDATA	2

/* I_ATMARK */
#define ANYMARK		0x01
#define LASTMARK	0x02

/* I_UNLINK, I_PUNLINK */
#define MUXID_ALL	(-1)

#define INFTIM		(-1)

struct strbuf {
	int maxlen;		/* size of buf; -1: leave this part alone */
	int len;		/* bytes in buf; -1: no such part */
	char *buf;
};

struct strpeek {
	struct strbuf ctlbuf;
	struct strbuf databuf;
	__u32 flags;
};

struct strfdinsert {
	struct strbuf ctlbuf;
	struct strbuf databuf;
	__u32 flags;
	int fildes;
	int offset;
};

struct strioctl {
	int ic_cmd;		/* command for a module or the driver */
	int ic_timout;		/* seconds; -1: for ever, 0: the default of 15 */
	int ic_len;		/* bytes at ic_dp, in and out */
	char *ic_dp;
};

struct strrecvfd {
	int fd;
	uid_t uid;
	gid_t gid;
	char fill[8];
};

struct str_mlist {
	char l_name[STRNAMESZ];
};

struct str_list {
	int sl_nmods;
	struct str_mlist *sl_modlist;
};

struct bandinfo {
	unsigned char bi_pri;
	int bi_flag;
};

#ifndef __KERNEL__
#ifdef __cplusplus
extern "C" {
#endif

int fattach(int fildes, const char *path);
int fdetach(const char *path);
int isastream(int fildes);
int getmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	   int *flagsp);
int getpmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	    int *bandp, int *flagsp);
int putmsg(int fildes, const struct strbuf *ctlptr,
	   const struct strbuf *dataptr, int flags);
int putpmsg(int fildes, const struct strbuf *ctlptr,
	    const struct strbuf *dataptr, int band, int flags);

#ifdef __cplusplus
}
#endif
#endif /* !__KERNEL__ */

#endif /* _STROPTS_H */
