/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules and variables of strsock, as a policy for a cgroup */
#ifndef STRSOCK_CGROUP_POLICY_H
#define STRSOCK_CGROUP_POLICY_H

#include "redirect.h"

void policy_read(struct redirect_group *group);

#endif /* STRSOCK_CGROUP_POLICY_H */
