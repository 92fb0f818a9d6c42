/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams of drivers: the stream head is a target's, all below it is real */
#ifndef _FUZZ_STREAMS_H
#define _FUZZ_STREAMS_H

#include <sys/tpi.h>

#include "fuzz.h"
#include "streams/head/stream.h"
#include "streams/perim/pair.h"
#include "streams/perim/perim.h"

#define STREAMS		4
#define DRIVERS		8
#define PUSHED		3

struct fuzz_stream {
	struct stream sd;
	struct strperim perim;
	struct queue_pair *pair;	/* the driver's */
	struct queue_pair *pushed[PUSHED];
	unsigned int npushed;
	mblk_t *copy;			/* an M_COPYIN or M_COPYOUT without an answer */
	bool open;
	bool closing;
	unsigned int id;		/* strid() */
	t_scalar_t seq;			/* of the last T_CONN_IND */
	unsigned int owed[32];		/* answers to requests, by their types */
	bool lossy;			/* some may never come: a flush, an error */
};

extern struct fuzz_stream fuzz_streams[STREAMS];

/* The drivers that were registered, in that order */
extern struct strdrv *fuzz_drivers[DRIVERS];
extern unsigned int fuzz_ndrivers;

/* The same of modules */
extern struct strmod *fuzz_mods[DRIVERS];
extern unsigned int fuzz_nmods;

/* The executive's own beginning; 0 or an error. */
int fuzz_streams_start(void);

void fuzz_stream_open(struct fuzz_stream *s, struct strdrv *drv, int oflag);
void fuzz_stream_close(struct fuzz_stream *s, int oflag);
void fuzz_stream_push(struct fuzz_stream *s, const struct strmod *mod);
void fuzz_stream_pop(struct fuzz_stream *s);
/* Answers what a module wants to be copied from the user, or to it. */
void fuzz_stream_copied(struct fuzz_stream *s, struct input *in);
/* Sends a message down; NULL: none. */
void fuzz_stream_send(struct fuzz_stream *s, mblk_t *mp);
/* Reads one message; false: there is none. */
bool fuzz_stream_read(struct fuzz_stream *s);

/* The target's look at a message that a driver sends up. */
void fuzz_arrived(struct fuzz_stream *s, const mblk_t *mp);

#endif /* _FUZZ_STREAMS_H */
