// SPDX-License-Identifier: LGPL-2.1-or-later
/* Making sockets for endpoints, and replacing an endpoint's socket */
#include <fcntl.h>
#include <unistd.h>

#include "core/wait.h"
#include "option.h"
#include "renew.h"

/*
 * SO_OOBINLINE marks the library's own sockets, which it knows again after
 * execve() too: no other program sets it without a reason. TCP's urgent data is
 * read where it stands in the stream; on other sockets the option means nothing.
 */
int sock_mark(int fd, const struct sock_kind *kind)
{
	static const int on = 1;
	int level = kind->domain == AF_INET6 ? SOL_IPV6 : SOL_IP;
	int name = kind->domain == AF_INET6 ? IPV6_RECVERR : IP_RECVERR;

	if (setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)))
		return -1;
	/*
	 * The option SO_BROADCAST marks ticotsord: sockets of AF_UNIX have no
	 * broadcasts.
	 */
	if (!sock_is_inet(kind) && kind->serv_type == T_COTS_ORD)
		return setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	if (kind->serv_type != T_CLTS || !sock_is_inet(kind))
		return 0;
	/*
	 * These options make the kernel keep the errors that T_UDERROR_IND
	 * reports.
	 */
	if (setsockopt(fd, level, name, &on, sizeof(on)))
		return -1;
	/* The option is for datagrams carried by IPv4. */
	if (kind->domain == AF_INET6)
		setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on));
	return 0;
}

int sock_make(const struct sock_kind *kind, int protocol)
{
	int fd = socket(kind->domain, kind->type | SOCK_CLOEXEC, protocol);
	int saved;

	if (fd < 0 || !sock_mark(fd, kind))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int sock_replace(struct endpoint *ep, int fd)
{
	int flags = fcntl(ep->fd, F_GETFL), kept = fcntl(ep->fd, F_GETFD);
	int error = 0;

	if (flags >= 0 && flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	lock_take(&ep->number);
	/*
	 * Another thread has closed the endpoint: the number may belong to another file
	 * by now.
	 */
	if (atomic_load(&ep->closed) || flags < 0)
		error = TBADF;
	else if (dup3(fd, ep->fd, kept & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
		error = TSYSERR;
	lock_drop(&ep->number);
	if (!error) {
		close(fd);
		/* Other threads wait for the previous socket. */
		endpoint_wake(ep);
	}
	return error;
}

int sock_renew(struct endpoint *ep, int protocol)
{
	static const struct linger none;
	int fd = sock_make(ep->sock->kind, protocol), error;

	if (fd < 0)
		return TSYSERR;
	sock_option_copy(ep, fd);
	/*
	 * The kernel sends the old socket's remaining data: this task does not
	 * wait for that.
	 */
	setsockopt(ep->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	error = sock_replace(ep, fd);
	if (error)
		close(fd);
	return error;
}
