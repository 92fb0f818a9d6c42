# SPDX-License-Identifier: GPL-2.0-only
#
# Code that the tests of libxti share. Loaded after streams.
#
# A test of a provider runs twice: on the STREAMS driver, where its module can be
# loaded, and on the kernel's sockets.

# providers MODULE: those there are here, with the driver of that module.
providers() {
	if modprobe "$1" 2>/dev/null; then
		echo streams
	elif [ "$STRSOCK_IN_VM" = 1 ]; then
		echo "missing in the machine: $1" >&2
		return 1
	fi
	echo sockets
}

# on_each MODULE HELPER CASE [ARGUMENT]...
on_each() {
	local module=$1 program=$2 provider list
	shift 2
	list=$(providers "$module") || return 1
	for provider in $list; do
		echo "XTI_PROVIDER=$provider"
		run env XTI_PROVIDER="$provider" timeout "${STRSOCK_TEST_LIMIT:-300}" \
			"$HELPERS/$program" "$@"
		echo "$output"
		[ "$status" -eq 0 ] || return 1
	done
}
