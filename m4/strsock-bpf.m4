# SPDX-License-Identifier: GPL-2.0-only
#
# STRSOCK_BPF: strsock --cgroup needs clang, bpftool and libbpf to be built, and is left out
# without them; strsock --all is then slower.
AC_DEFUN([STRSOCK_BPF], [
AC_ARG_WITH([bpf],
	[AS_HELP_STRING([--without-bpf], [leave out strsock --cgroup])],
	[], [with_bpf=check])
AC_PATH_PROG([CLANG], [clang])
AC_PATH_PROG([BPFTOOL], [bpftool], [], [$PATH:/usr/sbin:/sbin])
strsock_bpf_missing=
AS_IF([test "$with_bpf" != no], [
	AS_IF([test -z "$CLANG"], [strsock_bpf_missing="$strsock_bpf_missing clang"])
	AS_IF([test -z "$BPFTOOL"], [strsock_bpf_missing="$strsock_bpf_missing bpftool"])
	AC_CHECK_HEADER([bpf/libbpf.h],
		[AC_CHECK_LIB([bpf], [bpf_link__pin], [BPF_LIBS=-lbpf],
			[strsock_bpf_missing="$strsock_bpf_missing libbpf"])],
		[strsock_bpf_missing="$strsock_bpf_missing libbpf"])
])
AS_IF([test "$with_bpf" = no], [strsock_bpf_summary="left out, as requested"],
	[test -n "$strsock_bpf_missing"],
	[strsock_bpf_summary="left out, missing:$strsock_bpf_missing"],
	[strsock_bpf_summary=yes])
AS_IF([test "$with_bpf" = yes && test -n "$strsock_bpf_missing"],
	[AC_MSG_ERROR([--with-bpf needs:$strsock_bpf_missing (in Debian clang, bpftool, libbpf-dev)])])
# Headers of the architecture, which clang does not find for its BPF target
BPF_CPPFLAGS="-idirafter /usr/include/`$CC -print-multiarch 2>/dev/null`"
AC_SUBST([BPF_LIBS])
AC_SUBST([BPF_CPPFLAGS])
AM_CONDITIONAL([BPF], [test "$strsock_bpf_summary" = yes])
])
