#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# The headers for programs: each compiles alone and beside any other, in the
# languages that old and new programs are written in.

load common

setup() {
	CC=${CC:-cc}
	command -v "$CC" >/dev/null || skip "needs a C compiler"
	INCLUDE=$STRSOCK_SRC/include
	cd "$BATS_TEST_TMPDIR"
}

# headers: as programs name them. <sys/strsun.h> and <sys/strparam.h> are for
# kernel modules alone.
headers() {
	(cd "$INCLUDE" && ls *.h sys/*.h) | grep -vE '^sys/(strsun|strparam)\.h$'
}

# sources DIR: one file for each header, in the folder DIR
sources() {
	local header
	mkdir "$1"
	for header in $(headers); do
		# Strict C wants a declaration, which some headers have none of.
		printf '#include <%s>\nint none;\n' "$header" >"$1/${header//\//_}.c"
	done
}

# each COMMAND...: on all files of the folder each/, as many at a time as there
# are processors
each() {
	find each -name '*.c' -print0 | xargs -0 -n 8 -P "$(nproc)" "$@"
}

alone() {
	sources each
	[ "$(ls each | wc -l)" -ge 30 ]
	each "$@" -Wall -Wextra -Werror -I"$INCLUDE" -fsyntax-only
}

@test "each header compiles alone in C89, without an extension" {
	alone "$CC" -std=c89 -pedantic-errors
}

@test "each header compiles alone in gnu89, gnu99, gnu17 and the newest C that the compiler has" {
	local std
	sources each
	for std in gnu89 gnu99 gnu17 gnu2x; do
		each "$CC" -std=$std -Wall -Wextra -Werror -I"$INCLUDE" -fsyntax-only
	done
}

@test "each header compiles alone in C++98 and in the compiler's own C++" {
	command -v c++ >/dev/null || skip "needs a C++ compiler"
	alone c++ -x c++ -std=c++98 -pedantic-errors -Wno-long-long
	each c++ -x c++ -Wall -Wextra -Werror -I"$INCLUDE" -fsyntax-only
}

@test "each header compiles for 32 bits" {
	echo 'int main(void) { return 0; }' | "$CC" -m32 -x c - -o /dev/null 2>/dev/null ||
		skip "the compiler has no C library of 32 bits"
	alone "$CC" -m32
}

# Each header is once the first, before all others in their order and in the reverse one: so
# each comes behind each, without a compilation for each pair.
@test "any two headers compile together, in either order, and with the system's" {
	local first all
	all="$(headers) netinet/in.h netinet/tcp.h sys/socket.h net/if.h arpa/inet.h netdb.h sys/ioctl.h"
	mkdir each
	for first in $all; do
		printf '#include <%s>\n' "$first" $all >"each/${first//\//_}-rising.c"
		printf '%s\n' "#include <$first>" "$(printf '#include <%s>\n' $all | tac)" \
			>"each/${first//\//_}-falling.c"
	done
	[ "$(ls each | wc -l)" -ge 60 ]
	sed -i '$a int none;' each/*.c
	each "$CC" -std=gnu99 -Wall -Wextra -Werror -I"$INCLUDE" -fsyntax-only
}

@test "netconfig.h and libtirpc's, in either order" {
	needs pkg-config
	local flags
	flags=$(pkg-config --cflags libtirpc) || skip "needs libtirpc-dev"
	local tirpc=${flags#-I}
	tirpc=${tirpc%% *}
	mkdir each
	printf '#include <%s>\n' "$INCLUDE/netconfig.h" "$tirpc/netconfig.h" netdir.h rpc/rpc.h >each/1.c
	printf '#include <%s>\n' "$tirpc/netconfig.h" "$INCLUDE/netconfig.h" rpc/rpc.h netdir.h >each/2.c
	echo 'unsigned long f(struct netconfig *nc) { return nc->nc_unused[8] + NC_TPI_RAW; }' | tee -a each/1.c >>each/2.c
	each "$CC" -Wall -Wextra -Werror -I"$INCLUDE" $flags -fsyntax-only
	# They are one structure.
	printf '#include <%s>\n' "$tirpc/netconfig.h" >layout.c
	sed 's/_NETCONFIG_H_/_OURS/; s/struct netconfig/struct ours/; s/NCONF_HANDLE/OURS/' \
		"$INCLUDE/netconfig.h" | grep -vE '\w\(.*\);$' >ours.h
	cat >>layout.c <<-'END'
		#include <stddef.h>
		#include "ours.h"
		#define SAME(f) _Static_assert(offsetof(struct netconfig, f) == offsetof(struct ours, f), #f)
		SAME(nc_netid); SAME(nc_semantics); SAME(nc_flag); SAME(nc_protofmly); SAME(nc_proto);
		SAME(nc_device); SAME(nc_nlookups); SAME(nc_lookups); SAME(nc_unused);
		_Static_assert(sizeof(struct netconfig) == sizeof(struct ours), "size");
	END
	# Constants that differ are redefined, which is an error.
	"$CC" -Wall -Werror $flags -I. -fsyntax-only layout.c
}

@test "a name of FMNAMESZ + 1 bytes has room for what I_LOOK and I_LIST store" {
	cat >names.c <<-'END'
		#include <sys/conf.h>
		char name[FMNAMESZ + 1];
		_Static_assert(sizeof(name) == STRNAMESZ, "I_LOOK");
		_Static_assert(sizeof(((struct str_mlist *)0)->l_name) == FMNAMESZ + 1, "I_LIST");
	END
	"$CC" -Wall -Werror -I"$INCLUDE" -fsyntax-only names.c
}

@test "definitions that old programs use from these headers" {
	cat >old.c <<-'END'
		#include <sys/types.h>
		#include <sys/stream.h>
		#include <sys/stropts.h>
		#include <sys/conf.h>
		#include <sys/tihdr.h>
		#include <sys/tiuser.h>
		#include <sys/timod.h>
		#include <sys/filio.h>
		#include <sys/sockio.h>
		#include <sys/log.h>
		#include <sys/mkdev.h>
		#include <sys/byteorder.h>
		#include <sys/ticlts.h>
		#include <sys/ticotsord.h>
		#include <netdir.h>
		#include <poll.h>
		int types[] = { M_DATA, M_PROTO, M_PCPROTO, M_HANGUP };
		long commands[] = { FIONREAD, FIONBIO, FIOCLEX, SIOCATMARK, SIOCGIFCONF, I_CONSLOG, TI_BIND };
		int reasons[] = { TCL_NOPEER, TCO_NOPEER, TCOO_PEERINITIATED };
		mblk_t *none;
		struct log_ctl lctl;
		int f(dev_t d) { return major(d) + minor(d) + htons(1) + _nderror; }
		char *hosts[] = { HOST_SELF, HOST_ANY, HOST_BROADCAST, HOST_SELF_CONNECT };
		struct nd_hostserv hs = { HOST_SELF, (char *)"rpcbind" };
	END
	"$CC" -std=gnu89 -Wall -Wextra -Werror -I"$INCLUDE" -fsyntax-only old.c
}

@test "every header for programs is installed" {
	local header
	for header in $(headers); do
		grep -q "include/$header\\b" "$STRSOCK_SRC/include/local.mk" || { echo "$header"; return 1; }
	done
}
