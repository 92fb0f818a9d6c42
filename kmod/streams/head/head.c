// SPDX-License-Identifier: GPL-2.0-only
/* The stream head: its lifetime and state */
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "streams/queue/queue.h"
#include "convert.h"
#include "flush.h"
#include "head.h"
#include "hold.h"
#include "id.h"
#include "plumb.h"
#include "reader.h"
#include "records.h"
#include "room.h"
#include "rput.h"
#include "wake.h"
#include "watch.h"

static struct module_info head_info = {
	.mi_idname = "strhead",
	.mi_minpsz = 0,
	.mi_maxpsz = STRMSGSZ,
	.mi_hiwat = STRHIGH,
	.mi_lowat = STRLOW,
};

static struct qinit head_rinit = {
	.qi_putp = str_rput,
	.qi_minfo = &head_info,
};

static struct qinit head_winit = {
	.qi_srvp = str_wsrv,
	.qi_minfo = &head_info,
};

/**
 * str_init() - make a stream head that is not connected yet
 * @sd: the head, zeroed
 * @p: the perimeter of its stream
 */
void str_init(struct stream *sd, struct strperim *p)
{
	sd->sd_perim = p;
	sd->sd_ropt = RNORM | RPROTNORM;
	sd->sd_eropt = RERRNORM | WERRNORM;
	mutex_init(&sd->sd_read_mutex);
	mutex_init(&sd->sd_ioctl_mutex);
	mutex_init(&sd->sd_fill_mutex);
	init_waitqueue_head(&sd->sd_rwait);
	init_waitqueue_head(&sd->sd_wwait);
	queue_init(str_rq(sd), &head_rinit, QREADR | QHEAD | QMTSAFE, p, sd);
	queue_init(str_wq(sd), &head_winit, QHEAD | QMTSAFE, p, sd);
}
EXPORT_SYMBOL_GPL(str_init);

/**
 * str_pipe_connect() - connect one head's write side to another's read queue
 * @from: the head that is written to
 * @to: the head where data arrives; @from itself makes a FIFO
 * @hiwat: bytes, high water mark of the messages that wait at @to
 * @lowat: bytes, its low water mark
 */
void str_pipe_connect(struct stream *from, struct stream *to, size_t hiwat,
		      size_t lowat)
{
	from->sd_mate = to;
	from->sd_flag |= STR_PIPE;
	rcu_assign_pointer(str_wq(from)->q_next, str_rq(to));
	str_rq(to)->q_hiwat = hiwat;
	str_rq(to)->q_lowat = lowat;
	/* The user is charged for hiwat alone. */
	str_rq(to)->q_abovehi = hiwat / 4;
}
EXPORT_SYMBOL_GPL(str_pipe_connect);

/**
 * str_pipe_resize() - change the capacity of an end of a pipe
 * @to: the head where it arrives
 * @hiwat: bytes, its new high water mark: a power of two, of pages
 * @lowat: bytes, its low water mark
 *
 * Context: may sleep.
 * Return: 0; -EBUSY: more waits there; -ENOMEM, -ERESTARTSYS.
 */
int str_pipe_resize(struct stream *to, size_t hiwat, size_t lowat)
{
	bool full = !str_writable(to, 0);
	queue_t *q = str_rq(to);
	int err = 0;

	if (str_form_read(to) == STR_BYTES)
		err = str_ring_resize(to, hiwat);
	else
		err = str_ring_end(to);
	if (!err && (READ_ONCE(q->q_count) > hiwat || READ_ONCE(q->q_above) > hiwat / 4))
		err = -EBUSY;
	if (err)
		return err;
	strqset(q, QHIWAT, 0, hiwat);
	strqset(q, QLOWAT, 0, lowat);
	WRITE_ONCE(q->q_abovehi, hiwat / 4);
	/* Only a writer that found no room is woken. */
	if (full && str_writable(to, 0))
		str_wsrv(str_wq(to));
	return 0;
}
EXPORT_SYMBOL_GPL(str_pipe_resize);

/**
 * str_destroy() - free a head that is no longer connected
 * @sd: the head; its memory has to stay for a grace period
 *
 * Context: may sleep.
 */
void str_destroy(struct stream *sd)
{
	/* Only callers with a file have queued messages on such a FIFO. */
	if (!str_bytes_only(sd)) {
		/* Any remaining owner, even its bottom half, ends first. */
		perim_quiesce(sd->sd_perim);
		str_flush_settle();
		queue_destroy(str_rq(sd));
		queue_destroy(str_wq(sd));
	}
	mutex_destroy(&sd->sd_read_mutex);
	mutex_destroy(&sd->sd_ioctl_mutex);
	mutex_destroy(&sd->sd_fill_mutex);
	kfree(sd->sd_errands);
	if (sd->sd_more) {
		str_hold_free(sd->sd_more);
		str_id_free(sd->sd_more);
		kfree_rcu(sd->sd_more, rcu);
	}
}
EXPORT_SYMBOL_GPL(str_destroy);

static void show_module(struct seq_file *m, queue_t *q)
{
	seq_puts(m, str_queue_name(q));
	if (q->q_qinfo->qi_show)
		q->q_qinfo->qi_show(q, m);
}

/* Prints a queue's fill: the bytes that wait there, and its high water mark. */
static void show_fill(struct seq_file *m, const queue_t *q)
{
	seq_printf(m, "%zu/%zu", READ_ONCE(q->q_count) + READ_ONCE(q->q_above),
		   READ_ONCE(q->q_hiwat));
}

static void show_fills(struct seq_file *m, queue_t *q)
{
	const char *before = " fill=";

	for (; q; q = str_module_below(q), before = ",") {
		seq_puts(m, before);
		show_fill(m, RD(q));
		seq_putc(m, ':');
		show_fill(m, q);
	}
}

/*
 * Prints the modules and the driver of a stream: the names, and what they show. Then the
 * fill of their queues, read queue first, if there are any.
 */
void str_show_modules(struct seq_file *m, struct stream *sd)
{
	queue_t *first, *q;

	rcu_read_lock();
	first = str_module_below(str_wq(sd));
	if (!first)
		seq_putc(m, '-');
	for (q = first; q; q = str_module_below(q)) {
		show_module(m, RD(q));
		if (str_module_below(q))
			seq_putc(m, ',');
	}
	show_fills(m, first);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(str_show_modules);

/* Prints the head's part of a line of /proc/streams/open. */
void str_show(struct seq_file *m, struct stream *sd)
{
	seq_printf(m, " queued=%zu hiwat=%zu modules=", str_bytes(sd),
		   READ_ONCE(str_rq(sd)->q_hiwat));
	str_show_modules(m, sd);
}
EXPORT_SYMBOL_GPL(str_show);

/**
 * str_file_closed() - forget what a stream keeps for one of its files
 * @sd: the stream head
 * @file: the file, which is being closed
 */
void str_file_closed(struct stream *sd, struct file *file)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (likely(!more))
		return;
	str_signal_forget(more, file);
	str_hold_send(sd);
}
EXPORT_SYMBOL_GPL(str_file_closed);
