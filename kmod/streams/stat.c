// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open streams, and counters since load: /proc/streams
 *
 * counters	"NAME VALUE" lines, for every user
 * open		a line of "key=value" pairs for each stream of the reader's
 *		user, or all for a reader that may administer the network
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string_helpers.h>

#include "stat.h"

DEFINE_PER_CPU(struct str_counters, str_counters);
EXPORT_PER_CPU_SYMBOL_GPL(str_counters);

static DEFINE_MUTEX(entries_mutex);
static LIST_HEAD(entries);
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

/**
 * str_entry_add() - list an open stream
 * @e: its entry, which stays the caller's
 * @kind: the kind of the stream
 * @show: writes the fields that only its kind knows
 *
 * The current task is listed as the owner. Context: may sleep.
 */
void str_entry_add(struct str_entry *e, enum str_kind kind,
		   void (*show)(struct seq_file *m, struct str_entry *e))
{
	e->kind = kind;
	e->show = show;
	e->uid = current_uid();
	e->pid = task_tgid_nr(current);
	get_task_comm(e->comm, current);
	mutex_lock(&entries_mutex);
	list_add_tail(&e->list, &entries);
	mutex_unlock(&entries_mutex);
	str_count(kind, STR_OPENED, 1);
}
EXPORT_SYMBOL_GPL(str_entry_add);

/**
 * str_entry_del() - remove a stream from the list
 * @e: its entry; @show is not called any more when this returns
 *
 * Context: may sleep.
 */
void str_entry_del(struct str_entry *e)
{
	mutex_lock(&entries_mutex);
	list_del(&e->list);
	mutex_unlock(&entries_mutex);
	str_count(e->kind, STR_CLOSED, 1);
}
EXPORT_SYMBOL_GPL(str_entry_del);

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

static void *open_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&entries_mutex);
	return seq_list_start(&entries, *pos);
}

static void *open_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &entries, pos);
}

static void open_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&entries_mutex);
}

static int open_show(struct seq_file *m, void *v)
{
	struct str_entry *e = list_entry(v, struct str_entry, list);
	const struct cred *cred = m->file->f_cred;

	if (!uid_eq(e->uid, cred->euid) &&
	    !file_ns_capable(m->file, &init_user_ns, CAP_NET_ADMIN) &&
	    !file_ns_capable(m->file, &init_user_ns, CAP_SYS_ADMIN))
		return 0;
	seq_printf(m, "kind=%s uid=%u pid=%d comm=", kind_names[e->kind],
		   from_kuid_munged(seq_user_ns(m), e->uid), e->pid);
	/* Escapes all but printable ASCII, and the line's own separators. */
	seq_escape_str(m, e->comm, ESCAPE_NAP | ESCAPE_APPEND | ESCAPE_HEX,
		       " =\\");
	if (e->show)
		e->show(m, e);
	seq_putc(m, '\n');
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
	if (!proc_create_single("counters", 0444, proc_dir, counters_show) ||
	    !proc_create_seq("open", 0444, proc_dir, &open_ops)) {
		remove_proc_subtree("streams", NULL);
		return -ENOMEM;
	}
	return 0;
}

void stat_exit(void)
{
	remove_proc_subtree("streams", NULL);
}
