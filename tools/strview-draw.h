/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strview-draw.h - the pictures of the open streams */
#ifndef STRVIEW_DRAW_H
#define STRVIEW_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "strview-model.h"

struct tree_style {
	bool ascii;		/* lines and arrows of ASCII only */
	bool color;
};

/* Prints the streams below the processes that have them open. */
void tree_print(struct view *view, const struct tree_style *style, FILE *to);
/* Prints a graph in the language of dot(1). */
void dot_print(const struct view *view, FILE *to);

/* Returns the part of a name or an address that is printed with the kind of a stream. */
const char *stream_title(const struct view_stream *s);

#endif /* STRVIEW_DRAW_H */
