/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* target.h - the stream that a tool works on: its standard input, or a process's */
#ifndef _TOOLS_TARGET_H
#define _TOOLS_TARGET_H

int target_open(const char *pid, const char *fd);

#endif /* _TOOLS_TARGET_H */
