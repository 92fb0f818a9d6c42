/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/conf.h - FMNAMESZ, for which programs of System V include it */
#ifndef _SYS_CONF_H
#define _SYS_CONF_H

#include <stropts.h>

#endif /* _SYS_CONF_H */
