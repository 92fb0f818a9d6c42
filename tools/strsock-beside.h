/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the build tree that the launcher lies in */
#ifndef STRSOCK_BESIDE_H
#define STRSOCK_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

bool beside(char *path, size_t size, const char *file);

#endif /* STRSOCK_BESIDE_H */
