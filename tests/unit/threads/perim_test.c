// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perimeter, on threads: its order of memory, and how long it is used
 *
 * Senders put messages to a queue, also from softirqs and hard interrupts, while one
 * task locks the perimeter and enables the queue. When all messages have come the
 * perimeter is freed after a grace period, and the next one is used. The address
 * sanitizer finds a use that is too late, and an alarm a message that is stranded.
 */
#include "streams/perim/perim.h"
#include "streams/perim/sched.h"

#define SENDERS		4
#define LIMIT		120	/* seconds of one life */

struct life {
	struct strperim perim;
	queue_t q;
	int inside;
	int last[SENDERS];	/* the number of each one's last message */
	int came;
};

struct message {
	mblk_t mp;
	int sender, number;
};

__thread struct task_struct test_task;
__thread bool test_softirq, test_hardirq;

/* A thread's count is odd in a read section. */
static struct reader {
	unsigned long count;
} __aligned(64) readers[SENDERS + 2];
static __thread struct reader *reader;
static __thread int preempt_off;
static __thread unsigned int seed;

static struct llist_head bh;		/* perimeters for the bottom half */
static int stop;
static struct life *life;
static pthread_barrier_t turn;
static int n_lives, n_messages;

static void die(const char *why)
{
	printf("Bail out! the perimeter on threads: %s\n", why);
	fflush(stdout);
	_exit(3);
}

static void stranded(int sig)
{
	static const char text[] =
		"Bail out! the perimeter on threads: a message is stranded\n";

	_exit(write(1, text, sizeof(text) - 1) < 0 ? 4 : 3);
}

static unsigned int some(unsigned int below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

void test_pause(void)
{
	volatile int n = some(4) ? 0 : some(64);

	while (n)
		n--;
	if (!some(32))
		sched_yield();
}

void preempt_disable(void)
{
	if (!preempt_off++)
		__atomic_add_fetch(&reader->count, 1, __ATOMIC_SEQ_CST);
}

void preempt_enable(void)
{
	if (!--preempt_off)
		__atomic_add_fetch(&reader->count, 1, __ATOMIC_SEQ_CST);
}

static unsigned long count_of(int i)
{
	return __atomic_load_n(&readers[i].count, __ATOMIC_SEQ_CST);
}

static void grace(void)
{
	int i;

	for (i = 0; i < SENDERS + 2; i++) {
		unsigned long was = count_of(i);

		while (was & 1 && count_of(i) == was)
			sched_yield();
	}
}

/* In place of sched.c */
void sched_handoff(struct strperim *p)
{
	llist_add(&p->sched, &bh);
}

static void *bottom_half(void *arg)
{
	struct llist_node *node, *next;

	reader = &readers[SENDERS + 1];
	test_softirq = true;
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		preempt_disable();
		node = llist_reverse_order(llist_del_all(&bh));
		for (; node; node = next) {
			next = node->next;
			perim_resume(llist_entry(node, struct strperim, sched));
		}
		preempt_enable();
		sched_yield();
	}
	return NULL;
}

static void enter(struct life *l)
{
	if (__atomic_fetch_add(&l->inside, 1, __ATOMIC_RELAXED))
		die("two are inside");
	test_pause();
}

static void leave(struct life *l)
{
	__atomic_fetch_sub(&l->inside, 1, __ATOMIC_RELAXED);
}

static int arrive(queue_t *q, mblk_t *mp)
{
	struct message *m = container_of(mp, struct message, mp);
	struct life *l = q->q_ptr;

	if (test_hardirq)
		die("a procedure runs in a hard interrupt");
	enter(l);
	if (++l->last[m->sender] != m->number)
		die("messages are out of order");
	free(m);
	leave(l);
	__atomic_fetch_add(&l->came, 1, __ATOMIC_RELEASE);
	return 0;
}

static int serve(queue_t *q)
{
	enter(q->q_ptr);
	leave(q->q_ptr);
	return 0;
}

void freemsg(mblk_t *mp)
{
	die("a message finds no queue");
}

static struct qinit qi = { .qi_putp = arrive, .qi_srvp = serve };

static void *sender(void *arg)
{
	int me = (struct reader *)arg - readers, i, n;

	reader = arg;
	seed = me;
	for (i = 0; i < n_lives; i++) {
		pthread_barrier_wait(&turn);
		for (n = 1; n <= n_messages; n++) {
			struct message *m = calloc(1, sizeof(*m));
			unsigned int where = some(16);

			m->sender = me;
			m->number = n;
			test_softirq = where == 1;
			test_hardirq = where == 2;
			/* As put() does */
			preempt_disable();
			perim_put(&life->q, &m->mp);
			preempt_enable();
			test_softirq = false;
			test_hardirq = false;
		}
		pthread_barrier_wait(&turn);
	}
	return NULL;
}

static void enable(queue_t *q)
{
	/* As backenable() does */
	preempt_disable();
	if (!test_and_set_bit(0, &q->q_sched)) {
		if (some(2))
			perim_enable(q);
		else
			perim_enable_now(q);
	}
	preempt_enable();
}

static void locked(struct life *l)
{
	str_perim_lock(&l->perim);
	enter(l);
	leave(l);
	str_perim_unlock(&l->perim);
}

/* One perimeter's life, from the side of the task that frees it. */
static void live(struct life *l)
{
	unsigned int i;

	str_perim_init(&l->perim);
	l->q.q_qinfo = &qi;
	l->q.q_perim = &l->perim;
	l->q.q_ptr = l;
	life = l;
	alarm(LIMIT);
	pthread_barrier_wait(&turn);
	for (i = some(16); i; i--) {
		enable(&l->q);
		if (some(2))
			locked(l);
	}
	/* From here on no other event helps a stranded message. */
	while (__atomic_load_n(&l->came, __ATOMIC_ACQUIRE) <
	       SENDERS * n_messages)
		sched_yield();
	while (__atomic_load_n(&l->q.q_sched, __ATOMIC_ACQUIRE) & 1)
		str_perim_pass(&l->perim);
	perim_quiesce(&l->perim);
	if (atomic_read(&l->perim.left) != l->perim.taken || l->perim.owner ||
	    l->perim.todo || l->perim.serve || l->inside)
		die("it is not empty");
	grace();
	free(l);
	pthread_barrier_wait(&turn);
}

static void lives(int n, int messages)
{
	pthread_t thread[SENDERS];
	int i;

	n_lives = n;
	n_messages = messages;
	for (i = 0; i < SENDERS; i++)
		pthread_create(&thread[i], NULL, sender, &readers[i]);
	for (i = 0; i < n; i++)
		live(calloc(1, sizeof(struct life)));
	for (i = 0; i < SENDERS; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	pthread_t thread;

	signal(SIGALRM, stranded);
	reader = &readers[SENDERS];
	pthread_barrier_init(&turn, NULL, SENDERS + 1);
	pthread_create(&thread, NULL, bottom_half, NULL);
	/* The end of a life, order, and the budget of an owner */
	lives(5000, 1);
	lives(2000, 5);
	lives(10, 2000);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	puts("# the perimeter on threads: no message stranded, lost or out of order");
	return 0;
}
