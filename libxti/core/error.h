/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * error.h - how the functions fail
 *
 * Inside the library a function returns 0 or a value of t_errno; with TSYSERR
 * errno says more. The functions of XTI return -1.
 */
#ifndef _LIBXTI_ERROR_H
#define _LIBXTI_ERROR_H

#include <errno.h>
#include <xti.h>

#define LOCAL	__attribute__((visibility("hidden")))

/* Returns the result of an XTI function that only succeeds or fails. */
LOCAL int xti_result(int error);

/* Sets errno, and returns TSYSERR. */
LOCAL int xti_system(int error);

/*
 * Returns the error for the errno of a call on the stream: TBADF, TPROTO or
 * TSYSERR; again, which is TFLOW or TNODATA, for EAGAIN.
 */
LOCAL int xti_stream(int again);

#endif /* _LIBXTI_ERROR_H */
