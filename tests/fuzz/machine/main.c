// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls - random calls of several processes and threads on STREAMS, in the machine
 *
 * A sequence is three processes of two threads, which begin with files of one family
 * and make calls that follow from the seed and the sequence's number. One of them is
 * killed at some call. A kernel's report is found by the machine's log; a process that
 * does not end is a finding of this program.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

#define CALLS		200	/* of each thread of a sequence */
#define NOBODY		65534
#define PATIENCE	120	/* seconds until a killed process counts as stuck */

struct shared *shared;

static unsigned long seed = 1;
static const char *folder;

struct part {
	struct player *player;
	struct draw draw;
	enum family family;
	unsigned long sequence;
	int kill_at;		/* the call before which another process is killed, or -1 */
};

static void nothing(int number)
{
}

/* A call that waits is interrupted. */
static void watch(void)
{
	struct sigevent ev = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGALRM,
	};
	struct itimerspec each = {
		{ .tv_nsec = 5000000 }, { .tv_nsec = 5000000 },
	};
	timer_t timer;

	ev._sigev_un._tid = syscall(SYS_gettid);
	if (!timer_create(CLOCK_MONOTONIC, &ev, &timer))
		timer_settime(timer, 0, &each, NULL);
}

/* Any of the processes that is there, this one as well */
static void kill_one(struct draw *d)
{
	pid_t pid = shared->pid[draw_below(d, PROCESSES)];

	if (pid > 0)
		kill(pid, SIGKILL);
}

static void *play(void *arg)
{
	struct part *part = arg;
	int i;

	watch();
	for (i = 0; i < CALLS; i++) {
		if (i == part->kill_at)
			kill_one(&part->draw);
		__atomic_add_fetch(&shared->calls, 1, __ATOMIC_RELAXED);
		if (i < 8 || !draw_below(&part->draw, 8))
			open_one(&part->draw, part->player, draw_below(&part->draw, 8) ?
				 part->family : draw_below(&part->draw, FAMILIES));
		else
			act_one(&part->draw, part->player);
	}
	return NULL;
}

static void signals(void)
{
	static const int numbers[] = {
		SIGALRM, SIGUSR1, SIGURG, SIGPOLL, SIGWINCH, SIGPIPE, SIGHUP,
	};
	struct sigaction act = { .sa_handler = nothing };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &act, NULL);
}

/* Most sequences are of a user without privileges. */
static void settle(struct player *p)
{
	static const struct rlimit files = { 256, 256 };

	setrlimit(RLIMIT_NOFILE, &files);
	if (p->root)
		return;
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(1);
	prctl(PR_SET_DUMPABLE, 1);
}

static void process(unsigned long sequence, int self, enum family family, bool root,
		    const int *mesh)
{
	struct player p = { .self = self, .folder = folder, .root = root };
	struct part part[THREADS];
	pthread_t thread[THREADS];
	int i;

	memset(p.fd, 0xff, sizeof(p.fd));
	memcpy(p.mesh, mesh, sizeof(p.mesh));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signals();
	settle(&p);
	if (memory_init())
		_exit(1);
	for (i = 0; i < THREADS; i++) {
		struct draw d = { .state = seed * 1000003 + sequence * 64 + self * 8 + i };

		draw(&d);
		part[i] = (struct part){ &p, d, family, sequence, -1 };
		if (!self && !i && draw_below(&d, 2))
			part[i].kill_at = draw_below(&d, CALLS);
	}
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, play, &part[i]))
			_exit(1);
	play(&part[0]);
	/* In half of all sequences the other thread is in a call when this one exits. */
	if (draw_below(&part[0].draw, 2))
		for (i = 1; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	_exit(0);
}

/* The processes of a sequence that are there still after some seconds */
static int await_all(int seconds)
{
	struct timespec pause = { .tv_nsec = 2000000 };
	struct timespec now, end;
	int left, i;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	do {
		for (left = 0, i = 0; i < PROCESSES; i++)
			if (shared->pid[i] > 0) {
				if (waitpid(shared->pid[i], NULL, WNOHANG) ==
				    shared->pid[i])
					shared->pid[i] = -1;
				else
					left++;
			}
		if (!left)
			return 0;
		nanosleep(&pause, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec);
	return left;
}

static void show_stuck(unsigned long sequence)
{
	char command[128];
	int i;

	for (i = 0; i < PROCESSES; i++) {
		if (shared->pid[i] <= 0)
			continue;
		printf("sequence %lu: process %d does not end\n", sequence, i);
		fflush(stdout);
		snprintf(command, sizeof(command),
			 "cat /proc/%d/task/*/stack /proc/%d/wchan", shared->pid[i],
			 shared->pid[i]);
		(void)!system(command);
	}
}

/* 0, or 1: a finding */
static int sequence_play(unsigned long sequence, int only)
{
	struct draw d = { .state = seed * 7919 + sequence };
	enum family family = only < 0 ? (int)draw_below(&d, FAMILIES) : only;
	bool root = !draw_below(&d, 4);
	int mesh[2], i, left;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, mesh))
		return 0;
	/* The numbers are there before any of the processes makes a call. */
	for (i = 0; i < PROCESSES; i++)
		shared->pid[i] = -1;
	fflush(stdout);
	for (i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (!pid) {
			shared->pid[i] = getpid();
			process(sequence, i, family, root, mesh);
		}
		shared->pid[i] = pid;
	}
	close(mesh[0]);
	close(mesh[1]);
	left = await_all(20);
	for (i = 0; left && i < PROCESSES; i++)
		if (shared->pid[i] > 0)
			kill(shared->pid[i], SIGKILL);
	if (left && await_all(PATIENCE)) {
		show_stuck(sequence);
		return 1;
	}
	return 0;
}

/* Persistent links outlive their processes. */
static void unlink_all(void)
{
	static const char *const drivers[] = {
		"/dev/streams/mux", "/dev/streams/testmux",
	};
	size_t i;
	int fd;

	for (i = 0; i < sizeof(drivers) / sizeof(*drivers); i++) {
		fd = open(drivers[i], O_RDWR | O_NONBLOCK);
		if (fd >= 0) {
			ioctl(fd, I_PUNLINK, MUXID_ALL);
			close(fd);
		}
	}
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end) {
		fprintf(stderr, "calls: '%s' is not a number\n", text);
		exit(2);
	}
	return n;
}

static int family_of(const char *name)
{
	int i;

	for (i = 0; i < FAMILIES; i++)
		if (!strcmp(families[i], name))
			return i;
	fprintf(stderr, "calls: no family is named '%s'\n", name);
	exit(2);
}

static void prepare(void)
{
	static char name[] = "/tmp/calls-XXXXXX";

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	folder = mkdtemp(name);
	/* Addresses and names of its own; a machine without these has others. */
	if (unshare(CLONE_NEWNS | CLONE_NEWNET) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || !folder ||
	    mount("calls", folder, "tmpfs", 0, "mode=777") || shared == MAP_FAILED) {
		perror("calls: it has to be root, in the machine");
		exit(2);
	}
	(void)!system("ip link set lo up");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "sequence", required_argument, NULL, 'q' },
		{ "sequences", required_argument, NULL, 'n' },
		{ "family", required_argument, NULL, 'f' },
		{ "verbose", no_argument, NULL, 'v' },
		{ }
	};
	unsigned long first = 0, n = 50, i;
	int findings = 0, only = -1, c;
	bool verbose = false;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 's')
			seed = number(optarg);
		else if (c == 'q')
			first = number(optarg);
		else if (c == 'n')
			n = number(optarg);
		else if (c == 'f')
			only = family_of(optarg);
		else if (c == 'v')
			verbose = true;
		else
			return 2;
	}
	prepare();
	for (i = first; i < first + n && !findings; i++) {
		if (verbose)
			printf("sequence %lu, %lu calls before\n", i, shared->calls);
		/* A finding of the kernel's is printed with what came before it. */
		findings += sequence_play(i, only);
	}
	unlink_all();
	umount2(folder, MNT_DETACH);
	rmdir(folder);
	printf("%lu calls, %d findings\n", shared->calls, findings);
	return !!findings;
}
