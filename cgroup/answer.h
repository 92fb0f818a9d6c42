/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers to calls that were announced */
#ifndef STRSOCK_CGROUP_ANSWER_H
#define STRSOCK_CGROUP_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

struct seccomp_notif;

int answer_begin(void);
void answer_call(int listener, const struct seccomp_notif *call);
void answer_natively(int listener, uint64_t id);
bool answer_is_awaited(int listener, uint64_t id);

#endif /* STRSOCK_CGROUP_ANSWER_H */
