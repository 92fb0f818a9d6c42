# SPDX-License-Identifier: GPL-2.0-only
#
# The machine without emulation: User Mode Linux, a kernel that is a process.
# Sourced by run.
# shellcheck shell=bash disable=SC2154

# The channels, each a serial line of the machine, in the order of their numbers.
uml_lines=(status klog leaks out err in tty)

# Finds or builds the kernel; false, with the reason told, where it cannot run.
uml_prepare() {
	local k kind=plain
	if [ "$debug" = 1 ] && [ "${smp:-1}" -gt 1 ]; then
		kind=debug-smp
	elif [ "$debug" = 1 ]; then
		kind=debug
	elif [ "${smp:-1}" -gt 1 ]; then
		kind=smp
	fi
	k=$("$VM_DIR/uml-kernel" --missing)
	if [ "$k" ]; then
		say "no User Mode Linux here ($k); emulating the machine"
		return 1
	fi
	mapfile -t k < <("$VM_DIR/uml-kernel" "$kind")
	[ ${#k[@]} -eq 4 ] || exit 125
	release=${k[0]} image=${k[1]} kernel_modules=${k[2]} headers=${k[3]}
	initrd=$("$VM_DIR/initrd" "$release" "$kernel_modules") || exit 125
	smp=${smp:-1}
	# This also finds out whether this host lets one process run another's system calls.
	if ! uml_trial; then
		say "User Mode Linux does not start here (no seccomp?); emulating the machine"
		return 1
	fi
}

uml_trial() {
	local folder status=0
	folder=$(mktemp -d "$VM_CACHE/trial.XXXXXX")
	trial uml-starts timeout -k 1 60 env -u TMP -u TEMP TMPDIR="$folder" "$image" mem=128M \
		initrd="$initrd" seccomp=on noreboot panic=-1 vm.off=1 con=null ssl=null \
		uml_dir="$folder" || status=1
	rm -rf "$folder"
	return "$status"
}

uml_ports() {
	local n
	for n in "${!uml_lines[@]}"; do
		printf 'port_%s=/dev/ttyS%d\n' "${uml_lines[n]}" "$n"
	done
	printf 'console=/dev/ttyS%d\n' $((n))
}

# One processor each: handing over between two of the host costs tenfold. Machines
# at once take different ones, as long as there are any. The lock is the machine's
# and ends with it.
uml_pin() {
	local list range n all=()
	list=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	for range in ${list//,/ }; do
		for ((n = ${range%-*}; n <= ${range#*-}; n++)); do
			all+=("$n")
		done
	done
	for n in "${all[@]}"; do
		exec {lock}>"$VM_CACHE/processor-$n.lock"
		if flock -n "$lock"; then
			processor=$n
			return
		fi
		exec {lock}>&-
	done
	processor=${all[RANDOM % ${#all[@]}]}
}

uml_run() {
	local lines=() n name file fd pin=() processor lock folder=/dev/shm

	# The memory is a file without a name, which code is run from.
	if [ "$(stat -f -c %T "$folder" 2>/dev/null)" != tmpfs ] ||
		findmnt -n -o OPTIONS -T "$folder" | grep -q noexec ||
		[ "$(df --output=avail -k "$folder" | tail -n 1)" -lt $((memory * 1024)) ]; then
		folder=$job
	fi
	for n in "${!uml_lines[@]}"; do
		name=${uml_lines[n]}
		file=$job/$name
		[ "$name" != klog ] || file=$job/dmesg
		case $name in
		tty)
			[ "$tty" = 1 ] || continue
			lines+=("ssl$n=fd:0,fd:1")
			continue
			;;
		in)
			[ "$tty" = 0 ] || continue
			# Held open for writing too, it has no end of file, which would hang up
			# the line with what is still in it.
			exec {fd}<>"$job/in.in"
			lines+=("ssl$n=fd:$fd,null")
			continue
			;;
		out | err) [ "$tty" = 0 ] || continue ;;
		esac
		exec {fd}>"$file"
		lines+=("ssl$n=null,fd:$fd")
	done
	exec {fd}>"$job/console"
	if [ "$smp" = 1 ]; then
		uml_pin
		pin=(taskset -c "$processor")
	fi
	ulimit -c 0
	unset TMP TEMP
	export TMPDIR=$folder
	exec 2>"$job/said"
	exec "${limited[@]}" "${pin[@]}" "$image" mem="${memory}M" ncpus="$smp" initrd="$initrd" \
		seccomp=on noreboot panic=-1 loglevel=5 log_buf_len=4M \
		uml_dir="$job" umid=machine vm.host=hostfs vm.job="$job" \
		con=null con0="null,fd:$fd" ssl=null "${lines[@]}" $append
}
