/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/xti.h - the name that AIX and HP-UX programs use for xti.h */
#ifndef _SYS_XTI_H
#define _SYS_XTI_H

#include <xti.h>

#endif /* _SYS_XTI_H */
