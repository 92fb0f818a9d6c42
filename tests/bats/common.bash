# SPDX-License-Identifier: GPL-2.0-only
#
# Code that the tests share. Loaded by each with "load common".
#
# STRSOCK_BUILD	the build folder; the top of the source tree unless set
# STRSOCK_IN_VM	1 where the kernel modules must be there, and a test that finds
#		none fails instead of being skipped
# STRSOCK_MACHINE	uml or emulator: which machine that is

bats_require_minimum_version 1.5.0

# Every test loads this file: a process fewer here is one fewer for each of them.
export STRSOCK_SRC=${STRSOCK_SRC:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}
STRSOCK_BUILD=${STRSOCK_BUILD:-$STRSOCK_SRC}
HELPERS=$STRSOCK_BUILD/tests/helpers
LIBSTRSOCK=$STRSOCK_BUILD/preload/.libs/libstrsock.so
[ -e "$LIBSTRSOCK" ] || LIBSTRSOCK=$STRSOCK_BUILD/preload/libstrsock.so
COUNTERS=/proc/streams/counters

# The distribution's programs, whatever else of their names this machine has
PATH=$STRSOCK_BUILD/tools:$HELPERS:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
export LC_ALL=C

# Only what a test says shall count, not what the caller's shell had.
unset LD_PRELOAD STRSOCK_LIB STRSOCK_PIPE STRSOCK_UDP STRSOCK_TCP STRSOCK_REQUIRE STRSOCK_VERBOSE SOCK2PATH
unset STRSOCK_PUSH_PIPE STRSOCK_PUSH_UDP STRSOCK_PUSH_TCP
# No rules but those of the test; an empty file rather than the machine's.
export STRSOCK_CONF=/dev/null

if ! [ -x "$STRSOCK_BUILD/tools/strsock" ] || ! [ -e "$LIBSTRSOCK" ]; then
	echo "nothing built in $STRSOCK_BUILD: run make, or set STRSOCK_BUILD" >&2
	exit 1
fi

# bats calls this for the time when a test begins and ends: since 1.11 with the name
# of a variable, before for its output.
get_mills_since_epoch() {
	# shellcheck disable=SC2059 # an option
	printf ${1:+-v "$1"} %d $((${EPOCHREALTIME/[.,]/} / 1000))
}

# in_build TARGET|VARIABLE=VALUE...: make where it was built, one at a time: files of
# tests run beside each other. Modules that make alone has built keep their path.
in_build() {
	local kbuild=$STRSOCK_BUILD/kbuild release ccached=("$STRSOCK_SRC/tests/vm/ccached")
	release=$(sed -n 's/^KERNEL_RELEASE = //p' "$STRSOCK_BUILD/Makefile")
	[ "$(cat "$kbuild/path" 2>/dev/null)" = "$kbuild" ] || [ ! "$release" ] ||
		ccached+=(--kbuild "$release" "$kbuild")
	flock "$STRSOCK_BUILD" "${ccached[@]}" make -s -C "$STRSOCK_BUILD" "$@"
}

# modules_built: builds the modules for configure's kernel, if they are not built; false
# if it was told to build none. The machines have modules of their own.
modules_built() {
	grep -q '^kmod_goal = kmod-build' "$STRSOCK_BUILD/Makefile" || return 1
	[ -f "$STRSOCK_BUILD/kbuild/kmod/Module.symvers" ] || in_build -j"$(nproc)" kmod-build
}

# until_true COMMAND...: wait until it succeeds. The limit is there for a COMMAND
# that never does, not for a slow machine. The output of the last try is printed.
until_true() {
	local limit=${STRSOCK_TEST_LIMIT:-300} start=$SECONDS
	until "$@" >/dev/null 2>&1; do
		if [ $((SECONDS - start)) -ge "$limit" ]; then
			echo "not true within $limit s: $*"
			"$@"
			return
		fi
		sleep 0.05
	done
}

# loaded MODULE
loaded() {
	[ -d "/sys/module/$1" ]
}

# unloaded MODULE: it is not loaded, or no longer
unloaded() {
	local holder
	for holder in /sys/module/"$1"/holders/*; do
		[ ! -e "$holder" ] || unloaded "${holder##*/}" || return
	done
	! loaded "$1" || rmmod "$1"
}

# once NAME MODULE COMMAND...: whether COMMAND succeeds. Where it has in an earlier
# test of the file, and MODULE is loaded still, it is not run again.
once() {
	local mark=$BATS_RUN_TMPDIR/$1 module=$2
	shift 2
	[ -e "$mark" ] && loaded "$module" || { "$@" 2>/dev/null && : >"$mark"; }
}

has_pipe() {
	once has_pipe strpipe strsock --require --pipe --no-udp --no-tcp true
}

has_udp() {
	once has_udp strsock strsock --require --no-pipe --udp true
}

# require_modules [pipe] [udp]: the test needs them; both if none is named. The
# other is left to the native kernel by strsock in this test.
require_modules() {
	local kind missing=
	[ $# -gt 0 ] || set -- pipe udp
	for kind; do
		"has_$kind" || missing="$missing $kind"
	done
	[[ " $* " == *" pipe "* ]] || export STRSOCK_PIPE=0
	[[ " $* " == *" udp "* ]] || export STRSOCK_UDP=0 STRSOCK_TCP=0
	[ "$missing" ] || return 0
	if [ "$STRSOCK_IN_VM" = 1 ]; then
		echo "STREAMS modules missing in the machine:$missing"
		return 1
	fi
	skip "needs STREAMS modules:$missing"
}

# require_loaded MODULE...: the drivers and modules that the test is about
require_loaded() {
	local module missing=()
	for module; do
		loaded "$module" || missing+=("$module")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	! modprobe -a "${missing[@]}" || return 0
	if [ "$STRSOCK_IN_VM" = 1 ]; then
		echo "modules missing in the machine, of: ${missing[*]}"
		return 1
	fi
	skip "needs the modules ${missing[*]}"
}

require_root() {
	[ "$EUID" -eq 0 ] || skip "needs root"
}

# The test is about what happens where a module is not loaded.
require_no_udp() {
	! has_udp || skip "STREAMS sockets are there"
}

# not_on_uml REASON: the test needs what User Mode Linux lacks.
not_on_uml() {
	[ "${STRSOCK_MACHINE:-}" != uml ] || skip "not on User Mode Linux: $1"
}

# needs PROGRAM...: the test runs them.
needs() {
	local program
	for program; do
		command -v "$program" >/dev/null || skip "needs $program"
	done
}

# preloaded [VARIABLE=VALUE]... COMMAND...: with the library, without launcher.
preloaded() {
	env LD_PRELOAD="$LIBSTRSOCK" "$@"
}

# without_pipes COMMAND...: where there are pipes, hide their device from it.
without_pipes() {
	if has_pipe; then
		export -f preloaded
		LIBSTRSOCK=$LIBSTRSOCK unshare -m bash -c \
			'mount -t tmpfs none /dev/streams && "$@"' bash "$@"
	else
		"$@"
	fi
}

# sum_of COUNTER...: prints their sum
sum_of() {
	local counters counter sum=0 found=0
	mapfile -t counters <"$COUNTERS"
	for counter in "${counters[@]}"; do
		[[ " $* " == *" ${counter%% *} "* ]] || continue
		sum=$((sum + ${counter##* }))
		found=$((found + 1))
	done
	[ $found -eq $# ] || { echo "no such counter among $*" >&2; return 1; }
	echo $sum
}

# counter NAME: its value now.
counter() {
	sum_of "$1"
}

# Pipes and datagrams so far. UDP sockets are not counted: the launcher opens
# one to see whether it can.
through_streams() {
	sum_of pipe_opened udp_messages_sent udp_messages_received tcp_messages_sent
}

# record NAME COMMAND...: keep its standard output, error and exit status.
record() {
	local name=$BATS_TEST_TMPDIR/$1 status=0
	shift
	"$@" >"$name.out" 2>"$name.err" || status=$?
	echo "$status" >"$name.status"
}

# same_bytes FILE FILE: for files that are mostly empty
same_bytes() {
	[ ! -s "$1" ] && [ ! -s "$2" ] || cmp "$1" "$2"
}

# identical NAME NAME: two records, byte for byte.
identical() {
	local part one other
	for part in status out err; do
		one=$BATS_TEST_TMPDIR/$1.$part other=$BATS_TEST_TMPDIR/$2.$part
		! same_bytes "$one" "$other" || continue
		echo "$part differs between $1 and $2:"
		diff -a "$one" "$other" | head -n 20
		return 1
	done
}

# The oracle: run a command natively and under strsock; all it puts out must be
# the same, and something must have gone through STREAMS.
same_natively_and_under_strsock() {
	local before after
	record native "$@"
	before=$(through_streams)
	record streams strsock --require "$@"
	after=$(through_streams)
	identical native streams || return 1
	if [ "$after" -le "$before" ]; then
		echo "nothing went through STREAMS"
		return 1
	fi
}
