/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - text of others, such as the name of a command, which may be any bytes */
#ifndef _TOOLS_TEXT_H
#define _TOOLS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the bytes of the UTF-8 character at text; 0: the bytes are not UTF-8. */
int text_utf8_len(const char *text);
/*
 * Returns what is shown in the place of the character at text: itself, or "?" for one
 * that could confuse a terminal. *len is how many bytes of the text it takes.
 */
const char *text_next(const char *text, bool ascii, size_t *len);
void text_print(const char *text, bool ascii, FILE *to);

#endif /* _TOOLS_TEXT_H */
