/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/strlog.h - the STREAMS log: strlog(9), log(4) */
#ifndef _SYS_STRLOG_H
#define _SYS_STRLOG_H

#include <linux/types.h>

/* The readers of a message, and its severity */
#define SL_FATAL	0x0001	/* the system, or a part of it, is lost */
#define SL_NOTIFY	0x0002	/* the administrator is to be notified */
#define SL_ERROR	0x0004	/* for error loggers */
#define SL_TRACE	0x0008	/* for tracers */
#define SL_CONSOLE	0x0010	/* for console loggers; none: the kernel's log */
#define SL_WARN		0x0020	/* a warning */
#define SL_NOTE		0x0040	/* a notice */
#define SL_ALL		0x007f

#define LOGMSGSZ	1024	/* bytes of text, with the NUL; more is cut off */

/* The control part of a message read from, or written to, the log. */
struct log_ctl {
	__s16 mid;		/* the module's number, mi_idnum */
	__s16 sid;		/* which of its parts, often the minor number */
	__s8 level;		/* of a trace: low is important */
	__s8 pad;
	__s16 flags;		/* SL_* */
	__s64 ltime;		/* milliseconds since boot */
	__s64 ttime;		/* seconds since 1970 */
	__u32 seq_no;		/* of its kind; a gap: messages were lost */
	__s32 pri;		/* facility and level of syslog(3) */
};

/* The messages that a tracer asks for; -1 in the first two fields: any. */
struct trace_ids {
	__s16 ti_mid;
	__s16 ti_sid;
	__s8 ti_level;		/* this and less; -1: any */
	__s8 pad;
};

#define TRACE_IDS_MOST	64

/* ic_cmd of I_STR: the use of the stream from then on */
#define __LOGID		('L' << 8)
#define I_CONSLOG	(__LOGID | 1)	/* no data */
#define I_TRCLOG	(__LOGID | 2)	/* 1 to TRACE_IDS_MOST struct trace_ids */
#define I_ERRLOG	(__LOGID | 3)	/* no data; EBUSY: another stream reads errors */

#ifdef __KERNEL__
/* strlog.c */
__printf(5, 6)
int strlog(short mid, short sid, char level, unsigned short flags,
	   const char *fmt, ...);
#endif

#endif /* _SYS_STRLOG_H */
