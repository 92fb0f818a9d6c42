#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# net.strsock.shortcut: whether the short ways of UDP and TCP are taken where packet filters
# are

load common
load streams

SETTING=/proc/sys/net/strsock/shortcut

setup() {
	require_modules udp
	[ "$EUID" -eq 0 ] || skip "needs root, to make network namespaces"
	[ -n "$(type -P nft)" ] || skip "needs nft"
	unshare -n nft add table ip t 2>/dev/null || skip "no nftables in this kernel"
}

# Runs a case over IPv4 and over IPv6.
shortcut() {
	local version
	for version in 4 6; do
		timeout 200 unshare -n python3 "$STRSOCK_SRC/tests/helpers/socket/shortcut.py" \
			"$1" $version || {
			echo "$1 over IPv$version: failed"
			return 1
		}
	done
}

# Runs a command in a new network namespace with its own view of the settings.
inside() {
	unshare -n bash -c "$@"
}

@test "strict: where a packet filter is, it sees all messages" {
	shortcut strict
}

@test "established: a packet filter sees the beginning of a flow and some each second, not all" {
	shortcut established
}

@test "off: no message takes the short way" {
	shortcut off
}

@test "established: where rules translate addresses, messages arrive as they say" {
	shortcut translated
	shortcut translated-later
}

@test "established: where a rule diverts datagrams to a proxy, the proxy has them" {
	shortcut diverted
}

@test "established: datagrams that rules change are changed, all of them" {
	shortcut changed
}

@test "established: a native socket receives the short way too" {
	shortcut native
}

@test "established: a rule that drops a flow, added later, ends it; nothing is lost of TCP's" {
	shortcut dropped-later
	shortcut held-later
}

@test "each socket's line names the obstacle of its last messages" {
	shortcut shown
}

@test "a namespace begins with strict, and the choice of another is not its own" {
	inside "[ \$(cat $SETTING) = strict ]; echo off >$SETTING; [ \$(cat $SETTING) = off ]
		unshare -n cat $SETTING" >"$BATS_TEST_TMPDIR/new"
	[ "$(<"$BATS_TEST_TMPDIR/new")" = strict ]
	[ "$(<$SETTING)" = strict ]
	# While a namespace has chosen off, the others take the short way.
	inside "echo off >$SETTING; unshare -n timeout 200 \
		python3 $STRSOCK_SRC/tests/helpers/socket/shortcut.py strict 4"
}

@test "other words are refused, and change nothing" {
	local word
	for word in "" on stric strictly "established off" "$(head -c 5000 /dev/zero | tr '\0' e)"; do
		run inside "printf '%s\n' '$word' >$SETTING"
		[ "$status" -ne 0 ]
		[[ "$output" == *"Invalid argument"* ]]
	done
	[ "$(<$SETTING)" = strict ]
}

@test "only CAP_NET_ADMIN in the namespace's user namespace may set it" {
	# shellcheck disable=SC2016 # expanded inside
	local try='echo established >'$SETTING
	run inside "setpriv --reuid 1000 --clear-groups bash -c '$try'"
	[ "$status" -ne 0 ]
	# Root without the capability
	run inside "setpriv --bounding-set -net_admin --inh-caps -net_admin bash -c '$try'"
	[ "$status" -ne 0 ]
	[[ "$output" == *"not permitted"* ]]
	# A user namespace has no say about a network namespace that is not its own.
	run inside "setpriv --reuid 1000 --clear-groups unshare -Ur bash -c '$try'"
	[ "$status" -ne 0 ]
	[ "$(<$SETTING)" = strict ]
	setpriv --reuid 1000 --clear-groups unshare -Urn bash -c "$try; [ \$(cat $SETTING) = established ]"
	inside "$try; [ \$(cat $SETTING) = established ]"
}

@test "the choice of established is in the log, once" {
	local before after
	before=$(dmesg | grep -c 'shortcut=established in network namespace' || :)
	# Messages are limited in number for a time.
	sleep 6
	inside "for i in 1 2 3; do echo established >$SETTING; echo; done; echo off >$SETTING
		echo strict >$SETTING"
	after=$(dmesg | grep -c 'shortcut=established in network namespace' || :)
	[ $((after - before)) -eq 1 ]
}

@test "namespaces end while their settings are read and written" {
	local rounds=60
	# Each round starts eight processes, and where memory is checked one race suffices.
	[[ $(</proc/sys/kernel/osrelease) != *debug* ]] || rounds=15
	for ((; rounds > 0; rounds--)); do
		inside "for i in 1 2 3; do echo off >$SETTING; cat $SETTING >/dev/null; done &
			for i in 1 2 3; do echo strict >$SETTING; done & exec true" &
	done
	wait
	inside "[ \$(cat $SETTING) = strict ]"
}

@test "strstat prints the setting of its network namespace" {
	# shellcheck disable=SC2016 # expanded inside
	local show='"$TOOLS/strstat" -o | tail -n 1; "$TOOLS/strstat" -oj | python3 -c "
import json, sys; print(json.load(sys.stdin)[\"shortcut\"])"'
	export TOOLS=$STRSOCK_BUILD/tools
	run -0 inside "echo established >$SETTING; $show"
	[ "${lines[0]}" = "net.strsock.shortcut: established" ]
	[ "${lines[1]}" = established ]
	run -0 inside "$show"
	[ "${lines[0]}" = "net.strsock.shortcut: strict" ]
}
