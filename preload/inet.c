// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * inet.c - sockets, on STREAMS and native
 *
 * A STREAMS socket is an AF_INET or AF_INET6 socket of another protocol number,
 * so asking for it is all there is to do. The functions are safe in signal
 * handlers and vfork children.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/strio.h>

#include "inet.h"
#include "kind.h"
#include "log.h"
#include "mark.h"
#include "policy.h"
#include "sys.h"

static const char *const names[INET_KINDS] = {
	[INET_UDP] = "socket(inet, dgram, udp) -> ",
	[INET_UDP6] = "socket(inet6, dgram, udp) -> ",
	[INET_TCP] = "socket(inet, stream, tcp) -> ",
	[INET_TCP6] = "socket(inet6, stream, tcp) -> ",
};

/*
 * A kind that is absent is not asked for again: asking for a protocol that no
 * module provides makes the kernel run modprobe, twice. The two kinds are
 * recorded apart.
 */
static atomic_bool absent[INET_KINDS];

static void log_socket(enum inet_kind kind, const char *provider, int fd, int error)
{
	struct log_line line;

	if (!strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, names[kind]);
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

static int refuse_socket(int error)
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

/* Returns whether a native socket would meet the error as well. */
static bool is_final(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ENOBUFS || error == EAFNOSUPPORT;
}

static int fail_socket(int error)
{
	errno = error;
	return -1;
}

static int native_socket(int domain, int type, int protocol, int error)
{
	long fd = sys_call6(SYS_socket, domain, type, protocol, 0, MARK_FIFTH, MARK_SIXTH);
	enum inet_kind kind = inet_kind(domain, type, protocol);

	if (kind != INET_NONE)
		log_socket(kind, "native", fd, error);
	return fd < 0 ? fail_socket(-fd) : fd;
}

/**
 * inet_native - make a socket of the kernel's
 * @domain: as for socket()
 * @type: as for socket()
 * @protocol: as for socket()
 *
 * Return: as socket(2).
 */
int inet_native(int domain, int type, int protocol)
{
	return native_socket(domain, type, protocol, 0);
}

/**
 * inet_streams - make a STREAMS socket
 * @domain: of a kind that inet_kind() knows
 * @type: the same
 * @protocol: the same
 *
 * Where STREAMS is absent it is a native one, unless STREAMS is required.
 *
 * Return: as socket(2); -1 with ENXIO if STREAMS is required and absent.
 */
int inet_streams(int domain, int type, int protocol)
{
	enum inet_kind kind = inet_kind(domain, type, protocol);
	int err = EPROTONOSUPPORT;
	long fd;

	if (!atomic_load_explicit(&absent[kind], memory_order_relaxed)) {
		fd = sys_call(SYS_socket, domain, type, IPPROTO_STREAMS, 0);
		if (fd >= 0) {
			log_socket(kind, "streams", fd, 0);
			return fd;
		}
		err = -fd;
		if (is_final(err))
			return fail_socket(err);
	}
	if (strsock_policy.require)
		return fail_socket(refuse_socket(err));
	if (err == EPROTONOSUPPORT || err == ESOCKTNOSUPPORT)
		atomic_store_explicit(&absent[kind], true, memory_order_relaxed);

	/* Any other error is reported by the native call. */
	return native_socket(domain, type, protocol, err);
}
