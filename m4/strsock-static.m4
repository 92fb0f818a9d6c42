# SPDX-License-Identifier: GPL-2.0-only
#
# STRSOCK_STATIC: finds out whether programs can be linked statically, and started.
# Sets STATIC_LDFLAGS, for libtool.
AC_DEFUN([STRSOCK_STATIC], [
AC_MSG_CHECKING([whether programs can be linked statically])
strsock_ldflags=$LDFLAGS
LDFLAGS="$LDFLAGS -static"
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]], [[return puts("") < 0;]])],
	[STATIC_LDFLAGS=-all-static], [STATIC_LDFLAGS=], [STATIC_LDFLAGS=])
LDFLAGS=$strsock_ldflags
AS_IF([test -n "$STATIC_LDFLAGS"], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
AC_SUBST([STATIC_LDFLAGS])
])
