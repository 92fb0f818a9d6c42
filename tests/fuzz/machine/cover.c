// SPDX-License-Identifier: GPL-2.0-only
/* The places that calls reach: see cover.h, and kcov in the kernel's documentation */
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "calls.h"
#include "cover.h"

#define PLACES	(1UL << 16)	/* noted for a thread; those after it are lost */
#define SEEN	(1UL << 20)

static struct {
	int fd;
	unsigned long *notes;	/* their number, then addresses */
} of[PROCESSES][THREADS];

static bool seen[SEEN];
static unsigned int total;

bool cover_open(void)
{
	int p, t;

	for (p = 0; p < PROCESSES; p++)
		for (t = 0; t < THREADS; t++) {
			int fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
			void *at;

			if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, PLACES))
				return false;
			at = mmap(NULL, PLACES * sizeof(long), PROT_READ | PROT_WRITE,
				  MAP_SHARED, fd, 0);
			if (at == MAP_FAILED)
				return false;
			of[p][t].fd = fd;
			of[p][t].notes = at;
		}
	return true;
}

void cover_begin(int process, int thread)
{
	ioctl(of[process][thread].fd, KCOV_ENABLE, KCOV_TRACE_PC);
}

unsigned int cover_take(void)
{
	unsigned int new = 0;
	unsigned long i;
	int p, t;

	for (p = 0; p < PROCESSES; p++)
		for (t = 0; t < THREADS; t++) {
			unsigned long *notes = of[p][t].notes;

			for (i = 1; i <= notes[0] && i < PLACES; i++) {
				uint64_t mixed = notes[i] * 0x9e3779b97f4a7c15;

				new += !seen[mixed >> 44];
				seen[mixed >> 44] = true;
			}
			notes[0] = 0;
		}
	total += new;
	return new;
}

unsigned int cover_total(void)
{
	return total;
}
