// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * socket.c - socket(), UDP on STREAMS
 *
 * A STREAMS socket is an AF_INET socket of another protocol number, so asking
 * for it is all there is to do. Safe in signal handlers and vfork children.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/strio.h>

#include "hooks.h"
#include "log.h"
#include "policy.h"
#include "sys.h"

/*
 * Asking for a protocol nobody has makes the kernel run modprobe, twice. Once
 * in a process is enough.
 */
static atomic_bool absent;

static bool is_udp(int domain, int type, int protocol)
{
	return domain == AF_INET &&
	       (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_DGRAM &&
	       (protocol == 0 || protocol == IPPROTO_UDP);
}

static void tell(const char *provider, int fd, int error)
{
	struct log_line line;

	if (!strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, "socket(inet, dgram, udp) -> ");
	log_text(&line, provider);
	if (fd >= 0) {
		log_text(&line, " ");
		log_number(&line, fd);
	}
	if (error) {
		log_text(&line, " (protocol 253: ");
		log_error(&line, error);
		log_text(&line, ")");
	}
	log_end(&line);
}

static int refuse(int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct log_line line;

	if (atomic_flag_test_and_set(&told))
		return ENXIO;
	log_begin(&line);
	log_text(&line, "socket refused: no STREAMS sockets (protocol 253: ");
	log_error(&line, error);
	log_text(&line, ") and STRSOCK_REQUIRE=1; run: modprobe strsock");
	log_end(&line);
	return ENXIO;
}

/* Errors that a native socket would meet as well. */
static bool is_final(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ENOBUFS;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int native(int domain, int type, int protocol)
{
	long fd = sys_call(SYS_socket, domain, type, protocol, 0);

	return fd < 0 ? fail(-fd) : fd;
}

/**
 * socket - create an endpoint for communication
 * @domain: AF_INET for a STREAMS socket
 * @type: SOCK_DGRAM for a STREAMS socket; SOCK_NONBLOCK and SOCK_CLOEXEC may
 *	be added
 * @protocol: 0 or IPPROTO_UDP for a STREAMS socket
 *
 * POSIX.1-2017 socket(). Any other arguments give a native socket.
 *
 * Return: a descriptor, or -1 with errno set as socket(2) does; ENXIO if
 * STREAMS is required and absent.
 */
HOOK int socket(int domain, int type, int protocol)
{
	int err = EPROTONOSUPPORT;
	long fd;

	if (!strsock_policy.udp || !is_udp(domain, type, protocol)) {
		fd = native(domain, type, protocol);
		if (is_udp(domain, type, protocol))
			tell("native", fd, 0);
		return fd;
	}

	if (!atomic_load_explicit(&absent, memory_order_relaxed)) {
		fd = sys_call(SYS_socket, domain, type, IPPROTO_STREAMS, 0);
		if (fd >= 0) {
			tell("streams", fd, 0);
			return fd;
		}
		err = -fd;
		if (is_final(err))
			return fail(err);
	}
	if (strsock_policy.require)
		return fail(refuse(err));
	if (err == EPROTONOSUPPORT || err == ESOCKTNOSUPPORT)
		atomic_store_explicit(&absent, true, memory_order_relaxed);

	/* What else was wrong, a native call will tell in its own words. */
	fd = native(domain, type, protocol);
	tell("native", fd, err);
	return fd;
}
