/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/pfmod.h - commands and filters of the packet filter module, by I_STR */
#ifndef _SYS_PFMOD_H
#define _SYS_PFMOD_H

#include <linux/types.h>

#define PFIOC		('P' << 8)
#define PFIOCSETF	(PFIOC | 1)	/* struct packetfilt: set the filter */

#define ENMAXFILTERS	255		/* words of a filter */

struct packetfilt {
	__u8 Pf_Priority;		/* without effect */
	__u8 Pf_FilterLen;		/* words of Pf_Filter; 0: all pass */
	__u16 Pf_Filter[ENMAXFILTERS];
};

/* A word of a filter: an action, then an operator. */
#define ENF_NBPA	10		/* bits of the action */
#define ENF_NBPO	6		/* ... of the operator, above them */

/* Actions: the value that is pushed on the stack */
#define ENF_NOPUSH	0
#define ENF_PUSHLIT	1		/* the next word of the filter */
#define ENF_PUSHZERO	2
#define ENF_PUSHWORD	16		/* with n added: word n of the message */

/* Operators: pop two, and push the result */
#define ENF_NOP		(0 << ENF_NBPA)
#define ENF_EQ		(0x1 << ENF_NBPA)
#define ENF_LT		(2 << ENF_NBPA)
#define ENF_LE		(3 << ENF_NBPA)
#define ENF_GT		(4 << ENF_NBPA)
#define ENF_GE		(5 << ENF_NBPA)
#define ENF_AND		(6 << ENF_NBPA)
#define ENF_OR		(7 << ENF_NBPA)
#define ENF_XOR		(8 << ENF_NBPA)
/* Operators that end the filter, or push nothing */
#define ENF_COR		(9 << ENF_NBPA)		/* equal: accepted */
#define ENF_CAND	(10 << ENF_NBPA)	/* not equal: rejected */
#define ENF_CNOR	(11 << ENF_NBPA)	/* equal: rejected */
#define ENF_CNAND	(12 << ENF_NBPA)	/* not equal: accepted */
#define ENF_NEQ		(13 << ENF_NBPA)

#endif /* _SYS_PFMOD_H */
