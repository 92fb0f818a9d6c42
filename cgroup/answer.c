// SPDX-License-Identifier: GPL-2.0-only
/*
 * answer.c - answers to calls of pipe(2), pipe2(2) and socket(2) that were announced
 *
 * Pipes and sockets on STREAMS are made here and given to the caller. In any doubt the kernel
 * makes the call, with all checks and errors of its own: nothing of the caller has changed
 * until the first descriptor is given.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/seccomp.h>

#include <sys/strio.h>

#include "preload/kind.h"
#include "preload/log.h"
#include "preload/pipe-make.h"
#include "preload/policy.h"
#include "preload/push.h"
#include "answer.h"
#include "caller.h"
#include "filter.h"
#include "verdict.h"

/* The result of a call that the kernel is to make, and of one that is answered already */
enum { NATIVE = 1, ANSWERED };

/* The library has its own; push_modules() reads it. */
struct strsock_policy strsock_policy;

static const enum rules_kind rule_kinds[INET_KINDS] = {
	[INET_UDP] = RULES_UDP,
	[INET_UDP6] = RULES_UDP6,
	[INET_TCP] = RULES_TCP,
	[INET_TCP6] = RULES_TCP6,
};

/**
 * answer_begin - prepare for answers, after verdict_begin()
 *
 * Return: 0, or a negative error.
 */
int answer_begin(void)
{
	strsock_policy.require = verdict_required();
	strsock_policy.verbose = verdict_is_verbose();
	if (strsock_policy.verbose)
		log_open();
	return caller_begin();
}

/**
 * answer_is_awaited - does the caller wait for the answer still?
 * @listener: the descriptor that has announced the call
 * @id: the number of the announcement
 *
 * Return: whether it does; else it was killed.
 */
bool answer_is_awaited(int listener, uint64_t id)
{
	return !ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
}

static void respond(int listener, uint64_t id, int result)
{
	struct seccomp_notif_resp response = { .id = id };

	if (result == NATIVE)
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		response.error = result;
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/**
 * answer_natively - have the kernel make a call
 * @listener: the descriptor that has announced the call
 * @id: the number of the announcement
 */
void answer_natively(int listener, uint64_t id)
{
	respond(listener, id, NATIVE);
}

/* Gives a descriptor to the caller. Returns its number there, or a negative error. */
static int give(int listener, uint64_t id, int fd, bool cloexec, unsigned int flags)
{
	struct seccomp_notif_addfd addfd = {
		.id = id,
		.flags = flags,
		.srcfd = fd,
		.newfd_flags = cloexec ? O_CLOEXEC : 0,
	};
	int theirs = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addfd);

	return theirs < 0 ? -errno : theirs;
}

/*
 * Gives both ends to the caller, and their numbers. Two descriptors are not given in one step,
 * nor taken back. So it is first made sure that the caller has room for both, and that the
 * numbers can be written: what is there is written again.
 */
static int give_pipe(int listener, const struct seccomp_notif *call, const struct caller *caller,
		     const int ends[2], bool cloexec)
{
	uint64_t numbers = call->data.args[0];
	int theirs[2];

	if (!caller_has_room(caller, 2) ||
	    !caller_peek(caller, numbers, theirs, sizeof(theirs)) ||
	    !answer_is_awaited(listener, call->id) ||
	    !caller_poke(caller, numbers, theirs, sizeof(theirs)))
		return NATIVE;
	theirs[0] = give(listener, call->id, ends[0], cloexec, 0);
	if (theirs[0] < 0)
		return NATIVE;
	theirs[1] = give(listener, call->id, ends[1], cloexec, 0);
	if (theirs[1] < 0)
		return theirs[1];
	return caller_poke(caller, numbers, theirs, sizeof(theirs)) ? 0 : -EFAULT;
}

static void tell(const struct caller *caller, const char *call, int result)
{
	const char *where = result == NATIVE ? "native" : result < 0 ? "failed" : "streams";
	char what[64];

	if (!verdict_is_verbose())
		return;
	snprintf(what, sizeof(what), "%s -> %s", call, where);
	verdict_tell(caller->dir, caller->pid, what);
}

/* Returns the result of a call for which there are no streams. */
static int without_streams(int error)
{
	return verdict_required() && !pipe_error_is_final(error) ? -ENXIO : NATIVE;
}

static int answer_pipe(int listener, const struct seccomp_notif *call,
		       const struct caller *caller, const char *name, int flags)
{
	struct verdict verdict;
	int ends[2], err;

	verdict_find(&verdict, RULES_PIPE, caller->dir);
	if (!verdict.streams || (flags & ~PIPE_FLAGS))
		return NATIVE;
	err = -pipe_make(ends, verdict.duplex && !(flags & O_DIRECT) ? O_RDWR : O_RDONLY,
			 flags | O_CLOEXEC);
	if (err)
		return without_streams(err);
	err = -push_modules(name, ends[1], verdict.push) ?:
	      give_pipe(listener, call, caller, ends, flags & O_CLOEXEC);
	close(ends[0]);
	close(ends[1]);
	return err;
}

static int answer_socket(int listener, const struct seccomp_notif *call,
			 const struct caller *caller)
{
	int domain = call->data.args[0], type = call->data.args[1];
	enum inet_kind kind = inet_kind(domain, type, call->data.args[2]);
	struct verdict verdict;
	int fd, err;

	if (kind == INET_NONE || !caller_has_our_network(caller))
		return NATIVE;
	verdict_find(&verdict, rule_kinds[kind], caller->dir);
	if (!verdict.streams)
		return NATIVE;
	fd = socket(domain, type | SOCK_CLOEXEC, IPPROTO_STREAMS);
	if (fd < 0)
		return without_streams(errno);
	err = -push_modules("socket", fd, verdict.push);
	if (!err && give(listener, call->id, fd, type & SOCK_CLOEXEC,
			 SECCOMP_ADDFD_FLAG_SEND) < 0)
		err = NATIVE;
	close(fd);
	return err ?: ANSWERED;
}

/**
 * answer_call - answer a call
 * @listener: the descriptor that has announced the call
 * @call: the announcement
 */
void answer_call(int listener, const struct seccomp_notif *call)
{
	enum filter_call which = filter_call(&call->data);
	const char *name = which == FILTER_SOCKET ? "socket" :
			   which == FILTER_PIPE ? "pipe" : "pipe2";
	struct caller caller;
	int result = NATIVE;

	if (!caller_open(&caller, call->pid)) {
		answer_natively(listener, call->id);
		return;
	}
	if (!caller_has_our_rights(&caller))
		result = NATIVE;
	else if (which == FILTER_SOCKET)
		result = answer_socket(listener, call, &caller);
	else if (which != FILTER_OTHER)
		result = answer_pipe(listener, call, &caller, name,
				     which == FILTER_PIPE ? 0 : call->data.args[1]);
	tell(&caller, name, result);
	if (result != ANSWERED)
		respond(listener, call->id, result);
	caller_close(&caller);
}
