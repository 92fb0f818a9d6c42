// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's log: see log.h */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static int records = -1;

bool log_open(void)
{
	records = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (records < 0)
		return false;
	lseek(records, 0, SEEK_END);
	return true;
}

/* Words of the reports that tests/vm/klog fails a run for */
static bool is_report(const char *text)
{
	static const char *const words[] = {
		"BUG: ", "WARNING: ", "INFO: ", "Oops", "ODEBUG", "refcount_t:", "KASAN",
		"UBSAN", "KFENCE", "KCSAN", "kernel BUG at", "list_add corruption",
		"list_del corruption", "Objects remaining", "kmem_cache_destroy",
		"unregister_netdevice: waiting", "general protection fault",
		"Unable to handle", "divide error", "invalid opcode", "double fault",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

bool log_reports(void)
{
	bool found = false;
	char record[8192], *text;
	ssize_t n;

	/* EPIPE: records were lost, and the next read() gets those after them. */
	while ((n = read(records, record, sizeof(record) - 1)) > 0 ||
	       (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		record[n] = '\0';
		text = strchr(record, ';');
		if (!text || !is_report(text))
			continue;
		if (!found)
			printf("the kernel reports: %.*s\n", (int)strcspn(text + 1, "\n"),
			       text + 1);
		found = true;
	}
	return found;
}
