/* SPDX-License-Identifier: GPL-2.0-only */
/* side.h - the two directions of a module, as its setting "dir" names them */
#ifndef _MODULES_SIDE_H
#define _MODULES_SIDE_H

enum { BOTH, OUT, IN };

/* The names for strparam_word() */
static const char *const directions[] = { "both", "out", "in", NULL };

#endif /* _MODULES_SIDE_H */
