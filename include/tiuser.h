/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tiuser.h - the Transport Layer Interface of SVR3 and SVR4
 *
 * XTI under its older name: the functions, the structures and their values are
 * those of <xti.h>, which has more of each. A source file includes one of the
 * two. The types differ that programs for TLI declare again, or rely on: netbuf's
 * buf, and what t_alloc(), t_error() and t_strerror() return.
 */
#ifndef _TIUSER_H
#define _TIUSER_H

#ifndef _XTI_H
#define _XTI_BUF		char
#define _XTI_ERROR		void
#define _XTI_TEXT		char
#endif
#include <xti.h>

#define T_BIND_STR		T_BIND
#define T_OPTMGMT_STR		T_OPTMGMT
#define T_CALL_STR		T_CALL
#define T_DIS_STR		T_DIS
#define T_UNITDATA_STR		T_UNITDATA
#define T_UDERROR_STR		T_UDERROR
#define T_INFO_STR		T_INFO

#define T_ERROR			0x0020	/* an event that never comes */
#define T_EVENTS		0x00ff
#define T_FAKE			8	/* a state that never is */
#define T_NOSTATES		9

/* The argument of t_getname() */
#define LOCALNAME		0
#define REMOTENAME		1

#ifndef SENDZERO
#define SENDZERO		0x001
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The texts that t_strerror() has, in English; t_nerr is how many. */
extern char *t_errlist[];
extern int t_nerr;

int t_getname(int fd, struct netbuf *name, int type);

#ifdef __cplusplus
}
#endif

#endif /* _TIUSER_H */
