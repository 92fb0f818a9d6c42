/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* option.h - lists of options */
#ifndef _LIBXTI_SOCK_OPT_H
#define _LIBXTI_SOCK_OPT_H

#include "sock.h"

/* The next option: 1; 0 at the end of the list; -1 when it is malformed. */
LOCAL int sock_opt_next(const char **at, size_t *left, struct t_opthdr *oh,
			const char **value);
/* A number, as long as the program has it: 0 or EINVAL. */
LOCAL int sock_opt_number(const char *at, size_t len, t_uscalar_t *value);

#endif /* _LIBXTI_SOCK_OPT_H */
