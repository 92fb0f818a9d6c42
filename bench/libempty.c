// SPDX-License-Identifier: GPL-2.0-only
/*
 * libempty.c - a library without functions, to measure against
 *
 * A program that preloads it pays what any preloaded library costs that refers to an
 * address: the kernel and the dynamic linker map a file in two segments at each start and
 * write one page, copy both mappings and that page's entry at each fork, and remove them at
 * each exit.
 */
extern const void *libempty_own;
const void *libempty_own = &libempty_own;
