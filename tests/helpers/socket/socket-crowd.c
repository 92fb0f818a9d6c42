// SPDX-License-Identifier: GPL-2.0-only
/* socket-crowd.c - senders on STREAMS sockets past a module with a perimeter of its own */
#include "socket-streams.h"
#include "../../../kmod/test/strperim.h"

#include <stdatomic.h>
#include <sys/epoll.h>

static struct {
	int fd, epoll;
	struct sockaddr_in to;
	atomic_bool stop;
	atomic_ulong sent;
} sender;

static atomic_bool stay_over;

static long crowd_send(int flags)
{
	return sendto(sender.fd, "crowd", 5, flags, (struct sockaddr *)&sender.to,
		      sizeof(sender.to));
}

/* Runs a procedure that stays in its perimeter for half a second. */
static void *stay(void *arg)
{
	IS(str_number(*(int *)arg, STRPERIM_STAY, 500), 0);
	atomic_store(&stay_over, true);
	return NULL;
}

/*
 * Makes a socket to send from, and returns one of the same module that stays
 * inside.
 */
static int crowd_begin(int *to)
{
	struct sockaddr_in name;
	int stays;

	*to = bound(&sender.to);
	sender.fd = bound(&name);
	stays = bound(&name);
	IS(ioctl(sender.fd, I_PUSH, "strpermod"), 0);
	IS(ioctl(stays, I_PUSH, "strpermod"), 0);
	return stays;
}

static void *send_on(void *arg)
{
	while (!atomic_load(&sender.stop)) {
		crowd_send(0);
		atomic_fetch_add(&sender.sent, 1);
	}
	return NULL;
}

/*
 * Returns whether the sender is held back while the other procedure stays
 * inside.
 */
static bool holds_back(int fd, pid_t tid)
{
	pthread_t thread;
	bool held = false;

	atomic_store(&stay_over, false);
	pthread_create(&thread, NULL, stay, &fd);
	while (!held && !atomic_load(&stay_over)) {
		held = task_state(getpid(), tid) == 'D' && !atomic_load(&stay_over);
		usleep(1000);
	}
	pthread_join(thread, NULL);
	return held;
}

/*
 * A sender is held back while another task stays inside the perimeter. On a
 * busy machine the stay may be over before the sender's state is looked at, so
 * the case is repeated.
 */
static void run_waits(void)
{
	int to, stays = crowd_begin(&to), tries = 1;
	pthread_t thread;
	pid_t tid;

	thread = thread_begin(send_on, NULL, &tid);
	UNTIL(atomic_load(&sender.sent) >= 10);
	while (!holds_back(stays, tid))
		TRUE(tries++ < 20);
	atomic_store(&sender.stop, true);
	pthread_join(thread, NULL);
	printf("held back in try %d\n", tries);
	close(stays);
	close(sender.fd);
	close(to);
}

/*
 * Sends without waiting until there is no room, or the stay is over. An
 * edge-triggered poller is then woken until it can send again.
 */
static void *send_nowait(void *arg)
{
	struct epoll_event event;
	long ret;

	do
		ret = crowd_send(MSG_DONTWAIT);
	while (ret == 5 && !atomic_load(&stay_over));
	*(bool *)arg = ret < 0 && errno == EAGAIN && !atomic_load(&stay_over);
	while (ret < 0 && errno == EAGAIN) {
		IS(epoll_wait(sender.epoll, &event, 1, -1), 1);
		ret = crowd_send(MSG_DONTWAIT);
	}
	IS(ret, 5);
	return NULL;
}

/* A call that may not wait finds no room then; afterwards there is room again. */
static void run_nowait(void)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };
	int to, stays = crowd_begin(&to), tries = 0;
	bool refused = false;
	pthread_t thread[2];

	sender.epoll = epoll_create1(0);
	IS(epoll_ctl(sender.epoll, EPOLL_CTL_ADD, sender.fd, &event), 0);
	while (!refused) {
		TRUE(tries++ < 20);
		atomic_store(&stay_over, false);
		pthread_create(&thread[0], NULL, stay, &stays);
		pthread_create(&thread[1], NULL, send_nowait, &refused);
		pthread_join(thread[0], NULL);
		pthread_join(thread[1], NULL);
	}
	printf("refused in try %d\n", tries);
	close(sender.epoll);
	close(stays);
	close(sender.fd);
	close(to);
}

static const struct test_case cases[] = {
	{ "waits", run_waits },
	{ "nowait", run_nowait },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
