# SPDX-License-Identifier: GPL-2.0-only

# STRSOCK_DIRS
# Folders outside the usual ones. udev, systemd and man look below /usr/local
# too, so that the prefix decides; the kernel's tools and DKMS do not.
AC_DEFUN([STRSOCK_DIRS], [
AC_ARG_WITH([kernel-modules-dir],
	[AS_HELP_STRING([--with-kernel-modules-dir=DIR],
		[install modules in DIR/RELEASE/updates/strsock (default: /lib/modules)])],
	[AS_CASE([$withval], [/*|'$'*], [],
		[AC_MSG_ERROR([--with-kernel-modules-dir takes an absolute path, not '$withval'])])],
	[with_kernel_modules_dir=/lib/modules])
AC_ARG_WITH([dkms],
	[AS_HELP_STRING([--with-dkms=DIR],
		[install the modules' source for DKMS and for other modules in
		 DIR/strsock-VERSION (default: /usr/src; --without-dkms: do not)])],
	[AS_CASE([$withval], [yes], [with_dkms=/usr/src], [no|/*|'$'*], [],
		[AC_MSG_ERROR([--with-dkms takes an absolute path, not '$withval'])])],
	[with_dkms=/usr/src])
AS_IF([test "x$with_dkms" != xno], [dkms_srcdir="$with_dkms/$PACKAGE_NAME-$PACKAGE_VERSION"])

AC_SUBST([udevrulesdir], ['${prefix}/lib/udev/rules.d'])
AC_SUBST([modulesloaddir], ['${prefix}/lib/modules-load.d'])
AC_SUBST([tmpfilesdir], ['${prefix}/lib/tmpfiles.d'])
AC_SUBST([kernelmodulesdir], ["$with_kernel_modules_dir"])
AC_SUBST([dkms_srcdir])
AM_CONDITIONAL([INSTALL_DKMS], [test -n "$dkms_srcdir"])
])
