# SPDX-License-Identifier: GPL-2.0-only

# STRSOCK_KERNEL
# Finds the kernel to build modules for, checks that it is inside the range
# declared in META, and probes its headers. Sets KERNEL_RELEASE,
# KERNEL_HEADERS, the conditional BUILD_KMOD, and KERNEL_CROSS, which tells kbuild of
# another architecture than this machine's.
AC_DEFUN([STRSOCK_KERNEL], [
AC_ARG_WITH([kmod],
	[AS_HELP_STRING([--without-kmod], [build no kernel modules])],
	[], [with_kmod=yes])
AC_ARG_WITH([kernel],
	[AS_HELP_STRING([--with-kernel=RELEASE],
		[build modules for the kernel RELEASE, as uname -r says it
		 (default: the running kernel if its headers are installed, else
		 the newest headers in /usr/src)])],
	[AS_CASE([$withval], [yes|no|''],
		[AC_MSG_ERROR([--with-kernel takes a release, e.g. --with-kernel=$(uname -r); use --without-kmod to build no modules])])],
	[with_kernel=])
AC_ARG_WITH([kernel-headers],
	[AS_HELP_STRING([--with-kernel-headers=DIR],
		[build modules with the headers in DIR])],
	[AS_CASE([$withval], [/*], [],
		[AC_MSG_ERROR([--with-kernel-headers takes an absolute path, not '$withval'])])],
	[with_kernel_headers=])
AC_ARG_ENABLE([untested-kernel],
	[AS_HELP_STRING([--enable-untested-kernel],
		[go on with a kernel outside the range declared in META])],
	[], [enable_untested_kernel=no])

KERNEL_RELEASE=
KERNEL_HEADERS=
KERNEL_CROSS=
strsock_kmod_summary=no
strsock_kmod_note=
AS_IF([test "x$with_kmod" != xno], [
	AS_IF([test "x$host" != "x$build"], [_STRSOCK_KERNEL_CROSS])
	_STRSOCK_FIND_KERNEL
	_STRSOCK_KERNEL_RANGE
	AC_MSG_CHECKING([what the headers of $KERNEL_RELEASE offer])
	AS_IF([env $KERNEL_CROSS "$srcdir/kmod/compat/probe" "$KERNEL_HEADERS" kbuild/features >&AS_MESSAGE_LOG_FD 2>&1],
		[AC_MSG_RESULT([$(grep -c 'define HAVE_' kbuild/features/strsock_features.h) of $(grep -c HAVE_ kbuild/features/strsock_features.h) differences])],
		[AC_MSG_RESULT([failed])
		 AC_MSG_ERROR([cannot compile a kernel module with $KERNEL_HEADERS; see config.log and kbuild/features/probe.log, or build with --without-kmod])])
	strsock_kmod_summary="$KERNEL_RELEASE ($KERNEL_HEADERS)"
])
AC_SUBST([KERNEL_RELEASE])
AC_SUBST([KERNEL_HEADERS])
AC_SUBST([KERNEL_CROSS])
AM_CONDITIONAL([BUILD_KMOD], [test -n "$KERNEL_HEADERS"])
])

AC_DEFUN([_STRSOCK_KERNEL_CROSS], [
AS_IF([test -z "$with_kernel_headers"],
	[AC_MSG_ERROR([modules for $host need --with-kernel-headers=DIR, since the kernels of this machine are for $build; or say --without-kmod])])
AS_CASE([$host_cpu],
	[i?86|x86_64], [strsock_arch=x86],
	[aarch64*], [strsock_arch=arm64],
	[arm*], [strsock_arch=arm],
	[loongarch*], [strsock_arch=loongarch],
	[mips*], [strsock_arch=mips],
	[powerpc*], [strsock_arch=powerpc],
	[riscv*], [strsock_arch=riscv],
	[s390*], [strsock_arch=s390],
	[strsock_arch=$host_cpu])
KERNEL_CROSS="ARCH=$strsock_arch CROSS_COMPILE=$host_alias-"
])

# Whether a folder holds headers that a kernel was configured with
m4_define([_STRSOCK_IS_HEADERS], [test -f "$1/include/generated/utsrelease.h"])

AC_DEFUN([_STRSOCK_FIND_KERNEL], [
AC_MSG_CHECKING([for the kernel to build modules for])
AS_IF([test -n "$with_kernel_headers"], [
	KERNEL_HEADERS=$with_kernel_headers
	AS_IF([_STRSOCK_IS_HEADERS([$KERNEL_HEADERS])], [],
		[AC_MSG_RESULT([none])
		 AC_MSG_ERROR([$KERNEL_HEADERS holds no headers of a configured kernel (include/generated/utsrelease.h is missing)])])
], [test -n "$with_kernel"], [
	for strsock_dir in "/lib/modules/$with_kernel/build" "/usr/src/linux-headers-$with_kernel"; do
		AS_IF([_STRSOCK_IS_HEADERS([$strsock_dir])], [KERNEL_HEADERS=$strsock_dir; break])
	done
	AS_IF([test -z "$KERNEL_HEADERS"],
		[AC_MSG_RESULT([none])
		 strsock_known=$(for strsock_dir in /usr/src/linux-headers-* /lib/modules/*/build; do
				_STRSOCK_IS_HEADERS([$strsock_dir]) &&
				$SED -n 's/.*UTS_RELEASE "\(.*\)"$/ \1/p' "$strsock_dir/include/generated/utsrelease.h"
			done | sort -u | tr -d '\n')
		 AC_MSG_ERROR([no headers of kernel $with_kernel in /lib/modules/$with_kernel/build or /usr/src; those there are:${strsock_known:- none}. On Debian: apt-get install linux-headers-$with_kernel])])
], [_STRSOCK_IS_HEADERS([/lib/modules/$(uname -r)/build])], [
	KERNEL_HEADERS=/lib/modules/$(uname -r)/build
], [
	KERNEL_HEADERS=$(for strsock_dir in /usr/src/linux-headers-*; do
			_STRSOCK_IS_HEADERS([$strsock_dir]) && echo "$strsock_dir"
		done | sort -V | tail -n 1)
	AS_IF([test -z "$KERNEL_HEADERS"],
		[AC_MSG_RESULT([none])
		 AC_MSG_ERROR([no kernel headers, neither of the running kernel $(uname -r) nor in /usr/src; on Debian: apt-get install linux-headers-amd64; or say --with-kernel-headers=DIR, or --without-kmod])])
])
KERNEL_RELEASE=$($SED -n 's/.*UTS_RELEASE "\(.*\)"$/\1/p' \
	"$KERNEL_HEADERS/include/generated/utsrelease.h")
AS_IF([test -z "$KERNEL_RELEASE"],
	[AC_MSG_RESULT([none])
	 AC_MSG_ERROR([$KERNEL_HEADERS/include/generated/utsrelease.h names no release])])
AS_IF([test -n "$with_kernel" && test "x$with_kernel" != "x$KERNEL_RELEASE"],
	[AC_MSG_RESULT([$KERNEL_RELEASE])
	 AC_MSG_ERROR([$KERNEL_HEADERS is of kernel $KERNEL_RELEASE, not of $with_kernel])])
AC_MSG_RESULT([$KERNEL_RELEASE in $KERNEL_HEADERS])
# The modules cannot be loaded here then: nobody shall learn that by modprobe.
AS_IF([test -z "$with_kernel$with_kernel_headers" && test "x$KERNEL_RELEASE" != "x$(uname -r)"], [
	strsock_kmod_note="building for kernel $KERNEL_RELEASE (headers of the running one, $(uname -r), are not installed)"
	AC_MSG_NOTICE([$strsock_kmod_note])
])
])

AC_DEFUN([_STRSOCK_KERNEL_RANGE], [
strsock_min=strsock_meta([Linux-Minimum])
strsock_max=strsock_meta([Linux-Maximum])
strsock_tested="strsock_meta([Linux-Tested])"
AS_IF([test "$strsock_min" = "$strsock_max"],
	[strsock_range=$strsock_min],
	[strsock_range="$strsock_min to $strsock_max"])
AC_MSG_CHECKING([whether strsock is made for Linux $KERNEL_RELEASE])
# Major and minor number as one that can be compared
strsock_number() {
	echo "$[1]" | $SED 's/^\([[0-9]]*\)\.\([[0-9]]*\).*/\1 \2/' | {
		read strsock_major strsock_minor
		echo $((strsock_major * 1000 + strsock_minor))
	}
}
strsock_this=$(strsock_number "$KERNEL_RELEASE")
AS_IF([test "$strsock_this" -ge "$(strsock_number $strsock_min)" &&
	test "$strsock_this" -le "$(strsock_number $strsock_max)"],
	[AC_MSG_RESULT([yes (tested: $strsock_tested)])],
	[AC_MSG_RESULT([no])
	 AS_IF([test "x$enable_untested_kernel" = xyes],
		[AC_MSG_WARN([strsock has not been tried with Linux $KERNEL_RELEASE])],
		[AC_MSG_ERROR([strsock is made for Linux $strsock_range and has not been tried with $KERNEL_RELEASE (tested: $strsock_tested). Choose another kernel with --with-kernel=RELEASE, go on at your own risk with --enable-untested-kernel, or build no modules with --without-kmod])])])
])
