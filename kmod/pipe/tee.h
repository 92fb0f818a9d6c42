/* SPDX-License-Identifier: GPL-2.0-only */
/* tee() between pipes */
#ifndef _STRPIPE_TEE_H
#define _STRPIPE_TEE_H

#include <sys/strio.h>

long strpipe_tee(const struct strio_splice __user *arg);

#endif /* _STRPIPE_TEE_H */
