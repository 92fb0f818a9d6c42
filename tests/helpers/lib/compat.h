/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - ioctls as 32-bit programs make them
 *
 * By int $0x80, with their structures in the lower 4 GiB. After check.h.
 */
#ifndef COMPAT_H
#define COMPAT_H

#ifdef __x86_64__
#include <stdint.h>
#include <sys/mman.h>

/* These structures have the layout of a 32-bit program's. */
struct strbuf32 { int maxlen, len; uint32_t buf; };
struct strpeek32 { struct strbuf32 ctl, data; uint32_t flags; };
struct strioctl32 { int cmd, seconds, len; uint32_t dp; };
struct strlist32 { int nmods; uint32_t mods; };

__attribute__((unused))
static int ioctl32(int fd, unsigned int cmd, unsigned long arg)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a" (ret)
		     : "a" (54L), "b" ((long)fd), "c" ((long)cmd), "d" (arg)
		     : "memory", "r8", "r9", "r10", "r11");
	if ((int)ret < 0 && (int)ret > -4096) {
		errno = -(int)ret;
		return -1;
	}
	return ret;
}

__attribute__((unused))
static uint32_t low(void *p)
{
	TRUE((unsigned long)p < 1UL << 32);
	return (unsigned long)p;
}

__attribute__((unused))
static void *low_memory(void)
{
	void *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	TRUE(p != MAP_FAILED);
	return p;
}
#endif

#endif /* COMPAT_H */
