# SPDX-License-Identifier: GPL-2.0-only
#
# Two network namespaces, left and right, joined by a veth.

join_namespaces() {
	ip netns add left && ip netns add right
	ip link add veth-left netns left type veth peer name veth-right netns right
	ip -n left addr add 192.0.2.1/24 dev veth-left
	ip -n right addr add 192.0.2.2/24 dev veth-right
}

remove_namespaces() {
	ip netns del left || true
	ip netns del right || true
}
