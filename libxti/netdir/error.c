// SPDX-License-Identifier: LGPL-2.1-or-later
/* _nderror, and the texts of its values */
#include <errno.h>
#include <netdir.h>
#include <stdio.h>
#include <string.h>

static __thread int thread_error;
static __thread char thread_text[128];

/* Returns the place of _nderror. */
int *_nd_error(void)
{
	return &thread_error;
}

static const char *text(int error)
{
	switch (error) {
	case ND_OK:
		return "No error";
	case ND_BADARG:
		return "Invalid argument";
	case ND_NOMEM:
		return "Out of memory";
	case ND_NOHOST:
		return "Host not found";
	case ND_NOSERV:
		return "Service not found";
	case ND_NOSYM:
		return "No lookup of names for this family of protocols";
	case ND_OPEN:
		return "Cannot open";
	case ND_ACCESS:
		return "Permission denied";
	case ND_UKNWN:
		return "Unknown option";
	case ND_NOCTRL:
		return "The transport does not have this option";
	case ND_FAILCTRL:
		return "The option failed";
	case ND_SYSTEM:
		return "System error";
	default:
		return NULL;
	}
}

/**
 * netdir_sperror() - the text of _nderror
 *
 * Return: text that belongs to the thread, valid until its next call.
 */
char *netdir_sperror(void)
{
	const char *known = text(_nderror);
	int saved = errno;

	if (!known)
		snprintf(thread_text, sizeof(thread_text), "Unknown error %d", _nderror);
	else if (_nderror == ND_SYSTEM)
		snprintf(thread_text, sizeof(thread_text), "%s: %s", known, strerror(saved));
	else
		snprintf(thread_text, sizeof(thread_text), "%s", known);
	errno = saved;
	return thread_text;
}

/**
 * netdir_perror() - print the text of _nderror on standard error
 * @msg: the text to print before it; or NULL
 */
void netdir_perror(const char *msg)
{
	if (msg && *msg)
		fprintf(stderr, "%s: %s\n", msg, netdir_sperror());
	else
		fprintf(stderr, "%s\n", netdir_sperror());
}
