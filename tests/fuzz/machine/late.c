// SPDX-License-Identifier: GPL-2.0-only
/* Memory that a call waits for: its pages arrive a millisecond after they are touched */
#include <fcntl.h>
#include <linux/userfaultfd.h>
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

		usleep(LATE_US);
		/* The page is there if another thread waited for it as well. */
		if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
			ioctl(faults, UFFDIO_WAKE, &zero.range);
	}
	return NULL;
}

static char *pages;

/* Without userfaultfd() the memory is never late. */
static bool serve_pages(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	range.range.start = (uintptr_t)pages;
	range.range.len = LATE_PAGES * PAGE;
	return faults >= 0 && !ioctl(faults, UFFDIO_API, &api) &&
	       !ioctl(faults, UFFDIO_REGISTER, &range) &&
	       !pthread_create(&thread, NULL, serve, NULL);
}

int late_init(void)
{
	pages = mmap(NULL, LATE_PAGES * PAGE, PROT_READ | PROT_WRITE,
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
