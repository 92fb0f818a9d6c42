/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/strparam.h - the settings of a module, as text from a user: NAME=VALUE */
#ifndef _SYS_STRPARAM_H
#define _SYS_STRPARAM_H

#include <sys/stream.h>

/*
 * Takes one setting to arg. Returns 0, EINVAL: there is no such setting, or ERANGE. The
 * strings may be changed, and are gone afterwards.
 */
typedef int strparam_fn(void *arg, const char *name, char *value);

/* all in strparam.c */
bool strparam_mine(queue_t *wq, const mblk_t *mp);
int strparam_each(const mblk_t *mp, strparam_fn *take, void *arg);
void strparam_answer(queue_t *wq, mblk_t *mp, int error);
int strparam_number(const char *value, u64 least, u64 most, u64 *n);
int strparam_word(const char *value, const char *const *words, unsigned int *n);

#endif /* _SYS_STRPARAM_H */
