/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The handle of libdlpi, and the answers to its requests */
#ifndef _LIBDLPI_HANDLE_H
#define _LIBDLPI_HANDLE_H

#include <libdlpi.h>
#include <stdbool.h>
#include <stdint.h>

#define SAP_LEN		2	/* bytes of a SAP behind a physical address */
/* An answer with all the data behind it */
#define ANSWER_MAX	512

/* A registration of dlpi_enabnotify() */
struct dlpi_notify {
	unsigned int notes;
	dlpi_notifyfunc_t *func;
	void *arg;
	struct dlpi_notify *next;
};

struct dlpi_handle {
	uint32_t magic;			/* HANDLE_MAGIC */
	int fd;
	unsigned int flags;		/* DLPI_RAW ... */
	int timeout;			/* seconds */
	bool bound;
	unsigned int sap;
	unsigned int mactype;
	unsigned int addrlen;		/* of a physical address */
	char linkname[DLPI_LINKNAME_MAX];
	struct dlpi_notify *notify;
};

#define HANDLE_MAGIC	0x646c7069

static inline bool handle_is(const struct dlpi_handle *dh)
{
	return dh && dh->magic == HANDLE_MAGIC;
}

/* A primitive, and the answer to it: an aligned place for both. */
union dlpi_answer {
	union DL_primitives prim;
	unsigned char bytes[ANSWER_MAX];
};

/*
 * Sends a primitive of len bytes in *answer, and waits for the answer called
 * want there. Returns DLPI_SUCCESS, another DLPI error, or the dl_errno that
 * came instead.
 */
int handle_request(struct dlpi_handle *dh, union dlpi_answer *answer, size_t len,
		   unsigned int want, size_t want_len);
/* Finds the bytes of an answer at an offset; NULL: the answer has none there. */
const void *handle_answer_at(const union dlpi_answer *answer, unsigned int offset,
			     unsigned int len);

/* Handles a DL_NOTIFY_IND that came among data. */
void handle_notified(struct dlpi_handle *dh, const union dlpi_answer *ind, size_t len);

#endif /* _LIBDLPI_HANDLE_H */
