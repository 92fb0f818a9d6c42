/* SPDX-License-Identifier: GPL-2.0-only */
/* bcopy() and its like, which are in ddi.h here */
#ifndef _DDI_SYS_SYSTM_H
#define _DDI_SYS_SYSTM_H

#include <sys/ddi.h>

#endif /* _DDI_SYS_SYSTM_H */
