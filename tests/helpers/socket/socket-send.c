// SPDX-License-Identifier: GPL-2.0-only
/*
 * socket-send.c - datagrams that modules hold back, or copy, on STREAMS sockets
 * as streams
 */
#include "missing.h"
#include "socket-streams.h"
#include "tpi-address.h"
#include "../../../kmod/test/latemod.h"

#include <dirent.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define SOCKETS	20

static int native_socket(struct sockaddr_in *name)
{
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);

	*name = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	IS(bind(fd, (struct sockaddr *)name, sizeof(*name)), 0);
	*name = name_of(fd);
	return fd;
}

/* Sends back each datagram, until an empty one arrives. */
static void *echo(void *arg)
{
	struct sockaddr_in from;
	char data[64];
	int fd = *(int *)arg;
	ssize_t n;

	do {
		socklen_t len = sizeof(from);

		n = recvfrom(fd, data, sizeof(data), 0, (void *)&from, &len);
		IS(sendto(fd, data, n, 0, (void *)&from, len), n);
	} while (n);
	return NULL;
}

/*
 * The module's timer expires while the program waits for the answer, by every
 * call that waits.
 */
static void run_late(void)
{
	struct sockaddr_in name, to;
	int native = native_socket(&to), a = bound(&name), i;
	int level = epoll_create1(0), edge = epoll_create1(0);
	struct pollfd p = { .fd = a, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	pthread_t thread;

	IS(ioctl(a, I_PUSH, "latemod"), 0);
	IS(str_number(a, LATEMOD_DELAY, 20), 0);
	IS(epoll_ctl(level, EPOLL_CTL_ADD, a, &event), 0);
	event.events = EPOLLIN | EPOLLET;
	IS(epoll_ctl(edge, EPOLL_CTL_ADD, a, &event), 0);
	pthread_create(&thread, NULL, echo, &native);
	for (i = 0; i < 3; i++) {
		IS(send_to(a, "receive", 7, &to), 7);
		RECEIVES(a, "receive", to);
		IS(send_to(a, "poll", 4, &to), 4);
		IS(poll(&p, 1, WAIT_MS), 1);
		RECEIVES(a, "poll", to);
		IS(send_to(a, "epoll", 5, &to), 5);
		IS(epoll_wait(level, &event, 1, WAIT_MS), 1);
		RECEIVES(a, "epoll", to);
		IS(send_to(a, "edge", 4, &to), 4);
		do {
			IS(epoll_wait(edge, &event, 1, WAIT_MS), 1);
		} while (recv(a, buf, sizeof(buf), MSG_DONTWAIT) != 4);
		IS(memcmp(buf, "edge", 4), 0);
		IS(unitdata_req(a, &to, "getmsg", 6), 0);
		receive_prim(a, T_UNITDATA_IND);
		IS(in.data_len, 6);
	}
	IS(send_to(a, "", 0, &to), 0);
	RECEIVES(a, "", to);
	pthread_join(thread, NULL);
	/* Any call sends the rest, though the call itself does not wait. */
	IS(send_to(a, "later", 5, &to), 5);
	UNTIL((ioctl(a, I_LIST, NULL),
	       recv(native, buf, sizeof(buf), MSG_DONTWAIT) == 5));
	/* A datagram that is held back when the socket is closed is lost. */
	IS(send_to(a, "lost", 4, &to), 4);
	close(a);
	close(level);
	close(edge);
	close(native);
}

/*
 * The first piece of a datagram is sent before the socket has a stream: the
 * stream sends the next piece, also if a module holds it while a poller looks.
 */
static void begun(int delay, int cork)
{
	struct sockaddr_in name, to;
	int native = native_socket(&to), a = bound(&name);
	struct pollfd p = { .fd = a, .events = POLLOUT };
	int n;

	if (cork)
		IS(switched(a, SOL_UDP, UDP_CORK, 1), 0);
	IS(sendto(a, "one, ", 5, cork ? 0 : MSG_MORE, (void *)&to, sizeof(to)), 5);
	IS(ioctl(a, I_PUSH, "latemod"), 0);
	IS(str_number(a, LATEMOD_DELAY, delay), 0);
	IS(send_to(a, "two", 3, &to), 3);
	/*
	 * Calls that may wait send the data that the module passes on; poll()
	 * does not take the lock.
	 */
	do {
		IS(poll(&p, 1, WAIT_MS), 1);
		if (cork)
			IS(switched(a, SOL_UDP, UDP_CORK, 0), 0);
		TRUE(ioctl(a, I_LIST, NULL) > 0);
		n = recv(native, buf, sizeof(buf), MSG_DONTWAIT);
	} while (n < 0);
	IS(n, 8);
	IS(memcmp(buf, "one, two", 8), 0);
	FAILS(recv(native, buf, sizeof(buf), MSG_DONTWAIT), EAGAIN);
	IS(send_to(a, "three", 5, &to), 5);
	while (recv(native, buf, sizeof(buf), MSG_DONTWAIT) < 0)
		TRUE(ioctl(a, I_LIST, NULL) > 0);
	IS(memcmp(buf, "three", 5), 0);
	close(a);
	close(native);
}

static void run_begun(void)
{
	begun(0, 0);
	begun(0, 1);
	begun(20, 0);
}

static struct {
	int fd;
	struct sockaddr_in to;
} sender;

/*
 * The module sends each number three times, which is more than the send buffer
 * holds.
 */
static void *send_numbers(void *arg)
{
	static char data[1000];

	for (; data[0] < 4; data[0]++)
		IS(send_to(sender.fd, data, sizeof(data), &sender.to),
		   sizeof(data));
	return NULL;
}

static void run_copies(void)
{
	struct timeval limit = { .tv_sec = WAIT_MS / 1000 };
	int native = native_socket(&sender.to), i;
	struct sockaddr_in name;
	pthread_t thread;

	IS(setsockopt(native, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	sender.fd = bound(&name);
	IS(switched(sender.fd, SOL_SOCKET, SO_SNDBUF, 1), 0);
	IS(ioctl(sender.fd, I_PUSH, "latemod"), 0);
	IS(str_number(sender.fd, LATEMOD_TIMES, 3), 0);
	pthread_create(&thread, NULL, send_numbers, NULL);
	for (i = 0; i < 12; i++)
		IS(recv(native, buf, sizeof(buf), 0), 1000);
	pthread_join(thread, NULL);
	FAILS(recv(native, buf, sizeof(buf), MSG_DONTWAIT), EAGAIN);
	close(sender.fd);
	close(native);
}

/* Memory whose reader waits */
static struct missing stuck;

/* Holds the socket's lock until the page is provided. */
static void *hold_lock(void *arg)
{
	setsockopt(*(int *)arg, IPPROTO_IP, IP_OPTIONS, stuck.page, 4);
	return NULL;
}

/* Waits for the socket's lock: a socket that sends is given a port. */
static void *put_datagram(void *arg)
{
	IS(put_unitdata_at_once(*(int *)arg, &sender.to, "sent", 4), 0);
	return NULL;
}

/*
 * Returns the number of the kernel's workers that wait for something other than
 * work.
 */
static int stuck_workers(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	int found = 0;

	while ((d = readdir(proc))) {
		char name[300], comm[16] = "";
		FILE *f;

		snprintf(name, sizeof(name), "/proc/%s/comm", d->d_name);
		f = atoi(d->d_name) ? fopen(name, "r") : NULL;
		if (!f)
			continue;
		if (!fgets(comm, sizeof(comm), f))
			comm[0] = '\0';
		fclose(f);
		found += !strncmp(comm, "kworker/", 8) &&
			 task_state(atoi(d->d_name), atoi(d->d_name)) == 'D';
	}
	closedir(proc);
	return found;
}

/* However long a user holds the locks of sockets, no worker of the kernel waits. */
static void run_locked(void)
{
	int native = native_socket(&sender.to), fd[SOCKETS], i;
	pthread_t holder[SOCKETS], thread[SOCKETS];
	pid_t tid[SOCKETS];

	stuck = missing_page();
	for (i = 0; i < SOCKETS; i++) {
		fd[i] = sock();
		IS(ioctl(fd[i], I_PUSH, "nullmod"), 0);
		pthread_create(&holder[i], NULL, hold_lock, &fd[i]);
		missing_await(&stuck);
		thread[i] = thread_begin(put_datagram, &fd[i], &tid[i]);
	}
	for (i = 0; i < SOCKETS; i++)
		UNTIL(task_state(getpid(), tid[i]) == 'D');
	/* Some workers may be busy with other things for a moment. */
	UNTIL(stuck_workers() < SOCKETS / 2);
	missing_bring(&stuck);
	for (i = 0; i < SOCKETS; i++) {
		pthread_join(holder[i], NULL);
		pthread_join(thread[i], NULL);
		IS(recv(native, buf, sizeof(buf), 0), 4);
		close(fd[i]);
	}
	close(stuck.fd);
	close(native);
}

/*
 * A task holds a socket's lock while a datagram waits that needs the lock to be
 * sent: the socket has no port. poll() returns as it does without the datagram,
 * and sends the datagrams that need no lock.
 */
static void run_polled(void)
{
	int native = native_socket(&sender.to), a = sock(), b, i;
	struct sockaddr_in name;
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	pthread_t holder[2];

	b = bound(&name);
	p[0].fd = a;
	p[1].fd = b;
	stuck = missing_page();
	for (i = 0; i < 2; i++) {
		IS(ioctl(p[i].fd, I_PUSH, "latemod"), 0);
		IS(str_number(p[i].fd, LATEMOD_DELAY, 1), 0);
		pthread_create(&holder[i], NULL, hold_lock, &p[i].fd);
		missing_await(&stuck);
		IS(unitdata_req(p[i].fd, &sender.to, "sent", 4), 0);
	}
	UNTIL((poll(p, 2, 10) == 0 &&
	       recv(native, buf, sizeof(buf), MSG_DONTWAIT) == 4));
	/* The other module's timer has expired by now as well, or soon will. */
	for (i = 0; i < 10; i++)
		IS(poll(p, 1, 10), 0);
	FAILS(recv(a, buf, sizeof(buf), MSG_DONTWAIT), EAGAIN);
	FAILS(recv(native, buf, sizeof(buf), MSG_DONTWAIT), EAGAIN);
	missing_bring(&stuck);
	for (i = 0; i < 2; i++)
		pthread_join(holder[i], NULL);
	/* A call that may wait sends the datagram. */
	UNTIL((ioctl(a, I_LIST, NULL),
	       recv(native, buf, sizeof(buf), MSG_DONTWAIT) == 4));
	close(a);
	close(b);
	close(stuck.fd);
	close(native);
}

#define M_HANGUP	0x89	/* of sys/stream.h, which is for the kernel only */

/*
 * After a hangup the queued datagrams are received, and then nothing, whatever
 * arrives. No datagram is sent.
 */
static void run_hangup(void)
{
	struct sockaddr_in name, to, from;
	struct strbuf c = { .maxlen = sizeof(buf), .buf = buf };
	struct strbuf d = { .maxlen = 0, .buf = buf };
	int native = native_socket(&to), a = bound(&name), flags = 0;

	IS(ioctl(a, I_PUSH, "latemod"), 0);
	IS(send_to(native, "before", 6, &name), 6);
	UNTIL(ioctl_int(a, FIONREAD) == 6);
	/* The hangup may come before the answer is seen. */
	str_number(a, LATEMOD_UP, M_HANGUP);
	UNTIL(polled(a) & POLLHUP);
	IS(dropped(a), 0);
	IS(send_to(native, "after", 5, &name), 5);
	UNTIL(dropped(a) == 1);
	IS(polled(a), POLLHUP | POLLIN | POLLRDNORM);
	RECEIVES(a, "before", to);
	IS(polled(a), POLLHUP);
	IS(ioctl_int(a, FIONREAD), 0);
	IS(receive(a, 0, &from), 0);
	IS(receive(a, MSG_DONTWAIT, &from), 0);
	IS(getmsg(a, &c, &d, &flags), 0);
	IS(c.len, 0);
	IS(d.len, 0);
	FAILS(send_to(a, "x", 1, &to), ENXIO);
	close(a);
	close(native);
}

static const struct test_case cases[] = {
	{ "late", run_late },
	{ "begun", run_begun },
	{ "polled", run_polled },
	{ "copies", run_copies },
	{ "locked", run_locked },
	{ "hangup", run_hangup },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
