/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys.h - system calls made without the C library
 *
 * A hook may run in a signal handler, in a vfork child or before the C library
 * has bound its symbols, and the C library's own socket() or pipe() would lead
 * back into the hook. So the hooks enter the kernel themselves: no symbol is
 * resolved, errno does not change, and there is no cancellation point.
 */
#ifndef STRSOCK_SYS_H
#define STRSOCK_SYS_H

#include <sys/syscall.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <errno.h>
#include <unistd.h>
#endif

/**
 * sys_call6 - enter the kernel
 * @nr: number of the system call
 * @a: first argument
 * @b: second argument
 * @c: third argument
 * @d: fourth argument
 * @e: fifth argument
 * @f: sixth argument
 *
 * Return: that of the kernel: a result, or a negative error number.
 */
static inline long sys_call6(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long ret;

	asm volatile("syscall"
		     : "=a" (ret)
		     : "0" (nr), "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8),
		       "r" (r9)
		     : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 asm("x8") = nr;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x4 asm("x4") = e;
	register long x5 asm("x5") = f;

	asm volatile("svc 0"
		     : "+r" (x0)
		     : "r" (x8), "r" (x1), "r" (x2), "r" (x3), "r" (x4), "r" (x5)
		     : "memory");
	return x0;
#else
	/*
	 * The name is bound when the library is loaded (-fno-plt), so that a late call
	 * is safe.
	 */
	int saved = errno;
	long ret = syscall(nr, a, b, c, d, e, f);

	if (ret == -1)
		ret = -errno;
	errno = saved;
	return ret;
#endif
}

/**
 * sys_call - enter the kernel
 * @nr: number of the system call, one of at most four arguments
 * @a: first argument
 * @b: second argument
 * @c: third argument
 * @d: fourth argument
 *
 * Return: as sys_call6().
 */
static inline long sys_call(long nr, long a, long b, long c, long d)
{
	return sys_call6(nr, a, b, c, d, 0, 0);
}

#endif /* STRSOCK_SYS_H */
