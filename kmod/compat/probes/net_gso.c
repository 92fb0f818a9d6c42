// SPDX-License-Identifier: GPL-2.0-only
/* 6.5: the functions that segment are in <net/gso.h> */
#include <net/gso.h>
