/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strsock-command.h - finds a command and any obstacle to preloading into it
 */
#ifndef STRSOCK_COMMAND_H
#define STRSOCK_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

int command_find(const char *name, char *path, size_t size);
bool command_is_library(const char *path);
const char *command_obstacle(const char *path, const char *library,
			     char *culprit, size_t size);

#endif /* STRSOCK_COMMAND_H */
