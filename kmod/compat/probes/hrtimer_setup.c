// SPDX-License-Identifier: GPL-2.0-only
/* 6.13: a timer is given its function when it is set up */
#include <linux/hrtimer.h>

void probe(struct hrtimer *timer, enum hrtimer_restart (*f)(struct hrtimer *));
void probe(struct hrtimer *timer, enum hrtimer_restart (*f)(struct hrtimer *))
{
	hrtimer_setup(timer, f, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
