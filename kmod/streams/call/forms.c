// SPDX-License-Identifier: GPL-2.0-only
/* The store of each form of a stream head: see store.h */
#include "bytes.h"
#include "forms.h"
#include "msgio.h"
#include "read.h"
#include "record.h"
#include "write.h"

const struct str_store str_store_messages = {
	.put = str_write_queue,
	.putmsg = str_putmsg,
	.fill = str_fill_queue,
	.take = str_read_queue,
	.getmsg = str_getmsg,
	.use = str_use_queue,
	.copy = str_copy_queue,
};

const struct str_store str_store_bytes = {
	.put = str_bytes_put,
	.putmsg = str_putmsg,
	.fill = str_bytes_fill,
	.take = str_bytes_take,
	.getmsg = str_getmsg,
	.use = str_bytes_use,
	.copy = str_bytes_copy,
};

const struct str_store str_store_records = {
	.put = str_record_put,
	.putmsg = str_record_putmsg,
	.fill = str_fill_queue,
	.take = str_record_take,
	.getmsg = str_record_getmsg,
	.use = str_use_queue,
	.copy = str_copy_queue,
};
