// SPDX-License-Identifier: GPL-2.0-only
/* The functions that libFuzzer calls, and the count of calls for tests/fuzz/run */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"

static unsigned long uncounted;
unsigned long *fuzz_calls = &uncounted;

void fuzz_touch(const void *from, size_t n)
{
	const volatile unsigned char *at = from;

	while (n--)
		(void)*at++;
}

/* In a file, as it has to outlive a crash. */
static void count_calls(void)
{
	const char *path = getenv("FUZZ_CALLS");
	void *at;
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*fuzz_calls)))
		abort();
	at = mmap(NULL, sizeof(*fuzz_calls), PROT_READ | PROT_WRITE, MAP_SHARED,
		  fd, 0);
	if (at == MAP_FAILED)
		abort();
	close(fd);
	fuzz_calls = at;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	count_calls();
	if (fuzz_start())
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .at = data, .left = size };

	fuzz_one(&in);
	return 0;
}
