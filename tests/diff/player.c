// SPDX-License-Identifier: GPL-2.0-only
/*
 * player.c - plays the sequences of the differential tester
 *
 * Run natively or under strsock, it reads on its standard input lines of "SEED
 * SEQUENCE [STEP,STEP...]", makes the steps of that sequence (or those) and
 * prints each as a line of fields, with "end" after the last.
 */
#include "child.h"
#include "data.h"
#include "draw.h"
#include "epoll.h"
#include "fail.h"
#include "line.h"
#include "pipe_steps.h"
#include "sequence.h"
#include "signals.h"
#include "slots.h"
#include "step.h"
#include "tcp_steps.h"
#include "udp_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned int limit;	/* how many seconds a sequence may take */

/*
 * "--plant FIRST,THEN[,HOW]" makes THEN wrong, once FIRST has succeeded. HOW is
 * "die" for a death, "hang" and "stuck" for a call that a signal ends, or none does.
 */
static const char *plant_first, *plant_then, *plant_how;
static bool planted;

static void hung(int sig)
{
	if (line_telling()) {
		alarm(1);
		return;
	}
	if (write(STDOUT_FILENO, "hung\n", 5) != 5)
		_exit(3);
	_exit(2);
}

static bool succeeded(void)
{
	return line_result()[0] != 'E' && line_result()[0] != 'n';
}

static void go_wrong(void)
{
	sigset_t all;

	if (!plant_how) {
		put(RESULT, " wrong");
		return;
	}
	if (!strcmp(plant_how, "die"))
		raise(SIGKILL);
	sigfillset(&all);
	if (!strcmp(plant_how, "stuck"))
		sigprocmask(SIG_SETMASK, &all, NULL);
	for (;;)
		pause();
}

static void plant(const struct step *s)
{
	if (!plant_first)
		return;
	if (planted && !strcmp(s->call->name, plant_then) && succeeded())
		go_wrong();
	if (!strcmp(s->call->name, plant_first) && succeeded())
		planted = true;
}

static void play_numbered(unsigned int number)
{
	struct step s;

	draw(kind, seed, sequence, number, &s);
	line_begin();
	if (s.child && child_is_there()) {
		child_play(&s);
		signals_collect();
	} else {
		s.child = false;
		play_step(&s);
	}
	if (!quiet)
		slots_state();
	plant(&s);
	line_end(&s);
}

static void play_sequence(char *only)
{
	unsigned int i;
	char *number;

	alarm(limit);
	planted = false;
	memset(shared, 0, sizeof(*shared));
	shared->pid = getpid();
	/* Polling changes the later behaviour of native pipes. */
	quiet = sequence % 4 == 3;
	slots_begin();
	epoll_begin();
	if (only)
		for (number = strtok(only, ","); number; number = strtok(NULL, ","))
			play_numbered(atoi(number));
	else
		for (i = 0; i < STEPS; i++)
			play_numbered(i);
	child_end();
	slots_end();
	if (kind->end)
		kind->end();
	epoll_end();
	line_begin();
	signals_collect();
	alarm(0);
}

static void usage(void)
{
	fprintf(stderr, "usage: player pipe|udp|udp6|tcp SECONDS [--plant FIRST,THEN[,HOW]]\n");
	exit(2);
}

static const struct kind *kind_named(const char *name)
{
	static const struct kind *const kinds[] = { &pipe_kind, &udp_kind, &udp6_kind, &tcp_kind };
	unsigned int i;

	for (i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

int main(int argc, char **argv)
{
	char *line = NULL, *at;
	size_t size = 0;

	if (argc != 3 && argc != 5)
		usage();
	kind = kind_named(argv[1]);
	limit = atoi(argv[2]);
	if (!kind || !limit || (argc == 5 && strcmp(argv[3], "--plant")))
		usage();
	if (argc == 5) {
		plant_first = strtok(argv[4], ",");
		plant_then = strtok(NULL, ",");
		plant_how = strtok(NULL, ",");
		if (!plant_then)
			usage();
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		broken("mmap");
	if (kind->begin)
		kind->begin();
	data_begin();
	signals_begin();
	signal(SIGALRM, hung);
	first_fd = dup(STDIN_FILENO);
	close(first_fd);
	printf("player %s, %u steps in a sequence\n", kind->name, STEPS);
	fflush(stdout);
	while (getline(&line, &size, stdin) > 0) {
		seed = strtoull(line, &at, 10);
		sequence = strtoull(at, &at, 10);
		play_sequence(*at == ' ' ? at + 1 : NULL);
		lines_end();
	}
	return 0;
}
