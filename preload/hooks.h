/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hooks.h - what makes a function one that the library exports
 */
#ifndef STRSOCK_HOOKS_H
#define STRSOCK_HOOKS_H

/*
 * All other functions are hidden. No symbol version is attached: the dynamic
 * linker lets an unversioned definition answer a reference of any version.
 */
#define HOOK __attribute__((visibility("default")))

#endif /* STRSOCK_HOOKS_H */
