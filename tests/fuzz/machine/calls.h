/* SPDX-License-Identifier: GPL-2.0-only */
/* Random calls in the machine: code that the parts share */
#ifndef _FUZZ_CALLS_H
#define _FUZZ_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Numbers that follow from a seed: one generator for each thread */
struct draw {
	uint64_t state;
};

static inline uint64_t draw(struct draw *d)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static inline unsigned int draw_below(struct draw *d, unsigned int n)
{
	return (draw(d) >> 16) % n;
}

#define FDS		24	/* places for descriptors of a process */
#define PROCESSES	3
#define THREADS		2

/* A process of a sequence; its threads share all but their generators. */
struct player {
	int fd[FDS];			/* -1: none */
	int self;			/* which of the processes */
	int mesh[2];			/* Unix sockets, for descriptors in flight */
	const char *folder;		/* for names */
	bool root;
};

struct shared {
	unsigned long calls;		/* of all processes */
	pid_t pid[PROCESSES];
	bool broken;			/* a promise, see oracle.h */
	char promise[256];		/* ... this one */
};

extern struct shared *shared;

/* The kind of files that a sequence begins with */
enum family { PIPES, DEVICES, TRANSPORTS, LINKS, SOCKETS, NAMES, FAMILIES };
extern const char *const families[FAMILIES];

/* memory.c: arguments */
int memory_init(void);
/* An address for size bytes: mostly of memory with random contents. */
void *memory_arg(struct draw *d, size_t size);
/* Always readable and writable, zeroed; at most 4096 bytes. */
void *memory_good(struct draw *d, size_t size);
void memory_fill(struct draw *d, void *at, size_t size);
uint32_t odd_number(struct draw *d);

/* prims.c: the control part of a message for a transport or data link provider */
size_t prim_fill(struct draw *d, void *at);

/* Pages of pipes that a user without privileges may have, while a run lasts */
#define PIPE_PAGES	512

/* late.c: a page that is missing, and arrives while a call waits for it */
#define LATE_PAGES	4
int late_init(void);
void *late_page(struct draw *d);
/*
 * A page that arrives after that socket was connected there; NULL if another thread has
 * it. late_connect_end() follows the call that waited for it.
 */
void *late_connect_begin(int fd, const struct sockaddr_storage *to);
void late_connect_end(void);

/* address.c: destinations, and datagrams that name theirs */
socklen_t address_draw(struct draw *d, struct sockaddr_storage *ss);
/* Addresses of the Internet: to be bound, and of this host or of another one */
void address_here(struct draw *d, struct sockaddr_storage *ss);
void address_turn(struct sockaddr_storage *ss, bool here);

struct labelled {
	uint32_t magic;
	uint32_t address;		/* of the Internet, as in struct sockaddr_in */
	uint16_t port;
};

void label(struct labelled *l, const struct sockaddr_storage *ss);
/* A datagram has arrived at a socket: it must be for its port, and for this host. */
void label_check(int fd, const struct labelled *l, size_t len);

/* crowd.c */
void crowd_streams(struct draw *d, struct player *p);
void crowd_modules(struct draw *d, struct player *p);
void crowd_names(struct draw *d, struct player *p);
void crowd_sends(struct draw *d, struct player *p);
int open_keeper(struct draw *d);

/* connection.c */
void open_connection(struct draw *d, struct player *p);
/* Sends numbered bytes over a connection, while its short way begins and ends. */
void crowd_bytes(struct draw *d, struct player *p);

/* uring.c */
void act_uring(struct draw *d, struct player *p, int fd);

/* open.c, act.c: one call */
int open_one(struct draw *d, struct player *p, enum family family);
void act_one(struct draw *d, struct player *p);
int place_of(struct draw *d, struct player *p);
int any_fd(struct draw *d, const struct player *p);
/* Puts a descriptor in a place; the one that was there is closed. */
void keep_fd(struct draw *d, struct player *p, int fd);

#endif /* _FUZZ_CALLS_H */
