# SPDX-License-Identifier: GPL-2.0-only
#
# Two network namespaces, left and right, joined by a veth. Where there are any of
# these names already the test fails, and they stay as they are.

add_namespaces() {
	local name
	namespaces=()
	for name in left right; do
		ip netns add "$name" || return
		namespaces+=("$name")
	done
}

join_namespaces() {
	ip link add veth-left netns left type veth peer name veth-right netns right
	ip -n left addr add 192.0.2.1/24 dev veth-left
	ip -n right addr add 192.0.2.2/24 dev veth-right
}

# Those that this test has made; a skipped test has made none.
remove_namespaces() {
	local name
	for name in "${namespaces[@]}"; do
		ip netns del "$name" || true
	done
	namespaces=()
}
