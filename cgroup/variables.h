/* SPDX-License-Identifier: GPL-2.0-only */
/* The variables that strsock(1) has set, and the file of rules that they name */
#ifndef STRSOCK_CGROUP_VARIABLES_H
#define STRSOCK_CGROUP_VARIABLES_H

#include "preload/rules.h"

int variables_said(const char *name);
void variables_rules(rules_each_fn *each, void *arg);

#endif /* STRSOCK_CGROUP_VARIABLES_H */
