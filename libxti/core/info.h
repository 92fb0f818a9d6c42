/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* info.h - information about a provider */
#ifndef _LIBXTI_CORE_INFO_H
#define _LIBXTI_CORE_INFO_H

#include "endpoint.h"

/*
 * Asks the provider by TI_GETINFO or TI_SYNC, and stores its state. "in" is
 * held.
 */
LOCAL int info_fetch(struct endpoint *ep, int cmd, int *current);

#endif /* _LIBXTI_CORE_INFO_H */
