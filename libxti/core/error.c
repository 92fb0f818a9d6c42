// SPDX-License-Identifier: LGPL-2.1-or-later
/* t_errno, and the texts of its values */
#include <libintl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include <tiuser.h>

/*
 * The catalogue of the texts, if it is installed and the program has a locale
 */
#define TEXT_DOMAIN	"strsock"
/* The macro N_() marks a text for xgettext --keyword=N_. */
#define N_(text)	((char *)(text))

char *t_errlist[] = {
	N_("No error"),
	N_("Incorrect address format"),
	N_("Incorrect options format"),
	N_("Incorrect permissions"),
	N_("Illegal transport endpoint"),
	N_("Address could not be allocated"),
	N_("Function not valid in this state"),
	N_("Bad connection sequence number"),
	N_("System error"),
	N_("Event requires attention"),
	N_("Illegal amount of data"),
	N_("Buffer not large enough"),
	N_("Flow control"),
	N_("No data"),
	N_("No disconnection indication"),
	N_("No unit data error indication"),
	N_("Bad flags"),
	N_("No orderly release indication"),
	N_("Not supported by the transport provider"),
	N_("State is changing"),
	N_("No such structure type"),
	N_("Bad transport provider name"),
	N_("Endpoint's qlen is zero"),
	N_("Address in use"),
	N_("Outstanding connection indications"),
	N_("Not the same transport provider"),
	N_("Accepting endpoint has a qlen"),
	N_("Accepting endpoint has another address"),
	N_("Queue of connection indications is full"),
	N_("Protocol error"),
};

int t_nerr = sizeof(t_errlist) / sizeof(t_errlist[0]);

static __thread int thread_errno;
static __thread char thread_text[64];

/* Returns the place of t_errno. */
int *_t_errno(void)
{
	return &thread_errno;
}

int xti_result(int error)
{
	if (!error)
		return 0;
	t_errno = error;
	return -1;
}

int xti_system(int error)
{
	errno = error;
	return TSYSERR;
}

int xti_stream(int again)
{
	switch (errno) {
	case EAGAIN:
		return again;
	case EBADF:
	case ENOSTR:
	case ENOTTY:
		return TBADF;
	case EPROTO:
		return TPROTO;
	default:
		return TSYSERR;
	}
}

/**
 * t_strerror() - the text of an error
 * @errnum: a value of t_errno
 *
 * In the language of the locale, if there is a catalogue for it.
 *
 * Return: the text; for a number that is not an error, one that the thread's
 * next call may change. XNS Issue 5, t_strerror().
 */
const char *t_strerror(int errnum)
{
	if (errnum >= 0 && errnum < t_nerr)
		return dgettext(TEXT_DOMAIN, t_errlist[errnum]);
	snprintf(thread_text, sizeof(thread_text), "%d: %s", errnum,
		 dgettext(TEXT_DOMAIN, "error unknown"));
	return thread_text;
}

/**
 * t_error() - say on standard error what went wrong
 * @errmsg: the beginning of the text; NULL or empty: nothing
 *
 * With TSYSERR what errno means follows. Neither t_errno nor errno changes.
 *
 * Return: 0. XNS Issue 5, t_error().
 */
int t_error(const char *errmsg)
{
	int tli = t_errno, saved = errno;
	bool system = tli == TSYSERR;
	const char *text = "";
	char buf[128];

	if (system)
		text = strerror_r(saved, buf, sizeof(buf));
	/* The line is written by one call, so that lines of several threads stay whole. */
	fprintf(stderr, "%s%s%s%s%s\n", errmsg ? errmsg : "",
		errmsg && *errmsg ? ": " : "", t_strerror(tli),
		system ? ": " : "", text);
	t_errno = tli;
	errno = saved;
	return 0;
}
