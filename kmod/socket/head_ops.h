/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls on a STREAMS socket that has a stream */
#ifndef _SOCKET_HEAD_OPS_H
#define _SOCKET_HEAD_OPS_H

#include "head.h"

void __init strsock_head_ops_init(struct proto_ops *ops, const struct proto_ops *bare);

#endif /* _SOCKET_HEAD_OPS_H */
