# SPDX-License-Identifier: GPL-2.0-only
#
# Shared by the tests of data links: two network namespaces that a veth joins.
# Loaded after common, streams and netns.

setup() {
	require_modules pipe
	require_loaded strdlpi
	add_namespaces
	# No frames but the test's
	quiet left
	quiet right
	join_namespaces
	ip -n left link set lo up
	ip -n left link set veth-left up
	ip -n right link set veth-right up
	until_true carries left veth-left
	until_true carries right veth-right
}

# carries NAMESPACE LINK: it has a carrier, and its queue does not drop all it is given.
# A worker sees to that after the link is set up.
carries() {
	[[ $(ip -n "$1" link show dev "$2") == *" state UP "* &&
		$(ip -n "$1" link show dev "$2") != *" qdisc noop "* ]]
}

# quiet NAMESPACE: without what IPv6 sends by itself
quiet() {
	ip netns exec "$1" sh -c '! cd /proc/sys/net/ipv6/conf 2>/dev/null ||
		echo 1 | tee all/disable_ipv6 default/disable_ipv6 >/dev/null'
}

teardown() {
	remove_namespaces
}

# left PROGRAM CASE: in the namespace left
left() {
	timeout "${STRSOCK_TEST_LIMIT:-300}" ip netns exec left "$HELPERS/$1" "$2"
}
