/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/sad.h - the STREAMS administrative device: modules pushed when a device
 * is opened
 *
 * A device is named by the major and minor number of its node under
 * /dev/streams, as stat(2) gives them.
 */
#ifndef _SYS_SAD_H
#define _SYS_SAD_H

#include <stropts.h>

#define SADIOC		('D' << 8)
#define SAD_SAP		(SADIOC | 01)	/* set: struct strapush * */
#define SAD_GAP		(SADIOC | 02)	/* get: struct strapush * */
#define SAD_VML		(SADIOC | 03)	/* are these modules: struct str_list * */

/* sap_cmd */
#define SAP_CLEAR	0		/* forget what is configured */
#define SAP_ONE		1		/* one minor number */
#define SAP_RANGE	2		/* sap_minor to sap_lastminor */
#define SAP_ALL		3		/* all minor numbers */

#define MAXAPUSH	8		/* modules of one device */

struct strapush {
	__u32 sap_cmd;
	__u32 sap_major;
	__u32 sap_minor;
	__u32 sap_lastminor;
	__u32 sap_npush;
	char sap_list[MAXAPUSH][STRNAMESZ];	/* pushed first, first */
};

#define SAD_DEVICE	"/dev/streams/sad"

#endif /* _SYS_SAD_H */
