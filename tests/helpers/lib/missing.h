/* SPDX-License-Identifier: GPL-2.0-only */
/* missing.h - a page of memory that is missing until the test brings it (userfaultfd) */
#ifndef _MISSING_H
#define _MISSING_H

#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "streams-test.h"

struct missing {
	int fd;				/* the userfaultfd */
	struct uffdio_range range;	/* the page */
	char *page;
	char *bytes;			/* what it will have; zeroed */
};

/* Makes a page of memory that was not touched yet. */
static inline struct missing missing_at(char *page, char *bytes)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct missing m = { .page = page, .bytes = bytes };

	m.range = (struct uffdio_range){ (uintptr_t)page, sysconf(_SC_PAGESIZE) };
	area.range = m.range;
	m.fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	TRUE(m.fd >= 0);
	IS(ioctl(m.fd, UFFDIO_API, &api), 0);
	IS(ioctl(m.fd, UFFDIO_REGISTER, &area), 0);
	return m;
}

static inline struct missing missing_page(void)
{
	long size = sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	TRUE(page != MAP_FAILED);
	return missing_at(page, page + size);
}

/* Returns when a task waits for the page. */
static inline void missing_await(const struct missing *m)
{
	struct uffd_msg msg;

	IS(read(m->fd, &msg, sizeof(msg)), sizeof(msg));
}

static inline void missing_bring(const struct missing *m)
{
	struct uffdio_copy copy = {
		.dst = m->range.start, .src = (uintptr_t)m->bytes, .len = m->range.len,
	};

	IS(ioctl(m->fd, UFFDIO_COPY, &copy), 0);
}

#endif /* _MISSING_H */
