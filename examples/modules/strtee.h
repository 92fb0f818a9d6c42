/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the module tee does on I_STR */
#ifndef _STRTEE_H
#define _STRTEE_H

#define TEE_NUMBER	(('t' << 8) | 1)	/* returns this tee's number */
#define TEE_FROM	(('t' << 8) | 2)	/* int: whose copies come here; 0: none */

#endif /* _STRTEE_H */
