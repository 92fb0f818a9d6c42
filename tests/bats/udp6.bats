#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# STREAMS sockets of AF_INET6: a program sees the same as on a native one
#
# Each case prints its calls with their results. It runs with either end native
# or STREAMS, and its output is compared with the native run.
#
# bats file_tags=longdebug

load common
load streams
load udp

setup() {
	require_modules udp
	[ -e /proc/net/udp6 ] || skip "there is no IPv6"
}

# in_namespace COMMAND...: in a network of its own, with an interface d0
in_namespace() {
	[ -s "$BATS_FILE_TMPDIR/network" ] || printf '%s\n' "link set lo up" \
		"link add d0 address 02:00:00:00:00:07 type dummy" \
		"link set d0 addrgenmode none" \
		"addr add fe80::7/64 dev d0 nodad" "link set d0 up" >"$BATS_FILE_TMPDIR/network"
	# The kernel adds the route to the address on a work queue, a little later.
	unshare -n sh -c 'ip -batch "$0" || exit
		until ip -6 route show table local | grep -q fe80::7; do sleep 0.01; done
		exec "$@"' "$BATS_FILE_TMPDIR/network" "$@"
}

calls() {
	UNDER=in_namespace same udp6-calls "$1"
}

options() {
	UNDER=in_namespace same udp6-options "$1"
}

@test "the cases of AF_INET with addresses of IPv6: all system calls" {
	same udp-calls all inet6
}

@test "the same with IPv4's addresses as IPv6 spells them" {
	same udp-calls all mapped
}

@test "options and control messages of IP on a socket of AF_INET6" {
	same udp-options all inet6
}

@test "the same with IPv4's addresses as IPv6 spells them: options" {
	same udp-options all mapped
}

@test "datagrams of 0 to 65,527 bytes arrive whole, by IPv6 and by IPv4" {
	calls sizes
}

@test "every option of IPv6 gives and takes the same values" {
	options options
}

@test "bind and connect: scopes, any address, short names, getsockname, getpeername" {
	calls names
}

@test "one port for IPv6 and IPv4: IPV6_V6ONLY, SO_REUSEADDR, SO_REUSEPORT, order of binding" {
	calls conflicts
}

@test "one socket for IPv6 and IPv4, and the datagrams that IPV6_V6ONLY keeps away" {
	calls dual
}

@test "IPV6_ADDRFORM makes a socket one of AF_INET" {
	calls addrform
}

@test "control messages received: IPV6_PKTINFO and the others, also for datagrams over IPv4" {
	options control
}

@test "control messages sent: IPV6_PKTINFO, IPV6_HOPLIMIT, IPV6_TCLASS, bad ones" {
	options send-control
}

@test "a closed port gives ECONNREFUSED to a connected socket, once" {
	options refused
}

@test "IPV6_RECVERR: the error queue reports ICMP errors, and datagrams that were too large" {
	options error-queue
}

@test "multicast: joining, leaving, hops, loop, several members" {
	options multicast
}

@test "flow labels and traffic classes in addresses" {
	options flow
}

# bats test_tags=longdebug
@test "with a module: the cases of AF_INET with addresses of IPv6, and of IPv4" {
	local STRSOCK_TEST_PUSH=nullmod
	export STRSOCK_TEST_PUSH
	require_nullmod
	for group in data scattered short names send-errors waiting epoll many-at-once sharing; do
		same udp-calls "$group" inet6
		same udp-calls "$group" mapped
	done
}

# bats test_tags=longdebug
@test "with a module: sizes, names, ports, control messages, ICMP errors, multicast, flow labels" {
	local STRSOCK_TEST_PUSH=nullmod
	export STRSOCK_TEST_PUSH
	require_nullmod
	for group in sizes names conflicts dual; do
		calls "$group"
	done
	for group in control send-control refused multicast flow; do
		options "$group"
	done
}

@test "in a BPF map of sockets, out of it again, closed in it" {
	calls map
}

@test "datagrams are counted, and an open socket is listed with its port, whatever it becomes" {
	run -0 python3 -c '
import socket

def counter(name):
    return [int(l.split()[1]) for l in open("/proc/streams/counters")
            if l.split()[0] == name][0]

def listed(port):
    return [l for l in open("/proc/streams/open") if " port=%d " % port in l]

def inuse(path, what):
    return [int(l.split()[2]) for l in open(path) if l.startswith(what + ":")][0]

def here():
    return counter("udp_opened") - counter("udp_closed")

before = here()
used = inuse("/proc/net/sockstat6", "UDP6"), inuse("/proc/net/sockstat", "UDP")
s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 253)
s.bind(("::", 0))
port = s.getsockname()[1]
assert len(listed(port)) == 1 and listed(port)[0].startswith("kind=udp "), listed(port)
assert any(":%04X " % port in l for l in open("/proc/net/udp6"))
assert here() == before + 1
assert inuse("/proc/net/sockstat6", "UDP6") == used[0] + 1
sent, received = counter("udp_messages_sent"), counter("udp_messages_received")
s.sendto(b"to itself", ("::1", port))
s.sendto(b"and so", ("::ffff:127.0.0.1", port))
assert s.recv(100) == b"to itself" and s.recv(100) == b"and so"
assert counter("udp_messages_sent") == sent + 2
assert counter("udp_messages_received") == received + 2
# Of AF_INET from now on, and still the same socket.
s.connect(("::ffff:127.0.0.1", port))
s.setsockopt(socket.IPPROTO_IPV6, 1, socket.AF_INET)
assert s.getsockopt(socket.SOL_SOCKET, 39) == socket.AF_INET
assert inuse("/proc/net/sockstat6", "UDP6") == used[0]
assert inuse("/proc/net/sockstat", "UDP") == used[1] + 1
assert len(listed(port)) == 1
s.send(b"by IPv4")
assert s.recv(100) == b"by IPv4"
assert counter("udp_messages_sent") == sent + 3
s.close()
assert not listed(port) and here() == before
assert inuse("/proc/net/sockstat", "UDP") == used[1]
'
}

@test "between STREAMS sockets of AF_INET and AF_INET6 datagrams are delivered directly both ways" {
	in_namespace python3 -c '
import socket

def direct():
    return [int(l.split()[1]) for l in open("/proc/streams/counters")
            if l.startswith("udp_direct ")][0]

four = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 253)
four.bind(("127.0.0.1", 0))
to = "::ffff:127.0.0.1", four.getsockname()[1]
six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 253)
before = direct()
for i in range(60):
    if i == 40:
        six.connect(to)
    six.send(b"%d" % i) if i >= 40 else six.sendto(b"%d" % i, to)
    data, name = four.recvfrom(100)
    assert data == b"%d" % i and name == ("127.0.0.1", six.getsockname()[1])
    four.sendto(data, name)
    data, name = six.recvfrom(100)
    assert data == b"%d" % i and name == to + (0, 0), name
assert 80 <= direct() - before <= 120, direct() - before

# One that asks for the interface of its datagrams has them through IP.
six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
before = direct()
for i in range(60):
    four.sendto(b"%d" % i, ("127.0.0.1", six.getsockname()[1]))
    data, control, flags, name = six.recvmsg(100, 100)
    assert data == b"%d" % i and control[0][:2] == (41, 50), control
assert direct() == before, direct() - before
'
}

@test "while addresses, routes, devices and sockets come and go each datagram arrives at its address alone, in order" {
	local before
	before=$(counter udp_direct)
	for _ in 1 2; do
		run -0 unshare -n python3 "$STRSOCK_SRC/tests/helpers/socket/udp6-races.py"
		echo "$output"
	done
	[ "$(counter udp_direct)" -gt "$before" ]
}

@test "the kernel's counters of UDP count the same" {
	# counted PROGRAM CASE PROTOCOL: the changes of IPv6's and IPv4's by a run
	counted() {
		in_namespace bash -c '"$@" >/dev/null 2>&1
			grep Udp6 /proc/net/snmp6; grep ^Udp: /proc/net/snmp' bash \
			timeout 300 "$HELPERS/$1" "$2" "$3" "$3"
	}
	local case
	for case in "udp6-calls sizes" "udp6-calls dual" "udp6-options refused" "udp6-options control"; do
		# shellcheck disable=SC2086 # a program and a case
		diff <(counted $case "$NATIVE") <(counted $case "$STREAMS")
	done
}

@test "the module is not unloaded while a socket is open, of AF_INET6 or once, and is afterwards" {
	until_true unloaded strinet
	for becomes in '' 's.setsockopt(socket.IPPROTO_IPV6, 1, socket.AF_INET)'; do
		run python3 -c "
import socket, subprocess, sys
s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 253)
s.connect(('::ffff:127.0.0.1', 9))
$becomes
sys.exit(subprocess.call(['rmmod', 'strsock']))
"
		[ "$status" -ne 0 ]
		[[ $output == *"in use"* ]]
		# Socks are freed when a grace period is over.
		until_true unloaded strsock
		run ! loaded strsock
		# The kernel loads it when it is asked for a socket.
		python3 -c 'import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 253)'
		[ -d /sys/module/strsock ]
	done
}

@test "the preload puts a program's sockets of AF_INET6 on STREAMS, by its rules" {
	local asks='import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)'
	run -0 strsock --require -v python3 -c "$asks"
	[[ $output == *"socket(inet6, dgram, udp) -> streams "* ]]
	echo '* inet6 dgram udp native' >"$BATS_TEST_TMPDIR/rules"
	run -0 strsock -v -c "$BATS_TEST_TMPDIR/rules" python3 -c "$asks"
	[[ $output == *"socket(inet6, dgram, udp) -> native "* ]]
	run -0 strsock --pipe --no-udp -v python3 -c "$asks"
	[[ $output == *"socket(inet6, dgram, udp) -> native "* ]]
}

# ---- /dev/streams/udp6

# tpi CASE: in a network of its own
tpi() {
	[ -c /dev/streams/udp6 ]
	run in_namespace timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/udp6-tpi" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "udp6: T_INFO_REQ and T_CAPABILITY_REQ describe the provider" {
	tpi info
}

@test "udp6: T_BIND_REQ, T_ADDR_REQ, T_UNBIND_REQ; ports conflict with those of sockets of both families" {
	tpi bind
}

@test "udp6: bad addresses are refused and do no harm" {
	tpi bad-bind
}

@test "udp6: datagrams of 0 to 65,527 bytes between streams, and with a socket" {
	tpi datagrams
}

@test "udp6: addresses that are mapped reach sockets and streams of IPv4" {
	tpi mapped
}

@test "udp6: T_UDERROR_IND: closed ports, no route, bad destinations, too large" {
	tpi uderror
}

@test "udp6: malformed primitives end their stream, and nothing else" {
	tpi malformed
}

@test "udp6: T_OPTMGMT_REQ" {
	tpi options
}

@test "udp6: options of one datagram, and of one received; between streams the message itself arrives" {
	local before
	before=$(counter udp_direct)
	tpi datagram-options
	[ $(($(counter udp_direct) - before)) -ge 40 ]
}

@test "udp6: link-local addresses have an interface" {
	tpi scope
}

@test "udp6: the kernel's counters count datagrams read, and those lost for want of a reader" {
	tpi counted
}

@test "udp6: where a BPF program looks at destinations sending may sleep" {
	local test
	for test in mapped uderror; do
		run in_namespace timeout 300 "$HELPERS/udp-bpf" sendmsg pass "$HELPERS/udp6-tpi" $test
		echo "$output"
		[ "$status" -eq 0 ]
	done
}

@test "udp6: an echo by XTI, over IPv6 and IPv4" {
	helper xti-udp6 echo
}

@test "udp6: the module is not unloaded while a stream is open, and is afterwards" {
	run bash -c 'exec 9<>/dev/streams/udp6; rmmod strsock strudp'
	[ "$status" -ne 0 ]
	[[ $output == *"strudp is in use"* ]]
	until_true unloaded strsock
	until_true unloaded strudp
	run ! loaded strudp
	modprobe -a strudp strsock
	helper xti-udp6 echo
}

@test "udp6: with a module, errors of sending are found in the same order as natively" {
	cat >"$BATS_TEST_TMPDIR/program" <<-'END'
		import socket
		def send(s, *args):
		    try:
		        print(s.sendto(*args) if len(args) > 2 else s.send(*args))
		    except OSError as e:
		        print(e.errno)
		def made(bound=None, peer=None):
		    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
		    if bound:
		        s.bind(bound)
		    if peer:
		        s.connect(peer)
		    return s
		long = b"x" * 70000
		send(made(), long)
		send(made(), b"x", socket.MSG_OOB)
		send(made(), b"x", 0, ("::1", 0))
		send(made(), long, 0, ("::1", 0))
		send(made(), long, 0, ("::ffff:127.0.0.1", 0))
		send(made(), b"x", socket.MSG_OOB, ("::1", 9))
		send(made(), b"x", socket.MSG_OOB, ("::ffff:127.0.0.1", 9))
		send(made(("::1", 0)), b"x", 0, ("::ffff:127.0.0.1", 0))
		send(made(("::1", 0)), long, 0, ("::ffff:127.0.0.1", 9))
		send(made(None, ("::1", 0)), b"x")
		send(made(None, ("::ffff:127.0.0.1", 0)), b"x")
		s = made(None, ("::1", 9))
		send(s, b"x", socket.MSG_MORE)
		send(s, b"y", socket.MSG_MORE, ("::1", 0))
		send(s, b"y", 0, ("::ffff:127.0.0.1", 9))
	END
	run -0 python3 "$BATS_TEST_TMPDIR/program"
	natively=$output
	run -0 strsock --push nullmod --on udp python3 "$BATS_TEST_TMPDIR/program"
	[ "$output" = "$natively" ]
}
