/* SPDX-License-Identifier: GPL-2.0-only */
/* The links below multiplexing drivers */
#ifndef _STREAMS_MUX_LINKS_H
#define _STREAMS_MUX_LINKS_H

#include "mux_link.h"

/*
 * The caller that has made or grabbed a link has exclusive use of it until it is
 * released, kept, made persistent or taken out.
 */

/*
 * Gives the link a muxid and enters it, so that the next search for cycles sees
 * it. Returns 0; -EINVAL: the stream is linked already, or would be below
 * itself; -ELOOP: too many streams would stand below a driver; -EAGAIN: memory
 * is short.
 */
int mux_links_enter(struct mux_link *link);
void mux_links_leave(struct mux_link *link);
void mux_links_release(struct mux_link *link);
/* Keeps a link as it is until sd, the control stream, is closed. */
void mux_links_keep(struct mux_link *link, struct stream *sd);
/* Makes a link belong to no stream. */
void mux_links_persist(struct mux_link *link);
/*
 * Makes the links of a chain, which the caller is undoing, outlive their
 * control stream.
 */
void mux_links_orphan(struct mux_link *link);
/* Finds a link that no other task is undoing, or NULL. */
struct mux_link *mux_links_grab(struct stream *sd, int muxid, bool persist);
/*
 * Finds a link of a control stream that closes; asked: the driver was asked to
 * release it.
 */
struct mux_link *mux_links_grab_closing(struct stream *sd, bool asked);

#endif /* _STREAMS_MUX_LINKS_H */
