// SPDX-License-Identifier: GPL-2.0-only
/*
 * A writer that waits for edges, and a reader while its write() copies
 *
 * The second page of the data is not there yet: the writer is held in the
 * middle of copying, until everything that was in the pipe has been read.
 */
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "pipe-check.h"

#define PAGE	4096
#define PAGES	16

static int faults;

/*
 * Brings the page when the reader has had time to read all bytes. No event
 * reports that on both kinds of pipe: the pauses are enough for most runs.
 */
static void *bring(void *arg)
{
	static char page[PAGE] __attribute__((aligned(PAGE)));
	struct uffd_msg msg;

	if (read(faults, &msg, sizeof(msg)) != sizeof(msg))
		broken("userfaultfd");
	sleep_ms(500);
	struct uffdio_copy copy = {
		.dst = msg.arg.pagefault.address & -PAGE,
		.src = (unsigned long)page,
		.len = PAGE,
	};
	if (ioctl(faults, UFFDIO_COPY, &copy))
		broken("UFFDIO_COPY");
	return arg;
}

/* Returns four pages, the second of which is missing. */
static char *torn(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	char *pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register some = {
		.range = { (unsigned long)pages + PAGE, PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (pages == MAP_FAILED || faults < 0 || ioctl(faults, UFFDIO_API, &api) ||
	    ioctl(faults, UFFDIO_REGISTER, &some))
		broken("userfaultfd");
	memset(pages, 'a', PAGE);
	memset(pages + 2 * PAGE, 'c', 2 * PAGE);
	return pages;
}

int main(void)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET };
	static char full[(PAGES - 2) * PAGE], data[PAGES * PAGE];
	char *pages = torn();
	pthread_t thread;
	int fds[2], ep;
	ssize_t n;
	pid_t pid;

	alarm(WAIT_SECONDS);
	make_pipe(fds, 0);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	ep = epoll_create1(0);
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev))
		broken("epoll");
	say("empty, an edge", "%d", epoll_wait(ep, &ev, 1, 0));
	say_result("all but two pages", write(fds[1], full, sizeof(full)));
	if (pthread_create(&thread, NULL, bring, NULL))
		broken("pthread_create");
	pid = must_fork();
	if (!pid) {
		/*
		 * The reader takes the bytes that wait, then all that arrive.
		 */
		close(fds[1]);
		sleep_ms(200);
		while (read(fds[0], data, sizeof(data)) > 0)
			;
		_exit(0);
	}
	n = write(fds[1], pages, 4 * PAGE);
	pthread_join(thread, NULL);
	/* A writer waits for room after a write that was partial. */
	say("can go on", "%d",
	    n == 4 * PAGE || (n > 0 && epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS) == 1));
	close(fds[1]);
	say_end("reader", pid);
	return 0;
}
