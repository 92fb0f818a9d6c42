/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.h - lists of options, as programs have them */
#ifndef _LIBXTI_CORE_OPTIONS_H
#define _LIBXTI_CORE_OPTIONS_H

#include <stddef.h>

#include "error.h"

/*
 * Finds the next option of a list, and steps over it. Returns 1; 0 at the end
 * of the list; -1 when the list is malformed.
 */
LOCAL int options_next(const char **at, size_t *left, struct t_opthdr *oh,
		       const char **value);
/* Reads a number of the length that the program uses. Returns 0 or EINVAL. */
LOCAL int options_number(const char *at, size_t len, t_uscalar_t *value);

#endif /* _LIBXTI_CORE_OPTIONS_H */
