// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open streams, and counters since load: /proc/streams
 *
 * counters	"NAME VALUE" lines, for root: they would tell other users the size
 *		and the moment of each message
 * open		a line of "key=value" pairs for each stream of the reader's
 *		user, or of all users if the reader has CAP_NET_ADMIN or
 *		CAP_SYS_ADMIN
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/string_helpers.h>

#include "streams/trace.h"
#include "stat.h"

DEFINE_PER_CPU(struct str_counters, str_counters);
EXPORT_PER_CPU_SYMBOL_GPL(str_counters);

/*
 * The open streams, by their numbers: in the order in which they were opened. A
 * reader holds the lock for the time of one look-up and one line.
 */
static DEFINE_SPINLOCK(entries_lock);
static struct rb_root entries = RB_ROOT;
static u64 last_number;
static struct proc_dir_entry *proc_dir;

static const char * const kind_names[STR_KIND_MAX] = {
	[STR_KIND_PIPE] = "pipe",
	[STR_KIND_DEVICE] = "device",
	[STR_KIND_UDP] = "udp",
	[STR_KIND_TCP] = "tcp",
};

static const char * const counter_names[STR_COUNTER_MAX] = {
	[STR_OPENED] = "opened",
	[STR_CLOSED] = "closed",
	[STR_MSGS_SENT] = "messages_sent",
	[STR_MSGS_RCVD] = "messages_received",
	[STR_BYTES_SENT] = "bytes_sent",
	[STR_BYTES_RCVD] = "bytes_received",
	[STR_DROPPED] = "dropped",
	[STR_DIRECT] = "direct",
};

static bool entry_before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct str_entry, node)->number <
	       rb_entry(b, struct str_entry, node)->number;
}

/* Returns the stream with the least number from n on, or NULL; called under entries_lock. */
static struct str_entry *entry_from(u64 n)
{
	struct rb_node *node = entries.rb_node;
	struct str_entry *found = NULL, *e;

	while (node) {
		e = rb_entry(node, struct str_entry, node);
		if (e->number >= n)
			found = e;
		node = e->number >= n ? node->rb_left : node->rb_right;
	}
	return found;
}

/**
 * str_entry_add() - list an open stream
 * @e: its entry, which stays the caller's
 * @kind: the kind of the stream
 * @show: writes the fields that only its kind knows
 *
 * The current task is listed as the owner. Context: a process.
 */
void str_entry_add(struct str_entry *e, enum str_kind kind,
		   void (*show)(struct seq_file *m, struct str_entry *e))
{
	e->kind = kind;
	e->show = show;
	e->uid = current_uid();
	e->pid = get_pid(task_tgid(current));
	get_task_comm(e->comm, current);
	spin_lock(&entries_lock);
	e->number = ++last_number;
	rb_add(&e->node, &entries, entry_before);
	spin_unlock(&entries_lock);
	trace_streams_open(e, 0);
	str_count(kind, STR_OPENED, 1);
}
EXPORT_SYMBOL_GPL(str_entry_add);

/**
 * str_entry_del() - remove a stream from the list
 * @e: its entry; @show is not called any more when this returns
 *
 * Context: a process.
 */
void str_entry_del(struct str_entry *e)
{
	trace_streams_close(e, 0);
	spin_lock(&entries_lock);
	rb_erase(&e->node, &entries);
	spin_unlock(&entries_lock);
	put_pid(e->pid);
	str_count(e->kind, STR_CLOSED, 1);
}
EXPORT_SYMBOL_GPL(str_entry_del);

/* Prints what was sent and received in messages, of a stream that counts them. */
void str_entry_moved(struct seq_file *m, const struct str_entry *e)
{
	seq_printf(m, " sent_messages=%lu sent_bytes=%lu received_messages=%lu received_bytes=%lu",
		   READ_ONCE(e->sent.msgs), READ_ONCE(e->sent.bytes),
		   READ_ONCE(e->rcvd.msgs), READ_ONCE(e->rcvd.bytes));
}
EXPORT_SYMBOL_GPL(str_entry_moved);

/* Prints how often a stream held up writers, and lost messages. */
void str_entry_held(struct seq_file *m, const struct str_entry *e)
{
	seq_printf(m, " stops=%lu drops=%lu", READ_ONCE(e->stops), READ_ONCE(e->drops));
}
EXPORT_SYMBOL_GPL(str_entry_held);

/**
 * str_entry_fdinfo() - show in a file's fdinfo which stream it is
 * @m: the text of /proc/PID/fdinfo/FD
 * @e: the stream's entry
 *
 * The number is the id of the stream's line in /proc/streams/open.
 */
void str_entry_fdinfo(struct seq_file *m, const struct str_entry *e)
{
	seq_printf(m, "stream:\t%llu\n", e->number);
}
EXPORT_SYMBOL_GPL(str_entry_fdinfo);

static int counters_show(struct seq_file *m, void *v)
{
	int kind, what, cpu;

	for (kind = 0; kind < STR_KIND_MAX; kind++) {
		for (what = 0; what < STR_COUNTER_MAX; what++) {
			unsigned long sum = 0;

			for_each_possible_cpu(cpu)
				sum += per_cpu(str_counters, cpu).n[kind][what];
			seq_printf(m, "%s_%s %lu\n", kind_names[kind],
				   counter_names[what], sum);
		}
	}
	return 0;
}

/* The state of a reader of the open streams */
struct open_reader {
	bool all;		/* it sees those of other users */
	u64 last;		/* the last stream when it began to read */
};

/*
 * Returns the first stream from the position on, whose number becomes the
 * position. The result is NULL behind the last stream when the reader began, as
 * a reader may be slower than the tasks that open more. The stream stays open
 * until the lock is dropped.
 */
static struct str_entry *open_from(struct seq_file *m, loff_t *pos)
	__must_hold(&entries_lock)
{
	const struct open_reader *reader = m->private;
	struct str_entry *e = entry_from(*pos);

	if (!e || e->number > reader->last)
		return NULL;
	*pos = e->number;
	return e;
}

static void *open_start(struct seq_file *m, loff_t *pos)
	__acquires(&entries_lock)
{
	struct open_reader *reader = m->private;

	reader->all = file_ns_capable(m->file, &init_user_ns, CAP_NET_ADMIN) ||
		      file_ns_capable(m->file, &init_user_ns, CAP_SYS_ADMIN);
	spin_lock(&entries_lock);
	if (!*pos)
		reader->last = last_number;
	return open_from(m, pos);
}

static void *open_next(struct seq_file *m, void *v, loff_t *pos)
{
	/*
	 * The lock is released between two streams, as other tasks wait for it.
	 */
	spin_unlock(&entries_lock);
	cond_resched();
	spin_lock(&entries_lock);
	++*pos;
	return open_from(m, pos);
}

static void open_stop(struct seq_file *m, void *v)
	__releases(&entries_lock)
{
	spin_unlock(&entries_lock);
}

static int open_show(struct seq_file *m, void *v)
{
	const struct open_reader *reader = m->private;
	struct str_entry *e = v;

	if (!reader->all && !uid_eq(e->uid, m->file->f_cred->euid))
		return 0;
	seq_printf(m, "kind=%s uid=%u pid=%d comm=", kind_names[e->kind],
		   from_kuid_munged(seq_user_ns(m), e->uid),
		   pid_nr_ns(e->pid, proc_pid_ns(file_inode(m->file)->i_sb)));
	/* Escapes all but printable ASCII, and the line's own separators. */
	seq_escape_str(m, e->comm, ESCAPE_NAP | ESCAPE_APPEND | ESCAPE_HEX,
		       " =\\");
	if (e->show)
		e->show(m, e);
	seq_printf(m, " id=%llu\n", e->number);
	return 0;
}

static const struct seq_operations open_ops = {
	.start = open_start,
	.next = open_next,
	.stop = open_stop,
	.show = open_show,
};

int __init stat_init(void)
{
	proc_dir = proc_mkdir("streams", NULL);
	if (!proc_dir)
		return -ENOMEM;
	if (!proc_create_single("counters", 0400, proc_dir, counters_show) ||
	    !proc_create_seq_private("open", 0444, proc_dir, &open_ops,
				     sizeof(struct open_reader), NULL)) {
		remove_proc_subtree("streams", NULL);
		return -ENOMEM;
	}
	return 0;
}

void stat_exit(void)
{
	remove_proc_subtree("streams", NULL);
}
