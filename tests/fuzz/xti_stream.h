/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams of a provider that lies: the system calls below libxti */
#ifndef _FUZZ_XTI_STREAM_H
#define _FUZZ_XTI_STREAM_H

#include <xti.h>

#include "input.h"

void fuzz_die(const char *why) __attribute__((__noreturn__));

void xti_stream_begin(struct input *in);
/* All are closed. */
void xti_stream_end(void);
/* Another process of the stream takes its first message, or leaves an answer. */
void xti_other_process(int fd);

/* SEQ_number of the last T_CONN_IND */
extern int xti_last_seq;

#endif /* _FUZZ_XTI_STREAM_H */
