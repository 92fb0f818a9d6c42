/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/tiuser.h - the name that UnixWare and AIX programs use for tiuser.h */
#ifndef _SYS_TIUSER_H
#define _SYS_TIUSER_H

#include <tiuser.h>

#endif /* _SYS_TIUSER_H */
