/* SPDX-License-Identifier: GPL-2.0-only */
/* fail.h - the names of errors, and the end of a player that cannot continue */
#ifndef _DIFF_FAIL_H
#define _DIFF_FAIL_H

const char *error_name(int error);
void broken(const char *what);
void refuse(const char *why);

#endif /* _DIFF_FAIL_H */
