// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is open now, and counters since load: /proc/streams
 *
 * counters	"NAME VALUE" lines, for root: they tell how much others send, and when
 * open		a line of "key=value" pairs for each stream of the reader's
 *		user, or all for who may administer the network
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string_helpers.h>

#include "stat.h"

DEFINE_PER_CPU(struct str_counters, str_counters);
EXPORT_PER_CPU_SYMBOL_GPL(str_counters);

/*
 * The open streams, in many lists: a task that opens or closes one waits for nobody
 * but those of the same list, and for a reader not longer than it takes to walk that.
 */
#define LISTS_BITS	7

static struct str_entries {
	struct mutex mutex;		/* the list */
	struct list_head list;
} lists[1 << LISTS_BITS];

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

static struct str_entries *entries_of(const struct str_entry *e)
{
	return &lists[hash_ptr(e, LISTS_BITS)];
}

/**
 * str_entry_add() - list an open stream
 * @e: its entry, which stays the caller's
 * @kind: what it is
 * @show: writes what only its kind knows
 *
 * The current task is listed as the owner. Context: may sleep.
 */
void str_entry_add(struct str_entry *e, enum str_kind kind,
		   void (*show)(struct seq_file *m, struct str_entry *e))
{
	struct str_entries *entries = entries_of(e);

	e->kind = kind;
	e->show = show;
	e->uid = current_uid();
	e->pid = task_tgid_nr(current);
	get_task_comm(e->comm, current);
	mutex_lock(&entries->mutex);
	list_add_tail(&e->list, &entries->list);
	mutex_unlock(&entries->mutex);
	str_count(kind, STR_OPENED, 1);
}
EXPORT_SYMBOL_GPL(str_entry_add);

/**
 * str_entry_del() - list a stream no more
 * @e: its entry; @show is not called any more when this returns
 *
 * Context: may sleep.
 */
void str_entry_del(struct str_entry *e)
{
	struct str_entries *entries = entries_of(e);

	mutex_lock(&entries->mutex);
	list_del(&e->list);
	mutex_unlock(&entries->mutex);
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

/*
 * A reader's position: the list in the upper bits, the entry's place in it below.
 * The list stays locked until the next one is wanted, or the reader's buffer is full.
 */
#define LIST_SHIFT	32

static struct str_entries *open_list(loff_t pos)
{
	return pos >> LIST_SHIFT < ARRAY_SIZE(lists) ?
	       &lists[pos >> LIST_SHIFT] : NULL;
}

/* The first entry of the first list from pos's on that has any; locked, or NULL. */
static void *open_first(loff_t *pos)
{
	struct str_entries *entries;

	while ((entries = open_list(*pos))) {
		mutex_lock(&entries->mutex);
		if (!list_empty(&entries->list))
			return entries->list.next;
		mutex_unlock(&entries->mutex);
		*pos = ((*pos >> LIST_SHIFT) + 1) << LIST_SHIFT;
	}
	return NULL;
}

static void *open_start(struct seq_file *m, loff_t *pos)
{
	struct str_entries *entries = open_list(*pos);
	struct list_head *found;

	if (!entries)
		return NULL;
	mutex_lock(&entries->mutex);
	found = seq_list_start(&entries->list, (u32)*pos);
	if (found)
		return found;
	mutex_unlock(&entries->mutex);
	*pos = ((*pos >> LIST_SHIFT) + 1) << LIST_SHIFT;
	return open_first(pos);
}

static void *open_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct str_entries *entries = open_list(*pos);
	struct list_head *next = ((struct list_head *)v)->next;

	cond_resched();
	if (next != &entries->list) {
		++*pos;
		return next;
	}
	mutex_unlock(&entries->mutex);
	*pos = ((*pos >> LIST_SHIFT) + 1) << LIST_SHIFT;
	return open_first(pos);
}

static void open_stop(struct seq_file *m, void *v)
{
	struct str_entry *e;

	if (!v)
		return;
	e = list_entry(v, struct str_entry, list);
	mutex_unlock(&entries_of(e)->mutex);
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
	/* All but printable ASCII, and what the line is made of. */
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
	int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		mutex_init(&lists[i].mutex);
		INIT_LIST_HEAD(&lists[i].list);
	}
	proc_dir = proc_mkdir("streams", NULL);
	if (!proc_dir)
		return -ENOMEM;
	if (!proc_create_single("counters", 0400, proc_dir, counters_show) ||
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
