// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * oldstreams.c - the STREAMS calls of the GNU C Library before 2.30
 *
 * The C library had these calls, all failing with ENOSYS, and keeps them for
 * programs that were linked then. Such a program gets working ones here. They
 * carry the C library's version and are hidden, so that no other program is
 * bound to them: these names are too common for a library that is loaded into
 * every program.
 */
#include <stropts.h>

#include "hooks.h"

#if defined(__x86_64__) && defined(__LP64__)
#define OLD	"@GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLD	"@GLIBC_2.17"
#endif

#ifdef OLD

/*
 * Defines a symbol for programs linked with the old version of name; name
 * itself is not exported.
 */
#define SYMVER(name) __attribute__((__symver__(#name OLD)))

HOOK SYMVER(getmsg)
int old_getmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	       int *flagsp);
int old_getmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
	       int *flagsp)
{
	return getmsg(fildes, ctlptr, dataptr, flagsp);
}

HOOK SYMVER(getpmsg)
int old_getpmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
		int *bandp, int *flagsp);
int old_getpmsg(int fildes, struct strbuf *ctlptr, struct strbuf *dataptr,
		int *bandp, int *flagsp)
{
	return getpmsg(fildes, ctlptr, dataptr, bandp, flagsp);
}

HOOK SYMVER(putmsg)
int old_putmsg(int fildes, const struct strbuf *ctlptr,
	       const struct strbuf *dataptr, int flags);
int old_putmsg(int fildes, const struct strbuf *ctlptr,
	       const struct strbuf *dataptr, int flags)
{
	return putmsg(fildes, ctlptr, dataptr, flags);
}

HOOK SYMVER(putpmsg)
int old_putpmsg(int fildes, const struct strbuf *ctlptr,
		const struct strbuf *dataptr, int band, int flags);
int old_putpmsg(int fildes, const struct strbuf *ctlptr,
		const struct strbuf *dataptr, int band, int flags)
{
	return putpmsg(fildes, ctlptr, dataptr, band, flags);
}

HOOK SYMVER(isastream)
int old_isastream(int fildes);
int old_isastream(int fildes)
{
	return isastream(fildes);
}

HOOK SYMVER(fattach)
int old_fattach(int fildes, const char *path);
int old_fattach(int fildes, const char *path)
{
	return fattach(fildes, path);
}

HOOK SYMVER(fdetach)
int old_fdetach(const char *path);
int old_fdetach(const char *path)
{
	return fdetach(path);
}

#endif /* OLD */
