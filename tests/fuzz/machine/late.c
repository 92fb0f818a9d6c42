// SPDX-License-Identifier: GPL-2.0-only
/* Memory that a call waits for: its pages arrive a millisecond after they are touched */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#define PAGE	4096UL
#define LATE_US	1000

static int faults = -1;

/*
 * The last page is for one thread at a time, which has the mutex. Before it arrives a
 * socket is connected elsewhere.
 */
static struct {
	pthread_mutex_t mutex;
	int fd;
	struct sockaddr_storage to;
} turn = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static char *pages;

static char *turn_page(void)
{
	return pages + LATE_PAGES * PAGE;
}

void *late_connect_begin(int fd, const struct sockaddr_storage *to)
{
	if (pthread_mutex_trylock(&turn.mutex))
		return NULL;
	turn.fd = fd;
	turn.to = *to;
	madvise(turn_page(), PAGE, MADV_DONTNEED);
	return turn_page();
}

void late_connect_end(void)
{
	pthread_mutex_unlock(&turn.mutex);
}

/* Gives the process the page that it waits for. */
static void *serve(void *arg)
{
	struct uffd_msg msg;
	sigset_t all;

	/* Signals to the process are for its other threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (read(faults, &msg, sizeof(msg)) == sizeof(msg)) {
		struct uffdio_zeropage zero = {
			.range = { msg.arg.pagefault.address & ~(PAGE - 1), PAGE },
		};

		if (zero.range.start == (uintptr_t)turn_page())
			connect(turn.fd, (struct sockaddr *)&turn.to,
				sizeof(struct sockaddr_in));
		usleep(LATE_US);
		/* The page is there if another thread waited for it as well. */
		if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
			ioctl(faults, UFFDIO_WAKE, &zero.range);
	}
	return NULL;
}

/* Without userfaultfd() the memory is never late. */
static bool serve_pages(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	range.range.start = (uintptr_t)pages;
	range.range.len = (LATE_PAGES + 1) * PAGE;
	return faults >= 0 && !ioctl(faults, UFFDIO_API, &api) &&
	       !ioctl(faults, UFFDIO_REGISTER, &range) &&
	       !pthread_create(&thread, NULL, serve, NULL);
}

int late_init(void)
{
	pages = mmap(NULL, (LATE_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return -1;
	serve_pages();
	return 0;
}

void *late_page(struct draw *d)
{
	char *page = pages + draw_below(d, LATE_PAGES) * PAGE;

	madvise(page, PAGE, MADV_DONTNEED);
	return page;
}
