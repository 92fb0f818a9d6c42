/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* I_STR commands of the module tee */
#ifndef _STRTEE_H
#define _STRTEE_H

#define TEE_NUMBER	(('t' << 8) | 1)	/* returns this tee's number */
#define TEE_FROM	(('t' << 8) | 2)	/* int: the tee to copy from; 0: none */

#endif /* _STRTEE_H */
