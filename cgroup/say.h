/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages */
#ifndef STRSOCK_CGROUP_SAY_H
#define STRSOCK_CGROUP_SAY_H

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* STRSOCK_CGROUP_SAY_H */
