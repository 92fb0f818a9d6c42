# SPDX-License-Identifier: GPL-2.0-only
#
# STRSOCK_NCURSES: the screen of strstat --watch needs ncurses to be built; without it the
# option prints tables.
AC_DEFUN([STRSOCK_NCURSES], [
AC_ARG_WITH([ncurses],
	[AS_HELP_STRING([--without-ncurses], [strstat --watch prints tables only])],
	[], [with_ncurses=check])
strsock_ncurses_summary="left out, as requested"
AS_IF([test "$with_ncurses" != no], [
	strsock_ncurses_summary="left out, missing: ncurses"
	AC_CHECK_HEADER([ncurses.h], [
		strsock_libs=$LIBS
		AC_SEARCH_LIBS([wgetch], [ncursesw ncurses],
			[strsock_ncurses_summary=yes])
		dnl A part of ncurses that may be a library of its own
		AC_SEARCH_LIBS([stdscr], [tinfow tinfo])
		NCURSES_LIBS=${LIBS%"$strsock_libs"}
		LIBS=$strsock_libs
	])
])
AS_IF([test "$with_ncurses" = yes && test "$strsock_ncurses_summary" != yes],
	[AC_MSG_ERROR([--with-ncurses needs ncurses (in Debian libncurses-dev)])])
AC_SUBST([NCURSES_LIBS])
AM_CONDITIONAL([NCURSES], [test "$strsock_ncurses_summary" = yes])
])
