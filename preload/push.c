// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * push.c - modules on a new pipe or socket
 *
 * The functions are safe in signal handlers and vfork children.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stropts.h>
#include <sys/strio.h>

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

/* Returns the cause of an error of a module's settings. */
static const char *set_remedy(int error)
{
	switch (error) {
	case EINVAL:
		return "no such setting, or a wrong value; the module's manual page has them";
	case ERANGE:
		return "value out of range; the module's manual page has the limits";
	default:
		return "the module did not take its settings";
	}
}

/* Sets a module that was pushed. Returns 0 or a negative error number. */
static long set_module(int fd, const struct pushlist_entry *entry)
{
	struct strioctl ioc = {
		.ic_cmd = STRIO_PARAM,
		.ic_len = entry->len,
		.ic_dp = (char *)entry->text,
	};
	long err;

	do
		err = sys_call(SYS_ioctl, fd, I_STR, (long)&ioc, 0);
	while (err == -EINTR);
	return err < 0 ? err : 0;
}

/*
 * Pushes a module and sets it. Returns 0 or a negative error number, and the module is not
 * pushed; @pushed says whether it was.
 */
static long push_module(int fd, const struct pushlist_entry *entry, bool *pushed)
{
	long err = sys_call(SYS_ioctl, fd, I_PUSH, (long)entry->name, 0);

	*pushed = err >= 0;
	if (err < 0 || !entry->set)
		return err < 0 ? err : 0;
	err = set_module(fd, entry);
	if (err)
		sys_call(SYS_ioctl, fd, I_POP, 0, 0);
	return err;
}

/* Reports the first module that could not be pushed or set. */
static void tell(const char *call, int fd, const struct pushlist_entry *entry, bool pushed,
		 int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct log_line line;

	if (atomic_flag_test_and_set(&told) && !strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, pushed ? ": cannot set " : ": cannot push ");
	log_bytes(&line, entry->text, entry->len);
	log_text(&line, " on ");
	log_number(&line, fd);
	log_text(&line, " (");
	log_error(&line, error);
	log_text(&line, ": ");
	log_text(&line, pushed ? set_remedy(error) : remedy(error));
	if (!pushed && error == EINVAL)
		log_text(&line, entry->name);
	log_text(&line, strsock_policy.require ? "); refused, as STRSOCK_REQUIRE=1" : ")");
	log_end(&line);
}

/**
 * push_modules - push the modules that a rule or a variable names
 * @call: name of the hook, for messages
 * @fd: the new descriptor
 * @list: the modules, the first one lowest; or NULL
 *
 * A module that cannot be pushed, or does not take its settings, is reported, and left out.
 *
 * Return: 0; or ENXIO, and the descriptor is not to be used, if a module could not be
 * pushed and STREAMS is required.
 */
int push_modules(const char *call, int fd, const char *list)
{
	struct pushlist_entry entry;
	bool pushed;
	long err;

	while (list && pushlist_next(&list, &entry)) {
		err = push_module(fd, &entry, &pushed);
		if (!err)
			continue;
		tell(call, fd, &entry, pushed, -err);
		if (strsock_policy.require)
			return ENXIO;
	}
	return 0;
}
