/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the unit tests share */
#ifndef _UNIT_H
#define _UNIT_H

#include <stdio.h>

#include <sys/stream.h>

#include "streams/queue/band.h"
#include "streams/queue/flow.h"
#include "streams/message/mblk.h"
#include "streams/perim/perim.h"
#include "streams/queue/queue.h"

struct unit_test {
	const char *name;
	void (*run)(void);
};

extern const struct unit_test mblk_tests[];
extern const struct unit_test msg_tests[];
extern const struct unit_test queue_tests[];
extern const struct unit_test flow_tests[];
extern const struct unit_test freeze_tests[];
extern const struct unit_test put_tests[];
extern const struct unit_test strsun_tests[];
extern const struct unit_test model_tests[];

/* Marks the running test as failed, and continues. */
#define TRUE(c) \
	do { if (!(c)) unit_fail(__FILE__, __LINE__, #c); } while (0)
void unit_fail(const char *file, int line, const char *what);

/* The value of an expression that needs the queue's lock. */
#define LOCKED(q, expr) ({					\
	stub_lock(&(q)->q_lock);				\
	__auto_type locked_ = (expr);				\
	stub_unlock(&(q)->q_lock);				\
	locked_;						\
})

/* A block of type with the text in it; made anyhow, and never NULL. */
mblk_t *block(int type, const char *text);
/* Blocks of type for each word of the text, which blanks separate. */
mblk_t *chain(int type, const char *words);
/* Whether mp's blocks are "TEXT TEXT ..."; @ names an empty one. */
bool looks(const mblk_t *mp, const char *words);

/* How often queues were enabled since unit_enabled() last asked. */
int unit_enabled(const queue_t *q);

extern struct qinit with_service, without_service;
#define HIWAT	100
#define LOWAT	20

#endif /* _UNIT_H */
