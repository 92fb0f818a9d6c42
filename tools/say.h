/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of strsock, and of the program that it executes */
#ifndef STRSOCK_SAY_H
#define STRSOCK_SAY_H

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* STRSOCK_SAY_H */
