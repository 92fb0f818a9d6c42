// SPDX-License-Identifier: GPL-2.0-only
/*
 * child.c - the forked child, which makes a step on request
 *
 * It has the descriptors that were open when it was forked. The parent waits
 * for each step of its, so that all is in order.
 */
#include "child.h"
#include "draw.h"
#include "fail.h"
#include "line.h"
#include "sequence.h"
#include "signals.h"
#include "slots.h"
#include "step.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static int control = -1;

/**
 * child_is_there - is there one?
 *
 * Return: true in the parent of one.
 */
bool child_is_there(void)
{
	return child > 0;
}

/**
 * play_step - make a step and print its results
 * @s: the step
 */
void play_step(const struct step *s)
{
	s->call->play(s);
	signals_collect();
}

static void live(void)
{
	struct step s;
	unsigned int number;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child = 0;
	while (recv(control, &number, sizeof(number), 0) == sizeof(number)) {
		draw(kind, seed, sequence, number, &s);
		line_begin();
		play_step(&s);
		line_send(control);
	}
	_exit(0);
}

/** child_start - fork it */
void child_start(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		broken("socketpair");
	pair[0] = fd_away(pair[0]);
	pair[1] = fd_away(pair[1]);
	child = fork();
	if (child < 0)
		broken("fork");
	control = pair[!child];
	close(pair[!!child]);
	if (!child)
		live();
}

/** child_end - it closes all and ends, if there is one */
void child_end(void)
{
	if (!child_is_there())
		return;
	close(control);
	waitpid(child, NULL, 0);
	child = 0;
}

/**
 * child_play - let it make a step
 * @s: the step
 */
void child_play(const struct step *s)
{
	if (send(control, &s->number, sizeof(s->number), 0) != sizeof(s->number))
		broken("the child is gone");
	line_receive(control);
}
