/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * player.h - declarations that the files of the differential tester's player
 * share
 *
 * A sequence is STEPS steps, drawn from a seed and the number of the sequence.
 * A step is one call on a slot, which holds a descriptor or none. The line that
 * it prints contains nothing that may differ between two runs of one kernel.
 */
#ifndef _PLAYER_H
#define _PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#define STEPS		40	/* of a sequence */
#define SLOTS		8
#define PIPE_PAIRS	2	/* slots 0 and 1, 2 and 3; those after them are for dup() */
#define SOCKETS		5	/* slots 0 to 4 */
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define PICK(array, n)	((array)[(n) % COUNT(array)])

struct step {
	unsigned int number;
	const struct call *call;
	bool child;		/* made by the forked child, if there is one */
	unsigned int slot;
	unsigned int other;	/* slot for the descriptor it makes, or its other side */
	uint32_t r[8];		/* random numbers for the arguments */
};

struct call {
	const char *name;
	unsigned int weight;
	void (*play)(const struct step *s);
};

/* A first step of all sequences. */
struct opening {
	const char *call;
	unsigned int slot;
};

struct kind {
	const char *name;
	void (*begin)(void);	/* once, or NULL */
	const struct call *const *calls;	/* lists; NULL is the last */
	const struct opening *openings;
	unsigned int slots;	/* that the kind's own call fills */
};

extern const struct kind pipe_kind, udp_kind;
extern const struct call descriptor_calls[], pipe_calls[], splice_calls[];
extern const struct call udp_calls[], message_calls[], option_calls[];

/* draw.c */
void draw(const struct kind *kind, uint64_t seed, uint64_t sequence,
	  unsigned int number, struct step *s);

/* line.c: the fields of a step's line */
enum field {
	CALL, RESULT, SIGNALS, STATE,
	CONTEXT,	/* words that tests/diff/known may ask for */
	FIELDS,
};

void put(enum field field, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void put_result(const char *name, long ret);
void put_data(const void *data, long len);
void put_events(enum field field, unsigned int events);
const char *error_name(int error);
void line_begin(void);
void line_end(const struct step *s);
bool line_telling(void);
void line_send(int fd);
void line_receive(int fd);
void lines_end(void);
const char *line_result(void);

/* slots.c */
struct slot {
	int fd;			/* -1 when empty */
	unsigned int object;	/* which pipe or socket it is of */
};

extern struct slot slots[SLOTS];
extern int first_fd;		/* the lowest that was free */
int slot_fd(unsigned int slot);
unsigned int slot_end(const struct step *s, unsigned int writing);
bool slot_taken(unsigned int slot);
void slot_fill(unsigned int slot, int fd, unsigned int object);
void slots_begin(void);
void slots_end(void);
void slots_state(void);
void slot_async(unsigned int slot);
void put_async(unsigned int slot);
int fd_away(int fd);
bool would_sleep(int fd, short events);

/* signals.c */
void signals_begin(void);
void signals_collect(void);
void signals_discard(void);

/* data.c: buffers of data to send, and for data received */
#define DATA_MAX	(160 * 1024)
extern char *data_out, *data_in;	/* behind each a page that is not there */
void data_begin(void);
void data_fill(const struct step *s, size_t len);
int data_vector(struct iovec iov[3], int n, char *data, size_t len);

/* child.c */
bool child_is_there(void);
void child_start(void);
void child_end(void);
void child_play(const struct step *s);

/* epoll.c */
void epoll_begin(void);
void epoll_end(void);
void epoll_forget(unsigned int object);
extern const struct call epoll_calls[];

/* player.c */
extern const struct kind *kind;
extern uint64_t seed, sequence;
extern bool quiet;		/* in this sequence only its steps poll */
void play(const struct step *s);
void broken(const char *what);
void refuse(const char *why);

/* pipe_steps.c */
int reader_of(unsigned int object);

/* room.c: the contents of a native pipe, page by page */
struct room {
	unsigned int bytes, pages;
	unsigned int padding;		/* up to the page that each packet counts */
	unsigned int more;		/* that messages on STREAMS may count, at most */
	bool messages;			/* it has had a packet */
	struct page {
		unsigned int len, end;
		bool joins, packet;
	} page[16];
};

#define ASYNC_READER	1
#define ASYNC_WRITER	2

/* Events that make an edge for epoll natively only (tests/diff/known: edge-...) */
struct stirred {
	bool pipe[SLOTS];		/* there was such, since epoll_wait() told all */
	unsigned int edges[SLOTS];	/* by epoll's data: which objects it would report */
};

struct shared {			/* with the child */
	pid_t pid;
	struct room room[SLOTS];
	unsigned short port[SLOTS];	/* network order; 0 unless bound */
	unsigned int async[SLOTS];	/* ASYNC_*: ends for which SIGIO was ever asked */
	struct stirred refused;	/* a writer was */
	struct stirred moved;	/* pages were moved out, or their number set */
	struct stirred opened;	/* an open failed */
	bool unordered;		/* one of these has been, and made an order of its own */
};

extern struct shared *shared;
void room_begin(void);
struct room *room_of(unsigned int slot);
bool room_joins(struct room *room, size_t len);
void room_packet(struct room *room);
long room_write(struct room *room, size_t len, bool packet);
void room_read(struct room *room, size_t len);
bool room_move(struct room *room, size_t first, size_t len, bool join);
long room_transfer(struct room *from, struct room *to, size_t len, bool copy);
bool room_packets(const struct room *room);
bool room_alike(const struct room *room);
long room_write_streams(const struct room *room, size_t len);

#endif /* _PLAYER_H */
