/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mark.h - calls of pipe2(2) and socket(2) that are to be the kernel's own
 *
 * The filter of strsock --all lets a call pass that has these numbers as its fifth and sixth
 * argument, which neither call has: the library has decided already. Another program that
 * passes them has native pipes.
 */
#ifndef STRSOCK_MARK_H
#define STRSOCK_MARK_H

#define MARK_FIFTH	0x73747273	/* "strs" */
#define MARK_SIXTH	0x6f636b21	/* "ock!" */

#endif /* STRSOCK_MARK_H */
