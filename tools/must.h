/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* must.h - memory that a tool cannot do without */
#ifndef _TOOLS_MUST_H
#define _TOOLS_MUST_H

#include <err.h>
#include <stdlib.h>

/* Returns the memory, or ends the program with a message if it is NULL. */
static inline void *must(void *memory)
{
	if (!memory)
		err(EXIT_FAILURE, "no memory");
	return memory;
}

#endif /* _TOOLS_MUST_H */
