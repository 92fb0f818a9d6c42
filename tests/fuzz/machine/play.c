// SPDX-License-Identifier: GPL-2.0-only
/* Plays a sequence: see play.h */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cover.h"
#include "faults.h"
#include "log.h"
#include "oracle.h"
#include "play.h"

#define NOBODY		65534
#define PATIENCE	120	/* seconds until a killed process counts as stuck */
#define STEP_MS		5	/* between two looks at the processes */

struct shared *shared;
struct play_options play_options;

struct part {
	struct player *player;
	const struct sequence *sequence;
	int thread;
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

/* One call in eight is made while memory fails. */
static void call(struct draw *d, const struct part *part, int i)
{
	enum family family = part->sequence->family;

	if (!draw_below(d, 8))
		faults_next(1 + draw_below(d, 24));
	if (i < 8 || !draw_below(d, 8))
		open_one(d, part->player,
			 draw_below(d, 8) ? family : draw_below(d, FAMILIES));
	else
		act_one(d, part->player);
	faults_next(0);
}

static void *play(void *arg)
{
	const struct part *part = arg;
	const struct sequence *s = part->sequence;
	int self = part->player->self, thread = part->thread, i;

	watch();
	faults_begin();
	if (play_options.covered)
		cover_begin(self, thread);
	for (i = 0; i < CALLS; i++) {
		struct draw d = { .state = s->call[self][thread][i] };

		if (!self && !thread && i == s->kill_at)
			kill_one(&d);
		if (!s->call[self][thread][i])
			continue;
		__atomic_add_fetch(&shared->calls, 1, __ATOMIC_RELAXED);
		call(&d, part, i);
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

/* Gives the process its own namespaces, in which it is root, and a mount for its names. */
static void enter_namespaces(const struct player *p)
{
	static const char *const maps[][2] = {
		{ "/proc/self/uid_map", "0 65534 1" }, { "/proc/self/setgroups", "deny" },
		{ "/proc/self/gid_map", "0 65534 1" },
	};
	size_t i;
	int fd;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return;
	for (i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		fd = open(maps[i][0], O_WRONLY | O_CLOEXEC);
		(void)!write(fd, maps[i][1], strlen(maps[i][1]));
		close(fd);
	}
	mount("own", p->folder, "tmpfs", 0, "mode=777");
}

/* Most sequences are of a user without privileges. */
static void settle(struct player *p, const struct sequence *s)
{
	static const struct rlimit files = { 256, 256 };
	struct sched_param none = { };

	setrlimit(RLIMIT_NOFILE, &files);
	if (s->idle)
		sched_setscheduler(0, SCHED_IDLE, &none);
	if (p->root)
		return;
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(1);
	prctl(PR_SET_DUMPABLE, 1);
	if (s->namespaces)
		enter_namespaces(p);
}

static void process(const struct sequence *s, int self, const int *mesh)
{
	struct player p = { .self = self, .folder = play_options.folder, .root = s->root };
	struct part part[THREADS];
	pthread_t thread[THREADS];
	int i;

	memset(p.fd, 0xff, sizeof(p.fd));
	memcpy(p.mesh, mesh, sizeof(p.mesh));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signals();
	settle(&p, s);
	if (memory_init() || late_init())
		_exit(1);
	for (i = 0; i < THREADS; i++)
		part[i] = (struct part){ &p, s, i };
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, play, &part[i]))
			_exit(1);
	play(&part[0]);
	if (s->end[self] == KILLED_IN_CALL)
		raise(SIGKILL);
	for (i = 1; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	if (s->end[self] == KILLED)
		raise(SIGKILL);
	_exit(0);
}

/* Waits; returns how many processes of a sequence are left after some seconds. */
static int await_all(int seconds, struct oracle_end *watched)
{
	struct timespec pause = { .tv_nsec = STEP_MS * 1000000 };
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
		for (i = 0; i < PROCESSES; i++) {
			watched[i].pid = shared->pid[i];
			if (watched[i].pid > 0)
				oracle_watch_end(&watched[i], STEP_MS);
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec && !shared->broken);
	return left;
}

static void show_stuck(void)
{
	char command[128];
	int i;

	for (i = 0; i < PROCESSES; i++) {
		if (shared->pid[i] <= 0)
			continue;
		printf("process %d does not end\n", i);
		fflush(stdout);
		snprintf(command, sizeof(command),
			 "cat /proc/%d/task/*/stack", shared->pid[i]);
		(void)!system(command);
	}
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

bool sequence_play(const struct sequence *s)
{
	struct oracle_end watched[PROCESSES] = { };
	int mesh[2], i, left;

	if (play_options.announced)
		printf("sequence %s, %lu calls before\n", s->name, shared->calls);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, mesh))
		return false;
	/* The numbers are there before any of the processes makes a call. */
	for (i = 0; i < PROCESSES; i++)
		shared->pid[i] = -1;
	fflush(stdout);
	for (i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (!pid) {
			shared->pid[i] = getpid();
			process(s, i, mesh);
		}
		shared->pid[i] = pid;
	}
	close(mesh[0]);
	close(mesh[1]);
	left = await_all(20, watched);
	for (i = 0; left && i < PROCESSES; i++)
		if (shared->pid[i] > 0)
			kill(shared->pid[i], SIGKILL);
	if (left && await_all(PATIENCE, watched)) {
		show_stuck();
		if (shared->broken)
			printf("%s\n", shared->promise);
		return true;
	}
	if (shared->broken) {
		printf("%s\n", shared->promise);
		return true;
	}
	unlink_all();
	return log_reports() || oracle_left();
}
