// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler: perimeters whose owner could not finish
 *
 * Work is done where it arises, by the owner of the perimeter. Work that
 * cannot be done there (in a hard interrupt, too deep in a softirq, or simply
 * too much) is done on the same CPU by its bottom half. A perimeter on a CPU's
 * list stays owned, though no owner runs, until the bottom half takes it.
 */
#include <linux/interrupt.h>
#include <linux/percpu.h>

#include "inbox.h"
#include "sched.h"

struct sched_cpu {
	struct llist_head list;
	struct tasklet_struct bh;
};

static DEFINE_PER_CPU(struct sched_cpu, sched_cpu);

static void (*sched_run)(struct strperim *p) __ro_after_init;

void sched_handoff(struct strperim *p)
{
	struct sched_cpu *c = get_cpu_ptr(&sched_cpu);

	if (llist_add(&p->sched, &c->list))
		tasklet_schedule(&c->bh);
	put_cpu_ptr(&sched_cpu);
}

static void sched_bh(struct tasklet_struct *bh)
{
	struct sched_cpu *c = container_of(bh, struct sched_cpu, bh);
	struct llist_node *node;
	struct strperim *p, *next;

	node = llist_reverse_order(llist_del_all(&c->list));
	llist_for_each_entry_safe(p, next, node, sched)
		sched_run(p);
}

int __init sched_init(void (*run)(struct strperim *p))
{
	int cpu;

	sched_run = run;
	for_each_possible_cpu(cpu) {
		struct sched_cpu *c = per_cpu_ptr(&sched_cpu, cpu);

		init_llist_head(&c->list);
		tasklet_setup(&c->bh, sched_bh);
	}
	return 0;
}

void sched_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(&sched_cpu, cpu)->bh);
}
