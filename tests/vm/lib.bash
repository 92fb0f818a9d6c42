# SPDX-License-Identifier: GPL-2.0-only
#
# Code that the scripts of the virtual machine share. Sourced by bash.

# Where modprobe and depmod are, which is in the path of root only.
PATH=$PATH:/usr/sbin:/sbin

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VM_TOP=$(cd "$VM_DIR/../.." && pwd)
VM_CACHE=${STRSOCK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strsock}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit "${DIE_STATUS:-125}"
}

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

need() {
	local cmd
	for cmd; do
		command -v "$cmd" >/dev/null ||
			die "$cmd is not installed (packages: $VM_DIR/packages)"
	done
}

# locked NAME COMMAND...: runs it, one at a time of those that prepare the same
# thing.
locked() {
	local name=$1 fd
	shift
	mkdir -p "$VM_CACHE"
	exec {fd}>"$VM_CACHE/$name.lock"
	flock "$fd"
	"$@"
	flock -u "$fd"
	exec {fd}>&-
}

# trial NAME COMMAND...: does a trial machine end well? Tried once for each boot of
# the host.
trial() {
	local verdict=$VM_CACHE/$1 boot answer=no
	shift
	boot=$(cat /proc/sys/kernel/random/boot_id)
	if [ "$(cut -d' ' -f1 "$verdict" 2>/dev/null)" != "$boot" ]; then
		# In a shell of its own, which keeps to itself how it died.
		! ("$@" || exit 1) >/dev/null 2>&1 </dev/null || answer=yes
		echo "$boot $answer" >"$verdict"
	fi
	[ "$(cut -d' ' -f2 "$verdict")" = yes ]
}
