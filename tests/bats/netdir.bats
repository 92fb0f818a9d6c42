#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# netdir(3): names of hosts and services to addresses of transports, and back. All
# but the last two tests run without a kernel module.

load common
load streams

services() {
	[ "$(getent services domain/udp | tr -s ' ')" = "domain 53/udp" ] &&
		[ "$(getent services domain/tcp | tr -s ' ')" = "domain 53/tcp" ] ||
		skip "/etc/services does not have domain (package netbase)"
}

@test "hosts and services, by name and by number, and which of the two does not exist" {
	services
	helper netdir names
}

@test "HOST_SELF, HOST_ANY, HOST_SELF_CONNECT and HOST_BROADCAST" {
	services
	helper netdir special
}

@test "a loopback transport: the address of a service is its name" {
	helper netdir loopback
}

@test "names of an address; a port without a name has its number" {
	services
	helper netdir addresses
}

@test "universal addresses are written and read; other text is refused" {
	helper netdir universal
}

@test "options without an endpoint: reserved ports, merged addresses; which transports have none" {
	helper netdir options
}

@test "each error has a text; missing arguments are refused" {
	run -0 helper netdir errors
	[ "$(grep -c '^somewhere: Host not found$' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^Host not found$' <<<"$output")" -eq 1 ]
}

# bats test_tags=host
@test "memory: nothing leaks, nothing is touched outside" {
	needs cc
	echo 'int main(void) { return 0; }' |
		cc -fsanitize=address,undefined -x c - -o "$BATS_TEST_TMPDIR/none" 2>/dev/null ||
		skip "the compiler has no sanitizers"
	local each checked=$BATS_TEST_TMPDIR/netdir
	cc -g -D_GNU_SOURCE -std=gnu11 -fsanitize=address,undefined -fno-sanitize-recover=all \
		-I"$STRSOCK_SRC/include" -I"$STRSOCK_SRC" -I"$STRSOCK_SRC/libxti" \
		-I"$STRSOCK_SRC/tests/helpers/lib" -o "$checked" \
		"$STRSOCK_SRC"/tests/helpers/xti/netdir.c \
		"$STRSOCK_SRC"/libxti/*/*.c "$STRSOCK_SRC"/libxti/sock/loop/*.c \
		"$STRSOCK_SRC"/libstreams/{getmsg,isastream,putmsg,strio,strpipe}.c
	for each in special loopback universal options errors; do
		"$checked" "$each"
	done
}

@test "the manual page's example compiles with its own command, and is linked with libtirpc" {
	needs pkg-config cc
	pkg-config libtirpc || skip "needs libtirpc-dev"
	cd "$BATS_TEST_TMPDIR"
	{
		sed -n '/^\.Bd -literal/,/^\.Ed/p' "$STRSOCK_SRC/man/man3/netdir.3" | sed '1d;$d'
		# Both libraries have taddr2uaddr(); libtirpc's transport is known too.
		cat <<-'END'
			int main(int argc, char **argv)
			{
				struct netconfig *nc = getnetconfigent("local");

				if (nc)
					puts(taddr2uaddr(nc, uaddr2taddr(nc, "/run/rpcbind.sock")));
				return argc > 3 && call(argv[1], argv[2], argv[3]) < 0;
			}
		END
	} >call.c
	cc -Wall -Wextra -Werror -o call call.c -I"$STRSOCK_SRC/include" \
		$(pkg-config --cflags --libs libtirpc) -L"$STRSOCK_BUILD/libxti/.libs" -lxti
	run -1 ./call no-such-transport localhost 7
	[[ $output == *"no-such-transport"* ]]
	grep -q '^local' /etc/netconfig || skip "/etc/netconfig does not have libtirpc's local transport"
	[[ $output == *"/run/rpcbind.sock"* ]]
}

@test "a server and its client find each other by names, over TCP and within the host" {
	require_loaded strinet strtiloop
	helper netdir connections
}

@test "endpoints: broadcasts, and reserved ports, which take privileges" {
	require_loaded strudp
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	helper netdir endpoints
}
