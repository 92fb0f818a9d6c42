/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/log.h - the name some System V programs use for sys/strlog.h */
#ifndef _SYS_LOG_H
#define _SYS_LOG_H

#include <sys/strlog.h>

#endif /* _SYS_LOG_H */
