/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams linked below multiplexing drivers */
#ifndef _STREAMS_MUX_H
#define _STREAMS_MUX_H

#include <linux/init.h>
#include <linux/types.h>

struct stream;

/* I_LINK, I_PLINK: links the stream of descriptor fd below sd's driver. */
long mux_link(struct stream *sd, int fd, bool persist);
/* I_UNLINK, I_PUNLINK: ends one link, or with MUXID_ALL all of them. */
long mux_unlink(struct stream *sd, int muxid, bool persist);
/*
 * Ends the links of a control stream that closes, except persistent ones:
 * mux_close() before the driver's close procedure, mux_closed() after it.
 */
void mux_close(struct stream *sd);
void mux_closed(struct stream *sd);

int __init mux_init(void);
void mux_exit(void);

#endif /* _STREAMS_MUX_H */
