/* SPDX-License-Identifier: GPL-2.0-only */
/* slots.h - the slots, each of which holds a descriptor or none */
#ifndef _DIFF_SLOTS_H
#define _DIFF_SLOTS_H

#include "step.h"

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
int slot_reader(unsigned int object);

#endif /* _DIFF_SLOTS_H */
