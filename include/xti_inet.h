/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* xti_inet.h - the name in the X/Open specification for sys/xti_inet.h */
#ifndef _XTI_INET_H
#define _XTI_INET_H

#include <sys/xti_inet.h>

#endif /* _XTI_INET_H */
