/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name.h - mounting a stream on a file, and undoing it
 *
 * For fattach() and fdetach() and for the helper that does it for users that may
 * not mount. Files are given as O_PATH descriptors, so that the file checked is
 * the file acted upon. Functions that return an int return a negative error
 * number when they fail.
 */
#ifndef _LIBSTREAMS_NAME_H
#define _LIBSTREAMS_NAME_H

#include <stdbool.h>

#define NAME_LOCAL	__attribute__((visibility("hidden")))

/* A name of a stream: is it, and can the stream still be opened? */
NAME_LOCAL int name_is(int path, bool *alive);
/* Returns whether something is mounted there. */
NAME_LOCAL int name_is_mount(int path);
/* Returns 0 for a name of a stream that is mounted there. */
NAME_LOCAL int name_check(int path);
/* These two make a name in two steps: a descriptor of it, and then its place. */
NAME_LOCAL int name_make(int path, int stream);
NAME_LOCAL int name_place(int mount, int path, int device);
NAME_LOCAL int name_unmount(int path, int device);

#endif /* _LIBSTREAMS_NAME_H */
