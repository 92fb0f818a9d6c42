#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# strsock --all: pipes of programs that no preload reaches, by a supervisor that seccomp(2)
# notifies of their calls
# bats file_tags=nodebug,oldest
# shellcheck disable=SC2016 # shells of the command expand them

load common

setup() {
	require_modules pipe
	require_root
	[ "${STRSOCK_IN_VM:-}" = 1 ] || skip "starts and kills supervisors"
	cd "$BATS_TEST_TMPDIR" || return
	export STRSOCK_CONF=/dev/null
	PIPES=$HELPERS/cgroup-pipes
}

# The processes of supervisors, and those that wait to remove a cgroup
supervisors() {
	local comm name
	for comm in /proc/[0-9]*/comm; do
		read -r name 2>/dev/null <"$comm" || continue
		[ "$name" != strsock-cgroup ] || echo "${comm//[^0-9]/}"
	done | sort -n
}

# Prints the process that answers calls, which is a child of another one
worker() {
	local pid parent
	for pid in $(supervisors); do
		parent=$(awk '{ print $4 }' "/proc/$pid/stat" 2>/dev/null) || continue
		[ "$(cat "/proc/$parent/comm" 2>/dev/null)" != strsock-cgroup ] || echo "$pid"
	done
}

has_worker() {
	[ -n "$(worker)" ]
}

no_supervisor() {
	[ -z "$(supervisors)" ]
}

# opened COMMAND...: prints how many pipes it made on STREAMS. Its output is in the file out.
opened() {
	local pipes
	pipes=$(counter pipe_opened)
	"$@" >out 2>&1 || return
	echo $(($(counter pipe_opened) - pipes))
}

# as_natively PART...: a part of the helper has the same result natively and under --all,
# where its pipes are on STREAMS.
as_natively() {
	"$PIPES" "$1"
	run -0 opened strsock --require --all "$PIPES" "$1"
	cat out
	[ "$output" -ge "$2" ]
	until_true no_supervisor
}

# bats test_tags=matrix
@test "a static program's pipes are on STREAMS, with their flags and numbers" {
	as_natively flags 6
}

@test "an address that cannot be written is EFAULT, and no descriptor remains" {
	as_natively addresses 0
}

@test "without room for two descriptors it is EMFILE, and none remains" {
	as_natively limits 2
}

@test "calls of many threads at the same time" {
	as_natively threads 2400
}

@test "calls while signals arrive are made once, and not interrupted" {
	as_natively signals 200
}

@test "processes that are killed in the call leave nothing, and others are answered" {
	local worker files
	as_natively killed 300
	mkfifo go
	strsock --all sh -c '"$0" many; echo before; read -r line; "$0" killed; echo after; read -r line || :' "$PIPES" <go >out 3>&- &
	exec 4>go
	until_true grep before out
	worker=$(worker)
	files=$(find "/proc/$worker/fd" -type l | wc -l)
	echo >&4
	until_true grep after out
	[ "$(find "/proc/$worker/fd" -type l | wc -l)" -eq "$files" ]
	exec 4>&-
	wait $!
}

@test "processes that are stopped in the call do not keep others waiting" {
	as_natively stopped 300
}

@test "pipelines of a statically linked shell" {
	needs busybox
	local script='seq 30000 | sort -rn | head -n 3; echo "$(echo a | tr a b)"; yes | head -c 100000 | cksum; false | true; echo $?'
	busybox sh -c "$script" >native
	run -0 opened strsock --require --all busybox sh -c "$script"
	[ "$output" -ge 6 ]
	diff native out
}

@test "a Go program, whose runtime makes system calls itself" {
	[ -x "$HELPERS/cgroup-go" ] || skip "needs go where the tests are built"
	"$HELPERS/cgroup-go" >native
	run -0 opened strsock --require --all "$HELPERS/cgroup-go"
	[ "$output" -ge 40 ]
	diff native out
}

@test "a program with the library: its own pipes, and those that it leaves native, are not announced" {
	run -0 opened strsock --require --all bash -c 'echo a | cat'
	[ "$output" -eq 1 ]
	# The rule of the supervisor is another: the library's decision holds.
	run -0 opened strsock --all env STRSOCK_PIPE=0 bash -c 'echo a | cat'
	[ "$output" -eq 0 ]
}

@test "rules by the name or the path of a program, and --no-pipe" {
	cp "$PIPES" other
	printf '%s\n' 'o*r pipe - - native' "$(realpath "$PIPES") pipe - - native" >rules
	run -0 opened strsock --all -c rules ./other many
	[ "$output" -eq 0 ]
	run -0 opened strsock --all -c rules "$PIPES" many
	[ "$output" -eq 0 ]
	run -0 opened strsock --all --pipe -c rules "$PIPES" many
	[ "$output" -eq 300 ]
	run -0 opened env STRSOCK_PIPE=0 "$STRSOCK_BUILD/tools/strsock" --all "$PIPES" many
	[ "$output" -eq 0 ]
}

@test "a rule by path holds for a program whose file was replaced while it runs" {
	cp "$PIPES" other
	echo "$PWD/other pipe - - native" >rules
	mkfifo go
	pipes=$(counter pipe_opened)
	strsock --all -c rules ./other waits <go >out 3>&- &
	exec 4>go
	echo >&4
	until_true grep ok out
	rm other
	echo >&4
	exec 4>&-
	wait $!
	[ "$(cat out)" = "ok
ok" ]
	[ "$(counter pipe_opened)" -eq "$pipes" ]
}

@test "--verbose: a call that fails, as its module cannot be pushed, is not reported as made" {
	require_loaded openfail
	run -1 strsock --all --require --verbose --push openfail --on pipe "$PIPES" many
	grep -q 'cgroup-pipes: pipe2 -> failed$' <<<"$output"
	run ! grep -e '-> streams' <<<"$output"
}

@test "--push: modules on the pipes of a static program" {
	require_loaded strmod-nullmod
	run -0 strsock --all --push nullmod --on pipe busybox sh -c "echo a | (strconf <&0; cat)"
	[ "$output" = "nullmod
a" ] || { echo "$output"; false; }
}

@test "a program with other rights than the launcher has native pipes" {
	run -0 opened strsock --all setpriv --reuid 65534 --clear-groups "$PIPES" many
	[ "$output" -eq 0 ]
	run -0 opened strsock --all setpriv --regid 65534 --clear-groups "$PIPES" many
	[ "$output" -eq 0 ]
	run -0 opened strsock --all setpriv --bounding-set -sys_resource "$PIPES" many
	[ "$output" -eq 0 ]
	run -0 opened strsock --all unshare -Ur "$PIPES" many
	[ "$output" -eq 0 ]
	# In namespaces of other kinds it is the same program.
	run -0 opened strsock --all unshare -pfmn "$PIPES" many
	[ "$output" -eq 300 ]
}

@test "set-user-ID programs keep working for root's launcher" {
	[[ "$(findmnt -no OPTIONS -T .)" != *nosuid* ]] || skip "set-user-ID means nothing in this folder"
	chmod 755 . "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	cp "$(type -P id)" mine
	chmod 4755 mine
	run -0 strsock --all setpriv --reuid 65534 --clear-groups ./mine -u
	[ "$output" = 0 ]
}

@test "another user: one line with the remedy, and the command runs" {
	user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	run -0 user "$STRSOCK_BUILD/tools/strsock" --all --no-udp --no-tcp echo ran
	[ "$output" = "strsock: --all: pipes of programs without the library stay native: not permitted (root may, and others whose programs gain no rights: setpriv --no-new-privs strsock)
ran" ]
	run -125 user "$STRSOCK_BUILD/tools/strsock" --all --require echo ran
	[ "$output" = "strsock: --all: not running the command: not permitted (root may, and others whose programs gain no rights: setpriv --no-new-privs strsock)" ]
	run -0 opened user setpriv --no-new-privs "$STRSOCK_BUILD/tools/strsock" --require --all "$PIPES" many
	[ "$output" -ge 300 ]
}

# bats test_tags=matrix
@test "the command keeps its number, status and children, and the supervisor ends with its last process" {
	run -7 strsock --all sh -c 'exit 7'
	[ "$(sh -c 'echo $$; exec strsock --all sh -c "echo \$\$"' | sort -u | wc -l)" -eq 1 ]
	run -0 strsock --all bash -c 'ls /proc/$$/fd; wait -n; echo $?'
	[ "$output" = "$(bash -c 'ls /proc/$$/fd; wait -n; echo $?')" ]
	until_true no_supervisor
	mkfifo go
	strsock --all sh -c "$PIPES waits <go >out & exit 0" 3>&-
	exec 4>go
	[ -n "$(supervisors)" ]
	echo >&4
	exec 4>&-
	until_true no_supervisor
	[ "$(cat out)" = ok ]
}

# begin_waits COMMAND...: start a program under it that makes pipes, and further ones when a
# line comes
begin_waits() {
	"$@" --all "$PIPES" waits <go >out 3>&- &
	exec 4>go
	echo >&4
	until_true grep ok out
}

# end_waits: the line comes, and the further pipes are on STREAMS.
end_waits() {
	local pipes
	pipes=$(counter pipe_opened)
	echo >&4
	exec 4>&-
	wait $!
	[ "$(cat out)" = "ok
ok" ]
	[ "$(counter pipe_opened)" -gt "$pipes" ]
}

# bats test_tags=matrix
@test "a supervisor that is killed is started again; calls are native in between, and none fails" {
	local i
	mkfifo go
	strsock --all sh -c 'read -r line
		for i in 1 2 3 4 5; do "$0" many || exit; done; echo done' "$PIPES" <go >status 3>&- &
	exec 4>go
	until_true has_worker
	exec 4>&-
	for ((i = 0; i < 8; i++)); do
		kill -9 "$(worker)" 2>/dev/null || :
		sleep 0.02
	done
	wait $!
	[ "$(cat status)" = "done" ]
	until_true no_supervisor
	# The first of the two is killed: the other answers still.
	begin_waits strsock
	kill -9 "$(awk '{ print $4 }' "/proc/$(worker)/stat")"
	end_waits
}

# bats test_tags=matrix
@test "a launcher with SIGCHLD ignored: a supervisor that is killed is started again, too" {
	mkfifo go
	begin_waits env --ignore-signal=CHLD "$STRSOCK_BUILD/tools/strsock"
	kill -9 "$(worker)"
	until_true has_worker
	end_waits
	until_true no_supervisor
}

@test "at the user's limit of processes calls are native, and none waits for the supervisor" {
	local limit
	# The limit has room for no supervisor, one process, two, and its threads.
	for limit in 2 3 4 5; do
		run -0 timeout 60 setpriv --reuid 65533 --regid 65533 --clear-groups --no-new-privs \
			prlimit --nproc=$limit "$STRSOCK_BUILD/tools/strsock" --all "$PIPES" many
	done
	until_true no_supervisor
}

@test "signals to all processes of a group or session do not reach the supervisor" {
	run -0 opened unshare -pf --mount-proc strsock --all setsid -w sh -c 'trap "" TERM; kill -TERM 0; kill -TERM -1; exec "$0" many' "$PIPES"
	[ "$output" -ge 300 ]
}

@test "filters of programs: one of its own, and bubblewrap's" {
	as_natively filtered 300
	needs bwrap
	run -0 opened strsock --all bwrap --dev-bind / / --unshare-pid --proc /proc "$PIPES" many
	[ "$output" -ge 300 ]
}

@test "--all within --all: one line, and the outer one answers" {
	run -0 opened strsock --all strsock --all "$PIPES" many
	[ "$output" -ge 300 ]
	[ "$(cat out)" = "strsock: --all: pipes of programs without the library stay native: another supervisor answers system calls here already" ]
}
