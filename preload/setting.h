/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * setting.h - a library's settings from the environment and its file, and its
 * messages when they make no sense
 */
#ifndef STRSOCK_SETTING_H
#define STRSOCK_SETTING_H

#include <stdbool.h>
#include <stddef.h>

int setting_said(const char *variable);
bool setting_flag(const char *variable, bool unset);
const char *setting_file(const char *variable, const char *installed);
void setting_bad_line(void *file, unsigned int number, const char *reason,
		      const char *word, size_t len);
void setting_read(const char *file, const char *installed, int result,
		  const char *consequence);

#endif /* STRSOCK_SETTING_H */
