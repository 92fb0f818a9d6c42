# SPDX-License-Identifier: GPL-2.0-only
#
# Debian's packages, of the host's suites and of others, unpacked into the
# cache. Sourced by bash, after lib.bash.

VM_KERNELS=$VM_CACHE/kernels

# Where a package is looked for, in this order. "host" is the host's own apt,
# which knows security updates too.
VM_SUITES='host bookworm bookworm-backports trixie sid trixie-backports'

# apt_in SUITE apt-get|apt-cache ARG...
apt_in() {
	local suite=$1
	shift
	if [ "$suite" = host ]; then
		"$@"
	else
		"$VM_DIR/suite" "$suite" "$@"
	fi
}

# suite_of PACKAGE: the first suite that has it.
suite_of() {
	local suite
	for suite in $VM_SUITES; do
		if apt_in "$suite" apt-cache show "$1" >/dev/null 2>&1; then
			printf '%s\n' "$suite"
			return
		fi
	done
	return 1
}

# depends SUITE PACKAGE PATTERN: the packages it depends on that match.
depends() {
	apt_in "$1" apt-cache depends "$2" 2>/dev/null |
		sed -n 's/^ *|\{0,1\}Depends: //p' | grep -E -e "$3" || :
}

# fetch SUITE DIR PACKAGE...: download packages and unpack them into DIR.
fetch() {
	local suite=$1 dir=$2 tmp pkg
	shift 2
	mkdir -p "$dir"
	tmp=$(mktemp -d "$VM_KERNELS/fetch.XXXXXX")
	# apt drops its privileges, and its user must be able to write here.
	chmod 755 "$tmp"
	for pkg; do
		say "fetching $pkg"
		(cd "$tmp" && apt_in "$suite" apt-get -qq -o APT::Sandbox::User=root download "$pkg") >&2 || {
			rm -rf "$tmp"
			# The suite may have moved on: the next run gets new lists.
			rm -f "$VM_CACHE/suites/$suite/updated"
			die "$pkg could not be downloaded from $suite; try again (on the host's own suites: after apt-get update)"
		}
	done
	for pkg in "$tmp"/*.deb; do
		dpkg -x "$pkg" "$dir"
	done
	rm -rf "$tmp"
}
