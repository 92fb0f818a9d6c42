// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals.c - the signals that a step was sent
 *
 * They are blocked, and taken when the step is over.
 */
#include "signals.h"
#include "line.h"
#include "slots.h"

#include <signal.h>
#include <time.h>

static sigset_t wanted;

/** signals_begin - from now on signals wait to be collected */
void signals_begin(void)
{
	int sig;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGIO);
	sigaddset(&wanted, SIGPIPE);
	sigaddset(&wanted, SIGURG);
	for (sig = SIGRTMIN; sig < SIGRTMIN + 4; sig++)
		sigaddset(&wanted, sig);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
}

/** signals_discard - drop the signals since the last time */
void signals_discard(void)
{
	static const struct timespec now;

	while (sigtimedwait(&wanted, NULL, &now) > 0)
		;
}

/** signals_collect - the signals since the last time, and their reasons */
void signals_collect(void)
{
	static const struct timespec now;
	siginfo_t info;
	int sig;

	while ((sig = sigtimedwait(&wanted, &info, &now)) > 0) {
		if (sig == SIGPIPE) {
			put(SIGNALS, " SIGPIPE");
		} else if (sig == SIGURG) {
			put(SIGNALS, " SIGURG");
		} else {
			put(SIGNALS, sig == SIGIO ? " SIGIO" : " RT%d", sig - SIGRTMIN);
			if (info.si_code <= 0 || info.si_code == SI_KERNEL)
				continue;
			put(SIGNALS, "(%d code %d ", info.si_fd - first_fd, info.si_code);
			put_events(SIGNALS, info.si_band);
			put(SIGNALS, ")");
		}
	}
}
