/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/types.h - the types of System V's kernels */
#ifndef _DDI_SYS_TYPES_H
#define _DDI_SYS_TYPES_H

#include <linux/types.h>

typedef unsigned char uchar_t;
typedef unsigned short ushort_t;
typedef unsigned int uint_t;
typedef unsigned long ulong_t;
typedef long long longlong_t;
typedef unsigned long long u_longlong_t;
typedef char *caddr_t;
typedef unsigned int major_t;
typedef unsigned int minor_t;
typedef long intptr_t;
typedef enum { B_FALSE, B_TRUE } boolean_t;

#endif /* _DDI_SYS_TYPES_H */
