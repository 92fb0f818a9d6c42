/* SPDX-License-Identifier: GPL-2.0-only */
/* The store of each form of a stream head: see store.h */
#ifndef _STREAMS_FORMS_H
#define _STREAMS_FORMS_H

#include "streams/head/records.h"
#include "store.h"

extern const struct str_store str_store_messages, str_store_bytes, str_store_records;

static inline const struct str_store *str_store(enum str_form form)
{
	switch (form) {
	case STR_BYTES:
		return &str_store_bytes;
	case STR_RECORDS:
		return &str_store_records;
	default:
		return &str_store_messages;
	}
}

#endif /* _STREAMS_FORMS_H */
