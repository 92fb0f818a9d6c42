/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/conf.h - struct fmodsw: a module as System V has it */
#ifndef _DDI_SYS_CONF_H
#define _DDI_SYS_CONF_H

#include <sys/stream.h>
#include <sys/types.h>

/* f_flag: D_MTQPAIR and the others of <sys/stream.h>, and these, which are 0 */
#define D_OLD		0
#define D_NEW		0
#define D_MP		0	/* a stream is single-threaded, whatever it says */

struct fmodsw {
	char f_name[FMNAMESZ + 1];
	struct streamtab *f_str;
	int f_flag;
};

#endif /* _DDI_SYS_CONF_H */
