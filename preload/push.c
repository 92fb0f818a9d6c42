// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * push.c - modules on a new pipe or socket
 *
 * The functions are safe in signal handlers and vfork children.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stropts.h>

#include "log.h"
#include "policy.h"
#include "push.h"
#include "pushlist.h"
#include "sys.h"

/* Returns the cause of an error of I_PUSH, and the remedy. */
static const char *remedy(int error)
{
	switch (error) {
	case EINVAL:
		return "no such module, or it refuses this stream; run: modprobe strmod-";
	case ENOSTR:
	case ENOTTY:
	case EOPNOTSUPP:
		return "modules cannot be pushed on it; --on or a rule can leave its kind out";
	case EAGAIN:
	case ENOMEM:
	case ENOSR:
		return "memory is short, or pipes have reached a limit of strlimits(7)";
	default:
		return "the module refuses to open; its manual page has the reason";
	}
}

/* Reports the first module that could not be pushed; others fail for the same reason. */
static void tell(const char *call, int fd, const char *name, int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct log_line line;

	if (atomic_flag_test_and_set(&told) && !strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, ": cannot push ");
	log_text(&line, name);
	log_text(&line, " on ");
	log_number(&line, fd);
	log_text(&line, " (");
	log_error(&line, error);
	log_text(&line, ": ");
	log_text(&line, remedy(error));
	if (error == EINVAL)
		log_text(&line, name);
	log_text(&line, strsock_policy.require ? "); refused, as STRSOCK_REQUIRE=1" : ")");
	log_end(&line);
}

/**
 * push_modules - push the modules that a rule or a variable names
 * @call: name of the hook, for messages
 * @fd: the new descriptor
 * @list: the modules, the first one lowest; or NULL
 *
 * A module that cannot be pushed is reported, and left out.
 *
 * Return: 0; or ENXIO, and the descriptor is not to be used, if a module could not be
 * pushed and STREAMS is required.
 */
int push_modules(const char *call, int fd, const char *list)
{
	struct pushlist_entry entry;
	long err;

	while (list && pushlist_next(&list, &entry)) {
		err = sys_call(SYS_ioctl, fd, I_PUSH, (long)entry.name, 0);
		if (err >= 0)
			continue;
		tell(call, fd, entry.name, -err);
		if (strsock_policy.require)
			return ENXIO;
	}
	return 0;
}
