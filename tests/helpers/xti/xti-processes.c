// SPDX-License-Identifier: GPL-2.0-only
/* xti-processes.c - threads and processes that share endpoints of /dev/streams/udp */
#include "xti-udp.h"

#include <sched.h>
#include <stdatomic.h>

#define DATAGRAMS	500

static struct sockaddr_in shared;
static int shared_fd;
static atomic_int sent, received;

static void *sends(void *arg)
{
	int i;

	for (i = 0; i < DATAGRAMS; i++) {
		while (send_to(shared_fd, &shared, &i, sizeof(i)))
			IS(t_errno, TFLOW);
		/*
		 * UDP loses datagrams that find no room, so few are sent at a
		 * time.
		 */
		sent++;
		UNTIL(sent - received < 100);
	}
	return NULL;
}

static void *takes(void *arg)
{
	unsigned int len;
	int flags, n;

	for (;;) {
		TIS(receive_from(shared_fd, NULL, &n, sizeof(n), &len, &flags), 0);
		if (len == 1)
			return NULL;
		IS(len, sizeof(n));
		received++;
	}
}

static void *asks(void *arg)
{
	char addr[16] = {};
	struct t_bind b = { .addr = netbuf(addr, sizeof(addr), 0) };
	int i;

	for (i = 0; i < 200; i++) {
		TIS(t_getprotaddr(shared_fd, &b, NULL), 0);
		IS(b.addr.len, 16);
		TIS(t_getstate(shared_fd), T_IDLE);
		/* Each thread has its own t_errno. */
		TFAILS(t_bind(shared_fd, NULL, NULL), TOUTSTATE);
		t_errno = i;
		sched_yield();
		IS(t_errno, i);
	}
	return NULL;
}

static void *opens(void *arg)
{
	struct sockaddr_in sin;
	unsigned int len;
	int i, fd, flags;
	char c;

	for (i = 0; i < 20; i++) {
		fd = bound(&sin);
		TIS(send_to(fd, &sin, "x", 1), 0);
		TIS(receive_from(fd, &sin, &c, 1, &len, &flags), 0);
		TIS(t_close(fd), 0);
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t t[8];
	int i;

	shared_fd = bound(&shared);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, takes, NULL);
	pthread_create(&t[2], NULL, sends, NULL);
	pthread_create(&t[3], NULL, sends, NULL);
	pthread_create(&t[4], NULL, asks, NULL);
	for (i = 5; i < 8; i++)
		pthread_create(&t[i], NULL, opens, NULL);
	for (i = 2; i < 8; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < 2; i++)
		TIS(send_to(shared_fd, &shared, "e", 1), 0);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	IS(received, 2 * DATAGRAMS);
	/*
	 * A thread that is cancelled while it waits leaves the endpoint to
	 * others.
	 */
	t[0] = thread_asleep(takes, NULL);
	pthread_cancel(t[0]);
	pthread_join(t[0], NULL);
	TIS(t_look(shared_fd), 0);
	TIS(t_close(shared_fd), 0);
}

static void in_child(void (*run)(int fd), int fd)
{
	int status;
	pid_t pid = fork();

	TRUE(pid >= 0);
	if (!pid) {
		run(fd);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

static void unbinds(int fd)
{
	TIS(t_getstate(fd), T_IDLE);
	TIS(t_unbind(fd), 0);
	TIS(t_getstate(fd), T_UNBND);
	TIS(t_close(fd), 0);
}

static void *waits(void *arg)
{
	unsigned int len;
	int flags;

	TIS(receive_from(shared_fd, NULL, got, 10, &len, &flags), 0);
	return NULL;
}

static void binds(int fd)
{
	TIS(t_bind(fd, NULL, NULL), 0);
}

/* The child does not have the parent's threads. */
static void sends_one(int fd)
{
	TIS(send_to(fd, &shared, "child", 5), 0);
	TIS(t_look(fd) < 0, 0);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
}

static void run_fork(void)
{
	pthread_t t;

	shared_fd = bound(&shared);
	t = thread_asleep(waits, NULL);
	in_child(sends_one, shared_fd);
	pthread_join(t, NULL);
	in_child(unbinds, shared_fd);
	/* The child's changes are known after t_sync(). */
	TIS(t_getstate(shared_fd), T_IDLE);
	/* A socket cannot lose its address: the child has another socket. */
	if (on_sockets()) {
		TIS(t_sync(shared_fd), T_IDLE);
		TIS(t_unbind(shared_fd), 0);
	}
	TIS(t_sync(shared_fd), T_UNBND);
	in_child(binds, shared_fd);
	TIS(t_sync(shared_fd), T_IDLE);
	TIS(t_close(shared_fd), 0);
}

static atomic_bool over;

/* Each number is an endpoint or not, whatever is done to it meanwhile. */
static void *looks(void *arg)
{
	int fd, state;

	while (!over) {
		for (fd = 0; fd < 40; fd++) {
			state = t_getstate(fd);
			TRUE(state >= 0 || t_errno == TBADF);
		}
		sched_yield();
	}
	return NULL;
}

static void goes_on(int fd)
{
	struct sockaddr_in sin;

	TIS(t_getstate(fd), T_IDLE);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	TIS(t_close(fd), 0);
	TIS(t_close(bound(&sin)), 0);
}

/* Calls of other threads during fork() do not block the child. */
static void run_forks(void)
{
	void *(*const others[])(void *arg) = { asks, opens, opens, looks };
	pthread_t t[4];
	int i;

	shared_fd = bound(&shared);
	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, others[i], NULL);
	for (i = 0; i < 10; i++)
		in_child(goes_on, shared_fd);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	over = true;
	pthread_join(t[3], NULL);
	TIS(t_getstate(shared_fd), T_IDLE);
	TIS(t_close(shared_fd), 0);
}

static const char *program;

static void executes(int fd)
{
	char number[12];

	snprintf(number, sizeof(number), "%d", fd);
	setenv("XTI_FD", number, 1);
	execl(program, program, "executed", NULL);
	_exit(2);
}

static void run_exec(void)
{
	struct sockaddr_in sin;
	unsigned int len;
	int fd = bound(&sin), flags, copy;

	fcntl(fd, F_SETFD, 0);
	TIS(send_to(fd, &sin, "half of it", 10), 0);
	TIS(receive_from(fd, NULL, got, 4, &len, &flags), 0);
	IS(flags, T_MORE);
	/*
	 * A socket does not keep the rest of a datagram: the library does, in
	 * this process.
	 */
	if (on_sockets()) {
		TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
		IS(len, 6);
		TIS(send_to(fd, &sin, " of it", 6), 0);
	}
	in_child(executes, fd);
	TIS(t_look(fd), 0);
	copy = dup(fd);
	TIS(t_getstate(copy), T_IDLE);
	TIS(t_close(fd), 0);
	TIS(send_to(copy, &sin, "copy", 4), 0);
	TIS(t_close(copy), 0);
}

/* The other program reads the rest of the datagram. */
static void run_executed(void)
{
	unsigned int len;
	int fd = atoi(getenv("XTI_FD")), flags;

	TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
	IS(len, 6);
	TRUE(!memcmp(got, " of it", 6));
	IS(flags, 0);
	TIS(t_sync(fd), T_IDLE);
}

/*
 * The library does not ask a pipe whether it is a provider: its reader would
 * receive the question.
 */
static void run_strangers(void)
{
	struct sockaddr_in sin;
	int fds[2], fd = bound(&sin), copy, bytes;

	IS(pipe(fds), 0);
	TFAILS(t_getstate(fds[1]), TBADF);
	TFAILS(t_rcv(fds[0], got, 1, &bytes), TBADF);
	IS(ioctl(fds[0], FIONREAD, &bytes), 0);
	IS(bytes, 0);
	if (!on_sockets()) {
		/* The library does not ask a stream without timod either. */
		copy = dup(fd);
		IS(ioctl(copy, I_POP, 0), 0);
		TFAILS(t_getstate(copy), TBADF);
		TIS(t_sync(copy), T_IDLE);
		TIS(t_getstate(copy), T_IDLE);
	}
	fd = open("/dev/null", O_RDWR);
	TFAILS(t_getstate(fd), TBADF);
	TFAILS(t_look(fd), TBADF);
	IS(test_errno, 0);
}

static atomic_bool asked;

/* Waits for a datagram, which keeps the endpoint in use. */
static void *waits_for_end(void *arg)
{
	unsigned int len;
	int flags;

	TIS(receive_from(shared_fd, NULL, got, 10, &len, &flags), 0);
	return NULL;
}

/*
 * A child closes the endpoint, which another thread of its parent used, and
 * sends nothing on the stream: the parent would take the answer for its own.
 */
static void run_fork_close(void)
{
	pthread_t t;
	int i, status;
	pid_t pid;

	shared_fd = bound(&shared);
	/*
	 * Requests are primitives without timod, and their answers are
	 * messages.
	 */
	if (!on_sockets())
		IS(ioctl(shared_fd, I_POP, 0), 0);
	t = thread_asleep(waits_for_end, NULL);
	for (i = 0; i < 100; i++) {
		pid = fork();
		TRUE(pid >= 0);
		if (!pid) {
			TIS(t_close(shared_fd), 0);
			_exit(0);
		}
		do {
			TIS(t_getprotaddr(shared_fd, NULL, NULL), 0);
			/* The pause lets the child run before this task. */
			sched_yield();
		} while (!process_ended(pid));
		IS(waitpid(pid, &status, 0), pid);
		IS(status, 0);
	}
	TIS(send_to(shared_fd, &shared, "end", 3), 0);
	pthread_join(t, NULL);
	TIS(t_close(shared_fd), 0);
}

/*
 * The function is called by a variable: the compiler replaces malloc() with
 * memset() by calloc().
 */
void *(*memory)(size_t bytes) = malloc;

/* Delivers the signal while the library allocates memory. */
void *calloc(size_t n, size_t size)
{
	void *p = memory(n * size);

	if (p)
		memset(p, 0, n * size);
	if (atomic_exchange(&asked, false))
		raise(SIGUSR1);
	return p;
}

static void forks_in_handler(int sig)
{
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		fd = endpoint();
		TIS(t_close(fd), 0);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

static void run_fork_in_handler(void)
{
	struct sigaction sa = { .sa_handler = forks_in_handler };
	int fd;

	/* The alarm ends a thread that waits for itself. */
	alarm(60);
	sigaction(SIGUSR1, &sa, NULL);
	asked = true;
	fd = endpoint();
	TRUE(!asked);
	TIS(t_getinfo(fd, &(struct t_info){}), 0);
	TIS(t_close(fd), 0);
}

static const struct test_case cases[] = {
	{ "threads", run_threads }, { "fork", run_fork }, { "forks", run_forks },
	{ "fork-close", run_fork_close },
	{ "fork-in-handler", run_fork_in_handler },
	{ "exec", run_exec }, { "executed", run_executed }, { "strangers", run_strangers },
	{}
};

int main(int argc, char **argv)
{
	program = argv[0];
	return test_main(argc, argv, cases);
}
