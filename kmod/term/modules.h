/* SPDX-License-Identifier: GPL-2.0-only */
/* modules.h - the modules of strterm.ko */
#ifndef _TERM_MODULES_H
#define _TERM_MODULES_H

#include <sys/stream.h>

extern struct strmod ldterm_mod;
extern struct strmod ptem_mod;

#endif /* _TERM_MODULES_H */
