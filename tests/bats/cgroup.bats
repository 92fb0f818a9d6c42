#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# strsock --all and --cgroup: sockets of programs that no preload reaches, by a BPF program
# bats file_tags=nodebug,matrix

load common

PINS=/sys/fs/bpf/strsock
CGROUPS=/sys/fs/cgroup

setup() {
	require_modules udp
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "loads a BPF program, and makes cgroups"
	mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf || :
	cd "$BATS_TEST_TMPDIR" || return
	export STRSOCK_CONF=/dev/null
	unset STRSOCK_PIPE
	groups=()
}

teardown() {
	local i
	for ((i = ${#groups[@]} - 1; i >= 0; i--)); do
		strsock --cgroup "${groups[i]}" --off 2>/dev/null || :
		rmdir "${groups[i]}"
	done
}

# The kernel has the hook, and strsock was built with BPF.
has_hook() {
	[ -e "$STRSOCK_BUILD/cgroup/redirect.skel.h" ] && grep -qw update_socket_protocol /proc/kallsyms && [ -e /sys/kernel/btf/vmlinux ]
}

needs_hook() {
	has_hook || skip "this kernel has no hook for new sockets, or strsock was built without clang, bpftool or libbpf-dev"
}

# opened COMMAND...: prints how many sockets of UDP and TCP it made on STREAMS. The
# command's own output is in the file out.
opened() {
	local udp tcp
	udp=$(counter udp_opened)
	tcp=$(counter tcp_opened)
	"$@" >out || return
	# The launcher makes one to see whether there are any.
	[ "$1" != strsock ] || ((++udp))
	echo "udp $(($(counter udp_opened) - udp)) tcp $(($(counter tcp_opened) - tcp))"
}

# The policy of a command ends with its last process, by another process.
until_unloaded() {
	local i
	for ((i = 0; i < 600; i++)); do
		[ -e "$PINS" ] || return 0
		sleep 0.1
	done
	echo "the BPF program is still loaded"
	return 1
}

@test "--all: a static program's sockets are on STREAMS, and it sees no difference" {
	needs_hook
	run -0 opened "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 0" ]
	mv out native
	run -0 opened strsock --require --no-pipe --all "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 4 tcp 6" ]
	diff native out
	until_unloaded
}

@test "--all: children and their children, with --no-udp, --no-tcp, and none outside" {
	needs_hook
	run -0 opened strsock --no-pipe --all sh -c "sh -c '$HELPERS/cgroup-sockets | cat' & wait"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 opened strsock --no-pipe --all --no-udp "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 6" ]
	run -0 opened strsock --no-pipe --all --no-tcp "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 4 tcp 0" ]
	run -0 opened strsock --no-pipe --all sh -c "echo \$\$ >$CGROUPS/cgroup.procs; $HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 0" ]
}

@test "--all --push: modules are pushed by the library, and in a program without it by the supervisor" {
	local program='
import socket, subprocess
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
subprocess.run(["strconf", "-m", "count"], stdin=s, check=True)'
	run -0 strsock --no-pipe --all --push count --on udp python3 -c "$program"
	[ "$output" = yes ]
	run -0 strsock --no-pipe --all --push count --on udp env -u LD_PRELOAD python3 -c "$program"
	[ "$output" = yes ]
	echo 'python3* inet dgram udp streams count' >rules
	run -0 strsock --no-pipe --all -c rules env -u LD_PRELOAD python3 -c "$program"
	[ "$output" = yes ]
}

@test "--all without the module of sockets: one line, and sockets are native" {
	needs_hook
	# The kernel's own modprobe is not to find it.
	mount -t tmpfs tmpfs /lib/modules
	rmmod strinet strsock
	run strsock --all "$HELPERS/cgroup-sockets"
	umount /lib/modules
	modprobe -a strsock strinet
	[ "$status" -eq 0 ]
	[[ $output == *"strsock: STREAMS module strsock is not loaded (run: modprobe strsock); sockets of"*"stay native"* ]]
	"$HELPERS/cgroup-sockets" >native
	diff native <(grep -v "^strsock: " <<<"$output")
}

@test "--all: rules by the name of a program hold, the first that matches" {
	needs_hook
	cp "$HELPERS/cgroup-sockets" a-name-of-more-than-15-letters
	ln -s "$HELPERS/cgroup-sockets" other
	cat >rules <<-'END'
		a-name-of-more-*  inet   stream tcp  streams
		a-name-of-m?re-*  *      stream *    native
		cgroup-sockets*   inet6  dgram  udp  native
		c*p-soc?ets       *      stream tcp  native
		*tockets          *      *      *    native
	END
	export STRSOCK_CONF=$PWD/rules
	run -0 opened strsock --no-pipe --all ./a-name-of-more-than-15-letters
	[ "$output" = "udp 4 tcp 3" ]
	run -0 opened strsock --no-pipe --all "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 2 tcp 0" ]
	run -0 opened strsock --no-pipe --all ./other
	[ "$output" = "udp 4 tcp 6" ]
	# An option is stronger.
	run -0 opened strsock --no-pipe --all --tcp "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 2 tcp 6" ]
}

@test "--all: a rule that names a path is reported, as it does not hold" {
	needs_hook
	local path
	path=$(realpath "$(type -P true)")
	printf '%s\n' "$path * * * native" "$HELPERS/cgroup-sockets pipe - - native" >rules
	run -0 --separate-stderr strsock --no-pipe --all -c rules "$HELPERS/cgroup-sockets"
	# shellcheck disable=SC2154
	[[ "${stderr_lines[0]}" == *"rules:1: warning: does not hold for sockets by --all or --cgroup, which knows no paths: '$path'" ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "--all: a program with more rights than its user keeps native sockets" {
	needs_hook
	[[ "$(findmnt -no OPTIONS -T .)" != *nosuid* ]] || skip "set-user-ID means nothing in this folder"
	chmod 755 . "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	cp "$HELPERS/cgroup-sockets" mine
	run -0 opened strsock --no-pipe --all setpriv --reuid 65534 --clear-groups ./mine
	[ "$output" = "udp 4 tcp 6" ]
	chmod 4755 mine
	run -0 opened strsock --no-pipe --all setpriv --reuid 65534 --clear-groups ./mine
	[ "$output" = "udp 0 tcp 0" ]
}

@test "--all: the command keeps its number, status, signals and descriptors" {
	needs_hook
	run -7 strsock --all sh -c 'exit 7'
	run -143 strsock --all sh -c 'kill $$'
	[ "$(sh -c 'echo $$; exec strsock --all sh -c "echo \$\$"' | sort -u | wc -l)" -eq 1 ]
	run -0 strsock --all --no-pipe bash -c 'ls /proc/$$/fd; wait -n; echo $?'
	[ "$output" = "$(bash -c 'ls /proc/$$/fd; wait -n; echo $?')" ]
	run -127 strsock --all nonexistent
}

@test "--all: what a command leaves running keeps the policy, and its end takes it away" {
	needs_hook
	mkfifo go
	strsock --no-pipe --all sh -c "$HELPERS/cgroup-sockets wait <go >out & exit 0" 3>&-
	[ -e "$PINS/link" ]
	local udp
	udp=$(counter udp_opened)
	echo >go
	until_unloaded
	[ "$(counter udp_opened)" -eq $((udp + 4)) ]
	[ -z "$(find "$CGROUPS" -maxdepth 1 -name 'strsock-*')" ]
}

@test "--cgroup: the sockets of a cgroup, until --off; the innermost policy applies" {
	needs_hook
	groups=("$CGROUPS/service" "$CGROUPS/service/inner")
	mkdir "${groups[@]}"
	in_group() { bash -c "echo \$\$ >$1/cgroup.procs && exec $HELPERS/cgroup-sockets"; }
	run -0 strsock --cgroup "${groups[0]}"
	[ -z "$output" ]
	run -0 opened in_group "${groups[0]}"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 opened in_group "${groups[1]}"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 strsock --no-udp --cgroup "${groups[1]}"
	run -0 opened in_group "${groups[1]}"
	[ "$output" = "udp 0 tcp 6" ]
	run -0 opened in_group "${groups[0]}"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 strsock --cgroup "${groups[1]}" --off
	run -0 opened in_group "${groups[1]}"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 strsock --cgroup "${groups[0]}" --off
	[ ! -e "$PINS" ]
	run -0 opened in_group "${groups[0]}"
	[ "$output" = "udp 0 tcp 0" ]
	run -125 strsock --cgroup "${groups[0]}" --off
	[ "$output" = "strsock: ${groups[0]}: it has no policy" ]
}

@test "--cgroup: a policy holds for a process that has asked before, from its next socket on" {
	needs_hook
	groups=("$CGROUPS/service")
	mkdir "${groups[@]}"
	mkfifo go
	bash -c "echo \$\$ >${groups[0]}/cgroup.procs; $HELPERS/cgroup-sockets >/dev/null; exec $HELPERS/cgroup-sockets wait <go" >out 3>&- &
	local pid=$! udp
	exec 4>go
	strsock --cgroup "${groups[0]}"
	udp=$(counter udp_opened)
	echo >&4
	exec 4>&-
	wait "$pid"
	[ "$(counter udp_opened)" -eq $((udp + 4)) ]
}

@test "--cgroup: policies of cgroups that were removed make room for others" {
	needs_hook
	local i
	for ((i = 0; i < 3; i++)); do
		mkdir "$CGROUPS/short"
		strsock --cgroup "$CGROUPS/short"
		rmdir "$CGROUPS/short"
	done
	groups=("$CGROUPS/service")
	mkdir "${groups[@]}"
	strsock --cgroup "${groups[0]}"
	run -0 bpftool -j map dump pinned "$PINS/groups"
	[ "$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)))' <<<"$output")" -eq 1 ]
}

@test "the drop-in of systemd for a service: its lines, run as systemd does" {
	needs_hook
	local dropin=$STRSOCK_SRC/examples/systemd/strsock.conf start stop
	groups=("$CGROUPS/system.slice" "$CGROUPS/system.slice/a.service")
	mkdir "${groups[@]}"
	start=$(sed -n 's,^ExecStartPre=+/usr/bin/,,p' "$dropin")
	stop=$(sed -n 's,^ExecStopPost=+-/usr/bin/,,p' "$dropin")
	in_service() { bash -c "echo \$\$ >${groups[1]}/cgroup.procs && $1"; }
	run -0 in_service "${start//%n/a.service}"
	[ -z "$output" ]
	run -0 opened in_service "exec $HELPERS/cgroup-sockets"
	[ "$output" = "udp 4 tcp 6" ]
	run -0 in_service "${stop//%n/a.service}"
	run -0 opened in_service "exec $HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 0" ]
}

@test "systemd finds no fault in the drop-in" {
	needs systemd-analyze
	printf '%s\n' '[Service]' "ExecStart=$(type -P true)" >a.service
	mkdir -p a.service.d units
	# It wants the program to be there.
	sed "s,/usr/bin/strsock,$(type -P true)," "$STRSOCK_SRC/examples/systemd/strsock.conf" >a.service.d/strsock.conf
	run -0 systemd-analyze verify --man=no ./a.service
	run ! grep -E 'a.service|strsock.conf' <<<"$output"
}

@test "bad arguments are reported, and change nothing" {
	run -125 strsock --off true
	[ "$output" = "strsock: --off without --cgroup; try 'strsock --help'" ]
	run -125 strsock --cgroup "$CGROUPS" true
	[ "$output" = "strsock: --cgroup takes neither a COMMAND nor --all; try 'strsock --help'" ]
	local option
	for option in --pipe -P --duplex --push=count --verbose; do
		run -125 strsock "$option" --cgroup "$CGROUPS"
		[ "$output" = "strsock: --cgroup takes only --udp, --tcp, their opposites, --config and --off; try 'strsock --help'" ]
	done
	run -125 strsock --cgroup "$PWD/nonexistent"
	[ "$output" = "strsock: $PWD/nonexistent: No such file or directory" ]
	run -125 strsock --cgroup "$PWD"
	[ "$output" = "strsock: $PWD: no cgroup of the second version (they are below /sys/fs/cgroup)" ]
	[ ! -e "$PINS" ]
}

@test "without a BPF file system: one line with the remedy; --all has the sockets on STREAMS by notification" {
	needs_hook
	groups=("$CGROUPS/service")
	mkdir "${groups[@]}"
	without() { unshare -m sh -c "umount /sys/fs/bpf && PATH=$PATH && $*"; }
	run -125 without strsock --cgroup "${groups[0]}"
	[ "$output" = "strsock: ${groups[0]}: no BPF file system (run: mount -t bpf bpf /sys/fs/bpf)" ]
	run -0 opened without strsock --require --no-pipe --all cgroup-sockets
	[ "$output" = "udp 5 tcp 6" ]
}

@test "a folder of another user in the place of the program's is not used, nor waited for" {
	needs_hook
	groups=("$CGROUPS/service")
	mkdir "${groups[@]}" "$PINS"
	chown 65534 "$PINS"
	run -125 strsock --cgroup "${groups[0]}"
	rmdir "$PINS"
	[ "$output" = "strsock: ${groups[0]}: $PINS is a symbolic link, or belongs to another user" ]
}

@test "a symbolic link in the place of the program's folder is not followed: nothing is removed behind it" {
	needs_hook
	groups=("$CGROUPS/service")
	mkdir "${groups[@]}" "$BATS_TEST_TMPDIR/behind"
	touch "$BATS_TEST_TMPDIR/behind/groups"
	ln -s "$BATS_TEST_TMPDIR/behind" "$PINS"
	run -125 strsock --cgroup "${groups[0]}"
	run -0 --separate-stderr strsock --verbose --no-pipe --all echo ran
	rm "$PINS"
	[ "$output" = ran ]
	# shellcheck disable=SC2154
	[ "$stderr" = "strsock: --all: sockets by notification, not by BPF: $PINS is a symbolic link, or belongs to another user" ]
	[ -e "$BATS_TEST_TMPDIR/behind/groups" ]
}

@test "--all, on a kernel without the hook: the sockets are on STREAMS by notification" {
	! has_hook || skip "this kernel has it"
	run -0 opened "$HELPERS/cgroup-sockets"
	mv out native
	run -0 opened strsock --require --no-pipe --all "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 4 tcp 6" ]
	diff native out
	run -0 opened strsock --no-pipe --all --no-udp "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 6" ]
	printf '%s\n' 'cgroup-sockets inet6 stream tcp native' "$(realpath "$HELPERS/cgroup-sockets") inet dgram udp native" >rules
	run -0 opened strsock --no-pipe --all -c rules "$HELPERS/cgroup-sockets"
	[ "$output" = "udp 2 tcp 3" ]
	# In another network namespace the supervisor can make none.
	run -0 opened strsock --no-pipe --all unshare -n sh -c "ip link set lo up && $HELPERS/cgroup-sockets"
	[ "$output" = "udp 0 tcp 0" ]
	[ -z "$(find "$CGROUPS" -maxdepth 1 -name 'strsock-*')" ]
}
