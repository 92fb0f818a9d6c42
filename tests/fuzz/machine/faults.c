// SPDX-License-Identifier: GPL-2.0-only
/* Allocations that fail: see faults.h, and fault-injection in the kernel's documentation */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"

static __thread int control = -1;

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

bool faults_allow(void)
{
	static const char folder[] = "/sys/kernel/debug";
	static const char *const kinds[] = { "failslab", "fail_page_alloc", "fail_usercopy" };
	char path[128];
	int i;

	for (i = 0; i < 3; i++) {
		/* A failure is not to look like a report. */
		snprintf(path, sizeof(path), "%s/%s/verbose", folder, kinds[i]);
		if (!write_text(path, "0"))
			return false;
	}
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s/ignore-gfp-wait", folder, kinds[i]);
		if (!write_text(path, "N"))
			return false;
	}
	snprintf(path, sizeof(path), "%s/fail_page_alloc/min-order", folder);
	return write_text(path, "0");
}

void faults_begin(void)
{
	control = open("/proc/thread-self/fail-nth", O_WRONLY | O_CLOEXEC);
}

void faults_next(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n), tries = 0;

	/* The number is copied from here, and that copy may be the one that fails. */
	while (control >= 0 && pwrite(control, text, len, 0) < 0 && ++tries < 100)
		;
}
