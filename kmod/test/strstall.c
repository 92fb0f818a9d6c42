// SPDX-License-Identifier: GPL-2.0-only
/*
 * strstall: delays one task in its next call of a function, and counts the calls of
 * another function
 *
 * Tests so hold a task between two steps, where it is only by chance otherwise. A
 * program writes its requests to the parameters of the module.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/wait.h>

#if defined(CONFIG_X86_64) && IS_ENABLED(CONFIG_KPROBES)
enum { IDLE, ARMED, STALLED, ENDED };

static DEFINE_MUTEX(stall_mutex);
static DECLARE_WAIT_QUEUE_HEAD(stall_wait);
static char stall_symbol[KSYM_NAME_LEN], count_symbol[KSYM_NAME_LEN];
static int stall_state = IDLE;
static int stall_task;			/* process number of the task */
static unsigned int stall_ms;		/* time that the task is busy; 0: it sleeps */
static atomic_t calls;

static int stall_entered(struct kprobe *p, struct pt_regs *regs);

/*
 * A handler after the probe makes the kernel expect that the handler before it
 * changes the address to go on at.
 */
static void stall_after(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

NOKPROBE_SYMBOL(stall_after);

static struct kprobe stall_probe = {
	.symbol_name = stall_symbol,
	.pre_handler = stall_entered,
	.post_handler = stall_after,
};

/* The function is called in place of the probed one, and calls that one afterwards. */
static unsigned long stall_call(unsigned long a, unsigned long b, unsigned long c,
				unsigned long d, unsigned long e, unsigned long f)
{
	unsigned long (*function)(unsigned long a, unsigned long b, unsigned long c,
				  unsigned long d, unsigned long e, unsigned long f) =
		(void *)stall_probe.addr;

	if (stall_ms)
		mdelay(stall_ms);
	else
		wait_event(stall_wait, READ_ONCE(stall_state) != STALLED);
	WRITE_ONCE(stall_state, ENDED);
	return function(a, b, c, d, e, f);
}

static int stall_entered(struct kprobe *p, struct pt_regs *regs)
{
	if (task_pid_nr(current) != stall_task ||
	    cmpxchg(&stall_state, ARMED, STALLED) != ARMED)
		return 0;
	regs->ip = (unsigned long)stall_call;
	return 1;
}

NOKPROBE_SYMBOL(stall_entered);

static int count_entered(struct kprobe *p, struct pt_regs *regs)
{
	atomic_inc(&calls);
	return 0;
}

NOKPROBE_SYMBOL(count_entered);

static struct kprobe count_probe = {
	.symbol_name = count_symbol,
	.pre_handler = count_entered,
};

/* Sets a probe at the function of the name. */
static int probe_set(struct kprobe *p)
{
	/* The registration refuses values that the last one left. */
	p->addr = NULL;
	p->flags = 0;
	return register_kprobe(p);
}

/* Ends the delay, and removes the probe once no task is in a delay. */
static void stall_end(void)
{
	int state = cmpxchg(&stall_state, STALLED, ENDED);

	wake_up_all(&stall_wait);
	if (state != IDLE)
		unregister_kprobe(&stall_probe);
	WRITE_ONCE(stall_state, IDLE);
}

/* Takes "FUNCTION TASK MS", or an empty line to end the delay. */
static int stall_set(const char *value, const struct kernel_param *kp)
{
	int err = 0;

	mutex_lock(&stall_mutex);
	stall_end();
	if (*skip_spaces(value)) {
		err = sscanf(value, "%127s %d %u", stall_symbol, &stall_task, &stall_ms) == 3 ?
		      probe_set(&stall_probe) : -EINVAL;
		if (!err)
			WRITE_ONCE(stall_state, ARMED);
	}
	mutex_unlock(&stall_mutex);
	return err;
}

/* Takes the name of the function whose calls are counted, or an empty line. */
static int count_set(const char *value, const struct kernel_param *kp)
{
	int err = 0;

	mutex_lock(&stall_mutex);
	if (*count_symbol)
		unregister_kprobe(&count_probe);
	*count_symbol = '\0';
	atomic_set(&calls, 0);
	if (*skip_spaces(value))
		err = sscanf(value, "%127s", count_symbol) == 1 ? probe_set(&count_probe) :
								  -EINVAL;
	if (err)
		*count_symbol = '\0';
	mutex_unlock(&stall_mutex);
	return err;
}

/* Shows whether a task is delayed now. */
static int stall_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", READ_ONCE(stall_state) == STALLED);
}

static int count_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&calls));
}

static void __exit strstall_exit(void)
{
	stall_set("", NULL);
	count_set("", NULL);
}
#else
static int stall_set(const char *value, const struct kernel_param *kp)
{
	return -EOPNOTSUPP;
}

#define count_set	stall_set

static int stall_get(char *buffer, const struct kernel_param *kp)
{
	return -EOPNOTSUPP;
}

#define count_get	stall_get

static void __exit strstall_exit(void)
{
}
#endif

static const struct kernel_param_ops stall_ops = {
	.set = stall_set,
	.get = stall_get,
};

static const struct kernel_param_ops count_ops = {
	.set = count_set,
	.get = count_get,
};

module_param_cb(stall, &stall_ops, NULL, 0600);
MODULE_PARM_DESC(stall, "FUNCTION TASK MS: the task's next call of the function is delayed");
module_param_cb(count, &count_ops, NULL, 0600);
MODULE_PARM_DESC(count, "FUNCTION: its calls are counted");

static int __init strstall_init(void)
{
	return 0;
}

module_init(strstall_init);
module_exit(strstall_exit);

MODULE_DESCRIPTION("delays and counts calls of functions, for tests");
MODULE_LICENSE("GPL");
